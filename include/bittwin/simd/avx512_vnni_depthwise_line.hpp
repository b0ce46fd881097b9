// SPDX-License-Identifier: Apache-2.0
// Depthwise lines with vpdpbusd: a few pixels of 64 lanes at a time, from interleaved columns to stored codes.
//   acc[pixel][lane] = first[lane] + sum over groups, kx of
//                      u(4 rows of the group, pixel * stride + kx, lane) * w(row, group, kx, lane)
#pragma once

#include <bittwin/simd/avx512_vnni_interleave.hpp>
#include <bittwin/simd/avx512_vnni_requantize.hpp>
#include <bittwin/simd/depthwise_line.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

/// Output rows that are made together: those of a small window share their columns.
template <line_window Window> inline constexpr int tile_rows = Window.weight_rows() == 2 ? 2 : 1;

/// Codes of one vector of some rows and pixels, not yet narrowed. Every column is loaded once.
template <form_kind Kind, line_window Window, int Rows, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
sum_and_round(const std::int32_t* first, const std::int8_t* weights, const i32x16* columns,
              const channel_form& form, i32x16 (&acc)[Rows][Pixels]) noexcept {
  constexpr int groups = Window.groups(), kernel = Window.kernel, stride = Window.stride;
  constexpr int weight_groups = Window.weight_groups(), columns_read = Window.columns(Pixels);
  const auto start = loaded<i32x16>(first);
#pragma GCC unroll 2
  for (int row = 0; row < Rows; ++row)
#pragma GCC unroll 4
    for (int p = 0; p < Pixels; ++p) acc[row][p] = start;
#pragma GCC unroll 2
  for (int group = 0; group < weight_groups; ++group) {
    i32x16 w[Rows][kernel];
#pragma GCC unroll 2
    for (int row = 0; row < Rows; ++row)
#pragma GCC unroll 5
      for (int kx = 0; kx < kernel; ++kx)
        w[row][kx] = loaded<i32x16>(
            weights + ((row * line_vectors * weight_groups + group) * kernel + kx) * 64);
#pragma GCC unroll 12
    for (int column = 0; column < columns_read; ++column) {
      const i32x16 x = columns[(column * groups + group) * line_vectors];
#pragma GCC unroll 2
      for (int row = 0; row < Rows; ++row)
#pragma GCC unroll 4
        for (int p = 0; p < Pixels; ++p) {
          const int kx = column - p * stride;
          if (kx >= 0 && kx < kernel) acc[row][p] = dot4(acc[row][p], x, w[row][kx]);
        }
    }
  }
  // All sums before any code: g++ 12 else finishes one after the other, each waiting for its own last product.
#pragma GCC unroll 2
  for (int row = 0; row < Rows; ++row) {
    if constexpr (Pixels == 4)
      asm volatile("" : "+v"(acc[row][0]), "+v"(acc[row][1]), "+v"(acc[row][2]), "+v"(acc[row][3]));
    else
      asm volatile("" : "+v"(acc[row][0]), "+v"(acc[row][1]));
  }
  lane_constants constants;
  load_constants(constants, form);
#pragma GCC unroll 2
  for (int row = 0; row < Rows; ++row)
#pragma GCC unroll 4
    for (int p = 0; p < Pixels; ++p) acc[row][p] = rounded<Kind>(acc[row][p], constants);
}

/// Stores 32 channels of one part or two.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
store_halves(i8x64 code, std::uint8_t* to, std::int32_t parts, std::int64_t part_step) noexcept {
  const auto all = (i64x8)code;
  const i64x4 first = __builtin_shufflevector(all, all, 0, 1, 2, 3);
  const i64x4 second = __builtin_shufflevector(all, all, 4, 5, 6, 7);
  __builtin_memcpy(to, &first, 32);
  if (parts > 1) __builtin_memcpy(to + part_step, &second, 32);
}

/// Stores parts of other numbers of channels. codes [pixel, 64]
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] inline void
store_parts(const depthwise_line& t, const std::uint8_t* codes, std::uint8_t* to,
            std::int32_t pixels, std::int32_t parts, std::int64_t part_step) noexcept {
  const std::int32_t channels = t.channels, width = 64 / t.parts;
  const std::int64_t step = t.code_step;
  const std::uint64_t mask = (std::uint64_t{1} << channels) - 1;
  for (std::int32_t part = 0; part < parts; ++part, to += part_step, codes += width) {
    const std::uint8_t* from = codes;
    std::uint8_t* pixel = to;
    for (std::int32_t left = pixels; left > 0; --left, from += 64, pixel += step)
      if (channels == 16)
        __builtin_memcpy(pixel, from, 16);
      else
        store_masked_64(pixel, load_masked_64(from, mask), mask);
  }
}

