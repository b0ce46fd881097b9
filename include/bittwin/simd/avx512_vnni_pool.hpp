// SPDX-License-Identifier: Apache-2.0
// Windows of bytes, 64 channels at a time: sums in words, which hold 128 bytes, then in 32 bits.
#pragma once

#include <bittwin/simd/pool_tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

inline constexpr std::int32_t most_taps_in_words = 128;

/// Sums of 64 channels in words.
struct word_sums {
  i16x32 low, high;
};

/// Adds sums in words to those in 32 bits.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
add_words(const word_sums& words, std::int32_t* acc) noexcept {
  i16x16 quarter[4];
  __builtin_memcpy(quarter, &words, sizeof quarter);
#pragma GCC unroll 4
  for (int v = 0; v < 4; ++v) {
    i32x16 sum;
    __builtin_memcpy(&sum, acc + 16 * v, 64);
    sum += __builtin_convertvector(quarter[v], i32x16);
    __builtin_memcpy(acc + 16 * v, &sum, 64);
  }
}

/// Some blocks of 64 channels of one window: whole lines of every tap, one after the other.
template <class Bytes, int Blocks>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
sum_blocks(const pool_tile& t, const std::uint8_t* window, std::int32_t* acc) noexcept {
  const std::int64_t block_step = std::int64_t{t.pixels} * pool_channels;
  const i32x16 first = i32x16{} + t.first;
  for (int b = 0; b < Blocks; ++b)
    for (int v = 0; v < 4; ++v) __builtin_memcpy(acc + b * block_step + 16 * v, &first, 64);
  word_sums words[Blocks] = {};
  std::int32_t room = most_taps_in_words;
  for (std::int32_t row = 0; row < t.rows; ++row, window += t.row_step) {
    const std::uint8_t* from = window;
    for (std::int32_t tap = 0; tap < t.taps; ++tap, from += t.tap_step) {
#pragma GCC unroll 4
      for (int b = 0; b < Blocks; ++b) {
        Bytes low, high;
        __builtin_memcpy(&low, from + 64 * b, 32);
        __builtin_memcpy(&high, from + 64 * b + 32, 32);
        words[b].low += words_of(low);
        words[b].high += words_of(high);
      }
      if (--room > 0) continue;
#pragma GCC unroll 4
      for (int b = 0; b < Blocks; ++b) {
        add_words(words[b], acc + b * block_step);
        words[b] = word_sums{};
      }
      room = most_taps_in_words;
    }
  }
#pragma GCC unroll 4
  for (int b = 0; b < Blocks; ++b) add_words(words[b], acc + b * block_step);
}

/// At most 16 channels.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
sum_masked(const pool_tile& t, const std::uint8_t* window, unsigned short mask) noexcept {
  i32x16 sum = i32x16{} + t.first;
  for (std::int32_t row = 0; row < t.rows; ++row)
    for (std::int32_t tap = 0; tap < t.taps; ++tap) {
      const i8x16 bytes = load_masked(window + row * t.row_step + tap * t.tap_step, mask);
      sum += t.is_signed ? __builtin_convertvector(bytes, i32x16)
                         : __builtin_convertvector((u8x16)bytes, i32x16);
    }
  return sum;
}

}  // namespace detail

[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] inline void
sums(const pool_tile& t) noexcept {
  using whole_function = void (*)(const pool_tile&, const std::uint8_t*, std::int32_t*) noexcept;
  static constexpr whole_function whole[2][2] = {
      {&detail::sum_blocks<u8x32, 1>, &detail::sum_blocks<u8x32, 4>},
      {&detail::sum_blocks<i8x32, 1>, &detail::sum_blocks<i8x32, 4>}};
  const std::int64_t block_step = std::int64_t{t.pixels} * pool_channels;
  for (std::int32_t pixel = 0; pixel < t.pixels; ++pixel) {
    const std::uint8_t* const window = t.window + pixel * t.pixel_step;
    std::int32_t* const acc = t.acc + pixel * pool_channels;
    if (t.channels == most_pool_channels) {
      whole[t.is_signed ? 1 : 0][1](t, window, acc);
      continue;
    }
    std::int32_t c = 0;
    for (; c + pool_channels <= t.channels; c += pool_channels)
      whole[t.is_signed ? 1 : 0][0](t, window + c, acc + c / pool_channels * block_step);
    std::int32_t* const rest = acc + c / pool_channels * block_step;
    for (std::int32_t i = 0; c + i < t.channels; i += 16) {
      const std::int32_t left = t.channels - c - i;
      const auto mask = static_cast<unsigned short>(left < 16 ? (1 << left) - 1 : 0xFFFF);
      const i32x16 sum = detail::sum_masked(t, window + c + i, mask);
      __builtin_memcpy(rest + i, &sum, sizeof sum);
    }
  }
}

[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] inline void
largest(const pool_tile& t) noexcept {
  const i8x64 low = i8x64{} + t.low, high = i8x64{} + t.high;
  const i8x64 flip = i8x64{} + static_cast<signed char>(t.flip);
  const std::uint8_t* window = t.window;
  std::uint8_t* codes = t.codes;
  for (std::int32_t pixel = 0; pixel < t.pixels;
       ++pixel, codes += t.code_step, window += t.pixel_step)
    for (std::int32_t c = 0; c < t.channels; c += 64) {
      const std::int32_t left = t.channels - c;
      const std::uint64_t mask = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
      i8x64 most = low;
      for (std::int32_t row = 0; row < t.rows; ++row)
        for (std::int32_t tap = 0; tap < t.taps; ++tap) {
          const std::uint8_t* const from = window + row * t.row_step + tap * t.tap_step + c;
          i8x64 bytes;
          if (left >= 64)
            __builtin_memcpy(&bytes, from, 64);
          else
            bytes = load_masked_64(from, mask);
          bytes ^= flip;
          most = bytes > most ? bytes : most;
        }
      most = (most > high ? high : most) ^ flip;
      store_masked_64(codes + c, most, mask);
    }
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
