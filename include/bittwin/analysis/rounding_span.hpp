// SPDX-License-Identifier: Apache-2.0
// Whether a difference is a matter of rounding: at most 1 code, and each differing element lies between the results
// of two rounding rules, which are the exact value rounded down, rounded up, and what each known target makes.
#pragma once

#include <algorithm>
#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/part_run.hpp>
#include <bittwin/analysis/recording.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// The codes of a recording, sample by sample.
[[nodiscard]] inline std::vector<std::int64_t> codes_of(const recording& r) {
  std::vector<std::int64_t> codes;
  with_element(r.values.type, [&]<class T>(T) {
    codes.resize(r.values.data.size() / sizeof(T));
    for (std::size_t i = 0; i < codes.size(); ++i)
      codes[i] =
          static_cast<std::int64_t>(element_at<T>(r.values.data, static_cast<std::int64_t>(i)));
  });
  return codes;
}

/// What an operator's exact values are, in codes of its output's grid, neither rounded nor cut to the type. Absent:
/// `real` refuses the part, or the output is not on one grid of integers.
[[nodiscard]] inline std::optional<std::vector<double>> unbounded_codes(
    const graph::model& part, const graph::target_rules& real, std::span<const recording> operands,
    std::size_t arena_limit) {
  const graph::tensor& y = part.tensors[static_cast<std::size_t>(part.outputs.back())];
  if (!is_integer(y.type) || !y.quantization.present() || y.quantization.per_channel())
    return std::nullopt;
  const std::optional<recording> made = run_part(part, real, operands, arena_limit);
  if (!made || made->values.type != element_type::float64) return std::nullopt;
  std::vector<double> codes(made->values.data.size() / sizeof(double));
  if (!codes.empty()) std::memcpy(codes.data(), made->values.data.data(), made->values.data.size());
  for (double& value : codes)
    value =
        value / double{y.quantization.scale()} + static_cast<double>(y.quantization.zero_point());
  return codes;
}

/// The same, cut to the type.
[[nodiscard]] inline std::optional<std::vector<double>> exact_codes(
    const graph::model& part, const graph::target_rules& real, std::span<const recording> operands,
    std::size_t arena_limit) {
  std::optional<std::vector<double>> codes = unbounded_codes(part, real, operands, arena_limit);
  if (!codes) return codes;
  const code_range range =
      range_of(part.tensors[static_cast<std::size_t>(part.outputs.back())].type);
  for (double& value : *codes)
    value = std::clamp(value, static_cast<double>(range.low), static_cast<double>(range.high));
  return codes;
}

/// Whether an element of a sum or a difference is a whole code from its exact value: the codes on both sides of that are
/// rounding, and who goes beyond rounds each operand.
[[nodiscard]] inline bool leaves_exact_sum(const graph::model& part,
                                           const graph::target_rules& real,
                                           std::span<const recording> operands,
                                           std::size_t arena_limit,
                                           const std::vector<std::int64_t>& codes) {
  using graph::operator_code;
  if (part.operations.size() != 1) return false;
  const operator_code of = part.operations[0].code;
  if (of != operator_code::add && of != operator_code::sub) return false;
  const auto exact = exact_codes(part, real, operands, arena_limit);
  if (!exact || exact->size() != codes.size()) return false;
  constexpr double whole = 1 - 1e-6;  // scales are float32
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (std::fabs(static_cast<double>(codes[i]) - (*exact)[i]) >= whole) return true;
  return false;
}

/// Lowest and highest result of any rounding rule, element by element.
struct rounding_span {
  std::vector<std::int64_t> low, high;

  void include(std::size_t i, std::int64_t code) {
    low[i] = std::min(low[i], code);
    high[i] = std::max(high[i], code);
  }
  void include(const std::vector<std::int64_t>& codes) {
    for (std::size_t i = 0; i < std::min(codes.size(), low.size()); ++i) include(i, codes[i]);
  }
  void include(const std::vector<double>& exact) {
    for (std::size_t i = 0; i < std::min(exact.size(), low.size()); ++i) {
      if (!std::isfinite(exact[i])) continue;
      include(i, static_cast<std::int64_t>(std::floor(exact[i])));
      include(i, static_cast<std::int64_t>(std::ceil(exact[i])));
    }
  }
  /// Whether all of `codes` are in it.
  [[nodiscard]] bool holds(const std::vector<std::int64_t>& codes) const {
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (codes[i] < low[i] || codes[i] > high[i]) return false;
    return true;
  }
};

[[nodiscard]] inline std::int64_t largest_distance(const std::vector<std::int64_t>& a,
                                                   const std::vector<std::int64_t>& b) {
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

[[nodiscard]] inline std::int64_t mismatches(const std::vector<std::int64_t>& a,
                                             const std::vector<std::int64_t>& b) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

/// All elements are the exact value cut off: a rule too, but one that biases every layer.
[[nodiscard]] inline std::optional<finding> find_truncation(const std::vector<double>& exact,
                                                            const std::vector<std::int64_t>& codes,
                                                            std::int64_t zero_point) {
  bool down = true, to_zero = true;
  std::size_t informative = 0;
  const auto zero = static_cast<double>(zero_point);
  for (std::size_t i = 0; i < std::min(exact.size(), codes.size()); ++i) {
    if (std::fabs(exact[i] - std::nearbyint(exact[i])) < 1e-4) continue;
    ++informative;
    const auto code = static_cast<double>(codes[i]);
    down = down && code == std::floor(exact[i]);
    to_zero = to_zero && code == zero + std::trunc(exact[i] - zero);
  }
  if (informative < 16) return std::nullopt;
  if (down) return finding{"TRUNCATION", "every result is the exact value rounded down"};
  if (to_zero) return finding{"TRUNCATION", "every result is the exact value rounded toward zero"};
  return std::nullopt;
}

}  // namespace bittwin::analysis::inline v1
