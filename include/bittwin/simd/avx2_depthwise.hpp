// SPDX-License-Identifier: Apache-2.0
// Depthwise tiles with pmaddwd: two input rows are interleaved as words of 32-bit lanes, once a column.
#pragma once

#include <bittwin/simd/avx2_requantize.hpp>
#include <bittwin/simd/tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

namespace detail {

/// One column of four rows: 16 lanes of rows 0 and 1, then 16 of rows 2 and 3.
struct word_column {
  i16x16 words[4];
};

/// Two rows, first eight channels 0 to 7, then 8 to 15.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void interleaved(u8x16 a, u8x16 b,
                                                                        i16x16* to) noexcept {
  const u8x16 low =
      __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const u8x16 high =
      __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  to[0] = __builtin_convertvector(low, i16x16);
  to[1] = __builtin_convertvector(high, i16x16);
}

[[gnu::target("avx2,fma"), gnu::always_inline]] inline void interleave(const depthwise_tile& t,
                                                                       int group,
                                                                       word_column* to) noexcept {
  const u8x16 flip = u8x16{} + t.flip, padding = u8x16{} + t.padding;
  for (std::int32_t column = 0; column < t.columns; ++column) {
    const std::int64_t at = t.first_column + column;
    const bool inside = at >= 0 && at < t.input_columns;
    u8x16 of[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      of[i] = padding;
      if (!inside) continue;
      const std::uint8_t* const from = t.row[4 * group + i] + at * t.step[4 * group + i];
      if (t.channels == lanes) {
        __builtin_memcpy(&of[i], from, lanes);
      } else {
        std::uint8_t bytes[lanes] = {};
        for (int c = 0; c < t.channels; ++c) bytes[c] = from[c];
        __builtin_memcpy(&of[i], bytes, lanes);
      }
    }
    interleaved(of[0] ^ flip, of[1] ^ flip, to[column].words);
    interleaved(of[2] ^ flip, of[3] ^ flip, to[column].words + 2);
  }
}

/// Sums of every output, 8 channels after the other: the weights of a small window stay in registers. Groups and Kernel
/// are those of the tile, or 0 for loops that do not vanish.
template <int Groups, int Kernel>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void add_taps(
    const depthwise_tile& t, const word_column* columns) noexcept {
  const std::int32_t groups = Groups == 0 ? t.groups : Groups;
  const std::int32_t kernel = Kernel == 0 ? t.kernel : Kernel;
  const std::int32_t dilation = Kernel == 0 ? t.dilation : 1;
  const std::int64_t stride = t.stride, width = t.columns, row_weights = groups * kernel * 128;
  for (int half = 0; half < 2; ++half) {
    const auto first = loaded<i32x8>(t.first + 8 * half);
    const std::int8_t* weights = t.weights + 32 * half;
    std::int32_t* acc = t.acc + 8 * half;
    for (std::int32_t row = 0; row < t.output_rows; ++row, weights += row_weights) {
      const word_column* column = columns;
      for (std::int32_t left = t.outputs; left > 0; --left, acc += t.acc_step, column += stride) {
        i32x8 sum = first;
#pragma GCC unroll 2
        for (std::int32_t group = 0; group < groups; ++group)
#pragma GCC unroll 5
          for (std::int32_t kx = 0; kx < kernel; ++kx) {
            const word_column& x = column[group * width + kx * dilation];
            const std::int8_t* const w = weights + (group * kernel + kx) * 128;
            sum += __builtin_ia32_pmaddwd256(x.words[half], loaded<i16x16>(w));
            sum += __builtin_ia32_pmaddwd256(x.words[half + 2], loaded<i16x16>(w + 64));
          }
        __builtin_memcpy(acc, &sum, 32);
      }
    }
  }
}

}  // namespace detail

[[gnu::target("avx2,fma"), gnu::noinline]] inline void depthwise(const depthwise_tile& t) noexcept {
  detail::word_column columns[depthwise_columns];
  for (int group = 0; group < t.groups; ++group)
    detail::interleave(t, group, columns + group * t.columns);
  if (t.groups == 1 && t.kernel == 3 && t.dilation == 1)
    detail::add_taps<1, 3>(t, columns);
  else if (t.groups == 2 && t.kernel == 5 && t.dilation == 1)
    detail::add_taps<2, 5>(t, columns);
  else
    detail::add_taps<0, 0>(t, columns);
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
