// SPDX-License-Identifier: Apache-2.0
// Streams of integers scaled to codes, 32 at a time, and bytes replaced by those of a table: 16 shuffles, each of
// which answers for the bytes with one upper half.
#pragma once

#include <bittwin/simd/avx2_requantize.hpp>
#include <bittwin/simd/byte_stream.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

namespace detail {

/// 32 codes; every lane of the stream's form is alike.
template <form_kind Kind>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i8x32 scaled_32(
    const scale_stream& s, const lane_constants& constants, const code_bounds& bounds,
    const std::int32_t* x) noexcept {
  const i32x8 low = i32x8{} + s.low, high = i32x8{} + s.high, centre = i32x8{} + s.centre;
  i32x8 half[2][2];
#pragma GCC unroll 4
  for (int v = 0; v < 4; ++v) {
    auto acc = loaded<i32x8>(x + 8 * v);
    acc = acc < low ? low : acc;
    acc = acc > high ? high : acc;
    half[v / 2][v % 2] = rounded<Kind>(acc - centre, constants);
  }
  return codes_of_two(half[0], half[1], bounds);
}

template <form_kind Kind>
[[gnu::target("avx2,fma"), gnu::noinline]] void run_scale(const scale_stream& given) noexcept {
  const scale_stream s = given;
  lane_constants constants;
  load_constants(constants, *s.form, 0);
  const code_bounds bounds = bounds_of(s.lowest, s.highest, s.flip);
  std::int64_t i = 0;
  for (; i + 32 <= s.count; i += 32) {
    const i8x32 codes = scaled_32<Kind>(s, constants, bounds, s.x + i);
    __builtin_memcpy(s.codes + i, &codes, 32);
  }
  if (i == s.count) return;
  const auto left = static_cast<std::size_t>(s.count - i);
  std::int32_t x[32] = {};
  __builtin_memcpy(x, s.x + i, 4 * left);
  const i8x32 codes = scaled_32<Kind>(s, constants, bounds, x);
  __builtin_memcpy(s.codes + i, &codes, left);
}

}  // namespace detail

inline void scale(const scale_stream& s) noexcept {
  static constexpr auto of =
      for_every_form<scale_function>([](auto kind) { return &detail::run_scale<kind>; });
  of[s.form->kind](s);
}

/// min(a + b, 255) of each byte. Newer clang has the general form only.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline c8x32 add_to_255(i8x32 a, i8x32 b) noexcept {
#if __has_builtin(__builtin_elementwise_add_sat)
  using u8x32 [[gnu::vector_size(32)]] = unsigned char;
  return (c8x32)__builtin_elementwise_add_sat((u8x32)a, (u8x32)b);
#else
  return (c8x32)__builtin_ia32_paddusb256((c8x32)a, (c8x32)b);
#endif
}

[[gnu::target("avx2,fma"), gnu::noinline]] inline void lookup(const lookup_stream& given) noexcept {
  const lookup_stream s = given;
  i8x32 table[16];
  for (int k = 0; k < 16; ++k) {
    __builtin_memcpy(&table[k], s.table + 16 * k, 16);
    __builtin_memcpy(static_cast<char*>(static_cast<void*>(&table[k])) + 16, s.table + 16 * k, 16);
  }
  const i8x32 sixteen = i8x32{} + 16, far = i8x32{} + 0x70;
  std::int64_t i = 0;
  for (; i + 32 <= s.count; i += 32) {
    i8x32 x, codes{};
    __builtin_memcpy(&x, s.x + i, 32);
#pragma GCC unroll 16
    for (int k = 0; k < 16; ++k) {
      // Places outside this sixteenth get a sign bit, for which the shuffle gives 0.
      const c8x32 place = add_to_255(x, far);
      codes |= (i8x32)__builtin_ia32_pshufb256((c8x32)table[k], place);
      x -= sixteen;
    }
    __builtin_memcpy(s.codes + i, &codes, 32);
  }
  for (; i < s.count; ++i) s.codes[i] = s.table[s.x[i]];
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
