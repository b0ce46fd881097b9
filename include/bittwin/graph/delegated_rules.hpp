// SPDX-License-Identifier: Apache-2.0
// Whose rules an operator runs under: the target's own, or those behind a delegate that leaves it.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <string>
#include <string_view>

namespace bittwin::graph::inline v1 {

/// as  "xnnpack", or "tflite-builtin (left by xnnpack: no bias)"
struct delegated_rules {
  const target_rules* rules = nullptr;
  std::string as;
};

/// Why a target gives up on a whole model; empty where it does not.
[[nodiscard]] inline std::string_view abandoned_because(const model& m, const target_rules& rules) {
  return rules.abandons != nullptr ? rules.abandons(m) : std::string_view{};
}

/// abandoned  abandoned_because(m, rules), asked once a model
[[nodiscard]] inline delegated_rules rules_for(const model& m, const operation& op,
                                               const target_rules& rules,
                                               std::string_view abandoned) {
  delegated_rules chosen{&rules, std::string(rules.name)};
  while (chosen.rules->leaves != nullptr) {
    const std::string_view reason = abandoned.empty() ? chosen.rules->leaves(m, op) : abandoned;
    if (reason.empty()) break;
    const target_rules& otherwise = *chosen.rules->otherwise;
    chosen.as = std::string(otherwise.name) + " (left by " + std::string(chosen.rules->name) +
                ": " + std::string(reason) + ")";
    chosen.rules = &otherwise;
  }
  return chosen;
}

}  // namespace bittwin::graph::inline v1
