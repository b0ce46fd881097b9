// SPDX-License-Identifier: Apache-2.0
// What is asked when a segment is not what its operators make, and what is answered.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// target  whose operators are right
/// rules   whose results count as other ways to round, and `real`, which rounds nothing
struct diagnosis_rules {
  const graph::target_rules* target = nullptr;
  std::span<const graph::target_rules* const> rules;
  std::size_t arena_limit = graph::executor::no_limit;

  /// The one that rounds nothing, or null.
  [[nodiscard]] const graph::target_rules* real() const noexcept {
    for (const graph::target_rules* one : rules)
      if (one->is_real) return one;
    return nullptr;
  }
};

struct diagnosis {
  analysis::verdict verdict = verdict::undetermined;
  std::vector<finding> signature;
  std::optional<rounding_share> rounding;
};

}  // namespace bittwin::analysis::inline v1
