// SPDX-License-Identifier: Apache-2.0
// Rows of an image of few channels, woven into one line in which a window is one run of bytes:
//   line[(column * rows + row) * channels + channel] = x[row][column][channel] ^ flip
// Three rows of three taps of three channels are then 7 groups of four bytes, not 9, and windows that meet the padding
// are like all others. One shuffle of 16 bytes of a row puts some of its columns into their places, and zeros into
// those of the other rows.
#pragma once

#include <cstdint>

namespace bittwin::simd::inline v1 {

inline constexpr int most_woven_rows = 16;
inline constexpr int most_woven_bytes = 64;  ///< that one step makes
inline constexpr int line_bytes = 8192;
/// Windows beyond the last of a line that a tile may read.
inline constexpr int windows_beyond = 7;

struct weave_tile {
  const std::uint8_t* row[most_woven_rows] = {};  ///< at the first column; padding: some 16 bytes
  std::int64_t step[most_woven_rows] = {};        ///< bytes from column to column; padding: 0
  std::int32_t rows = 1, channels = 1;
  std::int32_t columns = 0;  ///< of each row; no byte beyond them is read
  std::int32_t columns_at_once = 1;
  const std::uint8_t* places = nullptr;  ///< [row, 64]: which of 16 bytes; 0x80: a zero
  std::uint8_t flip = 0;
  std::uint8_t* line = nullptr;  ///< `most_woven_bytes` beyond its last column are written, too
};
using weave_function = void (*)(const weave_tile&) noexcept;

}  // namespace bittwin::simd::inline v1
