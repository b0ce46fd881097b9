// SPDX-License-Identifier: Apache-2.0
// Compares two dumps of one model, tensor by tensor: what differs, where first, and whether the
// operator or its inputs are the reason.
#pragma once

#include <algorithm>
#include <bittwin/analysis/activation_range.hpp>
#include <bittwin/analysis/board_parameters.hpp>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/one_step.hpp>
#include <bittwin/analysis/part_run.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/analysis/segment_diagnosis.hpp>
#include <bittwin/analysis/segments.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// model   tells which operators make which tensor; without it nothing can be told to be inherited
/// target  whose operators are run on TEST's operands; only with a model
/// rules   whose results count as other ways to round; with `real` among them, so does the exact value
struct comparison_settings {
  const graph::model* model = nullptr;
  const graph::target_rules* target = nullptr;
  std::size_t arena_limit = graph::executor::no_limit;  ///< bytes
  std::vector<const graph::target_rules*> rules = {};
};

/// errors  files that are unreadable or contradict their manifest
[[nodiscard]] result<comparison> compare_dumps(const dump& reference, const dump& test,
                                               const comparison_settings& settings);

namespace detail {

class dump_comparison {
 public:
  dump_comparison(const dump& reference, const dump& test, const comparison_settings& settings)
      : reference_(reference),
        test_(test),
        model_(settings.model),
        by_{settings.target, settings.rules, settings.arena_limit},
        samples_(std::min(reference.samples().size(), test.samples().size())) {}

  [[nodiscard]] result<comparison> run() {
    to_.segments = model_ != nullptr ? segments_of(*model_, reference_, test_)
                                     : segments_of(reference_, test_);
    if (reference_.samples().size() != test_.samples().size())
      to_.assumptions.push_back("only the first " + std::to_string(samples_) +
                                " samples are on both sides and compared");
    for (const std::int32_t index : inputs_of(model_, reference_, test_))
      if (status done = check_input(index); !done) return done.error();
    run_operators();
    for (segment& s : to_.segments)
      if (status done = judge(s); !done) return done.error();
    return std::move(to_);
  }

 private:
  using pair = std::pair<recording, recording>;

  /// Both recordings of a tensor, nothing where they are not on both sides or do not fit.
  [[nodiscard]] result<std::optional<pair>> read(std::int32_t index) {
    pair both;
    for (std::size_t sample = 0; sample < samples_; ++sample) {
      if (!reference_.has(index, sample) || !test_.has(index, sample)) return std::optional<pair>{};
      const result<array> a = reference_.read(index, sample);
      if (!a) return a.error();
      const result<array> b = test_.read(index, sample);
      if (!b) return b.error();
      const bool floats = !is_integer(a->type) || !is_integer(b->type);
      if (a->extents != b->extents || (a->type != b->type && !floats)) {
        to_.preflight.push_back(
            {"OTHER_MODEL", label(index) + " is " + std::string(name_of(a->type)) +
                                to_string(a->extents) + " in REF and " +
                                std::string(name_of(b->type)) + to_string(b->extents) +
                                " in TEST; these are dumps of different models"});
        return std::optional<pair>{};
      }
      both.first.append(*a);
      both.second.append(*b);
    }
    return std::optional(std::move(both));
  }

  [[nodiscard]] std::string label(std::int32_t index) const {
    std::string text = "tensor " + std::to_string(index);
    for (const segment& s : to_.segments)
      if (s.tensor == index) text += " " + graph::printable_name(s.name);
    return text;
  }

  /// The reference's parameters: the model's where there is one.
  [[nodiscard]] quantization reference_map(std::int32_t index) const {
    if (model_ != nullptr && static_cast<std::size_t>(index) < model_->tensors.size())
      return model_->tensors[static_cast<std::size_t>(index)].quantization;
    const manifest_tensor* const said = reference_.entry(index);
    return said != nullptr ? said->quantization : quantization{};
  }
  /// The board's own: its manifest, else the reference's.
  [[nodiscard]] quantization test_map(std::int32_t index) const {
    const manifest_tensor* const said = test_.entry(index);
    return said != nullptr && said->quantization.present() ? said->quantization
                                                           : reference_map(index);
  }

  [[nodiscard]] status check_input(std::int32_t index) {
    result<std::optional<pair>> both = read(index);
    if (!both) return both.error();
    if (!*both) return ok();
    const measured m =
        measure((*both)->first, reference_map(index), (*both)->second, test_map(index));
    if (m.metrics.equal()) return ok();
    differs_[index] = true;
    to_.preflight.push_back(
        {"INPUT_DIFFERS", "input " + label(index) + " differs in " +
                              std::to_string(m.metrics.mismatches) + " of " +
                              std::to_string(m.metrics.elements) +
                              " elements: give both sides the same input first"});
    return ok();
  }

