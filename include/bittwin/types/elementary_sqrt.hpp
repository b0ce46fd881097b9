// SPDX-License-Identifier: Apache-2.0
// The square root of a float32 from integers alone, exactly rounded.
//   sqrt(m 2^(2k)) = floor_root(m) 2^k, the rest of the root deciding the rounding
#pragma once

#include <bittwin/types/ieee.hpp>
#include <cstdint>

namespace bittwin::elementary::inline v1 {

/// Negative values, -0 apart, give NaN.
[[nodiscard]] constexpr float sqrt(float x) noexcept {
  if (ieee::kind_of(x) == ieee::kind::nan) return x;
  const ieee::parts p = ieee::split(x);
  if (ieee::kind_of(x) == ieee::kind::finite && p.significand == 0) return x;
  if (p.negative) return ieee::quiet_nan<float>;
  if (ieee::kind_of(x) == ieee::kind::infinite) return x;
  // 62 or 63 bits and an even exponent: the root has 31 or 32 bits, more than 24 and a rounding bit.
  int up = std::countl_zero(p.significand) - 1;
  if ((p.exponent - up) % 2 != 0) --up;
  std::uint64_t rest = p.significand << up, root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 62; bit != 0; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return ieee::nearest<float>(false, {root, rest != 0, (p.exponent - up) / 2});
}

}  // namespace bittwin::elementary::inline v1
