// SPDX-License-Identifier: Apache-2.0
// Why a segment's result is not what its operators make of a board's own operands: a matter of rounding, a fault
// that has a name, or nothing that is known here. Rounding comes first: what a rule can explain is no fault.
#pragma once

#include <bittwin/analysis/clamp_faults.hpp>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/layer_faults.hpp>
#include <bittwin/analysis/output_faults.hpp>
#include <bittwin/analysis/rounding_span.hpp>
#include <bittwin/analysis/scale_faults.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// target  whose operators are right
/// rules   whose results count as other ways to round, and `real`, which rounds nothing
struct diagnosis_rules {
  const graph::target_rules* target = nullptr;
  std::span<const graph::target_rules* const> rules;
  std::size_t arena_limit = graph::executor::no_limit;
};

struct diagnosis {
  analysis::verdict verdict = verdict::undetermined;
  std::vector<finding> signature;
};

[[nodiscard]] inline const fault_list& model_faults() {
  static const fault_list all = [] {
    fault_list list;
    for (fault_list part : {clamp_faults(), scale_faults(), layer_faults()})
      for (fault& f : part) list.push_back(std::move(f));
    return list;
  }();
  return all;
}

namespace detail {

class segment_diagnosis {
 public:
  segment_diagnosis(const graph::model& part, std::span<const recording> operands,
                    const recording& got, const diagnosis_rules& by)
      : part_(part), operands_(operands), got_(got), codes_(codes_of(got)), by_(by) {}

  [[nodiscard]] diagnosis run(const recording& expected) {
    diagnosis to;
    const std::vector<std::int64_t> right = codes_of(expected);
    if (right.size() != codes_.size() || codes_.empty()) return to;
    if (is_rounding(part_, right)) {
      to.verdict = verdict::rounding;
      note_truncation(to);
      return to;
    }
    if (auto found = find_output_fault({right, codes_, got_.values.extents, got_.values.type}))
      to.signature.push_back(std::move(*found));
    else
      try_faults(to);
    if (!to.signature.empty()) to.verdict = verdict::named;
    return to;
  }

  /// Whether `codes_` is within rounding of `right`, which a part made.
  [[nodiscard]] bool is_rounding(const graph::model& part,
                                 const std::vector<std::int64_t>& right) const {
    if (largest_distance(right, codes_) > 1) return false;
    rounding_span all{right, right};
    for (const graph::target_rules* rules : by_.rules) {
      if (all.holds(codes_)) return true;
      if (rules->is_real) {
        if (const auto exact = exact_codes(part, *rules, operands_, by_.arena_limit))
          all.include(*exact);
      } else if (const auto made = run_part(part, *rules, operands_, by_.arena_limit)) {
        all.include(codes_of(*made));
      }
    }
    return all.holds(codes_);
  }

 private:
  void try_faults(diagnosis& to) const {
    std::vector<finding> near;
    for (const fault& f : model_faults())
      for (std::size_t k = 0; k < part_.operations.size(); ++k) {
        model_edit edit(part_);
        if (!f.apply(edit, k)) continue;
        const auto made = run_part(edit.m, *by_.target, operands_, by_.arena_limit);
        if (!made || made->values.type != got_.values.type) continue;
        const std::vector<std::int64_t> codes = codes_of(*made);
        if (codes == codes_)
          to.signature.push_back({std::string(f.code), f.text});
        else if (codes.size() == codes_.size() && is_rounding(edit.m, codes))
          near.push_back({std::string(f.code), f.text + ", up to rounding"});
      }
    if (to.signature.empty()) to.signature = std::move(near);
  }

  /// All elements are the exact value cut off: a rule too, but one that biases every layer.
  void note_truncation(diagnosis& to) const {
    const graph::target_rules* real = nullptr;
    for (const graph::target_rules* rules : by_.rules)
      if (rules->is_real) real = rules;
    const auto exact =
        real != nullptr ? exact_codes(part_, *real, operands_, by_.arena_limit) : std::nullopt;
    if (!exact) return;
    bool down = true, to_zero = true;
    std::size_t informative = 0;
    const auto zero = static_cast<double>(
        part_.tensors[static_cast<std::size_t>(part_.outputs.back())].quantization.zero_point());
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      const double value = (*exact)[i];
      if (std::fabs(value - std::nearbyint(value)) < 1e-4) continue;
      ++informative;
      const auto code = static_cast<double>(codes_[i]);
      down = down && code == std::floor(value);
      to_zero = to_zero && code == zero + std::trunc(value - zero);
    }
    if (informative < 16) return;
    if (down)
      to.signature.push_back({"TRUNCATION", "every result is the exact value rounded down"});
    else if (to_zero)
      to.signature.push_back({"TRUNCATION", "every result is the exact value rounded toward zero"});
  }

  const graph::model& part_;
  std::span<const recording> operands_;
  const recording& got_;
  std::vector<std::int64_t> codes_;
  diagnosis_rules by_;
};

}  // namespace detail

/// part      the segment's operators, on the board's parameters
/// operands  of the part's inputs, as the board recorded them
/// expected  what the target makes of them;  got  what the board recorded, of the same type and length
[[nodiscard]] inline diagnosis diagnose(const graph::model& part,
                                        std::span<const recording> operands,
                                        const recording& expected, const recording& got,
                                        const diagnosis_rules& by) {
  return detail::segment_diagnosis(part, operands, got, by).run(expected);
}

}  // namespace bittwin::analysis::inline v1
