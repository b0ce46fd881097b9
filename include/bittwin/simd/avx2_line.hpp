// SPDX-License-Identifier: Apache-2.0
// Rows woven into a line, 32 bytes at a time.
#pragma once

#include <bittwin/simd/vectors.hpp>
#include <bittwin/simd/woven_line.hpp>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

namespace bittwin::simd::avx2::inline v1 {

[[gnu::target("avx2,fma"), gnu::noinline]] inline void weave(const weave_tile& given) noexcept {
  const weave_tile t =
      given;  // bytes of the line could be those of the tile, for all a compiler knows
  const std::int64_t bytes_at_once = std::int64_t{t.columns_at_once} * t.channels * t.rows;
  std::uint8_t* to = t.line;
  for (std::int32_t column = 0; column < t.columns;
       column += t.columns_at_once, to += bytes_at_once) {
    const std::int32_t left = (t.columns - column) * t.channels;
    i8x32 woven = i8x32{} + static_cast<signed char>(t.flip);
    for (std::int32_t row = 0; row < t.rows; ++row) {
      const std::uint8_t* const from = t.row[row] + column * t.step[row];
      c8x16 bytes{};
      if (left >= 16)
        __builtin_memcpy(&bytes, from, 16);
      else
        __builtin_memcpy(&bytes, from, static_cast<std::size_t>(left));
      c8x32 place;
      __builtin_memcpy(&place, t.places + most_woven_bytes * row, 32);
      const c8x32 twice =
          __builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                  15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
      woven ^= (i8x32)__builtin_ia32_pshufb256(twice, place);
    }
    __builtin_memcpy(to, &woven, sizeof woven);
  }
}

}  // namespace bittwin::simd::avx2::inline v1

#endif
