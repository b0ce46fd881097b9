// SPDX-License-Identifier: Apache-2.0
// Logistic function and hyperbolic tangent on fixed point, through e^-|x|.
//   logistic  1 / (1 + e^-|x|), or 1 minus it      tanh  (1 - e^-2|x|) / (1 + e^-2|x|), signed
// x has IntegerBits integer bits, results are Q0.
// source  gemmlowp fixedpoint.h logistic, tanh
#pragma once

#include <bittwin/policy/fixed_point_exp.hpp>
#include <cstdint>

namespace bittwin::fixed_point::inline v1 {

template <int Bits, int IntegerBits>
[[nodiscard]] constexpr std::int32_t logistic(std::int32_t x) noexcept {
  if (x == 0) return 1 << (Bits - 2);
  const std::int32_t negative = x > 0 ? -x : x;
  const std::int32_t above_half =
      one_over_one_plus<Bits>(exp_of_negative<Bits, IntegerBits>(negative));
  return x > 0 ? above_half : one<Bits> - above_half;
}

template <int Bits, int IntegerBits>
[[nodiscard]] constexpr std::int32_t tanh(std::int32_t x) noexcept {
  if (x == 0) return 0;
  const std::int32_t negative = x < 0 ? x : -x;
  // The same integer with one more integer bit is twice the value.
  const std::int32_t q2 = two_over_one_plus<Bits>(exp_of_negative<Bits, IntegerBits + 1>(negative));
  const std::int32_t magnitude = multiply_by_power<Bits>(sum<Bits>(q2, -(1 << (Bits - 3))), 2);
  return x < 0 ? -magnitude : magnitude;
}

}  // namespace bittwin::fixed_point::inline v1
