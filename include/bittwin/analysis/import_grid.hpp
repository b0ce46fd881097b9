// SPDX-License-Identifier: Apache-2.0
// Codes out of reals:  real = scale (code - zero point), every real within 1e-3 of an integer code.
// On the model's grid the codes are the model's. On another, the scale is the widest step that all reals are multiples
// of; reals alone fix the zero point only where they fill the range of codes.
#pragma once

#include <algorithm>
#include <bittwin/types/element_type.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bittwin::analysis::inline v1 {

struct code_grid {
  double scale = 1;
  std::int64_t zero_point = 0;
  std::int64_t lowest_zero = 0,
               highest_zero = 0;  ///< zero points under which every code is in range
  double worst = 0;               ///< the largest distance of a real from a code
};

/// How far from a code a real may be, in codes: 1e-3, and what its format rounds away.
/// relative  of the format: half a unit in its last place, 2^-11 for float16
[[nodiscard]] inline double code_tolerance(double steps, double relative) noexcept {
  return 1e-3 + std::abs(steps) * relative;
}

/// The grid of the given scale with these reals on it, if every one is; from code_range, in which the zero point is put
/// as near as can be to the given one.
[[nodiscard]] inline std::optional<code_grid> on_grid(std::span<const double> reals, double scale,
                                                      std::int64_t zero_point, code_range codes,
                                                      double relative) {
  code_grid grid{scale, zero_point, 0, 0, 0};
  double low = 0, high = 0;
  for (const double real : reals) {
    const double steps = real / scale, nearest = std::round(steps);
    const double allowed = code_tolerance(steps, relative);
    // Not "distance > allowed": a NaN is on no grid. From a quarter on, two codes would fit.
    if (!(std::abs(steps - nearest) <= allowed) || allowed >= 0.25) return std::nullopt;
    grid.worst = std::max(grid.worst, std::abs(steps - nearest));
    low = std::min(low, nearest);
    high = std::max(high, nearest);
  }
  if (high - low > static_cast<double>(codes.high - codes.low)) return std::nullopt;
  grid.lowest_zero = codes.low - static_cast<std::int64_t>(low);
  grid.highest_zero = codes.high - static_cast<std::int64_t>(high);
  grid.zero_point = std::clamp(zero_point, grid.lowest_zero, grid.highest_zero);
  return grid;
}

namespace detail {

/// Magnitudes, ascending; those that are equal but for rounding are one.
[[nodiscard]] inline std::vector<double> distinct_magnitudes(std::span<const double> reals,
                                                             double relative) {
  std::vector<double> all;
  for (const double real : reals)
    if (real != 0) all.push_back(std::abs(real));
  std::sort(all.begin(), all.end());
  const double merged = std::max(relative, 1e-7) * 2;
  all.erase(
      std::unique(all.begin(), all.end(), [&](double a, double b) { return b - a <= b * merged; }),
      all.end());
  return all;
}

/// The scale near `start` of which every magnitude is a multiple, made better with each one; small ones are the surest.
[[nodiscard]] inline std::optional<double> common_step(std::span<const double> magnitudes,
                                                       double start, double relative) {
  double scale = start, products = 0, squares = 0;
  for (const double magnitude : magnitudes) {
    const double steps = std::round(magnitude / scale);
    // While the scale is rough: twice what is allowed at last.
    if (std::abs(magnitude / scale - steps) > 2 * code_tolerance(steps, relative) + 1e-3)
      return std::nullopt;
    products += magnitude * steps;
    squares += steps * steps;
    if (squares > 0) scale = products / squares;
  }
  return scale;
}

}  // namespace detail

/// A grid that nobody named. Nothing where none fits, or where one would fit such reals by chance: the odds of all of
/// them, times the scales tried, are to stay under 1e-6.
[[nodiscard]] inline std::optional<code_grid> estimate_grid(std::span<const double> reals,
                                                            code_range codes,
                                                            std::int64_t zero_point,
                                                            double relative) {
  const std::vector<double> magnitudes = detail::distinct_magnitudes(reals, relative);
  const double steps_there_are = static_cast<double>(codes.high - codes.low);
  if (magnitudes.empty() || static_cast<double>(magnitudes.size()) > steps_there_are)
    return std::nullopt;
  const auto [low, high] = std::minmax_element(reals.begin(), reals.end());
  const double spread = std::max(*high, 0.0) - std::min(*low, 0.0);
  for (std::int64_t multiple = 1; multiple < codes.high - codes.low; ++multiple) {
    const double start = magnitudes.front() / static_cast<double>(multiple);
    if (spread / start > steps_there_are * 1.01) return std::nullopt;
    const std::optional<double> scale = detail::common_step(magnitudes, start, relative);
    if (!scale) continue;
    const std::optional<code_grid> grid = on_grid(reals, *scale, zero_point, codes, relative);
    if (!grid) continue;
    double chance = static_cast<double>(multiple);
    for (std::size_t i = 1; i < magnitudes.size() && chance > 1e-30; ++i)
      chance *= std::min(1.0, 2 * code_tolerance(magnitudes[i] / *scale, relative));
    if (chance > 1e-6) return std::nullopt;
    return grid;
  }
  return std::nullopt;
}

}  // namespace bittwin::analysis::inline v1
