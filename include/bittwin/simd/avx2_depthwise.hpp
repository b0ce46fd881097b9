// SPDX-License-Identifier: Apache-2.0
// Depthwise tiles with pmaddwd: two input rows are interleaved as words of 32-bit lanes, once a column.
#pragma once

#include <bittwin/simd/avx2_interleave.hpp>
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
      of[i] = load_upto_16(from, t.channels);
    }
    interleaved(of[0] ^ flip, of[1] ^ flip, to[column].words);
    interleaved(of[2] ^ flip, of[3] ^ flip, to[column].words + 2);
  }
}

}  // namespace detail

[[gnu::target("avx2,fma"), gnu::noinline]] inline void depthwise(const depthwise_tile& t) noexcept {
  detail::word_column columns[depthwise_columns];
  for (int group = 0; group < t.groups; ++group)
    detail::interleave(t, group, columns + group * t.columns);
  std::int32_t* acc = t.acc;
  for (std::int32_t row = 0; row < t.output_rows; ++row)
    for (std::int32_t output = 0; output < t.outputs; ++output, acc += t.acc_step) {
      const std::int8_t* weights = t.weights + std::int64_t{row} * t.groups * t.kernel * 128;
      i32x8 first, second;  // channels 0 to 7, 8 to 15
      __builtin_memcpy(&first, t.first, 32);
      __builtin_memcpy(&second, t.first + 8, 32);
      for (std::int32_t group = 0; group < t.groups; ++group) {
        const detail::word_column* x = columns + group * t.columns + output * t.stride;
        for (std::int32_t kx = 0; kx < t.kernel; ++kx, weights += 128, x += t.dilation) {
          i16x16 w0, w1, w2, w3;
          __builtin_memcpy(&w0, weights, 32);
          __builtin_memcpy(&w1, weights + 32, 32);
          __builtin_memcpy(&w2, weights + 64, 32);
          __builtin_memcpy(&w3, weights + 96, 32);
          first += __builtin_ia32_pmaddwd256(x->words[0], w0);
          second += __builtin_ia32_pmaddwd256(x->words[1], w1);
          first += __builtin_ia32_pmaddwd256(x->words[2], w2);
          second += __builtin_ia32_pmaddwd256(x->words[3], w3);
        }
      }
      __builtin_memcpy(acc, &first, 32);
      __builtin_memcpy(acc + 8, &second, 32);
    }
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
