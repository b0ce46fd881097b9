// SPDX-License-Identifier: Apache-2.0
// Windows of bytes, 64 channels at a time: bytes of four taps side by side are one product with 1, 1, 1, 1.
#pragma once

#include <bittwin/simd/pool_tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

/// Sums of 64 channels. Vector v has the channels 4 v to 4 v + 3 of each 16: so taking bytes in turns leaves them.
struct block_sums {
  i32x16 part[4];
};

/// Adds a byte of each of four taps: side by side they are multiplied by 1.
template <bool Signed>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
add_taps(block_sums& sums, const i8x64 (&tap)[4]) noexcept {
  const auto ones = (i32x16)(i8x64{} + 1);
  const i8x64 first_02 = first_in_turns(tap[0], tap[2]), first_13 = first_in_turns(tap[1], tap[3]);
  const i8x64 others_02 = others_in_turns(tap[0], tap[2]);
  const i8x64 others_13 = others_in_turns(tap[1], tap[3]);
  const i8x64 four[] = {first_in_turns(first_02, first_13), others_in_turns(first_02, first_13),
                        first_in_turns(others_02, others_13),
                        others_in_turns(others_02, others_13)};
#pragma GCC unroll 4
  for (int v = 0; v < 4; ++v)
    sums.part[v] = Signed ? dot4(sums.part[v], ones, (i32x16)four[v])
                          : dot4(sums.part[v], (i32x16)four[v], ones);
}

/// In the order of the channels.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
store_sums(const block_sums& s, std::int32_t* acc) noexcept {
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    const i32x16 a = s.part[0], b = s.part[1], c = s.part[2], d = s.part[3];
    const i32x16 ab = half == 0 ? __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18,
                                                          19, 20, 21, 22, 23)
                                : __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24,
                                                          25, 26, 27, 28, 29, 30, 31);
    const i32x16 cd = half == 0 ? __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18,
                                                          19, 20, 21, 22, 23)
                                : __builtin_shufflevector(c, d, 8, 9, 10, 11, 12, 13, 14, 15, 24,
                                                          25, 26, 27, 28, 29, 30, 31);
    const i32x16 even =
        __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const i32x16 odd =
        __builtin_shufflevector(ab, cd, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    __builtin_memcpy(acc + 32 * half, &even, 64);
    __builtin_memcpy(acc + 32 * half + 16, &odd, 64);
  }
}

/// What stands for taps that a row has not.
inline constexpr std::uint8_t no_tap[2 * pool_channels] = {};

/// One or two blocks of 64 channels of one window: whole lines of every tap, four taps of a row at a time.
template <bool Signed, int Blocks>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
sum_blocks(const pool_tile& t, const std::uint8_t* window, std::int32_t* acc) noexcept {
  block_sums sums[Blocks];
#pragma GCC unroll 2
  for (int b = 0; b < Blocks; ++b)
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) sums[b].part[v] = i32x16{} + t.first;
  const std::int64_t step = t.tap_step;
  // Rows that lie one after the other are one: loops that end in fewer places are foreseen.
  const bool joined = t.row_step == t.taps * step;
  const std::int32_t rows = joined ? 1 : t.rows, taps = joined ? t.rows * t.taps : t.taps;
  for (std::int32_t row = 0; row < rows; ++row, window += t.row_step) {
    const std::uint8_t* from = window;
    std::int32_t left = taps;
    for (; left >= 4; left -= 4, from += 4 * step)
#pragma GCC unroll 2
      for (int b = 0; b < Blocks; ++b) {
        i8x64 tap[4];
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
          __builtin_memcpy(&tap[k], from + k * step + 64 * b, 64);
          asm(""
              : "+v"(tap[k]));  // else they are loaded by each of the instructions that take them
        }
        add_taps<Signed>(sums[b], tap);
      }
    if (left == 0) continue;
    const std::uint8_t* rest[3];
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) rest[k] = k < left ? from + k * step : no_tap;
#pragma GCC unroll 2
    for (int b = 0; b < Blocks; ++b) {
      i8x64 tap[4] = {};
#pragma GCC unroll 3
      for (int k = 0; k < 3; ++k) __builtin_memcpy(&tap[k], rest[k] + 64 * b, 64);
      add_taps<Signed>(sums[b], tap);
    }
  }
#pragma GCC unroll 2
  for (int b = 0; b < Blocks; ++b)
    store_sums(sums[b], acc + b * std::int64_t{t.pixels} * pool_channels);
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
      {&detail::sum_blocks<false, 1>, &detail::sum_blocks<false, 2>},
      {&detail::sum_blocks<true, 1>, &detail::sum_blocks<true, 2>}};
  const std::int64_t block_step = std::int64_t{t.pixels} * pool_channels;
  for (std::int32_t pixel = 0; pixel < t.pixels; ++pixel) {
    const std::uint8_t* const window = t.window + pixel * t.pixel_step;
    std::int32_t* const acc = t.acc + pixel * pool_channels;
    std::int32_t c = 0;
    for (int blocks = 2; blocks > 0; --blocks)
      for (; c + blocks * pool_channels <= t.channels; c += blocks * pool_channels)
        whole[t.is_signed ? 1 : 0][blocks - 1](t, window + c, acc + c / pool_channels * block_step);
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
