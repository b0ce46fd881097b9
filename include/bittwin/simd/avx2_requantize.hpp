// SPDX-License-Identifier: Apache-2.0
// Codes from accumulators, 8 lanes at a time. These instructions round as the float environment says, which the
// caller has set to nearest even.
#pragma once

#include <bittwin/simd/avx2_interleave.hpp>
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

/// Constants of 8 channels; those that a kind does not use vanish.
struct lane_constants {
  f32x8 scale, offset, below;
  i32x8 seam;
  i32x8 multiplier, odd_multiplier, add, add_below, shift;
  f64x4 scale64[2], offset64[2], below64[2], seam64[2];
};
/// Of lanes first to first + 7.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void load_constants(lane_constants& c,
                                                                           const channel_form& f,
                                                                           int first) noexcept {
  c.scale = loaded<f32x8>(f.scale + first);
  c.offset = loaded<f32x8>(f.offset + first), c.below = loaded<f32x8>(f.offset_below + first);
  c.seam = loaded<i32x8>(f.seam + first);
  c.multiplier = loaded<i32x8>(f.multiplier + first);
  c.odd_multiplier = odd_lanes(c.multiplier);
  c.add = loaded<i32x8>(f.add + first), c.add_below = loaded<i32x8>(f.add_below + first);
  c.shift = loaded<i32x8>(f.shift + first);
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    c.scale64[half] = loaded<f64x4>(f.scale64 + first + 4 * half);
    c.offset64[half] = loaded<f64x4>(f.offset64 + first + 4 * half);
    c.below64[half] = loaded<f64x4>(f.offset64_below + first + 4 * half);
    c.seam64[half] = loaded<f64x4>(f.seam64 + first + 4 * half);
  }
}

template <form_kind Kind>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x4 rounded64(i32x4 acc,
                                                                       const lane_constants& c,
                                                                       int half) noexcept {
  const f64x4 x = __builtin_convertvector(acc, f64x4);  // exact
  f64x4 offset = c.offset64[half];
  if constexpr (is_two_sided(Kind)) offset = x < c.seam64[half] ? c.below64[half] : offset;
  return __builtin_ia32_cvtpd2dq256(__builtin_ia32_vfmaddpd256(x, c.scale64[half], offset));
}

/// floor(acc m / 2^30): the high halves of 64-bit products of 4 acc.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x8 high_products(
    i32x8 acc, const lane_constants& c) noexcept {
  const i32x8 x = acc << 2;
  const auto even = (i32x8)__builtin_ia32_pmuldq256(x, c.multiplier);
  const auto odd = (i32x8)__builtin_ia32_pmuldq256(odd_lanes(x), c.odd_multiplier);
  return __builtin_shufflevector(even, odd, 1, 9, 3, 11, 5, 13, 7, 15);
}

template <form_kind Kind>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x8 rounded(
    i32x8 acc, const lane_constants& c) noexcept {
  if constexpr (is_float64(Kind)) {
    const i32x4 low = __builtin_shufflevector(acc, acc, 0, 1, 2, 3);
    const i32x4 high = __builtin_shufflevector(acc, acc, 4, 5, 6, 7);
    return __builtin_shufflevector(rounded64<Kind>(low, c, 0), rounded64<Kind>(high, c, 1), 0, 1, 2,
                                   3, 4, 5, 6, 7);
  }
  if constexpr (is_fixed(Kind)) {
    const i32x8 high = high_products(acc, c);
    return (high + (is_two_sided(Kind) ? (high < 0 ? c.add_below : c.add) : c.add)) >> c.shift;
  }
  const f32x8 x = __builtin_convertvector(acc, f32x8);
  if constexpr (Kind == form_kind::float32_product)
    return __builtin_ia32_cvtps2dq256(x * c.scale) + c.seam;
  const f32x8 offset = is_two_sided(Kind) ? (acc < c.seam ? c.below : c.offset) : c.offset;
  return __builtin_ia32_cvtps2dq256(__builtin_ia32_vfmaddps256(x, c.scale, offset));
}

/// What is left to do for signed codes that the type alone has clamped: nothing where a layer asks for no more.
struct code_bounds {
  i8x32 low, high, flip;
  bool is_type = false;
};
[[gnu::target("avx2,fma"), gnu::always_inline]] inline code_bounds bounds_of(
    std::int8_t low, std::int8_t high, std::uint8_t flip) noexcept {
  return {i8x32{} + low, i8x32{} + high, i8x32{} + static_cast<signed char>(flip),
          low == -128 && high == 127 && flip == 0};
}

[[gnu::target("avx2,fma"), gnu::always_inline]] inline i8x32 bounded(
    i8x32 code, const code_bounds& b) noexcept {
  if (b.is_type) return code;
  code = code < b.low ? b.low : code;
  code = code > b.high ? b.high : code;
  return code ^ b.flip;
}

/// 16 channels of two pixels, by halves: their codes, one pixel after the other.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i8x32 codes_of_two(
    const i32x8 (&first)[2], const i32x8 (&second)[2], const code_bounds& b) noexcept {
  const auto four_of_each =
      (i32x8)__builtin_ia32_packsswb256(__builtin_ia32_packssdw256(first[0], first[1]),
                                        __builtin_ia32_packssdw256(second[0], second[1]));
  return bounded((i8x32)__builtin_shufflevector(four_of_each, four_of_each, 0, 4, 1, 5, 2, 6, 3, 7),
                 b);
}

/// Those of one of them.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void store_pixel(i8x32 codes, int pixel,
                                                                        std::uint8_t* to,
                                                                        int channels) noexcept {
  const auto all = (i64x4)codes;
  store_upto_16(to,
                (i8x16)(pixel == 0 ? __builtin_shufflevector(all, all, 0, 1)
                                   : __builtin_shufflevector(all, all, 2, 3)),
                channels);
}

template <form_kind Kind>
[[gnu::target("avx2,fma"), gnu::noinline]] void requantize_vector(const code_tile& t,
                                                                  int v) noexcept {
  const std::int32_t* acc = t.acc + lanes * v;
  std::uint8_t* codes = t.codes + lanes * v;
  const int channels = t.channels - lanes * v < lanes ? t.channels - lanes * v : lanes;
  const code_bounds bounds = bounds_of(t.low, t.high, t.flip);
  lane_constants constants[2];
  for (int half = 0; half < 2; ++half) load_constants(constants[half], t.forms[v], 8 * half);
  const std::int64_t acc_step = std::int64_t{lanes} * t.vectors, code_step = t.pixel_step;
  const auto pixel = [&](std::int64_t at, i32x8(&to)[2]) __attribute__((target("avx2,fma"))) {
    for (int half = 0; half < 2; ++half)
      to[half] = rounded<Kind>(loaded<i32x8>(acc + at * acc_step + 8 * half), constants[half]);
  };
  for (std::int32_t left = t.pixels; left > 0; left -= 2) {
    i32x8 first[2], second[2];
    pixel(0, first);
    pixel(left > 1 ? 1 : 0, second);
    const i8x32 both = codes_of_two(first, second, bounds);
    store_pixel(both, 0, codes, channels);
    if (left > 1) store_pixel(both, 1, codes + code_step, channels);
    acc += 2 * acc_step;
    codes += 2 * code_step;
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
