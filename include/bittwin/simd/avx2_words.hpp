// SPDX-License-Identifier: Apache-2.0
// int16 layers: sums with pmaddwd, whose pairs of products of int16 codes and int8 weights fit 32 bits, and int16 codes
// from accumulators, 16 lanes at a time.
//   weights [group of 2 k, vector, channel, 2] words
#pragma once

#include <bittwin/simd/avx2_requantize.hpp>
#include <bittwin/simd/tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <bittwin/simd/word_codes.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

namespace detail {

/// `groups` pairs of words of each pixel against the weights of 16 channels.
template <int Pixels>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void add_word_groups(
    const std::uint8_t* const (&x)[Pixels], std::int64_t groups, const std::int8_t* weights,
    std::int64_t group_step, i32x8 (&sum)[Pixels][2]) noexcept {
  for (std::int64_t group = 0; group < groups; ++group, weights += group_step) {
    const auto first = loaded<i16x16>(weights), second = loaded<i16x16>(weights + 32);
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p) {
      int two;
      __builtin_memcpy(&two, x[p] + 4 * group, 4);
      const auto words = (i16x16)(i32x8{} + two);
      sum[p][0] += __builtin_ia32_pmaddwd256(words, first);
      sum[p][1] += __builtin_ia32_pmaddwd256(words, second);
    }
  }
}

}  // namespace detail

template <int Pixels>
[[gnu::target("avx2,fma"), gnu::noinline]] void accumulate_words(
    const dot_product_tile& t) noexcept {
  // The last word of a tap is copied where no byte beyond it may be read; weights beyond it are 0.
  const bool has_rest = t.length % 4 != 0 && !t.readable_to_4;
  const std::int64_t whole = has_rest ? t.length / 4 : (t.length + 3) / 4;
  const std::int64_t group_step = 64 * t.vectors, acc_step = std::int64_t{lanes} * t.vectors;
  for (std::int32_t v = 0; v < t.vectors; ++v) {
    i32x8 sum[Pixels][2];
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p) __builtin_memcpy(sum[p], t.first + lanes * v, 64);
    for (std::int32_t row = 0; row < t.rows; ++row) {
      const std::int8_t* weights = t.weights + row * t.weight_row_step + 64 * v;
      for (std::int32_t tap = 0; tap < t.taps; ++tap) {
        const std::uint8_t* x[Pixels];
        for (int p = 0; p < Pixels; ++p) x[p] = t.pixel[p] + row * t.row_step + tap * t.tap_step;
        detail::add_word_groups<Pixels>(x, whole, weights, group_step, sum);
        weights += whole * group_step;
        if (!has_rest) continue;
        std::uint8_t rest[Pixels][4] = {};
        for (int p = 0; p < Pixels; ++p) {
          __builtin_memcpy(rest[p], x[p] + 4 * whole, 2);
          x[p] = rest[p];
        }
        detail::add_word_groups<Pixels>(x, 1, weights, group_step, sum);
        weights += group_step;
      }
    }
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p) __builtin_memcpy(t.acc + p * acc_step + lanes * v, sum[p], 64);
  }
}

namespace detail {

/// Four accumulators, rounded.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x4 rounded_four(const std::int32_t* acc,
                                                                          const lane_constants& c,
                                                                          int half) noexcept {
  return rounded64<form_kind::float64>(loaded<i32x4>(acc), c, half);
}
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x4 rounded_four(const double* acc,
                                                                          const lane_constants& c,
                                                                          int half) noexcept {
  return __builtin_ia32_cvtpd2dq256(
      __builtin_ia32_vfmaddpd256(loaded<f64x4>(acc), c.scale64[half], c.offset64[half]));
}
template <class Sum>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i16x8 word_codes(
    const Sum* acc, const lane_constants& c) noexcept {
  return __builtin_ia32_packssdw128(rounded_four(acc, c, 0), rounded_four(acc + 4, c, 1));
}

template <class Tile>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void store_words(const Tile& t) noexcept {
  const i16x8 low = i16x8{} + t.low, high = i16x8{} + t.high;
  const std::int64_t acc_step = std::int64_t{lanes} * t.vectors;
  for (std::int32_t v = 0; v < t.vectors; ++v)
    for (int half = 0; half < 2; ++half) {
      const std::int32_t first = lanes * v + 8 * half, left = t.channels - first;
      if (t.forms[v].kind != form_kind::float64 || left <= 0) continue;
      lane_constants constants;
      load_constants(constants, t.forms[v], 8 * half);
      const auto* acc = t.acc + first;
      std::uint8_t* codes = t.codes + 2 * first;
      for (std::int32_t p = 0; p < t.pixels; ++p, acc += acc_step, codes += t.pixel_step) {
        i16x8 code = word_codes(acc, constants);
        code = code < low ? low : code;
        code = code > high ? high : code;
        store_upto_16(codes, (i8x16)code, left < 8 ? 2 * left : 16);
      }
    }
}

}  // namespace detail

[[gnu::target("avx2,fma"), gnu::noinline]] inline void requantize_words(
    const word_tile& t) noexcept {
  detail::store_words(t);
}
[[gnu::target("avx2,fma"), gnu::noinline]] inline void requantize_wide_words(
    const wide_word_tile& t) noexcept {
  detail::store_words(t);
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
