// SPDX-License-Identifier: Apache-2.0
// Depthwise tiles with vpdpbusd: the bytes of four input rows are interleaved once a column, and serve every output
// row and every kx that reads them.
#pragma once

#include <bittwin/simd/tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

/// One column of four rows as 16 lanes of four bytes.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
interleaved(i8x16 a, i8x16 b, i8x16 c, i8x16 d) noexcept {
  const i8x32 ab =
      __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                              18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  const i8x32 cd =
      __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                              18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  const i32x16 rows = __builtin_shufflevector((i32x8)ab, (i32x8)cd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                              10, 11, 12, 13, 14, 15);
  // Four channels of each row into one quarter, then a transposition of 4 x 4 bytes there.
  const i32x16 quarters =
      __builtin_shufflevector(rows, rows, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const i8x64 bytes = (i8x64)quarters;
  return (i32x16)__builtin_shufflevector(
      bytes, bytes, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 16, 20, 24, 28, 17, 21,
      25, 29, 18, 22, 26, 30, 19, 23, 27, 31, 32, 36, 40, 44, 33, 37, 41, 45, 34, 38, 42, 46, 35,
      39, 43, 47, 48, 52, 56, 60, 49, 53, 57, 61, 50, 54, 58, 62, 51, 55, 59, 63);
}

[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
interleave(const depthwise_tile& t, int group, i32x16* to) noexcept {
  const i32x16 flip = i32x16{} + four_times(t.flip);
  const i32x16 padding = (i32x16{} + four_times(t.padding)) ^ flip;
  const auto mask = static_cast<unsigned short>((1U << t.channels) - 1);
  const bool whole = t.channels == lanes;
  const std::int32_t end = t.first_column + t.columns;
  const std::int32_t begin = t.first_column < 0 ? 0 : t.first_column;
  const std::int32_t inside = end < t.input_columns ? end : t.input_columns;
  std::int32_t at = t.first_column;
  for (; at < begin && at < end; ++at) *to++ = padding;
  const std::uint8_t* row[4];
  std::int64_t step[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    step[i] = t.step[4 * group + i];
    row[i] = t.row[4 * group + i] + at * step[i];
  }
  for (; at < inside; ++at) {
    i8x16 of[4];
    if (whole) {
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) __builtin_memcpy(&of[i], row[i], lanes);
    } else {
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) of[i] = load_masked(row[i], mask);
    }
    *to++ = interleaved(of[0], of[1], of[2], of[3]) ^ flip;
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) row[i] += step[i];
  }
  for (; at < end; ++at) *to++ = padding;
}

/// Taps of a window that is known here stay in registers. Dilation 1.
template <int Groups, int Kernel>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
add_known_taps(const depthwise_tile& t, const i32x16* columns) noexcept {
  const std::int64_t stride = t.stride, width = t.columns;
  i32x16 first;
  __builtin_memcpy(&first, t.first, 64);
  std::int32_t* acc = t.acc;
  for (std::int32_t row = 0; row < t.output_rows; ++row) {
    i32x16 w[Groups][Kernel];
    __builtin_memcpy(w, t.weights + std::int64_t{row} * Groups * Kernel * 64, sizeof w);
    const i32x16* column = columns;
    for (std::int32_t left = t.outputs; left > 0; --left, acc += t.acc_step, column += stride) {
      i32x16 sum = first;
#pragma GCC unroll 2
      for (int group = 0; group < Groups; ++group)
#pragma GCC unroll 5
        for (int kx = 0; kx < Kernel; ++kx)
          sum = dot4(sum, column[group * width + kx], w[group][kx]);
      __builtin_memcpy(acc, &sum, 64);
    }
  }
}

[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
add_taps(const depthwise_tile& t, const i32x16* columns) noexcept {
  i32x16 first;
  __builtin_memcpy(&first, t.first, 64);
  std::int32_t* acc = t.acc;
  for (std::int32_t row = 0; row < t.output_rows; ++row)
    for (std::int32_t output = 0; output < t.outputs; ++output, acc += t.acc_step) {
      const std::int8_t* weights = t.weights + std::int64_t{row} * t.groups * t.kernel * 64;
      i32x16 sum = first;
      for (std::int32_t group = 0; group < t.groups; ++group)
        for (std::int32_t kx = 0; kx < t.kernel; ++kx, weights += 64) {
          i32x16 w;
          __builtin_memcpy(&w, weights, 64);
          sum = dot4(sum, columns[group * t.columns + output * t.stride + kx * t.dilation], w);
        }
      __builtin_memcpy(acc, &sum, 64);
    }
}

}  // namespace detail

[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] inline void
depthwise(const depthwise_tile& t) noexcept {
  i32x16 columns[depthwise_columns];
  for (int group = 0; group < t.groups; ++group)
    detail::interleave(t, group, columns + group * t.columns);
  if (t.groups == 1 && t.kernel == 3 && t.dilation == 1)
    detail::add_known_taps<1, 3>(t, columns);
  else if (t.groups == 2 && t.kernel == 5 && t.dilation == 1)
    detail::add_known_taps<2, 5>(t, columns);
  else
    detail::add_taps(t, columns);
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
