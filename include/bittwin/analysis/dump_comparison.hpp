// SPDX-License-Identifier: Apache-2.0
// Compares two dumps of one model, tensor by tensor: what differs, where first, and whether the
// operator or its inputs are the reason.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// model   tells which operators make which tensor; without it nothing can be told to be inherited
/// target  whose operators are run on TEST's operands; only with a model
/// repeat  a second run of TEST's board on the same input, or null
/// rules   whose results count as other ways to round; with `real` among them, so does the exact value
struct comparison_settings {
  const graph::model* model = nullptr;
  const graph::target_rules* target = nullptr;
  std::size_t arena_limit = graph::executor::no_limit;  ///< bytes
  std::vector<const graph::target_rules*> rules = {};
  const dump* repeat = nullptr;
};

/// errors  files that are unreadable or contradict their manifest
[[nodiscard]] result<comparison> compare_dumps(const dump& reference, const dump& test,
                                               const comparison_settings& settings);

}  // namespace bittwin::analysis::inline v1
