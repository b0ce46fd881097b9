// SPDX-License-Identifier: Apache-2.0
// Tiles of dot products whose sums become codes before they leave the registers: for blocks of channels that share one
// form. Four vectors are narrowed together: four of one pixel, or two of two.
#pragma once

#include <bittwin/simd/avx512_vnni_dot_product.hpp>
#include <bittwin/simd/avx512_vnni_requantize.hpp>
#include <bittwin/simd/channel_form.hpp>
#include <bittwin/simd/tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

/// 16 * Vectors channels of one of the pixels in `codes`.
template <int Vectors>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
store_pixel(i8x64 codes, int place, std::uint8_t* to, std::int32_t channels) noexcept {
  if (channels < lanes * Vectors) {
    std::uint8_t bytes[64];
    __builtin_memcpy(bytes, &codes, 64);
    for (std::int32_t i = 0; i < channels; ++i) to[i] = bytes[place * lanes * Vectors + i];
  } else if constexpr (Vectors == 4) {
    __builtin_memcpy(to, &codes, 64);
  } else {
    const i64x8 all = (i64x8)codes;
    const i64x4 half = place == 0 ? __builtin_shufflevector(all, all, 0, 1, 2, 3)
                                  : __builtin_shufflevector(all, all, 4, 5, 6, 7);
    __builtin_memcpy(to, &half, 32);
  }
}

}  // namespace detail

template <int Vectors, int Pixels, form_kind Kind>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
convolve(const dot_product_tile& t, const pixel_run& run) noexcept {
  constexpr int together = 4 / Vectors;
  const std::uint8_t* first = t.pixel[0];
  std::uint8_t* to = run.codes;
  for (std::int64_t left = run.tiles; left > 0; --left) {
    const std::uint8_t* pixel[Pixels];
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p, first += run.pixel_step) pixel[p] = first;
    i32x16 acc[Pixels][Vectors];
    detail::sum_products<true, Vectors, Pixels>(t, pixel, acc);
    detail::lane_constants constants[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) detail::load_constants(constants[v], run.forms[v]);
    const i8x64 low = i8x64{} + run.low, high = i8x64{} + run.high;
    const i8x64 flip = i8x64{} + static_cast<signed char>(run.flip);
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; p += together) {
      i32x16 codes[4];
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        const int of = p + i / Vectors < Pixels ? p + i / Vectors : Pixels - 1;
        codes[i] = detail::rounded<Kind>(acc[of][i % Vectors], constants[i % Vectors]);
      }
      const i32x16 quarters =
          (i32x16)packed_bytes(packed_words(codes[0], codes[1]), packed_words(codes[2], codes[3]));
      auto code = (i8x64)__builtin_shufflevector(quarters, quarters, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6,
                                                 10, 14, 3, 7, 11, 15);
      code = code < low ? low : code;
      code = code > high ? high : code;
      code ^= flip;
      detail::store_pixel<Vectors>(code, 0, to, run.channels);
      to += run.code_step;
      if (Vectors == 4 || p + 1 == Pixels) continue;
      detail::store_pixel<Vectors>(code, 1, to, run.channels);
      to += run.code_step;
    }
  }
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