/// Some pixels of one or two output rows of every part, of which `pixels` and those rows that exist are stored. Not
/// inlined: loads that several tiles have in common would be made before all of them, and take more registers than
/// there are.
template <form_kind Kind, line_window Window, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
line_tile(const depthwise_line& t, std::int32_t first_row, const i32x16* columns, std::uint8_t* to,
          std::int32_t pixels) noexcept {
  constexpr int rows = tile_rows<Window>;
  constexpr int vector_weights = Window.weight_groups() * Window.kernel * 64;
  const std::int8_t* const weights =
      t.weights + first_row % Window.weight_rows() * line_vectors * vector_weights;
  i16x32 words[2][rows][Pixels];  // of the first two vectors, of the others
#pragma GCC unroll 1
  for (int v = 0; v < line_vectors; v += 2) {
    i32x16 a[rows][Pixels], b[rows][Pixels];
    sum_and_round<Kind, Window>(t.first + v * lanes, weights + v * vector_weights, columns + v,
                                t.forms[v], a);
    sum_and_round<Kind, Window>(t.first + (v + 1) * lanes, weights + (v + 1) * vector_weights,
                                columns + v + 1, t.forms[v + 1], b);
#pragma GCC unroll 2
    for (int row = 0; row < rows; ++row)
#pragma GCC unroll 4
      for (int p = 0; p < Pixels; ++p) words[v / 2][row][p] = packed_words(a[row][p], b[row][p]);
  }
  const code_bounds bounds = bounds_of(t, t.code_flip);
#pragma GCC unroll 2
  for (int i = 0; i < rows; ++i) {
    const std::int32_t row = first_row + i;
    if (row >= t.output_rows) break;
    i8x64 code[Pixels];
#pragma GCC unroll 4
    for (int p = 0; p < Pixels; ++p) {
      code[p] = packed_bytes(words[0][i][p], words[1][i][p]);
      code[p] = bounded(code[p], bounds);
    }
    std::uint8_t* const pixel = to + row * t.code_row;
    const std::int32_t parts = (t.output_rows - row + Window.rows() - 1) / Window.rows();
    const std::int64_t part_step = Window.rows() * t.code_row;
    if (t.channels == 64) {
#pragma GCC unroll 4
      for (int p = 0; p < Pixels; ++p)
        if (p < pixels) __builtin_memcpy(pixel + p * t.code_step, &code[p], 64);
    } else if (t.channels == 32) {
#pragma GCC unroll 4
      for (int p = 0; p < Pixels; ++p)
        if (p < pixels) store_halves(code[p], pixel + p * t.code_step, parts, part_step);
    } else {
      std::uint8_t bytes[Pixels * 64];
      __builtin_memcpy(bytes, code, sizeof bytes);
      store_parts(t, bytes, pixel, pixels < Pixels ? pixels : Pixels,
                  parts < t.parts ? parts : t.parts, part_step);
    }
  }
}

template <form_kind Kind, line_window Window>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
run_line(const depthwise_line& t) noexcept {
  constexpr int column_step = Window.groups() * line_vectors;
  i32x16 columns[Window.columns(Window.outputs()) * column_step];
  const std::int32_t rows = t.output_rows < Window.rows() ? t.output_rows : Window.rows();
  interleave_line<Window>(t, Window.columns((t.outputs + 1) / 2 * 2), columns);
  std::uint8_t* to = t.codes;
  for (std::int32_t done = 0; done < t.outputs; done += 4, to += 4 * t.code_step) {
    const i32x16* const tile = columns + done * Window.stride * column_step;
    const std::int32_t left = t.outputs - done;
    for (std::int32_t row = 0; row < rows; row += tile_rows<Window>)
      if (left > 2)
        line_tile<Kind, Window, 4>(t, row, tile + Window.first_group(row) * line_vectors, to, left);
      else
        line_tile<Kind, Window, 2>(t, row, tile + Window.first_group(row) * line_vectors, to, left);
  }
}

}  // namespace detail

template <line_window Window> void depthwise_lines(const depthwise_line& t) noexcept {
  static constexpr auto of = for_every_form<depthwise_line_function>(
      [](auto kind) { return &detail::run_line<kind, Window>; });
  of[t.forms[0].kind](t);
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
