// SPDX-License-Identifier: Apache-2.0
// What this machine can do at most, measured on the spot: products a second, bytes a second.
#pragma once

#include <bittwin/simd/arch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "stopwatch.hpp"

namespace bench {

/// int8 products a second of the best instruction of an architecture, twelve independent sums; 0 where it has none.
[[nodiscard]] inline double peak_macs(bittwin::simd::arch a) {
#if defined(__x86_64__) && defined(__GNUC__)
  constexpr std::int64_t loops = 20'000;
  if (a == bittwin::simd::arch::avx512_vnni) {
    const double seconds = seconds_of(
        [] {
          std::int64_t n = loops;
          asm volatile(
              "1:\n"
              "vpdpbusd %%zmm30,%%zmm31,%%zmm0\n vpdpbusd %%zmm30,%%zmm31,%%zmm1\n"
              "vpdpbusd %%zmm30,%%zmm31,%%zmm2\n vpdpbusd %%zmm30,%%zmm31,%%zmm3\n"
              "vpdpbusd %%zmm30,%%zmm31,%%zmm4\n vpdpbusd %%zmm30,%%zmm31,%%zmm5\n"
              "vpdpbusd %%zmm30,%%zmm31,%%zmm6\n vpdpbusd %%zmm30,%%zmm31,%%zmm7\n"
              "vpdpbusd %%zmm30,%%zmm31,%%zmm8\n vpdpbusd %%zmm30,%%zmm31,%%zmm9\n"
              "vpdpbusd %%zmm30,%%zmm31,%%zmm10\n vpdpbusd %%zmm30,%%zmm31,%%zmm11\n"
              "dec %0\n jnz 1b\n vzeroupper\n"
              : "+r"(n)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                "xmm9", "xmm10", "xmm11", "cc");
        },
        0.02);
    return static_cast<double>(loops) * 12 * 64 / seconds;
  }
  if (a == bittwin::simd::arch::avx2) {
    const double seconds = seconds_of(
        [] {
          std::int64_t n = loops;
          asm volatile(
              "1:\n"
              "vpmaddwd %%ymm14,%%ymm15,%%ymm6\n vpaddd %%ymm6,%%ymm0,%%ymm0\n"
              "vpmaddwd %%ymm14,%%ymm15,%%ymm7\n vpaddd %%ymm7,%%ymm1,%%ymm1\n"
              "vpmaddwd %%ymm14,%%ymm15,%%ymm8\n vpaddd %%ymm8,%%ymm2,%%ymm2\n"
              "vpmaddwd %%ymm14,%%ymm15,%%ymm9\n vpaddd %%ymm9,%%ymm3,%%ymm3\n"
              "vpmaddwd %%ymm14,%%ymm15,%%ymm10\n vpaddd %%ymm10,%%ymm4,%%ymm4\n"
              "vpmaddwd %%ymm14,%%ymm15,%%ymm11\n vpaddd %%ymm11,%%ymm5,%%ymm5\n"
              "dec %0\n jnz 1b\n vzeroupper\n"
              : "+r"(n)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                "xmm9", "xmm10", "xmm11", "cc");
        },
        0.02);
    return static_cast<double>(loops) * 6 * 16 / seconds;
  }
#endif
  static_cast<void>(a);
  return 0;
}

/// Bytes a second that are read and written by a copy inside `bytes` of memory.
[[nodiscard]] inline double copy_bandwidth(std::size_t bytes) {
  std::vector<std::uint8_t> memory(bytes, 1);
  const double seconds = seconds_of(
      [&] {
        std::memcpy(memory.data(), memory.data() + bytes / 2, bytes / 2);
        asm volatile("" : : "r"(memory.data()) : "memory");
      },
      0.02);
  return static_cast<double>(bytes) / seconds;
}

}  // namespace bench
