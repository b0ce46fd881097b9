// SPDX-License-Identifier: Apache-2.0
// Codes from accumulators, 16 lanes at a time. Roundings state their mode in the instruction where it can.
#pragma once

#include <bittwin/simd/channel_form.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

inline constexpr int nearest_even = 8;  ///< rounding mode 0, exceptions suppressed

template <class T>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline T
loaded(const void* from) noexcept {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

/// Constants of 16 channels; those that a kind does not use vanish.
struct lane_constants {
  f32x16 scale, offset, below;
  i32x16 seam;
  i32x16 multiplier, odd_multiplier, add, add_below, shift;
  f64x8 scale64[2], offset64[2], below64[2], seam64[2];
};
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
load_constants(lane_constants& c, const channel_form& f) noexcept {
  c.scale = loaded<f32x16>(f.scale);
  c.offset = loaded<f32x16>(f.offset), c.below = loaded<f32x16>(f.offset_below);
  c.seam = loaded<i32x16>(f.seam);
  c.multiplier = loaded<i32x16>(f.multiplier), c.odd_multiplier = odd_lanes(c.multiplier);
  c.add = loaded<i32x16>(f.add), c.add_below = loaded<i32x16>(f.add_below);
  c.shift = loaded<i32x16>(f.shift);
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    c.scale64[half] = loaded<f64x8>(f.scale64 + 8 * half);
    c.offset64[half] = loaded<f64x8>(f.offset64 + 8 * half);
    c.below64[half] = loaded<f64x8>(f.offset64_below + 8 * half);
    c.seam64[half] = loaded<f64x8>(f.seam64 + 8 * half);
  }
}

/// floor(acc m / 2^30): the high halves of 64-bit products of 4 acc.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
high_products(i32x16 acc, const lane_constants& c) noexcept {
  const i32x16 x = acc << 2;
  const i32x16 even = even_products(x, c.multiplier);
  const i32x16 odd = even_products(odd_lanes(x), c.odd_multiplier);
  return __builtin_shufflevector(even, odd, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15,
                                 31);
}

template <form_kind Kind>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x8
rounded64(i32x8 acc, const lane_constants& c, int half) noexcept {
  const f64x8 x = __builtin_convertvector(acc, f64x8);  // exact
  const f64x8 offset = is_two_sided(Kind)
                           ? (x < c.seam64[half] ? c.below64[half] : c.offset64[half])
                           : c.offset64[half];
  const f64x8 y =
      __builtin_ia32_vfmaddpd512_mask(x, c.scale64[half], offset, all_of_8, nearest_even);
  return __builtin_ia32_cvtpd2dq512_mask(y, i32x8{}, all_of_8, nearest_even);
}

