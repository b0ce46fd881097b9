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

namespace detail {

/// The sums of some pixels' bytes, by lanes: 64 bytes at a time, what is left of a tap under a mask.
template <int Pixels>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline void
sum_lanes(const dot_product_tile& t, const std::uint8_t* pixel, std::int64_t step,
          i32x16 (&sum)[4]) noexcept {
  const i32x16 ones = i32x16{} + four_times(1), flip = i32x16{} + four_times(t.flip);
  const std::int64_t whole = t.length / 64 * 64, left = t.length - whole;
  const std::uint64_t mask = (std::uint64_t{1} << left) - 1;
  const auto last_ones = (i32x16)load_masked_64(&ones, mask);
#pragma GCC unroll 4
  for (int p = 0; p < 4; ++p) sum[p] = i32x16{};
  for (std::int32_t row = 0; row < t.rows; ++row)
    for (std::int32_t tap = 0; tap < t.taps; ++tap) {
      const std::uint8_t* const from = pixel + row * t.row_step + tap * t.tap_step;
      for (std::int64_t k = 0; k < whole; k += 64)
#pragma GCC unroll 4
        for (int p = 0; p < Pixels; ++p) {
          i32x16 bytes;
          __builtin_memcpy(&bytes, from + p * step + k, 64);
          sum[p] = dot4(sum[p], bytes ^ flip, ones);
        }
      if (left != 0)
#pragma GCC unroll 4
        for (int p = 0; p < Pixels; ++p)
          sum[p] =
              dot4(sum[p], (i32x16)load_masked_64(from + p * step + whole, mask) ^ flip, last_ones);
    }
}

/// Sums of lanes 0 and 2, 1 and 3 of every quarter, of both in turns.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i64x8
halved(i32x16 a, i32x16 b) noexcept {
  return (i64x8)(__builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13,
                                         29) +
                 __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30,
                                         15, 31));
}

/// Lane by lane, the sum of every vector's lanes.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),
  gnu::always_inline]] inline i32x4
sums_of_four(const i32x16 (&v)[4]) noexcept {
  const i64x8 first = halved(v[0], v[1]), second = halved(v[2], v[3]);
  const auto quarters = (i32x16)__builtin_shufflevector(first, second, 0, 8, 2, 10, 4, 12, 6, 14) +
                        (i32x16)__builtin_shufflevector(first, second, 1, 9, 3, 11, 5, 13, 7, 15);
  const i32x8 eight = __builtin_shufflevector(quarters, quarters, 0, 1, 2, 3, 4, 5, 6, 7) +
                      __builtin_shufflevector(quarters, quarters, 8, 9, 10, 11, 12, 13, 14, 15);
  return __builtin_shufflevector(eight, eight, 0, 1, 2, 3) +
         __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
}

}  // namespace detail

/// Four pixels at a time, so that their lanes are added up together.
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::noinline]] inline void
sum_bytes(const dot_product_tile& t, const byte_sums& s) noexcept {
  const std::uint8_t* pixel = s.pixel;
  std::int64_t p = 0;
  for (; p + 4 <= s.pixels; p += 4, pixel += 4 * s.step) {
    i32x16 sum[4];
    detail::sum_lanes<4>(t, pixel, s.step, sum);
    const i32x4 sums = detail::sums_of_four(sum) * s.factor;
    __builtin_memcpy(s.to + p, &sums, 16);
  }
  for (; p < s.pixels; ++p, pixel += s.step) {
    i32x16 sum[4];
    detail::sum_lanes<1>(t, pixel, s.step, sum);
    s.to[p] = (detail::sums_of_four(sum) * s.factor)[0];
  }
}

}  // namespace bittwin::simd::avx512_vnni::inline v1

#endif
