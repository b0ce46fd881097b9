// SPDX-License-Identifier: Apache-2.0
// Tiles of dot products whose sums become codes before they leave the registers. Every vector of channels has its own
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

/// Codes take the registers of their sums.
template <form_kind Kind, int At, int Vectors, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
round_by(const channel_form& f, i32x16 (&acc)[Pixels][Vectors]) noexcept {
  lane_constants constants;
  load_constants(constants, f);
#pragma GCC unroll 8
  for (int p = 0; p < Pixels; ++p) acc[p][At] = rounded<Kind>(acc[p][At], constants);
}

/// Vectors from the one at `At` on.
template <int At, int Vectors, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
round_vectors(const channel_form* f, i32x16 (&acc)[Pixels][Vectors]) noexcept {
  using enum form_kind;
  switch (f[At].kind) {
    case float32: round_by<float32, At>(f[At], acc); break;
    case float32_product: round_by<float32_product, At>(f[At], acc); break;
    case float32_two_sided: round_by<float32_two_sided, At>(f[At], acc); break;
    case fixed: round_by<fixed, At>(f[At], acc); break;
    case fixed_two_sided: round_by<fixed_two_sided, At>(f[At], acc); break;
    case float64: round_by<float64, At>(f[At], acc); break;
    default: round_by<float64_two_sided, At>(f[At], acc); break;
  }
  if constexpr (At + 1 < Vectors) round_vectors<At + 1>(f, acc);
}

/// 16 * Vectors channels of one of the pixels in `codes`.
template <int Vectors>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
store_pixel(i8x64 codes, int place, std::uint8_t* to, std::int32_t channels) noexcept {
  i64x8 all = (i64x8)codes;
  if (Vectors == 2 && place == 1) all = __builtin_shufflevector(all, all, 4, 5, 6, 7, 4, 5, 6, 7);
  if (Vectors == 1 && place == 1) all = __builtin_shufflevector(all, all, 2, 3, 2, 3, 2, 3, 2, 3);
  if (Vectors == 1 && place == 2) all = __builtin_shufflevector(all, all, 4, 5, 4, 5, 4, 5, 4, 5);
  if (Vectors == 1 && place == 3) all = __builtin_shufflevector(all, all, 6, 7, 6, 7, 6, 7, 6, 7);
  if (channels < lanes * Vectors)
    store_masked_64(to, (i8x64)all, (std::uint64_t{1} << channels) - 1);
  else
    __builtin_memcpy(to, &all, lanes * Vectors);
}

/// Four rounded vectors narrowed, clamped and stored: 4 / Vectors pixels, of which the first `pixels` exist.
template <int Vectors>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
store_four(const pixel_run& run, const i32x16 (&codes)[4], std::uint8_t* to,
           std::int64_t pixels) noexcept {
  constexpr int together = 4 / Vectors;
  const i32x16 quarters =
      (i32x16)packed_bytes(packed_words(codes[0], codes[1]), packed_words(codes[2], codes[3]));
  auto code = (i8x64)__builtin_shufflevector(quarters, quarters, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10,
                                             14, 3, 7, 11, 15);
  code = bounded(code, bounds_of(run, run.flip));
  // Pixels without a gap between them are stored as one.
  if (run.code_step == lanes * Vectors && run.channels >= lanes * Vectors && pixels >= together) {
    __builtin_memcpy(to, &code, 64);
    return;
  }
#pragma GCC unroll 4
  for (int i = 0; i < together; ++i)
    if (i < pixels) store_pixel<Vectors>(code, i, to + i * run.code_step, run.channels);
}

/// Rounded sums of a tile, of whose pixels the first `pixels` exist.
template <int Vectors, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
store_codes(const pixel_run& run, const i32x16 (&acc)[Pixels][Vectors], std::uint8_t* to,
            std::int64_t pixels) noexcept {
  constexpr int together = 4 / Vectors;
#pragma GCC unroll 8
  for (int p = 0; p < Pixels; p += together) {
    i32x16 codes[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
      codes[i] = acc[p + i / Vectors < Pixels ? p + i / Vectors : Pixels - 1][i % Vectors];
    store_four<Vectors>(run, codes, to + p * run.code_step,
                        (pixels < Pixels ? pixels : Pixels) - p);
  }
}

}  // namespace detail

template <int Vectors, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
convolve(const dot_product_tile& t, const pixel_run& run) noexcept {
  const std::uint8_t* first = t.pixel[0];
  const std::int32_t* pixel_first = t.pixel_first;
  for (std::int64_t done = 0; done < run.pixels; done += Pixels) {
    const std::uint8_t* pixel[Pixels];
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p, first += run.pixel_step) pixel[p] = first;
    i32x16 acc[Pixels][Vectors];
    detail::sum_products<false, true, Vectors, Pixels>(t, pixel, pixel_first, acc);
    if (pixel_first != nullptr) pixel_first += Pixels;
    detail::round_vectors<0>(run.forms, acc);
    detail::store_codes(run, acc, run.codes + done * run.code_step, Pixels);
  }
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
