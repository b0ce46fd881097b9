// SPDX-License-Identifier: Apache-2.0
// Rows woven into a line, 64 bytes at a time, and windows of a line: as many bytes for every pixel, none of them
// beyond what may be read, and no sign to flip.
#pragma once

#include <bittwin/simd/avx512_vnni_convolve.hpp>
#include <bittwin/simd/tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <bittwin/simd/woven_line.hpp>
#include <cstdint>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

/// 16 bytes in all four quarters.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline c8x64
in_quarters(i8x16 bytes) noexcept {
#if defined(__clang__)
  const i32x4 x = (i32x4)bytes;
  return (c8x64)__builtin_shufflevector(x, x, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
#else
  return (c8x64)__builtin_ia32_broadcasti32x4_512((i32x4)bytes, i32x16{}, all_of_16);
#endif
}

/// bytes[place] of each quarter; 0 where the place has its highest bit set.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x64
shuffled(c8x64 bytes, const std::uint8_t* places) noexcept {
  c8x64 place;
  __builtin_memcpy(&place, places, 64);
#if defined(__clang__)
  return (i8x64)__builtin_ia32_pshufb512(bytes, place);
#else
  return (i8x64)__builtin_ia32_pshufb512_mask(bytes, place, c8x64{}, ~0ULL);
#endif
}

/// Rows  0: as many as the tile says
template <int Rows>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
weave_rows(const weave_tile& given) noexcept {
  const weave_tile t =
      given;  // bytes of the line could be those of the tile, for all a compiler knows
  const std::int32_t rows = Rows == 0 ? t.rows : Rows;
  const std::int64_t bytes_at_once = std::int64_t{t.columns_at_once} * t.channels * rows;
  const i8x64 flip = i8x64{} + static_cast<signed char>(t.flip);
  std::uint8_t* to = t.line;
  const auto joined = [&](std::int64_t column, auto bytes_of) __attribute__((
      target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), always_inline)) {
    i8x64 woven = flip;
#pragma GCC unroll 4
    for (std::int32_t row = 0; row < rows; ++row)
      woven ^= shuffled(in_quarters(bytes_of(t.row[row] + column * t.step[row])),
                        t.places + most_woven_bytes * row);
    __builtin_memcpy(to, &woven, sizeof woven);
    to += bytes_at_once;
  };
  std::int32_t column = 0;
  for (; (t.columns - column) * t.channels >= 16; column += t.columns_at_once)
    joined(
        column,
        [](const std::uint8_t* from) __attribute__((
            target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), always_inline)) {
          i8x16 bytes;
          __builtin_memcpy(&bytes, from, sizeof bytes);
          return bytes;
        });
  for (; column < t.columns; column += t.columns_at_once) {
    const auto mask = static_cast<unsigned short>((1 << (t.columns - column) * t.channels) - 1);
    joined(
        column, [mask](const std::uint8_t* from)
                    __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
                                   always_inline)) { return load_masked(from, mask); });
  }
}

}  // namespace detail

inline void weave(const weave_tile& t) noexcept {
  return t.rows == 3 ? detail::weave_rows<3>(t) : detail::weave_rows<0>(t);
}

namespace detail {

/// The sums of some windows of a line. After each of the first `Between` groups of four bytes, between(group) is done.
template <int Between, int Vectors, int Pixels, class F>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
sum_windows(const dot_product_tile& t, const std::uint8_t* first, std::int64_t step,
            i32x16 (&acc)[Pixels][Vectors], F between) noexcept {
  const std::uint8_t* from[Pixels];
#pragma GCC unroll 8
  for (int p = 0; p < Pixels; ++p) {
    from[p] = first + p * step;
    asm("" : "+r"(from[p]));  // else they are added, and kept, in vectors that sums need
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) __builtin_memcpy(&acc[p][v], t.first + lanes * v, 64);
  }
  const std::int8_t* weights = t.weights;
  const std::int64_t length = t.length;
  const auto add = [&](std::int64_t k) __attribute__((
      target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), always_inline)) {
    i32x16 w[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) __builtin_memcpy(&w[v], weights + 64 * v, 64);
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p) {
      int four;
      __builtin_memcpy(&four, from[p] + k, 4);
      const i32x16 u = i32x16{} + four;
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) acc[p][v] = dot4(acc[p][v], u, w[v]);
    }
    weights += 64 * Vectors;
  };
#pragma GCC unroll 4
  for (int group = 0; group < Between; ++group) {
    add(4 * group);
    between(group);
  }
  for (std::int64_t k = 4 * Between; k < length; k += 4) add(k);
}

/// Every vector has its own form.
template <int Vectors, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
sums_then_codes(const dot_product_tile& t, const pixel_run& run) noexcept {
  for (std::int64_t done = 0; done < run.pixels; done += Pixels) {
    i32x16 acc[Pixels][Vectors];
    sum_windows<0>(t, t.pixel[0] + done * run.pixel_step, run.pixel_step, acc, [](int) {});
    round_vectors<0>(run.forms, acc);
    store_codes(run, acc, run.codes + done * run.code_step, run.pixels - done);
  }
}

/// All vectors have this form. Sums are short: the codes of one tile are made between the products of the next, or
/// else multipliers would wait for what they do not need.
template <form_kind Kind, int Vectors, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
sums_among_codes(const dot_product_tile& t, const pixel_run& run) noexcept {
  constexpr int together = 4 / Vectors;
  i32x16 acc[Pixels][Vectors], before[Pixels][Vectors];
  std::uint8_t* to = run.codes;
  const auto store = [&](int p, std::int64_t pixels) __attribute__((
      target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), always_inline)) {
    i32x16 codes[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      lane_constants constants;
      load_constants(constants, run.forms[i % Vectors]);
      codes[i] = rounded<Kind>(before[p + i / Vectors][i % Vectors], constants);
    }
    store_four<Vectors>(run, codes, to + p * run.code_step, pixels - p);
  };
  const auto next = [&]() __attribute__((
      target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), always_inline)) {
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p)
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) before[p][v] = acc[p][v];
  };
  sum_windows<0>(t, t.pixel[0], run.pixel_step, acc, [](int) {});
  std::int64_t done = Pixels;
  for (; done < run.pixels; done += Pixels, to += Pixels * run.code_step) {
    next();
    sum_windows<Pixels / together>(
        t, t.pixel[0] + done * run.pixel_step, run.pixel_step, acc,
        [&](int group)
            __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
                           always_inline)) { store(group * together, Pixels); });
  }
  next();
#pragma GCC unroll 4
  for (int p = 0; p < Pixels; p += together) store(p, run.pixels - (done - Pixels));
}

}  // namespace detail

/// t  one row of one tap, whose length is a multiple of 4; windows_beyond more than the last are readable
inline void convolve_line_4(const dot_product_tile& t, const pixel_run& run) noexcept {
  return detail::sums_then_codes<4, 6>(t, run);
}
/// Vectors  2 or 1    Pixels  a multiple of 4 / Vectors
template <int Vectors, int Pixels>
void convolve_line(const dot_product_tile& t, const pixel_run& run) noexcept {
  constexpr int parts = Pixels * Vectors / 4;
  static constexpr auto of = for_every_form<convolve_function>(
      [](auto kind) { return &detail::sums_among_codes<kind, Vectors, Pixels>; });
  if (t.length >= 4 * parts && run.forms[Vectors - 1].kind == run.forms[0].kind)
    return of[run.forms[0].kind](t, run);
  return detail::sums_then_codes<Vectors, Pixels>(t, run);
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
