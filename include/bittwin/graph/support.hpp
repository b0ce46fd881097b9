// SPDX-License-Identifier: Apache-2.0
// Which operators of a model a target runs, each asked for itself, so that all refusals are seen at once.
#pragma once

#include <bittwin/graph/build_node.hpp>
#include <bittwin/graph/delegated_rules.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::graph::inline v1 {

struct operator_support {
  std::string as;                ///< whose rules, as executor::ran_as says it
  std::optional<error> refused;  ///< nothing: it runs
};

/// One entry an operator. Nothing is allocated but one operator's constants at a time.
[[nodiscard]] inline std::vector<operator_support> support_of(const model& m,
                                                              const target_rules& rules) {
  const std::string_view abandoned = abandoned_because(m, rules);
  std::vector<operator_support> all;
  for (std::size_t i = 0; i < m.operations.size(); ++i) {
    delegated_rules chosen = rules_for(m, m.operations[i], rules, abandoned);
    const result<node> made = build_node({m, m.operations[i], i, *chosen.rules});
    all.push_back({std::move(chosen.as), {}});
    if (!made) all.back().refused = made.error();
  }
  return all;
}

}  // namespace bittwin::graph::inline v1
