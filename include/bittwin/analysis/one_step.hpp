// SPDX-License-Identifier: Apache-2.0
// Runs each operator of a model alone, on the operands that a dump recorded: what it should have
// made. An operand that was not recorded is made by the operators before it, from what was.
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace bittwin::analysis::inline v1 {

class one_step_runner {
 public:
  /// The model must outlive the runner. arena_limit in bytes.
  [[nodiscard]] static result<one_step_runner> prepare(const graph::model& m,
                                                       const graph::target_rules& target,
                                                       std::size_t arena_limit) {
    result<graph::executor> run =
        graph::executor::prepare(m, target, graph::keep_tensors::all, arena_limit);
    if (!run) return run.error();
    return one_step_runner(m, std::move(*run));
  }

  /// What each operator makes of its recorded operands, by tensor; samples append, each from fresh
  /// variables. `fallback` gives the model inputs that `recorded` lacks. errors  a recorded tensor
  /// is not of the model's type and shape; a model input nobody recorded
  [[nodiscard]] status add(const dump& recorded, const dump& fallback, std::size_t sample) {
    run_.reset_variables();
    for (const std::int32_t index : model_->inputs) {
      const dump& from = recorded.has(index, sample) ? recorded : fallback;
      if (status done = load(from, index, sample); !done) return done;
    }
    for (std::size_t k = 0; k < model_->operations.size(); ++k) {
      run_.run_one(k);
      for (const std::int32_t index : model_->operations[k].outputs) {
        const graph::tensor_value made = run_.value(index);
        outputs_[index].append({made.type, made.extents, made.bytes});
        if (!recorded.has(index, sample)) continue;
        if (status done = load(recorded, index, sample); !done) return done;
      }
    }
    return ok();
  }

  [[nodiscard]] const std::map<std::int32_t, recording>& outputs() const noexcept {
    return outputs_;
  }

 private:
  one_step_runner(const graph::model& m, graph::executor run) : model_(&m), run_(std::move(run)) {}

  [[nodiscard]] status load(const dump& from, std::int32_t index, std::size_t sample) {
    const result<array> a = from.read(index, sample);
    if (!a) return a.error();
    const graph::tensor& t = model_->tensors[static_cast<std::size_t>(index)];
    if (a->type != t.type || a->extents != t.extents)
      return error{error_code::bad_shape,
                   from.folder().string() + ": tensor " + std::to_string(index) + " is " +
                       std::string(name_of(a->type)) + to_string(a->extents) + ", but in " +
                       model_->name + " it is " + std::string(name_of(t.type)) +
                       to_string(t.extents) + "; give the model that the dump was made with"};
    run_.set_value(index, a->data);
    return ok();
  }

  const graph::model* model_;
  graph::executor run_;
  std::map<std::int32_t, recording> outputs_;
};

}  // namespace bittwin::analysis::inline v1
