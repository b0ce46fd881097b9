// SPDX-License-Identifier: Apache-2.0
// Exponential and reciprocal on int32 fixed point, Qm.n = raw * 2^-n with m + n = 31.
//   exp_of_negative  Q5.26 in (-32, 0] -> Q0.31 of e^x
//   one_over_one_plus  Q0.31 in [0, 1) -> Q0.31 of 1 / (1 + x)
// Every product is R_up(a b / 2^31), every right shift rounds half away.
// source  gemmlowp fixedpoint.h exp_on_negative_values, one_over_one_plus_x_for_x_in_0_1
#pragma once

#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/integers.hpp>
#include <cstdint>

namespace bittwin::fixed_point::inline v1 {

/// a * b of Q0.31 values (the format of the product is the sum of both integer parts).
[[nodiscard]] constexpr std::int32_t multiply(std::int32_t a, std::int32_t b) noexcept {
  return saturate_cast<std::int32_t>(
      rounding::shift_right<rounding::half_up>(std::int64_t{a} * b, 31));
}

[[nodiscard]] constexpr std::int32_t divide_by_power(std::int32_t value, int exponent) noexcept {
  return static_cast<std::int32_t>(
      rounding::shift_right<rounding::half_away>(std::int64_t{value}, exponent));
}

[[nodiscard]] constexpr std::int32_t multiply_by_power(std::int32_t value, int exponent) noexcept {
  return saturate_cast<std::int32_t>(std::int64_t{value} << exponent);
}

/// int32 sum modulo 2^32, as the source's plain additions.
[[nodiscard]] constexpr std::int32_t sum(std::int32_t a, std::int32_t b) noexcept {
  return wrap_cast<std::int32_t>(std::int64_t{a} + b);
}

inline constexpr std::int32_t one = 0x7FFFFFFF;  ///< the largest Q0.31 stands for 1

/// e^x for x in [-1/4, 0), Q0.31: e^(-1/8) times a fourth-order expansion around -1/8.
[[nodiscard]] constexpr std::int32_t exp_between_minus_quarter_and_0(std::int32_t x) noexcept {
  constexpr std::int32_t exp_minus_eighth = 1895147668;  // round(e^(-1/8) * 2^31)
  constexpr std::int32_t one_third = 715827883;          // round(2^31 / 3)
  const std::int32_t t = sum(x, 1 << 28);                // x + 1/8
  const std::int32_t t2 = multiply(t, t);
  const std::int32_t t3 = multiply(t2, t);
  const std::int32_t t4 = multiply(t2, t2);
  const std::int32_t third = multiply(sum(divide_by_power(t4, 2), t3), one_third);
  const std::int32_t tail = divide_by_power(sum(third, t2), 1);
  return sum(exp_minus_eighth, multiply(exp_minus_eighth, sum(t, tail)));
}

/// e^x for x <= 0 in Q5.26: the fraction below 1/4 by expansion, the rest by one factor a bit.
[[nodiscard]] constexpr std::int32_t exp_of_negative(std::int32_t x) noexcept {
  constexpr int fraction_bits = 26;
  constexpr std::int32_t quarter = 1 << (fraction_bits - 2);
  // round(e^(-2^k) * 2^31) for k = -2 .. 4
  constexpr std::int32_t factors[] = {1672461947, 1302514674, 790015084, 290630308,
                                      39332535,   720401,     242};
  if (x == 0) return one;
  const std::int32_t fraction = (x & (quarter - 1)) - quarter;  // in [-1/4, 0)
  std::int32_t result = exp_between_minus_quarter_and_0(multiply_by_power(fraction, 5));
  const std::int32_t rest = wrap_cast<std::int32_t>(std::int64_t{fraction} - x);
  for (int k = 0; k < 7; ++k)
    if ((rest & (1 << (fraction_bits - 2 + k))) != 0) result = multiply(result, factors[k]);
  return result;
}

/// 1 / (1 + x) for x in [0, 1), Q0.31: three Newton steps on half the denominator.
[[nodiscard]] constexpr std::int32_t one_over_one_plus(std::int32_t x) noexcept {
  constexpr std::int32_t q2_48_over_17 = 1515870810;
  constexpr std::int32_t q2_minus_32_over_17 = -1010580540;
  constexpr std::int32_t q2_one = 1 << 29;
  const std::int64_t total = std::int64_t{x} + one;
  const auto half = static_cast<std::int32_t>((total + (total >= 0 ? 1 : -1)) / 2);
  std::int32_t y = sum(q2_48_over_17, multiply(half, q2_minus_32_over_17));
  for (int step = 0; step < 3; ++step) {
    const std::int32_t error = sum(q2_one, -multiply(half, y));
    y = sum(y, multiply_by_power(multiply(y, error), 2));
  }
  return multiply_by_power(y, 1);
}

}  // namespace bittwin::fixed_point::inline v1
