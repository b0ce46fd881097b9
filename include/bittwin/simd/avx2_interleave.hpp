// SPDX-License-Identifier: Apache-2.0
// Pairs of rows of bytes, interleaved as words of 32-bit lanes: what pmaddwd multiplies. And fewer bytes than a
// register has, of which no other is touched.
#pragma once

#include <bittwin/simd/tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

namespace detail {

/// Two rows of 16 channels: those of 0 to 7, then of 8 to 15.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void interleaved(u8x16 a, u8x16 b,
                                                                        i16x16* to) noexcept {
  const u8x16 low =
      __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const u8x16 high =
      __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  to[0] = __builtin_convertvector(low, i16x16);
  to[1] = __builtin_convertvector(high, i16x16);
}

/// Two rows of 32 channels by halves of 16: channels 0 to 3 of both, 4 to 7, 8 to 11, 12 to 15.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void interleaved_by_halves(
    u8x32 a, u8x32 b, i16x16* to) noexcept {
  const i8x32 none{};
  const i8x32 low = first_in_turns((i8x32)a, (i8x32)b), high = others_in_turns((i8x32)a, (i8x32)b);
  to[0] = (i16x16)first_in_turns(low, none), to[1] = (i16x16)others_in_turns(low, none);
  to[2] = (i16x16)first_in_turns(high, none), to[3] = (i16x16)others_in_turns(high, none);
}

/// The bytes of a pair of overlapping words, or of one: 0 to 8 of them, 0 behind.
[[nodiscard]] inline std::uint64_t load_upto_8(const std::uint8_t* from, int count) noexcept {
  std::uint64_t first = 0, last = 0;
  if (count == 8) {
    __builtin_memcpy(&first, from, 8);
  } else if (count >= 4) {
    __builtin_memcpy(&first, from, 4);
    __builtin_memcpy(&last, from + count - 4, 4);
    first |= last << 8 * (count - 4);
  } else if (count > 0) {
    const int middle = count / 2, end = count - 1;
    first =
        from[0] | std::uint64_t{from[middle]} << 8 * middle | std::uint64_t{from[end]} << 8 * end;
  }
  return first;
}
[[gnu::target("avx2,fma"), gnu::always_inline]] inline u8x16 load_upto_16(const std::uint8_t* from,
                                                                          int count) noexcept {
  u8x16 bytes;
  if (count == 16) {
    __builtin_memcpy(&bytes, from, 16);
    return bytes;
  }
  const auto first = load_upto_8(from, count < 8 ? count : 8);
  const auto second = load_upto_8(from + 8, count < 8 ? 0 : count - 8);
  return (u8x16)i64x2{static_cast<long long>(first), static_cast<long long>(second)};
}
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void store_upto_16(std::uint8_t* to,
                                                                          i8x16 bytes,
                                                                          int count) noexcept {
  if (count == 16) {
    __builtin_memcpy(to, &bytes, 16);
    return;
  }
  auto left = static_cast<std::uint64_t>(((i64x2)bytes)[0]);
  if (count >= 8) {
    __builtin_memcpy(to, &left, 8);
    left = static_cast<std::uint64_t>(((i64x2)bytes)[1]);
    to += 8, count -= 8;
  }
  if (count >= 4) {
    __builtin_memcpy(to, &left, 4);
    left >>= 32, to += 4, count -= 4;
  }
  if (count >= 2) {
    __builtin_memcpy(to, &left, 2);
    left >>= 16, to += 2, count -= 2;
  }
  if (count == 1) *to = static_cast<std::uint8_t>(left);
}

}  // namespace detail

}  // namespace bittwin::simd::avx2::inline v1

#endif
