// SPDX-License-Identifier: Apache-2.0
// Runs a model under a target, bit for bit, and lets any tensor be read without changing one.
//   auto run = executor::prepare(model, rules_of<targets::xnnpack>());   // result: checks, binds,
//   plans memory run->set_input(0, bytes);  run->run();  run->value(tensor)
#pragma once

#include <algorithm>
#include <bittwin/graph/arena_plan.hpp>
#include <bittwin/graph/build_node.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/types/expects.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstring>
#include <functional>
#include <memory>
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
  void run(const std::function<void(std::size_t)>& observer = {}) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i](workspace_);
      if (observer) observer(i);
    }
  }
  /// Variables become what they are before the first run: 0, for int8 the code of 0.0.
  /// source  TFLite subgraph.cc ResetVariableTensors, TFLM micro_interpreter.cc
  void reset_variables() {
    for (std::size_t i = 0; i < model_->tensors.size(); ++i) {
      const tensor& t = model_->tensors[i];
      const auto bytes = workspace_.bytes(static_cast<std::int32_t>(i));
      if (!t.variable || t.is_constant() || bytes.empty()) continue;
      const bool is_code = t.type == element_type::int8 && !rules_->is_real;
      std::memset(bytes.data(), is_code ? static_cast<int>(t.quantization.zero_point()) : 0,
                  bytes.size());
    }
  }
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
  [[nodiscard]] static aligned_bytes allocate(std::size_t bytes) {
    auto* p = static_cast<std::byte*>(
        ::operator new (std::max<std::size_t>(bytes, 1), std::align_val_t{memory_plan::alignment}));
    std::memset(p, 0, bytes);
    return aligned_bytes(p);
  }

  const model* model_;
  const target_rules* rules_;
  workspace workspace_;
  std::vector<node> nodes_;
  std::vector<std::string> ran_as_;
  std::vector<aligned_bytes> constants_;
  aligned_bytes arena_;
  std::size_t arena_bytes_ = 0;
};

inline result<executor> executor::prepare(const model& m, const target_rules& rules,
                                          keep_tensors keep, std::size_t arena_limit) {
  executor e(m, rules);
  // Before anything is allocated that a small file could make large.
  const arena_plan plan =
      plan_arena(m, keep, [&e](std::int32_t tensor) { return e.stored_bytes(tensor); });
  if (auto s = e.check_memory(plan, arena_limit); !s) return s.error();
  if (auto s = e.bind_nodes(); !s) return s.error();
  e.place_constants();
  e.place_computed(plan);
  return e;
}

/// The arena, and constants beyond what the file accounts for: many tensors may share one buffer,
/// and each becomes its own. A byte of the file holds at most two codes, each at most a double.
inline status executor::check_memory(const arena_plan& plan, std::size_t arena_limit) const {
  const auto exceeds = [&](std::string_view what, std::size_t bytes) {
    return error{error_code::too_large,
                 sentence({model_->name, ": takes ", what, " of ", std::to_string(bytes),
                           " bytes, above the limit of ", std::to_string(arena_limit),
                           "; raise the limit"})};
  };
  if (plan.plan.bytes > arena_limit) return exceeds("an arena", plan.plan.bytes);
  std::size_t constants = 0;
  for (std::size_t i = 0; i < model_->tensors.size(); ++i)
    if (model_->tensors[i].is_constant()) constants += stored_bytes(static_cast<std::int32_t>(i));
  const std::size_t own = model_->storage ? 2 * sizeof(double) * model_->storage->size() : 0;
  if (constants > own && constants - own > arena_limit)
    return exceeds("copies of shared constants", constants - own);
  return ok();
}

inline status executor::bind_nodes() {
  const std::string_view abandoned =
      rules_->abandons != nullptr ? rules_->abandons(*model_) : std::string_view{};
  for (std::size_t i = 0; i < model_->operations.size(); ++i) {
    const operation& op = model_->operations[i];
    const target_rules* rules = rules_;
    std::string as(rules->name);
    while (rules->leaves != nullptr) {
      const std::string_view reason = abandoned.empty() ? rules->leaves(*model_, op) : abandoned;
      if (reason.empty()) break;
      as = std::string(rules->otherwise->name) + " (left by " + std::string(rules->name) + ": " +
           std::string(reason) + ")";
      rules = rules->otherwise;
    }
    auto made = build_node({*model_, op, i, *rules});
    if (!made) return made.error();
    nodes_.push_back(std::move(*made));
    ran_as_.push_back(std::move(as));
  }
  return ok();
}

inline std::size_t executor::stored_bytes(std::int32_t tensor) const {
  return static_cast<std::size_t>(
             model_->tensors[static_cast<std::size_t>(tensor)].extents.elements()) *
         static_cast<std::size_t>(bytes_of(stored_type(*model_, tensor, *rules_)));
}

/// Constants keep their bytes in the file where alignment allows, and become reals under a target
/// on reals.
inline void executor::place_constants() {
  for (std::size_t i = 0; i < model_->tensors.size(); ++i) {
    const tensor& t = model_->tensors[i];
    if (!t.is_constant()) continue;
    constants_.push_back(allocate(stored_bytes(static_cast<std::int32_t>(i))));
    workspace_.bind(static_cast<std::int32_t>(i),
                    {constants_.back().get(), stored_bytes(static_cast<std::int32_t>(i))},
                    stored_type(*model_, static_cast<std::int32_t>(i), *rules_));
    set_value(static_cast<std::int32_t>(i), stored_constant(t));
  }
}

inline void executor::place_computed(const arena_plan& plan) {
  arena_bytes_ = plan.plan.bytes;
  arena_ = allocate(arena_bytes_);
  for (std::size_t i = 0; i < plan.tensors.size(); ++i)
    workspace_.bind(plan.tensors[i], {arena_.get() + plan.plan.offsets[i], plan.lifetimes[i].bytes},
                    stored_type(*model_, plan.tensors[i], *rules_));
  reset_variables();
}

inline void executor::set_value(std::int32_t tensor, std::span<const std::byte> bytes) {
  const graph::tensor& t = model_->tensors[static_cast<std::size_t>(tensor)];
  const auto to = workspace_.bytes(tensor);
  if (stored_type(*model_, tensor, *rules_) != t.type) {
    const std::vector<double> reals = reals_of(t, bytes);
    BITTWIN_EXPECTS(reals.size() * sizeof(double) == to.size());
    if (!reals.empty()) std::memcpy(to.data(), reals.data(), to.size());
  } else {
    BITTWIN_EXPECTS(bytes.size() == to.size());
    if (!to.empty()) std::memcpy(to.data(), bytes.data(), to.size());
  }
}

inline status executor::set_input(std::size_t number, std::span<const std::byte> bytes) {
  if (number >= model_->inputs.size())
    return error{error_code::bad_option, model_->name + ": there is no input " +
                                             std::to_string(number) + "; the model has " +
                                             std::to_string(model_->inputs.size())};
  const std::int32_t index = model_->inputs[number];
  const tensor& t = model_->tensors[static_cast<std::size_t>(index)];
  const auto expected =
      static_cast<std::size_t>(t.extents.elements()) * static_cast<std::size_t>(bytes_of(t.type));
  if (bytes.size() != expected)
    return error{error_code::bad_shape, model_->name + ": input " + std::to_string(number) +
                                            " takes " + std::to_string(expected) + " bytes, not " +
                                            std::to_string(bytes.size())};
  if (!t.is_constant()) set_value(index, bytes);
  return ok();
}

}  // namespace bittwin::graph::inline v1
