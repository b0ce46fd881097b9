// SPDX-License-Identifier: Apache-2.0
// 1 / sqrt(n) of an int32 as a Q31 multiplier, by five Newton steps on Q3.28.
//   x <- 3/2 x - n/2 x^3, from x = 1, on n scaled by powers of four into [1/2, 2)
// source  TFLite common.h GetInvSqrtQuantizedMultiplierExp
#pragma once

#include <bit>
#include <bittwin/policy/fixed_point_exp.hpp>
#include <bittwin/policy/multiplier.hpp>
#include <cstdint>

namespace bittwin::fixed_point::inline v1 {

/// n = 0 and n = 1 give the largest mantissa, and so do negative numbers, which have no root.
[[nodiscard]] constexpr multiplier inverse_root(std::int32_t n) noexcept {
  if (n <= 1) return {0x7FFFFFFF, 0, 0.0};
  int right = 11;
  while (n >= 1 << 29) {
    n /= 4;
    ++right;
  }
  const int pairs = (std::countl_zero(static_cast<std::uint32_t>(n)) - 1) / 2 - 1;
  right -= pairs;
  n <<= 2 * pairs;                                            // [2^27, 2^29)
  constexpr std::int32_t half_three = (1 << 28) + (1 << 27);  // Q3.28
  constexpr std::int32_t half_root_2 = 1518500250;            // round(sqrt(1/2) * 2^31)
  const std::int32_t half = divide_by_power(n >> 1, 1);
  std::int32_t x = 1 << 28;
  for (int step = 0; step < 5; ++step) {
    const std::int32_t cube = multiply_by_power(multiply(multiply(x, x), x), 6);
    x = multiply_by_power(sum(multiply(half_three, x), -multiply(half, cube)), 3);
  }
  x = multiply(x, half_root_2);
  if (right < 0) {
    x = wrap_cast<std::int32_t>(std::int64_t{x} << -right);
    right = 0;
  }
  return {x, -right, 0.0};
}

}  // namespace bittwin::fixed_point::inline v1
