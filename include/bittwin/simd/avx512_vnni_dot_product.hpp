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
/// Words        codes and weights are pairs of words, multiplied by dot2
/// Whole        taps are read up to a multiple of 4 bytes; else the last 1 to 3 are copied
/// pixel        each at its first tap
/// pixel_first  as in the tile
template <bool Words, bool Whole, int Vectors, int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
sum_products(const dot_product_tile& t, const std::uint8_t* const* pixel,
             const std::int32_t* pixel_first, i32x16 (&acc)[Pixels][Vectors]) noexcept {
#pragma GCC unroll 8
  for (int p = 0; p < Pixels; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) __builtin_memcpy(&acc[p][v], t.first + lanes * v, 64);
  if (pixel_first != nullptr)
#pragma GCC unroll 8
    for (int p = 0; p < Pixels; ++p)
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) acc[p][v] += pixel_first[p];

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
            const i32x16 u = Words ? i32x16{} + four : (i32x16{} + four) ^ flip;
#pragma GCC unroll 4
            for (int v = 0; v < Vectors; ++v)
              acc[p][v] = Words ? dot2(acc[p][v], u, w[v]) : dot4(acc[p][v], u, w[v]);
          }
        }
      }
    }
  }
}

}  // namespace detail

template <int Vectors, int Pixels, bool Words = false>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] void
accumulate(const dot_product_tile& t) noexcept {
  i32x16 acc[Pixels][Vectors];
  detail::sum_products<Words, false, Vectors, Pixels>(t, t.pixel, t.pixel_first, acc);
#pragma GCC unroll 8
  for (int p = 0; p < Pixels; ++p)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v)
      __builtin_memcpy(t.acc + lanes * (p * Vectors + v), &acc[p][v], 64);
}

/// 64 bytes at a time, what is left of a tap under a mask.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] inline void
sum_bytes(const dot_product_tile& t, const byte_sums& s) noexcept {
  const i32x16 ones = i32x16{} + four_times(1), flip = i32x16{} + four_times(t.flip);
  const std::int64_t whole = t.length / 64 * 64, left = t.length - whole;
  const std::uint64_t mask = (std::uint64_t{1} << left) - 1;
  const auto last_ones = (i32x16)load_masked_64(&ones, mask);
  const std::uint8_t* pixel = s.pixel;
  for (std::int64_t p = 0; p < s.pixels; ++p, pixel += s.step) {
    i32x16 sum{};
    for (std::int32_t row = 0; row < t.rows; ++row)
      for (std::int32_t tap = 0; tap < t.taps; ++tap) {
        const std::uint8_t* const from = pixel + row * t.row_step + tap * t.tap_step;
        for (std::int64_t k = 0; k < whole; k += 64) {
          i32x16 bytes;
          __builtin_memcpy(&bytes, from + k, 64);
          sum = dot4(sum, bytes ^ flip, ones);
        }
        if (left != 0)
          sum = dot4(sum, (i32x16)load_masked_64(from + whole, mask) ^ flip, last_ones);
      }
    const i32x8 eight = __builtin_shufflevector(sum, sum, 0, 1, 2, 3, 4, 5, 6, 7) +
                        __builtin_shufflevector(sum, sum, 8, 9, 10, 11, 12, 13, 14, 15);
    const i32x4 four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) +
                       __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    const i32x4 two = four + __builtin_shufflevector(four, four, 2, 3, 0, 1);
    s.to[p] = static_cast<std::int32_t>(static_cast<std::uint32_t>(s.factor) *
                                        static_cast<std::uint32_t>(two[0] + two[1]));
  }
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
