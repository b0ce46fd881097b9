// SPDX-License-Identifier: Apache-2.0
// Depthwise lines with pmaddwd: a few pixels of 32 lanes at a time, from interleaved columns to stored codes. Two
// products of words and their sum are exact in 32 bits, whatever the weights.
//   acc[pixel][lane] = first[lane] + sum over groups, kx of
//                      u(2 rows of the group, pixel * stride + kx, lane) * w(row, group, kx, lane)
#pragma once

#include <bittwin/simd/avx2_interleave.hpp>
#include <bittwin/simd/avx2_requantize.hpp>
#include <bittwin/simd/depthwise_line.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

namespace detail {

/// Codes of 8 lanes of some pixels, not yet narrowed. Every column is loaded once.
template <form_kind Kind, line_window Window, int Pixels>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void sum_and_round(
    const std::int32_t* first, const std::int8_t* weights, const i16x16* columns,
    const channel_form& form, int first_lane, i32x8 (&acc)[Pixels]) noexcept {
  constexpr int groups = Window.groups(), kernel = Window.kernel, stride = Window.stride;
  constexpr int weight_groups = Window.weight_groups(), columns_read = Window.columns(Pixels);
  const auto start = loaded<i32x8>(first);
#pragma GCC unroll 4
  for (int p = 0; p < Pixels; ++p) acc[p] = start;
#pragma GCC unroll 3
  for (int group = 0; group < weight_groups; ++group) {
    i16x16 w[kernel];
#pragma GCC unroll 5
    for (int kx = 0; kx < kernel; ++kx)
      w[kx] = loaded<i16x16>(weights + (group * kernel + kx) * 64);
#pragma GCC unroll 12
    for (int column = 0; column < columns_read; ++column) {
      const i16x16 x = columns[(column * groups + group) * line_vectors];
#pragma GCC unroll 4
      for (int p = 0; p < Pixels; ++p) {
        const int kx = column - p * stride;
        if (kx < 0 || kx >= kernel) continue;
        acc[p] += __builtin_ia32_pmaddwd256(x, w[kx]);
        asm("" : "+x"(acc[p]));  // g++ 12 else makes all products before the sums, and spills them
      }
    }
  }
  lane_constants constants;
  load_constants(constants, form, first_lane);
#pragma GCC unroll 4
  for (int p = 0; p < Pixels; ++p) acc[p] = rounded<Kind>(acc[p], constants);
}

/// One line of 32 lanes, which begins `vector` vectors of 16 after the block does.
struct line_place {
  std::int32_t vector = 0, row = 0;  ///< output row of the first part
  std::int32_t loaded[2] = {};       ///< channels of each half of the lanes
  std::int32_t stored[2] = {};       ///< of them
  std::int64_t second = lanes;  ///< bytes from the codes of the first half to those of the second
};
/// part_step: bytes from the codes of a part to those of the next
[[nodiscard]] inline line_place place_of(const depthwise_line& t, std::int32_t channel,
                                         std::int64_t part_step) noexcept {
  const std::int32_t left = t.channels - channel;
  line_place p;
  p.vector = channel / lanes;
  p.loaded[0] = left < lanes ? left : lanes;
  p.loaded[1] = t.parts > 1 ? p.loaded[0] : left - lanes;
  if (p.loaded[1] > lanes) p.loaded[1] = lanes;
  p.stored[0] = p.loaded[0], p.stored[1] = p.loaded[1];
  if (t.parts > 1) p.second = part_step;
  return p;
}

/// Some pixels of one output row of every part, of which `pixels` are stored. columns: from the row's first group on
template <form_kind Kind, line_window Window, int Pixels>
[[gnu::target("avx2,fma"), gnu::noinline]] void line_tile(const depthwise_line& t,
                                                          const line_place& place,
                                                          const i16x16* columns, std::uint8_t* to,
                                                          std::int32_t pixels) noexcept {
  constexpr int vector_weights = Window.weight_groups() * Window.kernel * 64;
  const int weight_row = place.row % Window.weight_rows();
  i16x16 words[2][Pixels];
#pragma GCC unroll 1
  for (int i = 0; i < 2; ++i) {
    const int v = place.vector + i;
    const std::int8_t* const w = t.weights + (weight_row * line_vectors + v) * vector_weights;
    const std::int32_t* const first = t.first + v * lanes;
    i32x8 a[Pixels], b[Pixels];
    sum_and_round<Kind, Window>(first, w, columns + 2 * i, t.forms[v], 0, a);
    sum_and_round<Kind, Window>(first + 8, w + 32, columns + 2 * i + 1, t.forms[v], 8, b);
#pragma GCC unroll 4
    for (int p = 0; p < Pixels; ++p) words[i][p] = __builtin_ia32_packssdw256(a[p], b[p]);
  }
  const code_bounds bounds = bounds_of(t.low, t.high, t.code_flip);
  const bool whole = place.second == lanes && place.stored[1] == lanes;
#pragma GCC unroll 4
  for (int p = 0; p < Pixels; ++p, to += t.code_step) {
    if (p >= pixels) break;
    const i8x32 code = bounded((i8x32)__builtin_ia32_packsswb256(words[0][p], words[1][p]), bounds);
    if (whole) {
      __builtin_memcpy(to, &code, 32);
      continue;
    }
    store_pixel(code, 0, to, place.stored[0]);
    if (place.stored[1] > 0) store_pixel(code, 1, to + place.second, place.stored[1]);
  }
}

/// The first columns of one line, to [column, group, 4 vectors].
template <line_window Window, bool Whole>
[[gnu::target("avx2,fma"), gnu::noinline]] void interleave_columns(const depthwise_line& t,
                                                                   const line_place& place,
                                                                   std::int32_t count,
                                                                   i16x16* to) noexcept {
  constexpr int groups = Window.groups();
  const u8x32 flip = u8x32{} + t.flip;
  const i16x16 padding = i16x16{} + static_cast<short>(t.padding ^ t.flip);
  const int second_part = t.parts - 1, channel = place.vector * lanes;
  const std::int32_t end = t.first_column + count;
  const std::int32_t inside = end < t.input_columns ? end : t.input_columns;
  for (int group = 0; group < groups; ++group) {
    i16x16* column = to + group * line_vectors;
    std::int32_t at = t.first_column;
    const auto pad = [&]() __attribute__((target("avx2,fma"))) {
      for (int v = 0; v < line_vectors; ++v) column[v] = padding;
      column += groups * line_vectors, ++at;
    };
    while (at < 0 && at < end) pad();
    const std::uint8_t* row[2][2];  // [row of the group][half]
    std::int64_t step[2][2];
    for (int i = 0; i < 2; ++i)
      for (int half = 0; half < 2; ++half) {
        const int part = half * second_part;
        step[i][half] = t.step[2 * group + i][part];
        row[i][half] =
            t.row[2 * group + i][part] + at * step[i][half] + channel + (half > part ? lanes : 0);
      }
    for (; at < inside; ++at, column += groups * line_vectors) {
      u8x32 bytes[2];
#pragma GCC unroll 2
      for (int i = 0; i < 2; ++i) {
        if constexpr (Whole) {
          bytes[i] = loaded<u8x32>(row[i][0]) ^ flip;
          row[i][0] += step[i][0];
        } else {
          const u8x16 first = load_upto_16(row[i][0], place.loaded[0]);
          const u8x16 second = load_upto_16(row[i][1], place.loaded[1]);
          bytes[i] = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                             12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                                             26, 27, 28, 29, 30, 31) ^
                     flip;
          row[i][0] += step[i][0], row[i][1] += step[i][1];
        }
      }
      interleaved_by_halves(bytes[0], bytes[1], column);
    }
    while (at < end) pad();
  }
}

