// SPDX-License-Identifier: Apache-2.0
// Runs a model under a target, bit for bit, and lets any tensor be read without changing one.
//   auto run = executor::prepare(model, rules_of<targets::xnnpack>());  // checks, binds, plans memory
//   run->set_input(0, bytes);
//   run->run();
//   run->value(tensor)
#pragma once

#include <bittwin/graph/arena_plan.hpp>
#include <bittwin/graph/build_node.hpp>
#include <bittwin/graph/workspace.hpp>
#include <bittwin/types/parallel_for.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::graph::inline v1 {

/// A tensor's contents during or after a run. type: its own, or float64 under a target on reals.
struct tensor_value {
  element_type type = element_type::int8;
  shape extents;
  std::span<const std::byte> bytes;
};

class executor {
 public:
  static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

  /// The model must outlive the executor. arena_limit in bytes.
  /// errors  operators, types and shapes that the target or this version does not define, with the
  /// reason
  [[nodiscard]] static result<executor> prepare(const model& m, const target_rules& rules,
                                                keep_tensors keep = keep_tensors::outputs,
                                                std::size_t arena_limit = no_limit);

  [[nodiscard]] const model& of() const noexcept { return *model_; }
  /// Elements of a graph input, as the model types them. errors: number, length
  /// A run reuses the memory of its inputs: set all of them again before the next one.
  [[nodiscard]] status set_input(std::size_t number, std::span<const std::byte> bytes);

  /// Runs every operator in order. observer(operator index) is called after each one.
  /// parallel  threads of the caller, used by convolutions, fully connected layers, pools, means, and by sums,
  ///           requantizations and functions of 8-bit codes; they make the integers that one thread makes
  void run(const std::function<void(std::size_t)>& observer = {},
           const parallel_for& parallel = {}) {
    workspace_.use(parallel);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i](workspace_);
      if (observer) observer(i);
    }
    workspace_.use({});  // the hook is the caller's
  }
  /// Variables become what they are before the first run: 0, for int8 the code of 0.0.
  /// source  TFLite subgraph.cc ResetVariableTensors, TFLM micro_interpreter.cc
  void reset_variables();
  /// Runs one operator on what its input tensors hold; needs keep_tensors::all.
  void run_one(std::size_t operation) { nodes_[operation](workspace_); }

  [[nodiscard]] tensor_value value(std::int32_t tensor) const {
    return {stored_type(*model_, tensor, *rules_),
            model_->tensors[static_cast<std::size_t>(tensor)].extents, workspace_.bytes(tensor)};
  }
  /// Overwrites a tensor, so that one operator can be run on recorded operands.
  /// Elements are in the model's type.
  void set_value(std::int32_t tensor, std::span<const std::byte> bytes);

  [[nodiscard]] std::size_t arena_bytes() const noexcept { return arena_bytes_; }
  /// What was proved of an operator's packed kernel; nothing where it has none.
  [[nodiscard]] const explanation& explain(std::size_t operation) const {
    return nodes_[operation].why();
  }
  /// Which rules an operator runs under: "xnnpack", or "tflite-builtin (left by xnnpack: no bias)".
  [[nodiscard]] const std::string& ran_as(std::size_t operation) const {
    return ran_as_[operation];
  }

 private:
  executor(const model& m, const target_rules& rules) : model_(&m), rules_(&rules), workspace_(m) {}

  [[nodiscard]] status bind_nodes();
  [[nodiscard]] status check_memory(const arena_plan& plan, std::size_t arena_limit) const;
  void place_constants();
  void place_computed(const arena_plan& plan);
  [[nodiscard]] std::size_t stored_bytes(std::int32_t tensor) const;

  struct aligned_delete {
    void operator()(std::byte* p) const noexcept {
      ::operator delete (p, std::align_val_t{memory_plan::alignment});
    }
  };
  using aligned_bytes = std::unique_ptr<std::byte, aligned_delete>;
  [[nodiscard]] static aligned_bytes allocate(std::size_t bytes);

  const model* model_;
  const target_rules* rules_;
  workspace workspace_;
  std::vector<node> nodes_;
  std::vector<std::string> ran_as_;
  std::vector<aligned_bytes> constants_;
  aligned_bytes arena_;
  std::size_t arena_bytes_ = 0;
};

}  // namespace bittwin::graph::inline v1
