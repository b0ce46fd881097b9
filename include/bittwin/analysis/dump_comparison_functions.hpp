// SPDX-License-Identifier: Apache-2.0
// How two dumps are compared: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/activation_range.hpp>
#include <bittwin/analysis/board_parameters.hpp>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/context_faults.hpp>
#include <bittwin/analysis/difference_patterns.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_pair.hpp>
#include <bittwin/analysis/input_sums.hpp>
#include <bittwin/analysis/one_step.hpp>
#include <bittwin/analysis/part_run.hpp>
#include <bittwin/analysis/preflight_checks.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/analysis/segment_diagnosis.hpp>
#include <bittwin/analysis/segment_run.hpp>
#include <bittwin/analysis/segments.hpp>
#include <bittwin/graph/model.hpp>
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

namespace detail {

class dump_comparison {
 public:
  dump_comparison(const dump& reference, const dump& test, const comparison_settings& settings)
      : reference_(reference),
        test_(test),
        model_(settings.model),
        repeat_(settings.repeat),
        by_{settings.target, settings.rules, settings.arena_limit},
        dumps_(reference, test, settings.model),
        samples_(dumps_.samples()) {}

  [[nodiscard]] result<comparison> run() {
    to_.segments = model_ != nullptr ? segments_of(*model_, reference_, test_)
                                     : segments_of(reference_, test_);
    if (reference_.samples().size() != test_.samples().size())
      to_.assumptions.push_back("only the first " + std::to_string(samples_) +
                                " samples are on both sides and compared");
    for (const std::int32_t index : inputs_of(model_, reference_, test_))
      if (status done = check_input(dumps_, index, to_.preflight, differs_[index]); !done)
        return done.error();
    if (to_.preflight.empty())
      if (status done = check_buffers(dumps_, to_.segments, model_, to_.preflight); !done)
        return done.error();
    if (repeat_ != nullptr)
      if (status done = check_determinism({test_, *repeat_, model_}, to_.preflight); !done)
        return done.error();
    run_operators();
    for (segment& s : to_.segments)
      if (status done = judge(s); !done) return done.error();
    const bool open = std::any_of(to_.segments.begin(), to_.segments.end(), [](const segment& s) {
      return s.verdict == verdict::undetermined;
    });
    if (open && repeat_ == nullptr && to_.preflight.empty())
      to_.preflight.push_back(
          {"DETERMINISM_NOT_CHECKED",
           "nothing here explains TEST; run the board twice on the same input and give the second "
           "dump with --repeat, to know that it repeats itself"});
    return std::move(to_);
  }

 private:
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
    if (test_is_in_reals()) {
      to_.assumptions.push_back("TEST is in reals: no operator is run alone on its operands");
      return;
    }
    result<one_step_runner> runner =
        one_step_runner::prepare(*model_, *by_.target, by_.arena_limit);
    if (!runner) {
      to_.assumptions.push_back("operators are run alone only where TEST has their operands: " +
                                runner.error().text);
      return;
    }
    for (const std::int32_t index : model_->inputs)
      if (!test_.has(index))
        to_.assumptions.push_back("TEST did not record input tensor " + std::to_string(index) +
                                  ": taken from REF");
    for (std::size_t sample = 0; sample < samples_; ++sample)
      if (const status done = runner->add(test_, reference_, sample); !done) {
        to_.assumptions.push_back("operators are run alone only where TEST has their operands: " +
                                  done.error().text);
        return;
      }
    made_ = runner->outputs();
  }

  /// Of a framework that does not quantize: it has reals where the model has codes.
  [[nodiscard]] bool test_is_in_reals() const {
    if (!test_.description()) return false;
    const std::vector<manifest_tensor>& all = test_.description()->tensors;
    return std::any_of(all.begin(), all.end(), [&](const manifest_tensor& t) {
      const auto index = static_cast<std::size_t>(t.index);
      return index < model_->tensors.size() && !is_integer(t.type) &&
             is_integer(model_->tensors[index].type);
    });
  }

