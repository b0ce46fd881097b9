// SPDX-License-Identifier: Apache-2.0
// Tiles of dot products with vpdpbusd: four products of an unsigned and a signed byte into each of 16 lanes, exact
// modulo 2^32.
#pragma once

#include <bittwin/simd/tile.hpp>
#include <bittwin/simd/vectors.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx512_vnni::inline v1 {

namespace detail {

/// The sums of some pixels and vectors, which stay in registers.
/// pixel  each at its first tap    Whole  taps are read up to a multiple of 4 bytes; else the last 1 to 3 are copied
template <bool Whole, int Vectors, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
sum_products(const dot_product_tile& t, const std::uint8_t* const* pixel,
             i32x16 (&acc)[Pixels][Vectors]) noexcept {
#pragma GCC unroll 8
  for (int p = 0; p < Pixels; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) __builtin_memcpy(&acc[p][v], t.first + lanes * v, 64);

  i32x16 flip = i32x16{} + four_times(t.flip);
  asm(""
      : "+v"(flip));  // else the exclusive or is done before the broadcast, which then is no load
  // Weights beyond a tap are 0, so what is read there does not count.
  const bool has_rest = !Whole && t.length % 4 != 0 && !t.readable_to_4;
  const std::int64_t whole = Whole || t.readable_to_4 ? (t.length + 3) / 4 : t.length / 4;
  std::uint8_t rest[Pixels][4] = {};
  for (std::int32_t row = 0; row < t.rows; ++row) {
    const std::int8_t* weights = t.weights + row * t.weight_row_step;
    for (std::int32_t tap = 0; tap < t.taps; ++tap) {
      const std::int64_t place = row * t.row_step + tap * t.tap_step;
      const std::uint8_t* from[Pixels];
#pragma GCC unroll 8
      for (int p = 0; p < Pixels; ++p) {
        from[p] = pixel[p] + place;
        asm("" : "+r"(from[p]));  // else they are added, and kept, in vectors that sums need
      }
      // The last 1 to 3 bytes of a tap are copied where no byte beyond them may be read.
      for (std::int64_t groups = whole, second = 0; second <= (has_rest ? 1 : 0);
           ++second, groups = 1) {
        if (second == 1)
          for (int p = 0; p < Pixels; ++p) {
            for (std::int64_t k = 0; k < t.length % 4; ++k) rest[p][k] = from[p][4 * whole + k];
            from[p] = rest[p];
          }
        for (std::int64_t k = 0; k < groups; ++k, weights += 64 * Vectors) {
          i32x16 w[Vectors];
#pragma GCC unroll 4
          for (int v = 0; v < Vectors; ++v) __builtin_memcpy(&w[v], weights + 64 * v, 64);
#pragma GCC unroll 8
          for (int p = 0; p < Pixels; ++p) {
            int four;
            __builtin_memcpy(&four, from[p] + 4 * k, 4);
            const i32x16 u = (i32x16{} + four) ^ flip;
#pragma GCC unroll 4
            for (int v = 0; v < Vectors; ++v) acc[p][v] = dot4(acc[p][v], u, w[v]);
          }
        }
      }
    }
  }
}

}  // namespace detail

template <int Vectors, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
accumulate(const dot_product_tile& t) noexcept {
  i32x16 acc[Pixels][Vectors];
  detail::sum_products<false, Vectors, Pixels>(t, t.pixel, acc);
#pragma GCC unroll 8
  for (int p = 0; p < Pixels; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v)
      __builtin_memcpy(t.acc + lanes * (p * Vectors + v), &acc[p][v], 64);
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