  /// One-step results are a help: where they cannot be had, the comparison says so and goes on.
  void run_operators() {
    if (model_ == nullptr || by_.target == nullptr) return;
    board_.emplace(with_board_parameters(*model_, test_));
    to_.assumptions.push_back("one-step results are those of target " +
                              std::string(by_.target->name));
    if (board_->differs) {
      to_.assumptions.push_back(
          "TEST has scales and zero points of its own: its manifest's, with biases rescaled");
      return;
    }
    result<one_step_runner> runner =
        one_step_runner::prepare(*model_, *by_.target, by_.arena_limit);
    if (!runner) {
      to_.assumptions.push_back("no one-step results: " + runner.error().text);
      return;
    }
    for (const std::int32_t index : model_->inputs)
      if (!test_.has(index))
        to_.assumptions.push_back("TEST did not record input tensor " + std::to_string(index) +
                                  ": taken from REF");
    for (std::size_t sample = 0; sample < samples_; ++sample)
      if (const status done = runner->add(test_, reference_, sample); !done) {
        to_.assumptions.push_back("no one-step results: " + done.error().text);
        return;
      }
    made_ = runner->outputs();
  }

  [[nodiscard]] status judge(segment& s) {
    result<std::optional<pair>> both = read(s.tensor);
    if (!both) return both.error();
    if (!*both) return ok();
    const auto& [reference, test] = **both;
    const measured m = measure(reference, reference_map(s.tensor), test, test_map(s.tensor));
    s.metrics = m.metrics;
    differs_[s.tensor] = !m.metrics.equal();
    if (model_ != nullptr && !s.ops.empty())
      s.out_of_range =
          codes_out_of_range(model_->operations[static_cast<std::size_t>(s.ops.back())],
                             test_map(s.tensor), test.all());
    const std::optional<diagnosis> why = explain(s, test);
    if (m.metrics.equal()) {
      s.verdict = verdict::exact;
    } else if (why && why->verdict == verdict::named) {
      s.verdict = verdict::named;
    } else if (m.on_reals) {
      s.verdict = verdict::reparameterized;
    } else if (s.one_step && s.one_step->equal()) {
      s.verdict = inputs_differ(s)            ? verdict::inherited
                  : is_rounding(s, reference) ? verdict::rounding
                                              : verdict::undetermined;
    } else {
      s.verdict = why ? why->verdict : verdict::undetermined;
    }
    if (why && !m.metrics.equal()) s.signature = why->signature;
    return ok();
  }

  /// The segment's operators on the board's parameters, and the operands that TEST recorded (of the model's inputs,
  /// else REF).
  struct segment_run {
    graph::model part;
    std::vector<recording> operands;
  };
  [[nodiscard]] std::optional<segment_run> part_for(const segment& s) const {
    if (!board_ || s.ops.empty()) return std::nullopt;
    const std::int32_t made[] = {s.tensor};
    segment_run run{part_of(board_->edit.m, s.ops, s.from, made), {}};
    for (const std::int32_t index : s.from) {
      recording operand;
      for (std::size_t sample = 0; sample < samples_; ++sample) {
        const result<array> a = (test_.has(index, sample) ? test_ : reference_).read(index, sample);
        const graph::tensor& t = model_->tensors[static_cast<std::size_t>(index)];
        if (!a || a->type != t.type || a->extents != t.extents) return std::nullopt;
        operand.append(*a);
      }
      run.operands.push_back(std::move(operand));
    }
    return run;
  }

  /// Fills the one-step result in, and says why TEST is not it. Absent: it is, or that cannot be told.
  [[nodiscard]] std::optional<diagnosis> explain(segment& s, const recording& test) const {
    std::optional<segment_run> alone;
    std::optional<recording> made;
    if (const auto at = made_.find(s.tensor); at != made_.end()) {
      made = at->second;
    } else if ((alone = part_for(s))) {
      made = run_part(alone->part, *by_.target, alone->operands, by_.arena_limit);
    }
    if (!made || made->values.type != test.values.type) return std::nullopt;
    s.one_step = measure(*made, test_map(s.tensor), test, test_map(s.tensor)).metrics;
    if (s.one_step->equal() || !is_integer(test.values.type)) return std::nullopt;
    if (!alone) alone = part_for(s);
    if (!alone) return std::nullopt;
    return diagnose(alone->part, alone->operands, *made, test, by_);
  }

  /// REF and TEST had the same operands, and TEST has what the target makes of them.
  [[nodiscard]] bool is_rounding(const segment& s, const recording& reference) const {
    const std::optional<segment_run> alone = part_for(s);
    const auto made = made_.find(s.tensor);
    if (!alone || made == made_.end() || !is_integer(reference.values.type)) return false;
    return diagnose(alone->part, alone->operands, made->second, reference, by_).verdict ==
           verdict::rounding;
  }

  [[nodiscard]] bool inputs_differ(const segment& s) const {
    for (const std::int32_t index : s.from)
      if (const auto known = differs_.find(index); known != differs_.end() && known->second)
        return true;
    return false;
  }

  const dump& reference_;
  const dump& test_;
  const graph::model* model_;
  diagnosis_rules by_;
  std::size_t samples_;
  std::map<std::int32_t, bool> differs_;
  std::optional<board_model> board_;  ///< where operators are run
  std::map<std::int32_t, recording> made_;
  comparison to_;
};

}  // namespace detail

inline result<comparison> compare_dumps(const dump& reference, const dump& test,
                                        const comparison_settings& settings) {
  return detail::dump_comparison(reference, test, settings).run();
}

}  // namespace bittwin::analysis::inline v1
