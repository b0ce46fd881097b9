// SPDX-License-Identifier: Apache-2.0
// Windows of bytes, channel by channel, for some pixels of a row that meet the same taps.
//   sums     acc[block of 64][pixel][channel] = first + sum of the codes              at most 256 channels
//   largest  codes[pixel][channel] = clamp( the largest code )           any number of channels
// A byte is a code as int8, after an exclusive or with `flip` in `largest`; `is_signed` says so in `sums`.
#pragma once

#include <cstdint>

namespace bittwin::simd::inline v1 {

/// Channels of one block of sums, and of the most blocks of one tile.
inline constexpr int pool_channels = 64;
inline constexpr int most_pool_channels = 256;

struct pool_tile {
  const std::uint8_t* window = nullptr;  ///< the first tap of the first pixel
  std::int64_t row_step = 0, tap_step = 0, pixel_step = 0;
  std::int32_t rows = 1, taps = 1, pixels = 1;
  std::int32_t channels = 0;
  bool is_signed = true;
  std::int32_t first = 0;
  std::int32_t* acc = nullptr;
  std::uint8_t* codes = nullptr;
  std::int64_t code_step = 0;
  std::int8_t low = -128, high = 127;
  std::uint8_t flip = 0;
};
using pool_function = void (*)(const pool_tile&) noexcept;

}  // namespace bittwin::simd::inline v1
