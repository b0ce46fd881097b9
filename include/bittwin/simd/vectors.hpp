// SPDX-License-Identifier: Apache-2.0
// Vectors as the compilers' own extension, and the few instructions that it has no operator for. Functions that use
// them carry a target attribute, so that no compiler flag is needed and an object is valid on every processor.
// <immintrin.h> would cost every user's unit 0.9 s with g++ 12; built-in functions cost nothing.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::inline v1 {

using u8x16 = unsigned char __attribute__((vector_size(16)));
using i8x16 = signed char __attribute__((vector_size(16)));
using c8x16 = char __attribute__((vector_size(16)));  ///< what built-in functions take
using c8x64 = char __attribute__((vector_size(64)));
using u8x32 = unsigned char __attribute__((vector_size(32)));
using i8x32 = signed char __attribute__((vector_size(32)));
using c8x32 = char __attribute__((vector_size(32)));
using i8x64 = signed char __attribute__((vector_size(64)));
using i16x8 = short __attribute__((vector_size(16)));
using i16x16 = short __attribute__((vector_size(32)));
using i16x32 = short __attribute__((vector_size(64)));
using i32x4 = int __attribute__((vector_size(16)));
using i32x8 = int __attribute__((vector_size(32)));
using i32x16 = int __attribute__((vector_size(64)));
using i64x2 = long long __attribute__((vector_size(16)));
using i64x4 = long long __attribute__((vector_size(32)));
using i64x8 = long long __attribute__((vector_size(64)));
using f32x8 = float __attribute__((vector_size(32)));
using f32x16 = float __attribute__((vector_size(64)));
using f64x4 = double __attribute__((vector_size(32)));
using f64x8 = double __attribute__((vector_size(64)));

/// A byte in all four of a word.
[[nodiscard]] constexpr std::int32_t four_times(std::uint8_t byte) noexcept {
  return static_cast<std::int32_t>(byte * 0x01010101U);
}

/// Masks that leave nothing out, in the types that the built-in functions of each compiler take.
#if defined(__clang__)
inline constexpr unsigned short all_of_16 = 0xFFFF;
inline constexpr unsigned char all_of_8 = 0xFF;
#else
inline constexpr short all_of_16 = -1;
inline constexpr char all_of_8 = -1;
#endif

/// Lanes 1, 3, 5 ... where 0, 2, 4 ... are, which a product of 64 bits takes.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i32x8 odd_lanes(i32x8 v) noexcept {
  return __builtin_shufflevector(v, v, 1, 1, 3, 3, 5, 5, 7, 7);
}
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
odd_lanes(i32x16 v) noexcept {
  return __builtin_shufflevector(v, v, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
}

/// Products of lanes 0, 2, 4 ... as 64-bit integers, in pairs of lanes.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
even_products(i32x16 a, i32x16 b) noexcept {
#if defined(__clang__)
  return (i32x16)__builtin_ia32_pmuldq512(a, b);
#else
  return (i32x16)__builtin_ia32_pmuldq512_mask(a, b, i64x8{}, all_of_8);
#endif
}

/// acc + the sums of four products, unsigned bytes of `u` times signed bytes of `w`, modulo 2^32.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
dot4(i32x16 acc, i32x16 u, i32x16 w) noexcept {
#if defined(__clang__)
  return static_cast<i32x16>(__builtin_ia32_vpdpbusd512(acc, u, w));
#else
  return __builtin_ia32_vpdpbusd_v16si(acc, u, w);
#endif
}

/// acc + the sums of two products of signed words, modulo 2^32.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x16
dot2(i32x16 acc, i32x16 x, i32x16 w) noexcept {
#if defined(__clang__)
  return static_cast<i32x16>(__builtin_ia32_vpdpwssd512(acc, x, w));
#else
  return __builtin_ia32_vpdpwssd_v16si(acc, x, w);
#endif
}

/// Two vectors narrowed with saturation, by quarters.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i16x32
packed_words(i32x16 a, i32x16 b) noexcept {
#if defined(__clang__)
  return __builtin_ia32_packssdw512(a, b);
#else
  return __builtin_ia32_packssdw512_mask(a, b, i16x32{}, -1);
#endif
}
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x64
packed_bytes(i16x32 a, i16x32 b) noexcept {
#if defined(__clang__)
  return (i8x64)__builtin_ia32_packsswb512(a, b);
#else
  return (i8x64)__builtin_ia32_packsswb512_mask(a, b, c8x64{}, -1);
#endif
}

/// Bytes of a and b in turns: the first eight of each 16, and the others.
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
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i8x32 first_in_turns(i8x32 a,
                                                                            i8x32 b) noexcept {
  return __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16,
                                 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55);
}
[[gnu::target("avx2,fma"), gnu::always_inline]] inline i8x32 others_in_turns(i8x32 a,
                                                                             i8x32 b) noexcept {
  return __builtin_shufflevector(a, b, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47,
                                 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63);
}

/// Stores the bytes whose bits are set, and touches no other.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
store_masked(void* to, i8x16 bytes, unsigned short mask) noexcept {
#if defined(__clang__)
  __builtin_ia32_storedquqi128_mask(static_cast<c8x16*>(to), (c8x16)bytes, mask);
#else
  __builtin_ia32_storedquqi128_mask(static_cast<char*>(to), (c8x16)bytes, mask);
#endif
}

/// The bytes whose bits are set, 0 for the others, which are not touched.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x16
load_masked(const void* from, unsigned short mask) noexcept {
#if defined(__clang__)
  return (i8x16)__builtin_ia32_loaddquqi128_mask(static_cast<const c8x16*>(from), c8x16{}, mask);
#else
  return (i8x16)__builtin_ia32_loaddquqi128_mask(static_cast<const char*>(from), c8x16{}, mask);
#endif
}

/// The same for 64 bytes.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
store_masked_64(void* to, i8x64 bytes, std::uint64_t mask) noexcept {
#if defined(__clang__)
  __builtin_ia32_storedquqi512_mask(static_cast<c8x64*>(to), (c8x64)bytes, mask);
#else
  __builtin_ia32_storedquqi512_mask(static_cast<char*>(to), (c8x64)bytes, mask);
#endif
}
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i8x64
load_masked_64(const void* from, std::uint64_t mask) noexcept {
#if defined(__clang__)
  return (i8x64)__builtin_ia32_loaddquqi512_mask(static_cast<const c8x64*>(from), c8x64{}, mask);
#else
  return (i8x64)__builtin_ia32_loaddquqi512_mask(static_cast<const char*>(from), c8x64{}, mask);
#endif
}

}  // namespace bittwin::simd::inline v1

#endif
