// SPDX-License-Identifier: Apache-2.0
// Lines over two bytes, 64 pairs at a time. A pair becomes one 32-bit lane of bytes 0, a, 0, b: as words those are
// 256 a and 256 b, which vpdpwssd multiplies by the high parts of the multipliers; as bytes vpdpbusd multiplies them
// by the low parts. Two instructions for two products of 8 and 24 bits.
#pragma once

#include <bittwin/simd/pair_line.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

/// Bytes of a and b in turns: the first eight of each quarter, and the others.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x64
first_in_turns(i8x64 a, i8x64 b) noexcept {
  return __builtin_shufflevector(
      a, b, 0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80, 17, 81, 18, 82, 19, 83,
      20, 84, 21, 85, 22, 86, 23, 87, 32, 96, 33, 97, 34, 98, 35, 99, 36, 100, 37, 101, 38, 102, 39,
      103, 48, 112, 49, 113, 50, 114, 51, 115, 52, 116, 53, 117, 54, 118, 55, 119);
}
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x64
others_in_turns(i8x64 a, i8x64 b) noexcept {
  return __builtin_shufflevector(
      a, b, 8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79, 24, 88, 25, 89, 26, 90,
      27, 91, 28, 92, 29, 93, 30, 94, 31, 95, 40, 104, 41, 105, 42, 106, 43, 107, 44, 108, 45, 109,
      46, 110, 47, 111, 56, 120, 57, 121, 58, 122, 59, 123, 60, 124, 61, 125, 62, 126, 63, 127);
}

struct line_constants {
  i32x16 high_parts, low_parts, first, below, above;
  std::int32_t shift;
  i8x64 low, high, flip;
};

[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline line_constants
constants_of(const pair_line& l) noexcept {
  const std::uint32_t a = static_cast<std::uint32_t>(l.multiplier_a);
  const std::uint32_t b = static_cast<std::uint32_t>(l.multiplier_b);
  // The words 256 a and 256 b meet the multipliers without their lowest byte.
  const auto highs = static_cast<std::int32_t>((a >> 8 & 0xFFFF) | (b >> 8 & 0xFFFF) << 16);
  const auto lows = static_cast<std::int32_t>((a & 0xFF) << 8 | (b & 0xFF) << 24);
  return {i32x16{} + highs,   i32x16{} + lows,    i32x16{} + l.first,
          i32x16{} + l.below, i32x16{} + l.above, l.shift,
          i8x64{} + l.low,    i8x64{} + l.high,   i8x64{} + static_cast<signed char>(l.flip)};
}

template <bool TwoSided>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
line_of(const line_constants& c, i8x64 pairs) noexcept {
  const auto words = (i32x16)pairs;
  i32x16 t = dot4(dot2(c.first, words, c.high_parts), c.low_parts, words);
  if constexpr (TwoSided) t += t < 0 ? c.below : c.above;
  return t >> c.shift;
}

template <bool TwoSided>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x64
codes_of(const line_constants& c, i8x64 a, i8x64 b) noexcept {
  a ^= c.flip;
  b ^= c.flip;
  const i8x64 none{}, first = first_in_turns(a, b), others = others_in_turns(a, b);
  const i16x32 low = packed_words(line_of<TwoSided>(c, first_in_turns(none, first)),
                                  line_of<TwoSided>(c, others_in_turns(none, first)));
  const i16x32 high = packed_words(line_of<TwoSided>(c, first_in_turns(none, others)),
                                   line_of<TwoSided>(c, others_in_turns(none, others)));
  i8x64 code = packed_bytes(low, high);
  code = code < c.low ? c.low : code;
  code = code > c.high ? c.high : code;
  return code ^ c.flip;
}

template <bool TwoSided>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
run_line(const pair_line& l, pair_stream s) noexcept {
  const line_constants c = constants_of(l);
  std::int64_t i = 0;
  for (; i + 64 <= s.count; i += 64) {
    i8x64 a, b;
    __builtin_memcpy(&a, s.a + i, 64);
    __builtin_memcpy(&b, s.b + i, 64);
    const i8x64 codes = codes_of<TwoSided>(c, a, b);
    __builtin_memcpy(s.codes + i, &codes, 64);
  }
  if (i == s.count) return;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (s.count - i));
  store_masked_64(
      s.codes + i,
      codes_of<TwoSided>(c, load_masked_64(s.a + i, mask), load_masked_64(s.b + i, mask)), mask);
}

}  // namespace detail

/// Where both sides have one offset, prepare() has added it to `first`, and they are 0.
inline void pairs(const pair_line& l, const pair_stream& s) noexcept {
  return l.below == 0 && l.above == 0 ? detail::run_line<false>(l, s)
                                      : detail::run_line<true>(l, s);
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
