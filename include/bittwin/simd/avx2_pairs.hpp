// SPDX-License-Identifier: Apache-2.0
// Lines over two bytes with pmaddwd, 32 pairs at a time. A pair becomes one 32-bit lane of words 256 a and 256 b, which
// meet the high parts of the multipliers, then a and b, which meet the low ones.
#pragma once

#include <bittwin/simd/pair_line.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

namespace detail {

struct line_constants {
  i16x16 high_parts, low_parts;
  i32x8 first, below, above;
  std::int32_t shift;
  i8x32 low, high, flip;
};

[[gnu::target("avx2,fma"), gnu::always_inline]] inline line_constants constants_of(
    const pair_line& l) noexcept {
  const std::uint32_t a = static_cast<std::uint32_t>(l.multiplier_a);
  const std::uint32_t b = static_cast<std::uint32_t>(l.multiplier_b);
  const auto highs = static_cast<std::int32_t>((a >> 8 & 0xFFFF) | (b >> 8 & 0xFFFF) << 16);
  const auto lows = static_cast<std::int32_t>((a & 0xFF) | (b & 0xFF) << 16);
  return {(i16x16)(i32x8{} + highs),
          (i16x16)(i32x8{} + lows),
          i32x8{} + l.first,
          i32x8{} + l.below,
          i32x8{} + l.above,
          l.shift,
          i8x32{} + l.low,
          i8x32{} + l.high,
          i8x32{} + static_cast<signed char>(l.flip)};
}

template <bool TwoSided>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x8 line_of(const line_constants& c,
                                                                     i8x32 pairs) noexcept {
  const auto words = (i16x16)pairs;
  i32x8 t = c.first + __builtin_ia32_pmaddwd256(words, c.high_parts) +
            __builtin_ia32_pmaddwd256(words >> 8, c.low_parts);
  if constexpr (TwoSided) t += t < 0 ? c.below : c.above;
  return t >> c.shift;
}

template <bool TwoSided>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i8x32 codes_of(const line_constants& c,
                                                                      i8x32 a, i8x32 b) noexcept {
  a ^= c.flip;
  b ^= c.flip;
  const i8x32 none{}, first = first_in_turns(a, b), others = others_in_turns(a, b);
  const i16x16 low = __builtin_ia32_packssdw256(line_of<TwoSided>(c, first_in_turns(none, first)),
                                                line_of<TwoSided>(c, others_in_turns(none, first)));
  const i16x16 high =
      __builtin_ia32_packssdw256(line_of<TwoSided>(c, first_in_turns(none, others)),
                                 line_of<TwoSided>(c, others_in_turns(none, others)));
  auto code = (i8x32)__builtin_ia32_packsswb256(low, high);
  code = code < c.low ? c.low : code;
  code = code > c.high ? c.high : code;
  return code ^ c.flip;
}

template <bool TwoSided>
[[gnu::target("avx2,fma"), gnu::noinline]] void run_line(const pair_line& l,
                                                         pair_stream s) noexcept {
  const line_constants c = constants_of(l);
  std::int64_t i = 0;
  for (; i + 32 <= s.count; i += 32) {
    i8x32 a, b;
    __builtin_memcpy(&a, s.a + i, 32);
    __builtin_memcpy(&b, s.b + i, 32);
    const i8x32 codes = codes_of<TwoSided>(c, a, b);
    __builtin_memcpy(s.codes + i, &codes, 32);
  }
  if (i == s.count) return;
  i8x32 a{}, b{};
  const auto left = static_cast<std::size_t>(s.count - i);
  __builtin_memcpy(&a, s.a + i, left);
  __builtin_memcpy(&b, s.b + i, left);
  const i8x32 codes = codes_of<TwoSided>(c, a, b);
  __builtin_memcpy(s.codes + i, &codes, left);
}

}  // namespace detail

/// Where both sides have one offset, prepare() has added it to `first`, and they are 0.
inline void pairs(const pair_line& l, const pair_stream& s) noexcept {
  return l.below == 0 && l.above == 0 ? detail::run_line<false>(l, s)
                                      : detail::run_line<true>(l, s);
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
