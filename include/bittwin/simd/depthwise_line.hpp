// SPDX-License-Identifier: Apache-2.0
// Outputs along a few rows of a depthwise convolution, whose sums become codes in registers. A line has 64 lanes of
// bytes: 64 channels of one row, 32 channels of two places in the image, or 16 of four. Four input rows are
// interleaved, so that a lane of 32 bits holds what vpdpbusd multiplies at once:
//   lane of channel c: u(row r, c), u(row r + 1, c), u(row r + 2, c), u(row r + 3, c)
// and serves every output row that reads no others, with weights moved by a byte: (k0, k1, k2, 0), (0, k0, k1, k2).
#pragma once

#include <bittwin/simd/channel_form.hpp>
#include <cstdint>

namespace bittwin::simd::inline v1 {

/// Windows that have lines: as high as wide, strides alike, no dilation.
struct line_window {
  int kernel = 0, stride = 0;

  /// Groups of four input rows.
  [[nodiscard]] constexpr int groups() const noexcept { return (kernel + 3) / 4; }
  /// Output rows that they serve.
  [[nodiscard]] constexpr int rows() const noexcept { return 1 + (4 * groups() - kernel) / stride; }
  /// Input columns of so many outputs.
  [[nodiscard]] constexpr int columns(int outputs) const noexcept {
    return (outputs - 1) * stride + kernel;
  }
};
inline constexpr line_window line_windows[] = {{3, 1}, {3, 2}, {5, 1}};
inline constexpr int line_window_count = 3;

inline constexpr int line_vectors = 4;  ///< of 16 lanes
inline constexpr int most_line_parts = 4;
inline constexpr int most_line_rows = 8;  ///< of the input
/// Outputs of a line, so that its interleaved columns stay in the first cache.
inline constexpr int most_line_outputs = 32;

/// Where unpacking bytes and words of 64-byte rows puts channels: the channel of the block in a lane of a vector.
/// Narrowing four vectors of sums to bytes puts them in order again.
[[nodiscard]] constexpr int line_channel(int parts, int vector, int lane) noexcept {
  return lane / 4 % (4 / parts) * lanes + 4 * vector + lane % 4;
}

/// parts   1, 2 or 4 blocks of 64 / parts channels, each so many output rows below the one before as a window serves
/// lanes   all parts have the same weights, sums to start from and forms; channels lie as line_channel() says
struct depthwise_line {
  /// Input rows [row of the groups][part] at column 0 and the block's first channel; padding: some 64 bytes.
  const std::uint8_t* row[most_line_rows][most_line_parts] = {};
  std::int64_t step[most_line_rows][most_line_parts] =
      {};  ///< bytes from pixel to pixel; padding: 0
  std::int32_t parts = 1;
  std::int32_t channels = 64;            ///< of a part, that exist
  std::int32_t first_column = 0;         ///< of the input; may lie outside
  std::int32_t input_columns = 1;        ///< those outside are padding
  std::int32_t outputs = 1;              ///< along the line, at most most_line_outputs
  std::int32_t output_rows = 1;          ///< that exist, from the first of the first part on
  std::uint8_t padding = 0;              ///< the byte that stands outside, before the flip
  std::uint8_t flip = 0;                 ///< of the input
  const std::int8_t* weights = nullptr;  ///< [output row, vector, group, kx, lane, 4]
  const std::int32_t* first = nullptr;   ///< [vector, lane]
  const channel_form* forms =
      nullptr;                    ///< [vector], all of the kind of the first, which is not scalar
  std::uint8_t* codes = nullptr;  ///< of the first output and channel
  std::int64_t code_step = 0, code_row = 0;  ///< bytes from pixel to pixel, from row to row
  std::int8_t low = -128, high = 127;
  std::uint8_t code_flip = 0;
};

using depthwise_line_function = void (*)(const depthwise_line&) noexcept;

}  // namespace bittwin::simd::inline v1
