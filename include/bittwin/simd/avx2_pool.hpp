// SPDX-License-Identifier: Apache-2.0
// Windows of bytes, 32 channels at a time: sums in words, which hold 128 bytes, then in 32 bits. What is left of the
// channels is read and written one by one.
#pragma once

#include <bittwin/simd/pool_tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

namespace detail {

inline constexpr std::int32_t most_taps_in_words = 128;

/// Adds sums in words to four vectors.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void add_words(i16x16 low, i16x16 high,
                                                                      i32x8 (&sum)[4]) noexcept {
  i16x8 words[4];
  __builtin_memcpy(words, &low, 32);
  __builtin_memcpy(words + 2, &high, 32);
#pragma GCC unroll 4
  for (int v = 0; v < 4; ++v) sum[v] += __builtin_convertvector(words[v], i32x8);
}

/// 32 channels of one window.
template <class Bytes>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void sum_32(const pool_tile& t,
                                                                   const std::uint8_t* window,
                                                                   std::int32_t* acc) noexcept {
  i32x8 sum[4];
#pragma GCC unroll 4
  for (int v = 0; v < 4; ++v) sum[v] = i32x8{} + t.first;
  i16x16 low{}, high{};
  std::int32_t room = most_taps_in_words;
  for (std::int32_t row = 0; row < t.rows; ++row, window += t.row_step) {
    const std::uint8_t* from = window;
    for (std::int32_t tap = 0; tap < t.taps; ++tap, from += t.tap_step) {
      Bytes first, second;
      __builtin_memcpy(&first, from, 16);
      __builtin_memcpy(&second, from + 16, 16);
      low += __builtin_convertvector(first, i16x16);
      high += __builtin_convertvector(second, i16x16);
      if (--room > 0) continue;
      add_words(low, high, sum);
      low = high = i16x16{};
      room = most_taps_in_words;
    }
  }
  add_words(low, high, sum);
  __builtin_memcpy(acc, sum, sizeof sum);
}

}  // namespace detail

[[gnu::target("avx2,fma"), gnu::noinline]] inline void sums(const pool_tile& t) noexcept {
  for (std::int32_t pixel = 0; pixel < t.pixels; ++pixel) {
    const std::uint8_t* const window = t.window + pixel * t.pixel_step;
    const auto place_of = [&](std::int32_t channel) {
      const std::int64_t block = channel / pool_channels;
      return t.acc + (block * t.pixels + pixel) * pool_channels + channel % pool_channels;
    };
    std::int32_t c = 0;
    for (; c + 32 <= t.channels; c += 32)
      if (t.is_signed)
        detail::sum_32<i8x16>(t, window + c, place_of(c));
      else
        detail::sum_32<u8x16>(t, window + c, place_of(c));
    for (; c < t.channels; ++c) {
      std::int32_t sum = t.first;
      for (std::int32_t row = 0; row < t.rows; ++row)
        for (std::int32_t tap = 0; tap < t.taps; ++tap) {
          const std::uint8_t byte = window[row * t.row_step + tap * t.tap_step + c];
          sum += t.is_signed ? static_cast<std::int8_t>(byte) : byte;
        }
      *place_of(c) = sum;
    }
  }
}

[[gnu::target("avx2,fma"), gnu::noinline]] inline void largest(const pool_tile& t) noexcept {
  const i8x32 low = i8x32{} + t.low, high = i8x32{} + t.high;
  const i8x32 flip = i8x32{} + static_cast<signed char>(t.flip);
  const std::uint8_t* window = t.window;
  std::uint8_t* codes = t.codes;
  for (std::int32_t pixel = 0; pixel < t.pixels;
       ++pixel, codes += t.code_step, window += t.pixel_step)
    for (std::int32_t c = 0; c < t.channels; c += 32) {
      const auto left = static_cast<std::size_t>(t.channels - c < 32 ? t.channels - c : 32);
      i8x32 most = low;
      for (std::int32_t row = 0; row < t.rows; ++row)
        for (std::int32_t tap = 0; tap < t.taps; ++tap) {
          const std::uint8_t* const from = window + row * t.row_step + tap * t.tap_step + c;
          i8x32 bytes{};
          if (left == 32)
            __builtin_memcpy(&bytes, from, 32);
          else
            __builtin_memcpy(&bytes, from, left);
          bytes ^= flip;
          most = bytes > most ? bytes : most;
        }
      most = (most > high ? high : most) ^ flip;
      __builtin_memcpy(codes + c, &most, left);
    }
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
