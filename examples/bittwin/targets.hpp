// SPDX-License-Identifier: Apache-2.0
// Targets by name, as the command line gives them.
#pragma once

#include <bittwin/graph/target_rules.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::cli {

/// The rules to run by, and what was put in for axes that nobody knows.
struct chosen_target {
  const graph::target_rules* rules = nullptr;
  std::vector<std::string> assumed;
};

/// A shipped target, a template with what stands in for its unknown axes, or a JSON file. Throws refusal where there
/// is none of that name, listing those there are.
[[nodiscard]] chosen_target choose_target(std::string_view name, std::string_view assume);
[[nodiscard]] const graph::target_rules& target_named(std::string_view name);

}  // namespace bittwin::cli
