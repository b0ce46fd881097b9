// SPDX-License-Identifier: Apache-2.0
// How two releases are compared: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison_json.hpp>
#include <bittwin/analysis/drift.hpp>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_pair.hpp>
#include <bittwin/analysis/part_run.hpp>
#include <bittwin/analysis/preflight_checks.hpp>
#include <bittwin/analysis/recorded_run.hpp>
#include <bittwin/analysis/segment_run.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

class release_comparison {
 public:
  release_comparison(const dump& a, const dump& b, const drift_settings& settings)
      : a_(a), b_(b), settings_(settings), m_(*settings.model), both_(a, b, &m_) {}

  [[nodiscard]] result<drift> run() {
    result<comparison> a = against_target(a_), b = against_target(b_);
    if (!a) return a.error();
    if (!b) return b.error();
    for (const std::int32_t index : m_.inputs)
      if (status done = check_input(both_, index, to_.preflight, differs_[index]); !done)
        return done.error();
    add_preflight(*a, *b);
    board_a_.emplace(with_board_parameters(m_, a_));
    board_b_.emplace(with_board_parameters(m_, b_));
    // One segment for each output of each operator, whatever was recorded.
    for (std::size_t i = 0; i < a->segments.size(); ++i) {
      drifted_segment s;
      s.a = std::move(a->segments[i]);
      s.b = std::move(b->segments[i]);
      if (status done = judge(s); !done) return done.error();
      to_.segments.push_back(std::move(s));
    }
    return std::move(to_);
  }

 private:
  [[nodiscard]] result<comparison> against_target(const dump& release) const {
    result<dump> reference =
        run_recorded(m_, *settings_.target, release, settings_.arena_limit, "reference");
    if (!reference) return reference.error();
    return compare_dumps(*reference, release,
                         {&m_, settings_.target, settings_.arena_limit, settings_.rules});
  }

  void add_preflight(const comparison& a, const comparison& b) {
    for (const finding& f : b.preflight) {
      const bool before = std::any_of(a.preflight.begin(), a.preflight.end(),
                                      [&](const finding& known) { return known.code == f.code; });
      if (!before && f.code != "DETERMINISM_NOT_CHECKED") to_.preflight.push_back(f);
    }
  }

  [[nodiscard]] status judge(drifted_segment& s) {
    std::vector<finding> said;  // by the comparisons already
    const std::int32_t index = s.a.tensor;
    result<std::optional<recorded_pair>> both = both_.read(index, said);
    if (!both) return both.error();
    if (!*both || s.a.verdict == verdict::not_observed || s.b.verdict == verdict::not_observed)
      return ok();
    const auto& [before, after] = **both;
    const quantization map_a = map_of(a_, index), map_b = map_of(b_, index);
    s.between = measure(before, map_a, after, map_b).metrics;
    const bool same_map = map_a == map_b;
    const bool same = same_map && s.between.equal();
    differs_[index] = !same;
    const bool same_operands =
        s.a.from == s.b.from && std::none_of(s.a.from.begin(), s.a.from.end(),
                                             [&](std::int32_t from) { return differs_[from]; });
    const bool bad_a = is_unexplained(s.a.verdict), bad_b = is_unexplained(s.b.verdict);
    if (same && same_operands)
      s.change = change::unchanged;
    else if (bad_a != bad_b)
      s.change = bad_a ? change::fixed : change::broken;
    else if (!same_map)
      s.change = change::reparameterized;
    else if (bad_a)
      s.change = change_of_faults(s, same, same_operands);
    else
      s.change = change_of_rules(s, before, after, same, same_operands);
    return ok();
  }

  [[nodiscard]] static change change_of_faults(const drifted_segment& s, bool same,
                                               bool same_operands) {
    const bool same_codes = std::equal(
        s.a.signature.begin(), s.a.signature.end(), s.b.signature.begin(), s.b.signature.end(),
        [](const finding& a, const finding& b) { return a.code == b.code; });
    if (same_operands || !same_codes || s.a.verdict != s.b.verdict) return change::changed_rule;
    if (s.a.verdict != verdict::named) return change::undetermined;
    return same ? change::unchanged : change::inherited;
  }

  /// One rule that gives both is the same rule.
  [[nodiscard]] change change_of_rules(drifted_segment& s, const recording& before,
                                       const recording& after, bool same,
                                       bool same_operands) const {
    if (find_common_rule(s, before, after)) return same ? change::unchanged : change::inherited;
    if (same_operands || (!s.rules_a.empty() && !s.rules_b.empty())) return change::changed_rule;
    return change::undetermined;
  }

  [[nodiscard]] bool find_common_rule(drifted_segment& s, const recording& before,
                                      const recording& after) const {
    const auto run_a = run_of(s.a, *board_a_, a_, a_, both_.samples());
    const auto run_b = run_of(s.b, *board_b_, b_, b_, both_.samples());
    const auto gives = [&](const graph::target_rules& rules, const std::optional<segment_run>& run,
                           const recording& got) {
      if (!run) return false;
      const auto made = run_part(run->part, rules, run->operands, settings_.arena_limit);
      return made && made->values.type == got.values.type && made->values.data == got.values.data;
    };
    const auto ask = [&](const graph::target_rules& rules) {
      const bool a = gives(rules, run_a, before), b = gives(rules, run_b, after);
      if (a) s.rules_a.push_back(rules.name);
      if (b) s.rules_b.push_back(rules.name);
      return a && b;
    };
    if (ask(*settings_.target)) return true;
    for (const graph::target_rules* rules : settings_.rules)
      if (rules != settings_.target && !rules->is_real && ask(*rules)) return true;
    return false;
  }

  /// A release's own parameters: its manifest's, else the model's.
  [[nodiscard]] quantization map_of(const dump& d, std::int32_t index) const {
    return dump_pair(d, d, &m_).test_map(index);
  }

  const dump& a_;
  const dump& b_;
  const drift_settings& settings_;
  const graph::model& m_;
  dump_pair both_;
  std::optional<board_model> board_a_, board_b_;
  std::map<std::int32_t, bool> differs_;
  drift to_;
};

class drift_json {
 public:
  using json = nlohmann::ordered_json;

  [[nodiscard]] static json of(const drift& d) {
    json segments = json::array();
    for (const drifted_segment& s : d.segments)
      segments.push_back({{"ops", s.a.ops},
                          {"op", s.a.label},
                          {"tensor", s.a.tensor},
                          {"name", s.a.name},
                          {"change", name_of(s.change)},
                          {"mismatches", s.between.mismatches},
                          {"elements", s.between.elements},
                          {"max_codes", s.between.max_codes},
                          {"a", side(s.a, s.rules_a)},
                          {"b", side(s.b, s.rules_b)}});
    json first = nullptr;
    if (const drifted_segment* s = d.first())
      first = {{"ops", s->a.ops}, {"tensor", s->a.tensor}, {"change", name_of(s->change)}};
    return {{"preflight", to_json(d.preflight)},
            {"assumptions", d.assumptions},
            {"segments", segments},
            {"first", first}};
  }

 private:
  [[nodiscard]] static json side(const segment& s, const std::vector<std::string_view>& rules) {
    return {{"verdict", name_of(s.verdict)},
            {"mismatches", s.metrics.mismatches},
            {"signature", to_json(s.signature)},
            {"rules", rules}};
  }
};

}  // namespace detail

result<drift> compare_releases(const dump& a, const dump& b, const drift_settings& settings) {
  return detail::release_comparison(a, b, settings).run();
}

nlohmann::ordered_json to_json(const drift& d) { return detail::drift_json::of(d); }

}  // namespace bittwin::analysis::inline v1
