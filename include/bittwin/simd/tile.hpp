// SPDX-License-Identifier: Apache-2.0
// What the accumulating kernels of every architecture take and give.
//   acc[pixel][channel] = first[channel] + sum over rows, taps, k of u(pixel, row, tap, k) * w(row, tap, k, channel)
// u is the stored byte, read as unsigned after an exclusive or with `flip`: 0x80 turns int8 codes into codes + 128.
// What this and the zero points change is a constant of each channel, folded into `first`.
// Of int16 layers u is a word, and so is each weight: two of them are a group of 4 bytes.
#pragma once

#include <cstdint>

namespace bittwin::simd::inline v1 {

/// Channels whose codes are made together; weights, forms and bounds are padded to a multiple of it.
inline constexpr int lanes = 16;
/// Pixels whose accumulators are held together.
inline constexpr int tile_pixels = 6;

/// A few pixels that meet the same taps, and one block of channels.
struct dot_product_tile {
  const std::uint8_t* pixel[tile_pixels] = {};  ///< each at its first tap
  std::int64_t row_step = 0;                    ///< bytes from one row of taps to the next
  std::int64_t tap_step = 0;                    ///< bytes from one tap of a row to the next
  std::int64_t length = 0;                      ///< bytes of one tap
  bool readable_to_4 = false;                   ///< so are those up to a multiple of 4
  bool readable_to_16 = false;                  ///< and of 16
  std::int32_t rows = 1;
  std::int32_t taps = 1;
  std::int32_t vectors = 1;  ///< of 16 channels, in the block
  const std::int8_t* weights =
      nullptr;                       ///< [row, tap, group of 4 k, channel, 4], 0 beyond `length`
  std::int64_t weight_row_step = 0;  ///< bytes from one row of taps to the next
  std::uint8_t flip = 0;
  const std::int32_t* first = nullptr;  ///< [channel]
  /// [pixel], added to all its channels; null: none. Kernels whose weights are words do without.
  const std::int32_t* pixel_first = nullptr;
  std::int32_t* acc = nullptr;  ///< [pixel, channel]
};

using accumulate_function = void (*)(const dot_product_tile&) noexcept;

/// to[p] = factor * sum of the bytes u that pixel p of `pixels` meets; the first at its first tap, `step` apart.
struct byte_sums {
  const std::uint8_t* pixel = nullptr;
  std::int64_t step = 0;
  std::int64_t pixels = 0;
  std::int32_t factor = 1;
  std::int32_t* to = nullptr;
};
using byte_sums_function = void (*)(const dot_product_tile&, const byte_sums&) noexcept;

/// Rows that a depthwise tile reads, and the bytes of its interleaved columns.
inline constexpr int most_depthwise_rows = 16;
inline constexpr int depthwise_columns = 192;  ///< times groups of four rows

/// Outputs of some rows and columns in one block of 16 channels. Input rows are taken four at a time: a byte of each
/// makes the four that one lane multiplies.
///   acc[row][column][channel] = first[channel] + sum over groups, kx of
///                               u(4 rows of the group, column * stride + kx * dilation, channel) * w(row, group, kx)
struct depthwise_tile {
  const std::uint8_t* row[most_depthwise_rows] = {};  ///< at column 0; padding: some 16 bytes
  std::int64_t step[most_depthwise_rows] = {};        ///< bytes from pixel to pixel; padding: 0
  std::int32_t groups = 1;                            ///< of four rows
  std::int32_t first_column = 0;                      ///< of the input; may lie outside
  std::int32_t columns = 1;                           ///< of the input
  std::int32_t input_columns = 1;
  std::int32_t channels = lanes;  ///< that exist, at most 16
  std::uint8_t padding = 0;       ///< the byte that stands outside, before the flip
  std::uint8_t flip = 0;
  std::int32_t kernel = 1, stride = 1, dilation = 1;  ///< along columns
  std::int32_t output_rows = 1, outputs = 1;
  const std::int8_t* weights = nullptr;  ///< [output row, group, kx, channel, 4]
  const std::int32_t* first = nullptr;   ///< [channel]
  std::int32_t* acc = nullptr;           ///< [output row, output, `acc_step` of them]
  std::int64_t acc_step = lanes;
};

using depthwise_function = void (*)(const depthwise_tile&) noexcept;

}  // namespace bittwin::simd::inline v1