template <form_kind Kind, line_window Window>
[[gnu::target("avx2,fma"), gnu::noinline]] void run_lines(const depthwise_line& t) noexcept {
  constexpr int column_step = line_vectors * Window.groups();
  i16x16 columns[Window.columns(Window.outputs()) * column_step];
  const std::int32_t rows = t.output_rows < Window.rows() ? t.output_rows : Window.rows();
  const std::int32_t count = Window.columns((t.outputs + 1) / 2 * 2);
  for (std::int32_t channel = 0; channel < t.channels; channel += 2 * lanes) {
    line_place place = place_of(t, channel, Window.rows() * t.code_row);
    if (t.parts == 1 && place.loaded[1] == lanes)
      interleave_columns<Window, true>(t, place, count, columns);
    else
      interleave_columns<Window, false>(t, place, count, columns);
    for (; place.row < rows; ++place.row) {
      if (place.row + Window.rows() >= t.output_rows && t.parts > 1) place.stored[1] = 0;
      std::uint8_t* to = t.codes + channel + place.row * t.code_row;
      const i16x16* tile = columns + line_vectors * Window.first_group(place.row);
      for (std::int32_t left = t.outputs; left > 0; left -= 4, to += 4 * t.code_step) {
        if (left > 2)
          line_tile<Kind, Window, 4>(t, place, tile, to, left);
        else
          line_tile<Kind, Window, 2>(t, place, tile, to, left);
        tile += 4 * Window.stride * column_step;
      }
    }
  }
}

}  // namespace detail

template <line_window Window> void depthwise_lines(const depthwise_line& t) noexcept {
  static constexpr auto of = for_every_form<depthwise_line_function>(
      [](auto kind) { return &detail::run_lines<kind, Window>; });
  of[t.forms[0].kind](t);
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
