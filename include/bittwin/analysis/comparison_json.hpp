// SPDX-License-Identifier: Apache-2.0
// A comparison as JSON, under keys that scripts and baselines rely on.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// [{"code", "text"}]
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<finding>& findings);
/// {"preflight", "assumptions", "segments", "first"}
[[nodiscard]] nlohmann::ordered_json to_json(const comparison& c);

}  // namespace bittwin::analysis::inline v1