template <form_kind Kind>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
rounded(i32x16 acc, const lane_constants& c) noexcept {
  if constexpr (is_float64(Kind)) {
    const i32x8 low = __builtin_shufflevector(acc, acc, 0, 1, 2, 3, 4, 5, 6, 7);
    const i32x8 high = __builtin_shufflevector(acc, acc, 8, 9, 10, 11, 12, 13, 14, 15);
    return __builtin_shufflevector(rounded64<Kind>(low, c, 0), rounded64<Kind>(high, c, 1), 0, 1, 2,
                                   3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
  if constexpr (is_fixed(Kind)) {
    const i32x16 high = high_products(acc, c);
    return (high + (is_two_sided(Kind) ? (high < 0 ? c.add_below : c.add) : c.add)) >> c.shift;
  }
  const f32x16 x = __builtin_ia32_cvtdq2ps512_mask(acc, f32x16{}, all_of_16, nearest_even);
  if constexpr (Kind == form_kind::float32_product) {
    const f32x16 y = x * c.scale;  // nearest even, by the float environment
    return __builtin_ia32_cvtps2dq512_mask(y, i32x16{}, all_of_16, nearest_even) + c.seam;
  }
  const f32x16 offset = is_two_sided(Kind) ? (acc < c.seam ? c.below : c.offset) : c.offset;
  const f32x16 y = __builtin_ia32_vfmaddps512_mask(x, c.scale, offset, all_of_16, nearest_even);
  return __builtin_ia32_cvtps2dq512_mask(y, i32x16{}, all_of_16, nearest_even);
}

/// What is left to do for signed codes that the type alone has clamped: nothing where a layer asks for no more.
struct code_bounds {
  i8x64 low, high, flip;
  bool is_type = false;
};
template <class Run>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline code_bounds
bounds_of(const Run& r, std::uint8_t flip) noexcept {
  return {i8x64{} + r.low, i8x64{} + r.high, i8x64{} + static_cast<signed char>(flip),
          r.low == -128 && r.high == 127 && flip == 0};
}
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x64
bounded(i8x64 code, const code_bounds& b) noexcept {
  if (b.is_type) return code;
  code = code < b.low ? b.low : code;
  code = code > b.high ? b.high : code;
  return code ^ b.flip;
}

template <form_kind Kind>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
requantize_vector(const code_tile& t, int v) noexcept {
  const channel_form& f = t.forms[v];
  const std::int32_t* acc = t.acc + lanes * v;
  std::uint8_t* codes = t.codes + lanes * v;
  const int left = t.channels - lanes * v;
  const auto mask = static_cast<unsigned short>(left < lanes ? (1 << left) - 1 : 0xFFFF);
  const i8x16 low = i8x16{} + t.low, high = i8x16{} + t.high;
  const i8x16 flip = i8x16{} + static_cast<signed char>(t.flip);
  lane_constants constants;
  load_constants(constants, f);
  const std::int64_t acc_step = std::int64_t{lanes} * t.vectors, code_step = t.pixel_step;
  for (std::int32_t left_pixels = t.pixels; left_pixels > 0; --left_pixels) {
    const i32x16 code = rounded<Kind>(loaded<i32x16>(acc), constants);
    auto narrow = (i8x16)__builtin_ia32_pmovsdb512_mask(code, c8x16{}, all_of_16);
    narrow = narrow < low ? low : narrow;
    narrow = narrow > high ? high : narrow;
    narrow ^= flip;
    if (mask == 0xFFFF)
      __builtin_memcpy(codes, &narrow, lanes);
    else
      store_masked(codes, narrow, mask);
    acc += acc_step;
    codes += code_step;
  }
}

/// 64 channels of one form: narrowed together, so that all but the rounding is done once for four vectors.
template <form_kind Kind>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
requantize_64(const code_tile& t) noexcept {
  lane_constants constants[4];
#pragma GCC unroll 4
  for (int v = 0; v < 4; ++v) load_constants(constants[v], t.forms[v]);
  const std::int32_t* acc = t.acc;
  std::uint8_t* codes = t.codes;
  const std::int64_t step = t.pixel_step;
  const code_bounds bounds = bounds_of(t, t.flip);
  for (std::int32_t left = t.pixels; left > 0; --left) {
    const i32x16 a = rounded<Kind>(loaded<i32x16>(acc), constants[0]);
    const i32x16 b = rounded<Kind>(loaded<i32x16>(acc + 16), constants[1]);
    const i32x16 c = rounded<Kind>(loaded<i32x16>(acc + 32), constants[2]);
    const i32x16 d = rounded<Kind>(loaded<i32x16>(acc + 48), constants[3]);
    // Each quarter holds four channels of every vector; the permutation puts vectors one after the other.
    const i32x16 quarters = (i32x16)packed_bytes(packed_words(a, b), packed_words(c, d));
    i8x64 code = (i8x64)__builtin_shufflevector(quarters, quarters, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6,
                                                10, 14, 3, 7, 11, 15);
    code = bounded(code, bounds);
    __builtin_memcpy(codes, &code, 64);
    acc += 64;
    codes += step;
  }
}

}  // namespace detail

inline void requantize(const code_tile& t) noexcept {
  static constexpr auto of_64 =
      for_every_form<requantize_function>([](auto kind) { return &detail::requantize_64<kind>; });
  static constexpr auto of_16 = for_every_form<void (*)(const code_tile&, int) noexcept>(
      [](auto kind) { return &detail::requantize_vector<kind>; });
  const form_kind kind = t.forms[0].kind;
  if (kind != form_kind::scalar && t.vectors == 4 && t.channels >= 64 && t.forms[1].kind == kind &&
      t.forms[2].kind == kind && t.forms[3].kind == kind)
    return of_64[kind](t);
  for (std::int32_t v = 0; v < t.vectors; ++v)
    if (t.forms[v].kind != form_kind::scalar && lanes * v < t.channels)
      of_16[t.forms[v].kind](t, v);
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
