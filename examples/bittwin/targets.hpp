// SPDX-License-Identifier: Apache-2.0
// Targets by name, as the command line gives them.
#pragma once

#include <bittwin/graph/target_rules.hpp>
#include <string_view>
#include <vector>

namespace bittwin::cli {

/// All shipped targets, in the order of targets::all.
[[nodiscard]] const std::vector<const graph::target_rules*>& shipped_targets();
/// Throws refusal where there is none of that name, listing those there are.
[[nodiscard]] const graph::target_rules& target_named(std::string_view name);

}  // namespace bittwin::cli
