// SPDX-License-Identifier: Apache-2.0
// int16 codes from accumulators, 16 lanes at a time.
#pragma once

#include <bittwin/simd/avx512_vnni_requantize.hpp>
#include <bittwin/simd/vectors.hpp>
#include <bittwin/simd/word_codes.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i16x16
words_of(i32x16 codes) noexcept {
#if defined(__clang__)
  return (i16x16)__builtin_ia32_pmovsdw512_mask(codes, i16x16{}, all_of_16);
#else
  return __builtin_ia32_pmovsdw512_mask(codes, i16x16{}, all_of_16);
#endif
}

[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x8
rounded_real(const double* x, const lane_constants& c, int half) noexcept {
  const f64x8 y = __builtin_ia32_vfmaddpd512_mask(loaded<f64x8>(x + 8 * half), c.scale64[half],
                                                  c.offset64[half], all_of_8, nearest_even);
  return __builtin_ia32_cvtpd2dq512_mask(y, i32x8{}, all_of_8, nearest_even);
}

/// 16 accumulators, rounded and narrowed.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i16x16
word_codes(const std::int32_t* acc, const lane_constants& c) noexcept {
  return words_of(rounded<form_kind::float64>(loaded<i32x16>(acc), c));
}
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i16x16
word_codes(const double* acc, const lane_constants& c) noexcept {
  return words_of(__builtin_shufflevector(rounded_real(acc, c, 0), rounded_real(acc, c, 1), 0, 1, 2,
                                          3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

template <class Tile>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
store_words(const Tile& t) noexcept {
  const i16x16 low = i16x16{} + t.low, high = i16x16{} + t.high;
  const std::int64_t acc_step = std::int64_t{lanes} * t.vectors;
  for (std::int32_t v = 0; v < t.vectors; ++v) {
    const std::int32_t left = t.channels - lanes * v;
    if (t.forms[v].kind != form_kind::float64 || left <= 0) continue;
    lane_constants constants;
    load_constants(constants, t.forms[v]);
    const auto* acc = t.acc + lanes * v;
    std::uint8_t* codes = t.codes + 2 * lanes * v;
    const auto bytes = static_cast<std::size_t>(2 * (left < lanes ? left : lanes));
    for (std::int32_t p = 0; p < t.pixels; ++p, acc += acc_step, codes += t.pixel_step) {
      i16x16 code = word_codes(acc, constants);
      code = code < low ? low : code;
      code = code > high ? high : code;
      if (bytes == 2 * lanes)
        __builtin_memcpy(codes, &code, 2 * lanes);
      else
        __builtin_memcpy(codes, &code, bytes);
    }
  }
}

}  // namespace detail

[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] inline void
requantize_words(const word_tile& t) noexcept {
  detail::store_words(t);
}
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] inline void
requantize_wide_words(const wide_word_tile& t) noexcept {
  detail::store_words(t);
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
