// SPDX-License-Identifier: Apache-2.0
// Codes from accumulators, 8 lanes at a time. These instructions round as the float environment says, which the
// caller has set to nearest even.
#pragma once

#include <bittwin/simd/channel_form.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

namespace detail {

template <class T>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline T loaded(const void* from) noexcept {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

template <form_kind Kind>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x4 rounded64(const std::int32_t* acc,
                                                                       const channel_form& f,
                                                                       int first) noexcept {
  const f64x4 x = __builtin_convertvector(loaded<i32x4>(acc + first), f64x4);  // exact
  f64x4 offset = loaded<f64x4>(f.offset64 + first);
  if constexpr (is_two_sided(Kind))
    offset = x < loaded<f64x4>(f.seam64 + first) ? loaded<f64x4>(f.offset64_below + first) : offset;
  return __builtin_ia32_cvtpd2dq256(
      __builtin_ia32_vfmaddpd256(x, loaded<f64x4>(f.scale64 + first), offset));
}

/// floor(acc m / 2^30): the high halves of 64-bit products of 4 acc.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x8 high_products(i32x8 acc,
                                                                           const channel_form& f,
                                                                           int first) noexcept {
  const i32x8 x = acc << 2;
  const auto m = loaded<i32x8>(f.multiplier + first);
  const auto even = (i32x8)__builtin_ia32_pmuldq256(x, m);
  const auto odd = (i32x8)__builtin_ia32_pmuldq256(odd_lanes(x), odd_lanes(m));
  return __builtin_shufflevector(even, odd, 1, 9, 3, 11, 5, 13, 7, 15);
}

/// Lanes first to first + 7.
template <form_kind Kind>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x8 rounded(const std::int32_t* from,
                                                                     const channel_form& f,
                                                                     int first) noexcept {
  if constexpr (is_float64(Kind))
    return __builtin_shufflevector(rounded64<Kind>(from, f, first),
                                   rounded64<Kind>(from, f, first + 4), 0, 1, 2, 3, 4, 5, 6, 7);
  const auto acc = loaded<i32x8>(from + first);
  if constexpr (is_fixed(Kind)) {
    const i32x8 high = high_products(acc, f, first);
    auto add = loaded<i32x8>(f.add + first);
    if constexpr (is_two_sided(Kind)) add = high < 0 ? loaded<i32x8>(f.add_below + first) : add;
    return (high + add) >> loaded<i32x8>(f.shift + first);
  }
  const f32x8 x = __builtin_convertvector(acc, f32x8);
  const auto scale = loaded<f32x8>(f.scale + first);
  if constexpr (Kind == form_kind::float32_product)
    return __builtin_ia32_cvtps2dq256(x * scale) + loaded<i32x8>(f.seam + first);
  f32x8 offset = loaded<f32x8>(f.offset + first);
  if constexpr (is_two_sided(Kind))
    offset = acc < loaded<i32x8>(f.seam + first) ? loaded<f32x8>(f.offset_below + first) : offset;
  return __builtin_ia32_cvtps2dq256(__builtin_ia32_vfmaddps256(x, scale, offset));
}

[[gnu::target("avx2,fma"), gnu::always_inline]] inline i16x8 words_of(i32x8 v) noexcept {
  return __builtin_ia32_packssdw128(__builtin_shufflevector(v, v, 0, 1, 2, 3),
                                    __builtin_shufflevector(v, v, 4, 5, 6, 7));
}

template <form_kind Kind>
[[gnu::target("avx2,fma"), gnu::noinline]] void requantize_vector(const code_tile& t,
                                                                  int v) noexcept {
  const channel_form& f = t.forms[v];
  const std::int32_t* acc = t.acc + lanes * v;
  std::uint8_t* codes = t.codes + lanes * v;
  const int channels = t.channels - lanes * v < lanes ? t.channels - lanes * v : lanes;
  const i8x16 low = i8x16{} + t.low, high = i8x16{} + t.high;
  const i8x16 flip = i8x16{} + static_cast<signed char>(t.flip);
  const std::int64_t acc_step = std::int64_t{lanes} * t.vectors, code_step = t.pixel_step;
  for (std::int32_t left = t.pixels; left > 0; --left) {
    auto code = (i8x16)__builtin_ia32_packsswb128(words_of(rounded<Kind>(acc, f, 0)),
                                                  words_of(rounded<Kind>(acc, f, 8)));
    code = code < low ? low : code;
    code = code > high ? high : code;
    code ^= flip;
    if (channels == lanes) {
      __builtin_memcpy(codes, &code, lanes);
    } else {
      std::uint8_t bytes[lanes];
      __builtin_memcpy(bytes, &code, lanes);
      for (int i = 0; i < channels; ++i) codes[i] = bytes[i];
    }
    acc += acc_step;
    codes += code_step;
  }
}

}  // namespace detail

inline void requantize(const code_tile& t) noexcept {
  static constexpr auto of_16 = for_every_form<void (*)(const code_tile&, int) noexcept>(
      [](auto kind) { return &detail::requantize_vector<kind>; });
  for (std::int32_t v = 0; v < t.vectors; ++v)
    if (t.forms[v].kind != form_kind::scalar && lanes * v < t.channels)
      of_16[t.forms[v].kind](t, v);
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
