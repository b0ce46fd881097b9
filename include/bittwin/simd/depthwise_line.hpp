// SPDX-License-Identifier: Apache-2.0
// Outputs along a few rows of a depthwise convolution, whose sums become codes in registers. Input rows are
// interleaved, so that a lane of 32 bits holds what one instruction multiplies at once, bytes of four rows with
// vpdpbusd, words of two with pmaddwd:
//   lane of channel c: u(row r, c), u(row r + 1, c), u(row r + 2, c), u(row r + 3, c)
// and serves every output row that reads no others, with weights moved by a row: (k0, k1, k2, 0), (0, k0, k1, k2).
// A line of bytes has 64 lanes: 64 channels of one row, 32 channels of two places in the image, or 16 of four. One of
// words has half as many, and one more half for 64 channels.
#pragma once

#include <bittwin/simd/channel_form.hpp>
#include <cstdint>

namespace bittwin::simd::inline v1 {

inline constexpr int most_line_outputs = 32;

/// Windows that have lines: as high as wide, strides alike, no dilation.
struct line_window {
  int kernel = 0, stride = 0;
  int lane_rows = 4;  ///< input rows that a lane holds: 4, as bytes, or 2, as words

  /// Of bytes at stride 2, output rows have groups of their own, which share half of their rows.
  [[nodiscard]] constexpr bool staggered() const noexcept { return lane_rows == 4 && stride == 2; }
  /// Output rows of a line: of bytes else, all that one output row's lanes serve.
  [[nodiscard]] constexpr int rows() const noexcept {
    if (staggered()) return 2;
    return lane_rows == 4 ? 1 + (4 * groups() - kernel) / stride : 4;
  }
  /// Groups of so many input rows as a lane holds, and how many rows apart they begin.
  [[nodiscard]] constexpr int groups() const noexcept {
    if (staggered()) return 2;
    return lane_rows == 4 ? (kernel + 3) / 4 : (kernel + 3 * stride + 1) / 2;
  }
  [[nodiscard]] constexpr int group_step() const noexcept { return staggered() ? 2 : lane_rows; }
  [[nodiscard]] constexpr int input_rows() const noexcept {
    return (groups() - 1) * group_step() + lane_rows;
  }
  /// Where an output row begins: the first group that it reads, and the row of it.
  [[nodiscard]] constexpr int first_group(int row) const noexcept {
    return lane_rows == 4 && !staggered() ? 0 : row * stride / group_step();
  }
  [[nodiscard]] constexpr int first_row(int row) const noexcept {
    return row * stride - group_step() * first_group(row);
  }
  /// Output rows of different first rows, which come first of all, and the groups that they read.
  [[nodiscard]] constexpr int weight_rows() const noexcept {
    if (staggered()) return 1;
    return lane_rows == 4 ? rows() : 1 + stride % 2;
  }
  [[nodiscard]] constexpr int weight_groups() const noexcept {
    return lane_rows == 4 ? (kernel + 3) / 4 : (kernel + 1) / 2;
  }
  /// Blocks of so many vectors of channels that share a line.
  [[nodiscard]] constexpr int parts(int vectors) const noexcept {
    return vectors >= lane_rows ? 1 : lane_rows / vectors;
  }
  /// Outputs of a line, so that its interleaved columns stay in the first cache.
  [[nodiscard]] constexpr int outputs() const noexcept {
    return stride > 1 ? 16 : most_line_outputs;
  }
  /// Input columns of so many outputs.
  [[nodiscard]] constexpr int columns(int outputs) const noexcept {
    return (outputs - 1) * stride + kernel;
  }
};
inline constexpr line_window line_windows[] = {{3, 1}, {3, 2}, {5, 1}};
inline constexpr int line_window_count = 3;

[[nodiscard]] constexpr line_window in_words(line_window w) noexcept {
  return {w.kernel, w.stride, 2};
}

inline constexpr int line_vectors = 4;  ///< of 16 lanes
inline constexpr int most_line_parts = 4;
inline constexpr int most_line_rows = 10;  ///< of the input
/// The channel of the block in a lane of a vector: where unpacking rows of bytes by quarters of 16 puts it. Narrowing
/// the sums puts channels in order again.
///   bytes: four quarters, in 4 vectors       words: two, in 4 halves of vectors; the next two of the block after them
[[nodiscard]] constexpr int line_channel(line_window w, int parts, int vector, int lane) noexcept {
  const int quarters = w.lane_rows, lanes_of_all = 4 * quarters;
  const int quarter = lane % lanes_of_all / 4 % (quarters / parts);
  const int unpacked = vector * (lanes / lanes_of_all) + lane / lanes_of_all;
  return unpacked / 4 * quarters * lanes + quarter * lanes + unpacked % 4 * 4 + lane % 4;
}

/// parts   1, 2 or 4 places of a block's channels, each so many output rows below the one before as a line has
/// lanes   all parts have the same weights, sums to start from and forms; channels lie as line_channel() says
struct depthwise_line {
  /// Input rows [row][part] at column 0 and the block's first channel; padding: some 64 bytes.
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
  const std::int8_t* weights = nullptr;  ///< [weight row, vector, group, kx, lane, row of group]
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
