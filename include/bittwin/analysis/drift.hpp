// SPDX-License-Identifier: Apache-2.0
// What changed between two releases of a toolchain: two dumps of one model, A before and B after, each held against
// what a target makes of the same inputs, and against each other.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/fail_level.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// unchanged        the same bytes; or of other operands what the same rule makes of them
/// fixed            A had a fault or something unexplained, and B has not
/// broken           B has, and A had not
/// changed_rule     other bytes of the same operands, or operands that no known rule takes to both; faults of other names
/// reparameterized  other scales or zero points on one side
/// inherited        other bytes of other operands, by one rule that gives both, or with the same named fault
/// undetermined     other operands, and no known rule gives one of the two: whether the rule changed cannot be told
/// not_observed     not recorded in both
enum class change : std::uint8_t {
  unchanged,
  fixed,
  broken,
  changed_rule,
  reparameterized,
  inherited,
  undetermined,
  not_observed
};

[[nodiscard]] constexpr std::string_view name_of(change c) noexcept {
  switch (c) {
    case change::unchanged: return "UNCHANGED";
    case change::fixed: return "FIXED";
    case change::broken: return "BROKEN";
    case change::changed_rule: return "CHANGED_RULE";
    case change::reparameterized: return "REPARAMETERIZED";
    case change::inherited: return "INHERITED";
    case change::undetermined: return "UNDETERMINED";
    case change::not_observed: return "NOT_OBSERVED";
  }
  return "?";
}

/// For the worse, or in its rule.
[[nodiscard]] constexpr bool is_suspect(change c) noexcept {
  return c == change::broken || c == change::changed_rule || c == change::undetermined;
}
[[nodiscard]] constexpr bool counts(change c, fail_level level) noexcept {
  return level == fail_level::any ? c != change::unchanged && c != change::not_observed
                                  : is_suspect(c);
}

struct drifted_segment {
  analysis::change change = change::not_observed;
  segment a, b;        ///< each against what the target makes of its own inputs
  difference between;  ///< B against A
  /// Targets that give the bytes of A and of B; asked where these or their operands differ, and only until one gives
  /// both.
  std::vector<std::string_view> rules_a, rules_b;
};

struct drift {
  std::vector<finding> preflight;         ///< of B, that A has not; and other inputs
  std::vector<std::string> assumptions;   ///< of the target, where nobody knows all of it
  std::vector<drifted_segment> segments;  ///< in execution order

  /// The first segment that changed by itself, or null.
  [[nodiscard]] const drifted_segment* first() const noexcept {
    for (const drifted_segment& s : segments)
      if (s.change != change::unchanged && s.change != change::not_observed &&
          s.change != change::inherited)
        return &s;
    return nullptr;
  }
};

/// model, target  not null
/// rules          whose results count as other ways to round, and are told by name
struct drift_settings {
  const graph::model* model = nullptr;
  const graph::target_rules* target = nullptr;
  std::vector<const graph::target_rules*> rules = {};
  std::size_t arena_limit = graph::executor::no_limit;  ///< bytes
};

/// errors  inputs of the model that a dump lacks; dumps of other models; what the target refuses
[[nodiscard]] result<drift> compare_releases(const dump& a, const dump& b,
                                             const drift_settings& settings);

/// {"preflight", "assumptions", "segments": [{"ops", "op", "tensor", "name", "change", "mismatches", "elements", "max_codes", "a": {"verdict",
/// "mismatches", "signature", "rules"}, "b"}], "first": {"ops", "tensor", "change"} | null}
[[nodiscard]] nlohmann::ordered_json to_json(const drift& d);

}  // namespace bittwin::analysis::inline v1
