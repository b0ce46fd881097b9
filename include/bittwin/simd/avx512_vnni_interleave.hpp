// SPDX-License-Identifier: Apache-2.0
// Four rows of bytes, interleaved column by column: what a depthwise line multiplies.
#pragma once

#include <bittwin/simd/avx512_vnni_requantize.hpp>
#include <bittwin/simd/depthwise_line.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

/// 64 channels of four rows as 4 vectors of 16 lanes, by quarters of the rows.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
interleave_rows(const i8x64 (&row)[4], i32x16* to) noexcept {
  i16x32 low[2], high[2];  // of rows 0 and 1, of rows 2 and 3
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    const i8x64 a = row[2 * i], b = row[2 * i + 1];
    low[i] = (i16x32)__builtin_shufflevector(
        a, b, 0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80, 17, 81, 18, 82, 19,
        83, 20, 84, 21, 85, 22, 86, 23, 87, 32, 96, 33, 97, 34, 98, 35, 99, 36, 100, 37, 101, 38,
        102, 39, 103, 48, 112, 49, 113, 50, 114, 51, 115, 52, 116, 53, 117, 54, 118, 55, 119);
    high[i] = (i16x32)__builtin_shufflevector(
        a, b, 8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79, 24, 88, 25, 89, 26, 90,
        27, 91, 28, 92, 29, 93, 30, 94, 31, 95, 40, 104, 41, 105, 42, 106, 43, 107, 44, 108, 45,
        109, 46, 110, 47, 111, 56, 120, 57, 121, 58, 122, 59, 123, 60, 124, 61, 125, 62, 126, 63,
        127);
  }
  to[0] = (i32x16)__builtin_shufflevector(low[0], low[1], 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41,
                                          10, 42, 11, 43, 16, 48, 17, 49, 18, 50, 19, 51, 24, 56,
                                          25, 57, 26, 58, 27, 59);
  to[1] = (i32x16)__builtin_shufflevector(low[0], low[1], 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13,
                                          45, 14, 46, 15, 47, 20, 52, 21, 53, 22, 54, 23, 55, 28,
                                          60, 29, 61, 30, 62, 31, 63);
  to[2] = (i32x16)__builtin_shufflevector(high[0], high[1], 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9,
                                          41, 10, 42, 11, 43, 16, 48, 17, 49, 18, 50, 19, 51, 24,
                                          56, 25, 57, 26, 58, 27, 59);
  to[3] = (i32x16)__builtin_shufflevector(high[0], high[1], 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13,
                                          45, 14, 46, 15, 47, 20, 52, 21, 53, 22, 54, 23, 55, 28,
                                          60, 29, 61, 30, 62, 31, 63);
}

/// One row of a line: its parts one after the other.
template <int Parts, bool Whole>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x64
load_parts(const std::uint8_t* const (&part)[Parts], std::uint64_t mask) noexcept {
  if constexpr (Parts == 1) {
    return Whole ? loaded<i8x64>(part[0]) : load_masked_64(part[0], mask);
  } else if constexpr (Parts == 2) {
    i64x4 half[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      if constexpr (Whole) {
        half[i] = loaded<i64x4>(part[i]);
      } else {
        const auto all = (i64x8)load_masked_64(part[i], mask);
        half[i] = __builtin_shufflevector(all, all, 0, 1, 2, 3);
      }
    }
    return (i8x64)__builtin_shufflevector(half[0], half[1], 0, 1, 2, 3, 4, 5, 6, 7);
  } else {
    i64x2 quarter[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
      quarter[i] = Whole ? loaded<i64x2>(part[i])
                         : (i64x2)load_masked(part[i], static_cast<unsigned short>(mask));
    const i64x4 first = __builtin_shufflevector(quarter[0], quarter[1], 0, 1, 2, 3);
    const i64x4 second = __builtin_shufflevector(quarter[2], quarter[3], 0, 1, 2, 3);
    return (i8x64)__builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7);
  }
}

/// The first columns of a line, to [column, group, vector].
template <int Groups, int Parts, bool Whole>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
interleave_columns(const depthwise_line& t, std::int32_t count, i32x16* to) noexcept {
  const i8x64 flip = i8x64{} + static_cast<signed char>(t.flip);
  const i32x16 padding = i32x16{} + four_times(t.padding ^ t.flip);
  const std::uint64_t mask = Whole ? 0 : (std::uint64_t{1} << t.channels) - 1;
  const std::int32_t end = t.first_column + count;
  const std::int32_t inside = end < t.input_columns ? end : t.input_columns;
  for (int group = 0; group < Groups; ++group) {
    i32x16* column = to + group * line_vectors;
    std::int32_t at = t.first_column;
    const auto pad = [&] {
      for (int v = 0; v < line_vectors; ++v) column[v] = padding;
      column += Groups * line_vectors, ++at;
    };
    while (at < 0 && at < end) pad();
    const std::uint8_t* row[4][Parts];
    std::int64_t step[4][Parts];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
#pragma GCC unroll 4
      for (int part = 0; part < Parts; ++part) {
        step[i][part] = t.step[4 * group + i][part];
        row[i][part] = t.row[4 * group + i][part] + at * step[i][part];
      }
    for (; at < inside; ++at, column += Groups * line_vectors) {
      i8x64 bytes[4];
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        bytes[i] = load_parts<Parts, Whole>(row[i], mask) ^ flip;
#pragma GCC unroll 4
        for (int part = 0; part < Parts; ++part) row[i][part] += step[i][part];
      }
      interleave_rows(bytes, column);
    }
    while (at < end) pad();
  }
}

template <int Groups>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]] inline void
interleave_line(const depthwise_line& t, std::int32_t count, i32x16* to) noexcept {
  const bool whole = t.channels * t.parts == 64;
  if (t.parts == 1)
    (whole ? interleave_columns<Groups, 1, true> : interleave_columns<Groups, 1, false>)(t, count,
                                                                                         to);
  else if (t.parts == 2)
    (whole ? interleave_columns<Groups, 2, true> : interleave_columns<Groups, 2, false>)(t, count,
                                                                                         to);
  else
    (whole ? interleave_columns<Groups, 4, true> : interleave_columns<Groups, 4, false>)(t, count,
                                                                                         to);
}

}  // namespace detail

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
