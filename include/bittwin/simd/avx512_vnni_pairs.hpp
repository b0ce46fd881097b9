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

struct line_constants {
  i32x16 high_parts, low_parts, first, seam, more_below;
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
  // Sums start with the offset of one side, so the other is asked for with it: prepare() has seen that none leaves int32.
  const auto wrapped = [](std::uint32_t v) { return static_cast<std::int32_t>(v); };
  const auto above = static_cast<std::uint32_t>(l.above);
  const auto first = wrapped(static_cast<std::uint32_t>(l.first) + above);
  const auto more = wrapped(static_cast<std::uint32_t>(l.below) - above);
  return {i32x16{} + highs,   i32x16{} + lows,  i32x16{} + first,
          i32x16{} + l.above, i32x16{} + more,  l.shift,
          i8x64{} + l.low,    i8x64{} + l.high, i8x64{} + static_cast<signed char>(l.flip)};
}

template <bool TwoSided>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
line_of(const line_constants& c, i8x64 pairs) noexcept {
  const auto words = (i32x16)pairs;
  i32x16 t = dot4(dot2(c.first, words, c.high_parts), c.low_parts, words);
  if constexpr (TwoSided) t = t < c.seam ? t + c.more_below : t;
  return t >> c.shift;
}

/// Whole  signed codes without a clamp: the narrowing saturates, and no sign is flipped
template <bool TwoSided, bool Whole>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x64
codes_of(const line_constants& c, i8x64 a, i8x64 b) noexcept {
  if constexpr (!Whole) a ^= c.flip, b ^= c.flip;
  const i8x64 none{}, first = first_in_turns(a, b), others = others_in_turns(a, b);
  const i16x32 low = packed_words(line_of<TwoSided>(c, first_in_turns(none, first)),
                                  line_of<TwoSided>(c, others_in_turns(none, first)));
  const i16x32 high = packed_words(line_of<TwoSided>(c, first_in_turns(none, others)),
                                   line_of<TwoSided>(c, others_in_turns(none, others)));
  i8x64 code = packed_bytes(low, high);
  if constexpr (Whole) return code;
  code = code < c.low ? c.low : code;
  code = code > c.high ? c.high : code;
  return code ^ c.flip;
}

template <bool TwoSided, bool Whole>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
run_line(const pair_line& l, const pair_stream& given) noexcept {
  const pair_stream s = given;
  const line_constants c = constants_of(l);
  std::int64_t i = 0;
  for (; i + 64 <= s.count; i += 64) {
    i8x64 a, b;
    __builtin_memcpy(&a, s.a + i, 64);
    __builtin_memcpy(&b, s.b + i, 64);
    const i8x64 codes = codes_of<TwoSided, Whole>(c, a, b);
    __builtin_memcpy(s.codes + i, &codes, 64);
  }
  if (i == s.count) return;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (s.count - i));
  store_masked_64(
      s.codes + i,
      codes_of<TwoSided, Whole>(c, load_masked_64(s.a + i, mask), load_masked_64(s.b + i, mask)),
      mask);
}

}  // namespace detail

/// Where both sides have one offset, prepare() has added it to `first`, and they are 0.
inline void pairs(const pair_line& l, const pair_stream& s) noexcept {
  static constexpr pair_function of[2][2] = {
      {&detail::run_line<false, false>, &detail::run_line<false, true>},
      {&detail::run_line<true, false>, &detail::run_line<true, true>}};
  const bool one = l.below == 0 && l.above == 0;
  const bool whole = l.low == -128 && l.high == 127 && l.flip == 0;
  return of[one ? 0 : 1][whole ? 1 : 0](l, s);
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
