// SPDX-License-Identifier: Apache-2.0
// Why a segment's result is not what its operators make of a board's own operands: a matter of rounding, a fault
// that has a name, or nothing that is known here. Rounding comes first: what a rule can explain is no fault.
#pragma once

#include <algorithm>
#include <bittwin/analysis/arithmetic_faults.hpp>
#include <bittwin/analysis/diagnosis.hpp>
#include <bittwin/analysis/model_faults.hpp>
#include <bittwin/analysis/output_faults.hpp>
#include <bittwin/analysis/rounding_span.hpp>
#include <bittwin/analysis/value_faults.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

class segment_diagnosis {
 public:
  segment_diagnosis(const graph::model& part, std::span<const recording> operands,
                    const recording& got, const diagnosis_rules& by)
      : part_(part), operands_(operands), got_(got), codes_(codes_of(got)), by_(by) {}

  [[nodiscard]] diagnosis run(const recording& expected) {
    diagnosis to;
    right_ = codes_of(expected);
    if (right_.size() != codes_.size() || codes_.empty()) return to;
    to.rounding = find_rounding(right_);
    if (to.rounding) {
      to.verdict = verdict::rounding;
      note_rounding(to);
      return to;
    }
    name_fault(to);
    if (!to.signature.empty()) to.verdict = verdict::named;
    return to;
  }

  /// Absent: it is not a matter of rounding. Rules of several operators may drift apart by more than a code, so there
  /// one rule must give every element.
  [[nodiscard]] std::optional<rounding_share> find_rounding(
      const std::vector<std::int64_t>& right) const {
    if (right.size() != codes_.size() || codes_.empty()) return std::nullopt;
    if (by_.real() != nullptr &&
        leaves_exact_sum(part_, *by_.real(), operands_, by_.arena_limit, codes_))
      return std::nullopt;
    rounding_share share{.observed = mismatches(right, codes_)};
    bool within = is_rounding(part_, right);
    if (!within && part_.operations.size() < 2) return std::nullopt;
    for_each_rule(part_, [&](const std::vector<std::int64_t>& made, const auto& rules) {
      share.most = std::max(share.most, mismatches(made, right));
      if (made != codes_ || (!within && has_known_faults(rules))) return false;
      share.as = rules.name;
      share.most = share.observed;
      within = true;
      return true;
    });
    return within ? std::optional(std::move(share)) : std::nullopt;
  }

 private:
  /// Equal to such a target is no reason to call a difference rounding.
  [[nodiscard]] static bool has_known_faults(const graph::target_rules& rules) {
    const auto& all = graph::shipped_descriptions();
    return std::any_of(all.begin(), all.end(), [&](const target_description& d) {
      return d.name == rules.name && !d.known_faults.empty();
    });
  }
  /// What other rules make of a part, one by one, until `stop(codes, rules)`.
  template <class Stop> void for_each_rule(const graph::model& part, Stop stop) const {
    for (const graph::target_rules* rules : by_.rules)
      if (!rules->is_real)
        if (const auto made = run_part(part, *rules, operands_, by_.arena_limit))
          if (stop(codes_of(*made), *rules)) return;
  }

  /// Whether `codes_` is within rounding of `right`, which a part made.
  [[nodiscard]] bool is_rounding(const graph::model& part,
                                 const std::vector<std::int64_t>& right) const {
    if (largest_distance(right, codes_) > 1) return false;
    rounding_span all{right, right};
    if (by_.real() != nullptr)
      if (const auto exact = exact_codes(part, *by_.real(), operands_, by_.arena_limit))
        all.include(*exact);
    if (all.holds(codes_)) return true;
    for_each_rule(part, [&](const std::vector<std::int64_t>& made, const auto&) {
      all.include(made);
      return all.holds(codes_);
    });
    return all.holds(codes_);
  }

  void name_fault(diagnosis& to) const {
    const part_result r{part_, operands_, right_, codes_};
    if (auto found = find_output_fault({right_, codes_, got_.values.extents, got_.values.type})) {
      to.signature.push_back(std::move(*found));
      return;
    }
    std::vector<finding> near;
    try_model_faults(to.signature, near);
    // What a change of the model explains needs no other arithmetic.
    if (to.signature.empty()) try_arithmetic_faults(to.signature, near);
    if (to.signature.empty() && by_.real() != nullptr)
      if (auto found = find_wrapped(r, *by_.real(), by_.arena_limit))
        to.signature.push_back(std::move(*found));
    if (to.signature.empty()) to.signature = std::move(near);
    if (to.signature.empty())
      if (auto found = find_table(r, *by_.target, by_.arena_limit))
        to.signature.push_back(std::move(*found));
  }

  /// More than a code from right no rounding goes; within one, a fault up to rounding cannot be told from rounding.
  [[nodiscard]] bool may_be_near(const std::vector<std::int64_t>& codes) const {
    return part_.operations.size() == 1 && codes.size() == codes_.size() &&
           largest_distance(codes, codes_) <= 1 && largest_distance(right_, codes_) > 1;
  }
  /// A few elements of a long segment are met by chance: thousands of faults are tried on it.
  [[nodiscard]] bool is_evidence() const {
    return part_.operations.size() == 1 || mismatches(right_, codes_) >= 4;
  }

