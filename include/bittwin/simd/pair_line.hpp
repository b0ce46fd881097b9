// SPDX-License-Identifier: Apache-2.0
// A function of two bytes as one line over both, its constants found and proved by prepare() (kernel/pack_pairs.hpp).
//   t    = first + multiplier_a * a + multiplier_b * b            a, b  the stored bytes as int8, after the flip
//   code = clamp( saturate8( (t + (t < 0 ? below : above)) >> shift ) )                          floor of the shift
// Every pair of codes can be tried, so the constants were: none of these sums leaves int32.
#pragma once

#include <cstdint>

namespace bittwin::simd::inline v1 {

struct pair_line {
  static constexpr std::int32_t most_multiplier = (1 << 23) - 1;

  std::int32_t multiplier_a = 0, multiplier_b = 0;  ///< magnitude at most `most_multiplier`
  std::int32_t first = 0;
  std::int32_t below = 0, above = 0;  ///< equal where the rule has one tie for both signs
  std::int32_t shift = 0;
  std::int8_t low = -128, high = 127;  ///< clamp, of signed codes
  std::uint8_t flip = 0;               ///< 0x80 for unsigned codes
};

/// Operands and results may be one memory; they do not overlap otherwise.
struct pair_stream {
  const std::uint8_t* a = nullptr;
  const std::uint8_t* b = nullptr;
  std::uint8_t* codes = nullptr;
  std::int64_t count = 0;
};

using pair_function = void (*)(const pair_line&, const pair_stream&) noexcept;

}  // namespace bittwin::simd::inline v1
