// SPDX-License-Identifier: Apache-2.0
// The first proof: exact bounds of an accumulator, from the weights and the range of the input alone.
//   high = bias + sum max(w (qmin - zx), w (qmax - zx)),   low likewise with min,   w less its zero point
// The input's zero point is one of its codes, so each term's range contains 0. Hence every prefix, every
// subset (taps in the padding) and every order of the sum lies within [low, high] too: where [low, high] fits
// the accumulator, wrapping, saturating and exact accumulation give the same integer in any order.
#pragma once

#include <bittwin/types/element_type.hpp>
#include <bittwin/types/integers.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bittwin::proof::inline v1 {

/// The reachable range of one output channel's accumulator, bias included.
struct accumulator_bounds {
  std::int64_t low = 0;
  std::int64_t high = 0;

  /// Whether no partial sum, in any order, leaves a signed accumulator of that many bits (at most 63).
  [[nodiscard]] constexpr bool fits(int bits) const noexcept {
    const std::int64_t limit = std::int64_t{1} << (bits - 1);
    return -limit <= low && high < limit;
  }
  friend constexpr bool operator==(const accumulator_bounds&, const accumulator_bounds&) = default;
};

/// What is known of a dot product before its input: `count` weights from `first`, `step` apart.
template <class W> struct dot_product_terms {
  const W* first = nullptr;
  std::int64_t count = 0;
  std::int64_t step = 1;
  std::int32_t weight_zero = 0;
  std::int32_t input_zero = 0;  ///< must be a code of `input`
  code_range input;             ///< codes that the input can hold

  /// The input code that makes tap `i` as large (or as small) as it can be.
  [[nodiscard]] constexpr std::int64_t extreme_code(std::int64_t i, bool largest) const noexcept {
    const std::int64_t w = std::int64_t{first[i * step]} - weight_zero;
    return (w > 0) == largest ? input.high : input.low;
  }
};

/// |terms| * 2^17 stays below 2^62 for any layer that prepare() accepts, so the sums are exact.
template <class W>
[[nodiscard]] constexpr accumulator_bounds bounds_of(const dot_product_terms<W>& terms,
                                                     std::int64_t bias) noexcept {
  accumulator_bounds bounds{bias, bias};
  for (std::int64_t i = 0; i < terms.count; ++i) {
    const std::int64_t w = std::int64_t{terms.first[i * terms.step]} - terms.weight_zero;
    const std::int64_t at_low = w * (terms.input.low - terms.input_zero);
    const std::int64_t at_high = w * (terms.input.high - terms.input_zero);
    bounds.low += at_low < at_high ? at_low : at_high;
    bounds.high += at_low < at_high ? at_high : at_low;
  }
  return bounds;
}

/// Bounds of the partial sums of raw products (zero points folded out), pairs of neighbouring taps at a time:
/// what a pairwise int16 accumulator holds. The bias does not enter.
template <class W>
[[nodiscard]] constexpr accumulator_bounds pair_bounds_of(
    const dot_product_terms<W>& terms) noexcept {
  accumulator_bounds widest;
  for (std::int64_t i = 0; i < terms.count; i += 2) {
    accumulator_bounds pair;
    for (std::int64_t k = i; k < i + 2 && k < terms.count; ++k) {
      const std::int64_t w = terms.first[k * terms.step];
      const std::int64_t at_low = w * terms.input.low, at_high = w * terms.input.high;
      pair.low += at_low < at_high ? at_low : at_high;
      pair.high += at_low < at_high ? at_high : at_low;
    }
    widest.low = pair.low < widest.low ? pair.low : widest.low;
    widest.high = pair.high > widest.high ? pair.high : widest.high;
  }
  return widest;
}

}  // namespace bittwin::proof::inline v1
