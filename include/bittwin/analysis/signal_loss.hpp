// SPDX-License-Identifier: Apache-2.0
// Where a comparison on reals loses most: the operators whose result is furthest below the worst of what they read.
//   loss = min over operands of SQNR(operand) - SQNR(result), in dB
// No verdict: calibration and a layer that eight bits do not suffice for both look like that.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison.hpp>
#include <cstdint>
#include <map>
#include <optional>

namespace bittwin::analysis::inline v1 {

struct signal_loss {
  const segment* at = nullptr;  ///< lives in the comparison
  double operands_db = 0;
  double result_db = 0;

  [[nodiscard]] double loss() const noexcept { return operands_db - result_db; }
};

/// Nothing where no segment, or none whose operands were measured, is on reals and loses.
[[nodiscard]] inline std::optional<signal_loss> largest_loss(const comparison& c) {
  std::map<std::int32_t, double> measured;
  std::optional<signal_loss> worst;
  for (const segment& s : c.segments) {
    if (s.verdict != verdict::reparameterized || !s.metrics.sqnr_db) continue;
    const double result_db = measured[s.tensor] = *s.metrics.sqnr_db;
    std::optional<double> operands_db;
    const bool known = std::all_of(s.from.begin(), s.from.end(), [&](std::int32_t index) {
      const auto at = measured.find(index);
      if (at == measured.end()) return false;
      operands_db = std::min(operands_db.value_or(at->second), at->second);
      return true;
    });
    if (!known || !operands_db || *operands_db <= result_db) continue;
    if (!worst || *operands_db - result_db > worst->loss())
      worst = signal_loss{&s, *operands_db, result_db};
  }
  return worst;
}

}  // namespace bittwin::analysis::inline v1
