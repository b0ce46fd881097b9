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

/// Two rows of 64 channels in turns, by quarters: the first eight channels of each and the others.
struct row_pair {
  i16x32 low, high;
};
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline row_pair
pair_of(i8x64 a, i8x64 b) noexcept {
  return {(i16x32)first_in_turns(a, b), (i16x32)others_in_turns(a, b)};
}

/// Four rows as 4 vectors of 16 lanes, by quarters of the rows.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
join_pairs(const row_pair& a, const row_pair& b, i32x16* to) noexcept {
  to[0] = (i32x16)__builtin_shufflevector(a.low, b.low, 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41,
                                          10, 42, 11, 43, 16, 48, 17, 49, 18, 50, 19, 51, 24, 56,
                                          25, 57, 26, 58, 27, 59);
  to[1] = (i32x16)__builtin_shufflevector(a.low, b.low, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13, 45,
                                          14, 46, 15, 47, 20, 52, 21, 53, 22, 54, 23, 55, 28, 60,
                                          29, 61, 30, 62, 31, 63);
  to[2] = (i32x16)__builtin_shufflevector(a.high, b.high, 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41,
                                          10, 42, 11, 43, 16, 48, 17, 49, 18, 50, 19, 51, 24, 56,
                                          25, 57, 26, 58, 27, 59);
  to[3] = (i32x16)__builtin_shufflevector(a.high, b.high, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13,
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
template <line_window Window, int Parts, bool Whole>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
interleave_columns(const depthwise_line& t, std::int32_t count, i32x16* to) noexcept {
  // Groups that share rows are made together, of five rows; the sixth meets no weight.
  constexpr int together = Window.staggered() ? Window.groups() : 1;
  constexpr int rows = Window.staggered() ? 5 : 4;
  constexpr int column_step = Window.groups() * line_vectors;
  const i8x64 flip = i8x64{} + static_cast<signed char>(t.flip);
  const i32x16 padding = i32x16{} + four_times(t.padding ^ t.flip);
  const std::uint64_t mask = Whole ? 0 : (std::uint64_t{1} << t.channels) - 1;
  const std::int32_t end = t.first_column + count;
  const std::int32_t inside = end < t.input_columns ? end : t.input_columns;
  for (int group = 0; group < Window.groups(); group += together) {
    i32x16* column = to + group * line_vectors;
    std::int32_t at = t.first_column;
    const auto pad = [&] {
      for (int v = 0; v < together * line_vectors; ++v) column[v] = padding;
      column += column_step, ++at;
    };
    while (at < 0 && at < end) pad();
    const std::uint8_t* row[rows][Parts];
    std::int64_t step[rows][Parts];
#pragma GCC unroll 5
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 4
      for (int part = 0; part < Parts; ++part) {
        step[i][part] = t.step[4 * group + i][part];
        row[i][part] = t.row[4 * group + i][part] + at * step[i][part];
      }
    for (; at < inside; ++at, column += column_step) {
      i8x64 bytes[6] = {};
#pragma GCC unroll 5
      for (int i = 0; i < rows; ++i) {
        bytes[i] = load_parts<Parts, Whole>(row[i], mask) ^ flip;
#pragma GCC unroll 4
        for (int part = 0; part < Parts; ++part) row[i][part] += step[i][part];
      }
      const row_pair first = pair_of(bytes[0], bytes[1]), second = pair_of(bytes[2], bytes[3]);
      join_pairs(first, second, column);
      if constexpr (together == 2)
        join_pairs(second, pair_of(bytes[4], bytes[5]), column + line_vectors);
    }
    while (at < end) pad();
  }
}

template <line_window Window>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]] inline void
interleave_line(const depthwise_line& t, std::int32_t count, i32x16* to) noexcept {
  const bool whole = t.channels * t.parts == 64;
  if (t.parts == 1)
    (whole ? interleave_columns<Window, 1, true> : interleave_columns<Window, 1, false>)(t, count,
                                                                                         to);
  else if (t.parts == 2)
    (whole ? interleave_columns<Window, 2, true> : interleave_columns<Window, 2, false>)(t, count,
                                                                                         to);
  else
    (whole ? interleave_columns<Window, 4, true> : interleave_columns<Window, 4, false>)(t, count,
                                                                                         to);
}

}  // namespace detail

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
