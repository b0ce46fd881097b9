// SPDX-License-Identifier: Apache-2.0
// Tiles of dot products with pmaddwd: bytes are widened to 16 bits once for all channels of a block, so two products
// and their sum are exact in 32 bits whatever the weights (pmaddubsw would saturate).
//   weights [group of 4 k, vector, pair of k, channel, 2] words
#pragma once

#include <bittwin/simd/tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

namespace detail {

inline constexpr int most_words = 512;  ///< of one pixel that are widened at a time

/// Bytes to words. From `count` to the next multiple of 4 they are 0, or whatever is there, which meets weights of 0.
/// readable  no less than count, so many bytes may be read, and words written
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void widen(const std::uint8_t* from,
                                                                  std::int64_t count,
                                                                  std::int64_t readable,
                                                                  std::uint8_t flip,
                                                                  std::int16_t* to) noexcept {
  const u8x16 flips = u8x16{} + flip;
  std::int64_t k = 0;
  for (; k < count && k + 16 <= readable; k += 16) {
    u8x16 bytes;
    __builtin_memcpy(&bytes, from + k, 16);
    const i16x16 words = __builtin_convertvector(bytes ^ flips, i16x16);
    __builtin_memcpy(to + k, &words, 32);
  }
  for (; k < count; ++k) to[k] = static_cast<std::int16_t>(from[k] ^ flip);
  for (; k % 4 != 0; ++k) to[k] = 0;
}

/// `groups` of four words of each pixel against the weights of 16 channels.
template <int Pixels>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void add_groups(
    const std::int16_t (&x)[Pixels][most_words], std::int64_t groups, const std::int8_t* weights,
    std::int64_t group_step, std::int32_t* acc, std::int64_t acc_step) noexcept {
  i32x8 sum[Pixels][2];
#pragma GCC unroll 8
  for (int p = 0; p < Pixels; ++p) __builtin_memcpy(sum[p], acc + p * acc_step, 64);
  for (std::int64_t pair = 0; pair < 2 * groups; ++pair) {
    const std::int8_t* const w = weights + pair / 2 * group_step + pair % 2 * 64;
    i16x16 first, second;
    __builtin_memcpy(&first, w, 32);
    __builtin_memcpy(&second, w + 32, 32);
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p) {
      int two;
      __builtin_memcpy(&two, &x[p][2 * pair], 4);
      const auto words = (i16x16)(i32x8{} + two);
      sum[p][0] += __builtin_ia32_pmaddwd256(words, first);
      sum[p][1] += __builtin_ia32_pmaddwd256(words, second);
    }
  }
#pragma GCC unroll 8
  for (int p = 0; p < Pixels; ++p) __builtin_memcpy(acc + p * acc_step, sum[p], 64);
}

}  // namespace detail

template <int Pixels>
[[gnu::target("avx2,fma"), gnu::noinline]] void accumulate(const dot_product_tile& t) noexcept {
  alignas(32) std::int16_t x[Pixels][detail::most_words];
  const std::int64_t acc_step = std::int64_t{lanes} * t.vectors, group_step = 128 * t.vectors;
  for (int p = 0; p < Pixels; ++p)
    __builtin_memcpy(t.acc + p * acc_step, t.first, static_cast<std::size_t>(acc_step) * 4);
  for (std::int32_t row = 0; row < t.rows; ++row) {
    const std::int8_t* weights = t.weights + row * t.weight_row_step;
    std::int64_t filled = 0;
    const auto flush = [&]() __attribute__((target("avx2,fma"))) {
      for (std::int32_t v = 0; v < t.vectors; ++v)
        detail::add_groups<Pixels>(x, filled / 4, weights + 128 * v, group_step, t.acc + lanes * v,
                                   acc_step);
      weights += filled / 4 * group_step;
      filled = 0;
    };
    for (std::int32_t tap = 0; tap < t.taps; ++tap)
      for (std::int64_t k = 0; k < t.length;) {
        if (filled == detail::most_words) flush();
        const std::int64_t room = detail::most_words - filled;
        const std::int64_t count = t.length - k < room ? t.length - k : room;
        const std::int64_t to_16 = (count + 15) / 16 * 16;
        const std::int64_t readable = t.readable_to_16 && to_16 <= room ? to_16 : count;
        for (int p = 0; p < Pixels; ++p)
          detail::widen(t.pixel[p] + row * t.row_step + tap * t.tap_step + k, count, readable,
                        t.flip, x[p] + filled);
        filled += (count + 3) / 4 * 4;
        k += count;
      }
    flush();
  }
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