  void try_model_faults(std::vector<finding>& exact, std::vector<finding>& near) const {
    for (const fault& f : model_faults())
      for (std::size_t k = 0; k < part_.operations.size(); ++k) {
        model_edit edit(part_);
        if (f.code == "MULTIPLIER_16BIT" && part_.operations.size() > 1) continue;  // a rounding
        if (!f.apply(edit, k)) continue;
        const auto made = run_part(edit.m, *by_.target, operands_, by_.arena_limit);
        if (!made || made->values.type != got_.values.type) continue;
        const std::vector<std::int64_t> codes = codes_of(*made);
        if (codes == codes_ && is_evidence())
          add(exact, f.code, f.text + place_of(k));
        else if (may_be_near(codes) && is_rounding(edit.m, codes))
          add(near, f.code, f.text + ", up to rounding");
      }
  }
  [[nodiscard]] std::string place_of(std::size_t k) const {
    if (part_.operations.size() == 1) return {};
    return ", in operator " + std::to_string(k + 1) + " of the segment, " +
           std::string(part_.operations[k].label);
  }

  void try_arithmetic_faults(std::vector<finding>& exact, std::vector<finding>& near) const {
    for (const arithmetic_fault& f : arithmetic_faults()) {
      if (f.rounds && part_.operations.size() > 1) continue;
      if (std::none_of(part_.operations.begin(), part_.operations.end(),
                       [&](const graph::operation& op) { return f.concerns(op); }))
        continue;
      const auto codes = codes_by(f, *by_.target);
      if (!codes) continue;
      if (*codes == codes_ && is_evidence())
        add(exact, f);
      else if (may_be_near(*codes) && is_rounding_of(f, *codes))
        add(near, f, ", up to rounding");
    }
  }
  [[nodiscard]] std::optional<std::vector<std::int64_t>> codes_by(
      const arithmetic_fault& f, const graph::target_rules& rules) const {
    const changed_target faulty(rules, f.change);
    const auto made = run_part(part_, faulty.rules(), operands_, by_.arena_limit);
    if (!made || made->values.type != got_.values.type) return std::nullopt;
    return codes_of(*made);
  }
  [[nodiscard]] bool is_rounding_of(const arithmetic_fault& f,
                                    const std::vector<std::int64_t>& codes) const {
    rounding_span all{codes, codes};
    for (const graph::target_rules* rules : by_.rules) {
      if (all.holds(codes_)) return true;
      if (rules->is_real) continue;
      if (const auto made = codes_by(f, *rules)) all.include(*made);
    }
    return all.holds(codes_);
  }

  /// Once a code: of several forms of one fault the first is told.
  static void add(std::vector<finding>& to, std::string_view code, std::string text) {
    if (std::any_of(to.begin(), to.end(), [&](const finding& f) { return f.code == code; })) return;
    to.push_back({std::string(code), std::move(text)});
  }
  static void add(std::vector<finding>& to, const arithmetic_fault& f, const char* behind = "") {
    add(to, f.code, f.text + behind);
    if (!f.also.empty()) add(to, f.also, f.text + behind);
  }

  /// Within rounding, and yet of a rule that no target here has: which one it is.
  void note_rounding(diagnosis& to) const {
    if (part_.operations.size() > 1) return;
    if (to.rounding->as.empty()) {
      for (const fault& f : model_faults()) {
        model_edit edit(part_);
        if (f.code != "MULTIPLIER_16BIT" || !f.apply(edit, 0)) continue;
        for_each_rule(edit.m, [&](const std::vector<std::int64_t>& made, const auto& rules) {
          if (made != codes_) return false;
          add(to.signature, f.code,
              f.text + ", and results are rounded as by " + std::string(rules.name));
          return true;
        });
        if (!to.signature.empty()) return;
      }
      for (const arithmetic_fault& f : arithmetic_faults())
        if (f.concerns(part_.operations[0]) &&
            (f.change.pool != nullptr || f.change.sum != nullptr))
          if (codes_by(f, *by_.target) == codes_) add(to.signature, f);
    }
    if (to.signature.empty()) note_truncation(to);
  }

  void note_truncation(diagnosis& to) const {
    if (by_.real() == nullptr) return;
    const auto exact = exact_codes(part_, *by_.real(), operands_, by_.arena_limit);
    const auto& y = part_.tensors[static_cast<std::size_t>(part_.outputs.back())];
    if (!exact) return;
    if (auto found = find_truncation(*exact, codes_, y.quantization.zero_point()))
      to.signature.push_back(std::move(*found));
  }

  const graph::model& part_;
  std::span<const recording> operands_;
  const recording& got_;
  std::vector<std::int64_t> codes_, right_;
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

/// The same, asked for rounding alone; absent: that is not it.
[[nodiscard]] inline std::optional<rounding_share> find_rounding(
    const graph::model& part, std::span<const recording> operands, const recording& expected,
    const recording& got, const diagnosis_rules& by) {
  return detail::segment_diagnosis(part, operands, got, by).find_rounding(codes_of(expected));
}

}  // namespace bittwin::analysis::inline v1