  [[nodiscard]] status judge(segment& s) {
    result<std::optional<recorded_pair>> both = dumps_.read(s.tensor, to_.preflight);
    if (!both) return both.error();
    if (!*both) return ok();
    const auto& [reference, test] = **both;
    const measured m =
        measure(reference, dumps_.reference_map(s.tensor), test, dumps_.test_map(s.tensor));
    s.metrics = m.metrics;
    differs_[s.tensor] = !m.metrics.equal();
    if (model_ != nullptr && !s.ops.empty())
      s.out_of_range =
          codes_out_of_range(model_->operations[static_cast<std::size_t>(s.ops.back())],
                             dumps_.test_map(s.tensor), test.all());
    const std::optional<diagnosis> why = explain(s, test);
    if (m.metrics.equal()) {
      s.verdict = verdict::exact;
    } else if (why && why->verdict == verdict::named) {
      s.verdict = verdict::named;
    } else if (m.on_reals) {
      s.verdict = verdict::reparameterized;
    } else if (s.one_step && s.one_step->equal()) {
      s.rounding = inputs_differ(s) ? std::nullopt : rounding_of(s, reference, test);
      s.verdict = inputs_differ(s) ? verdict::inherited
                  : s.rounding     ? verdict::rounding
                                   : verdict::undetermined;
    } else {
      s.verdict = why ? why->verdict : verdict::undetermined;
    }
    if (why && !m.metrics.equal()) {
      s.signature = why->signature;
      s.rounding = why->rounding;
    }
    return ok();
  }

  [[nodiscard]] std::optional<segment_run> part_for(const segment& s) const {
    if (!board_) return std::nullopt;
    return run_of(s, *board_, test_, reference_, samples_);
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
    s.one_step = measure(*made, dumps_.test_map(s.tensor), test, dumps_.test_map(s.tensor)).metrics;
    if (s.one_step->equal() || !is_integer(test.values.type)) return std::nullopt;
    if (!alone) alone = part_for(s);
    if (!alone) return std::nullopt;
    diagnosis why = diagnose(alone->part, alone->operands, *made, test, by_);
    if (why.verdict == verdict::undetermined) look_around(s, *alone, *made, test, why);
    return why;
  }

  /// No rule and no fault explains it: the graph around the operators may, else the numbers are described.
  void look_around(const segment& s, const segment_run& alone, const recording& right,
                   const recording& test, diagnosis& to) const {
    const segment_result r{s, alone.part, alone.operands, right, test};
    if (auto found = find_context(r, dumps_, board_->edit.m, *by_.target, by_.arena_limit)) {
      to.verdict = verdict::context;
      to.signature.push_back(std::move(*found));
      return;
    }
    const quantization map = dumps_.test_map(s.tensor);
    if (map.per_channel()) return;
    const std::vector<std::int64_t> expected = codes_of(right), got = codes_of(test);
    const std::vector<double> sums =
        by_.real() != nullptr
            ? input_sums_of(alone.part, *by_.real(), alone.operands, by_.arena_limit)
            : std::vector<double>{};
    to.signature = patterns_of({expected, got, test.values.extents, test.values.type,
                                map.present() ? map.zero_point() : 0, sums});
  }

  /// REF and TEST had the same operands, and TEST has what the target makes of them.
  [[nodiscard]] std::optional<rounding_share> rounding_of(const segment& s,
                                                          const recording& reference,
                                                          const recording& test) const {
    const std::optional<segment_run> alone = part_for(s);
    if (!alone || !is_integer(reference.values.type)) return std::nullopt;
    auto share = find_rounding(alone->part, alone->operands, test, reference, by_);
    if (share) *share = {share->observed, share->observed, std::string(by_.target->name)};
    return share;
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
  const dump* repeat_;
  diagnosis_rules by_;
  dump_pair dumps_;
  std::size_t samples_;
  std::map<std::int32_t, bool> differs_;
  std::optional<board_model> board_;  ///< where operators are run
  std::map<std::int32_t, recording> made_;
  comparison to_;
};

}  // namespace detail

result<comparison> compare_dumps(const dump& reference, const dump& test,
                                 const comparison_settings& settings) {
  return detail::dump_comparison(reference, test, settings).run();
}

}  // namespace bittwin::analysis::inline v1
