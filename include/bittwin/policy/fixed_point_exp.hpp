// SPDX-License-Identifier: Apache-2.0
// Exponential and reciprocal on 32-bit or 16-bit fixed point, Qm.n = raw * 2^-n with m + n = Bits - 1.
//   exp_of_negative    Qm.n in (-2^m, 0] -> Q0 of e^x
//   one_over_one_plus  Q0 in [0, 1) -> Q0 of 1 / (1 + x)
// Every product is R_up(a b / 2^(Bits - 1)), every right shift rounds half away.
// source  gemmlowp fixedpoint.h exp_on_negative_values, one_over_one_plus_x_for_x_in_0_1
#pragma once

#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/integers.hpp>
#include <cstdint>
#include <type_traits>

namespace bittwin::fixed_point::inline v1 {

template <int Bits> using raw = std::conditional_t<Bits == 16, std::int16_t, std::int32_t>;

/// a * b of Q0 values (the format of the product is the sum of both integer parts).
template <int Bits = 32>
[[nodiscard]] constexpr std::int32_t multiply(std::int32_t a, std::int32_t b) noexcept {
  return saturate_cast<raw<Bits>>(
      rounding::shift_right<rounding::half_up>(std::int64_t{a} * b, Bits - 1));
}

[[nodiscard]] constexpr std::int32_t divide_by_power(std::int32_t value, int exponent) noexcept {
  return static_cast<std::int32_t>(
      rounding::shift_right<rounding::half_away>(std::int64_t{value}, exponent));
}

template <int Bits = 32>
[[nodiscard]] constexpr std::int32_t multiply_by_power(std::int32_t value, int exponent) noexcept {
  return saturate_cast<raw<Bits>>(std::int64_t{value} << exponent);
}

/// Sum modulo 2^Bits, as the source's plain additions.
template <int Bits = 32>
[[nodiscard]] constexpr std::int32_t sum(std::int32_t a, std::int32_t b) noexcept {
  return wrap_cast<raw<Bits>>(std::int64_t{a} + b);
}

/// (a + b) / 2, ties away from zero.
[[nodiscard]] constexpr std::int32_t half_sum(std::int32_t a, std::int32_t b) noexcept {
  const std::int64_t total = std::int64_t{a} + b;
  return static_cast<std::int32_t>((total + (total >= 0 ? 1 : -1)) / 2);
}

/// A 32-bit constant in the format of the same integer part.
template <int Bits> [[nodiscard]] constexpr std::int32_t constant(std::int32_t value) noexcept {
  return divide_by_power(value, 32 - Bits);
}

/// The largest Q0 stands for 1.
template <int Bits> inline constexpr std::int32_t one = std::numeric_limits<raw<Bits>>::max();

/// e^x for x in [-1/4, 0), Q0: e^(-1/8) times a fourth-order expansion around -1/8.
template <int Bits>
[[nodiscard]] constexpr std::int32_t exp_between_minus_quarter_and_0(std::int32_t x) noexcept {
  constexpr std::int32_t exp_minus_eighth = constant<Bits>(1895147668);  // e^(-1/8) * 2^31
  constexpr std::int32_t one_third = constant<Bits>(715827883);          // 2^31 / 3
  const std::int32_t t = sum<Bits>(x, 1 << (Bits - 4));                  // x + 1/8
  const std::int32_t t2 = multiply<Bits>(t, t);
  const std::int32_t t3 = multiply<Bits>(t2, t);
  const std::int32_t t4 = multiply<Bits>(t2, t2);
  const std::int32_t third = multiply<Bits>(sum<Bits>(divide_by_power(t4, 2), t3), one_third);
  const std::int32_t tail = divide_by_power(sum<Bits>(third, t2), 1);
  const std::int32_t rest = multiply<Bits>(exp_minus_eighth, sum<Bits>(t, tail));
  // The source saturates this sum in 16 bits and lets it wrap in 32.
  if constexpr (Bits == 16) return saturate_cast<std::int16_t>(exp_minus_eighth + rest);
  return sum(exp_minus_eighth, rest);
}

/// e^x for x <= 0 with IntegerBits integer bits: the fraction below 1/4 by expansion, the rest by one
/// factor a bit.
template <int Bits = 32, int IntegerBits = 5>
[[nodiscard]] constexpr std::int32_t exp_of_negative(std::int32_t x) noexcept {
  constexpr int fraction_bits = Bits - 1 - IntegerBits;
  constexpr std::int32_t quarter = 1 << (fraction_bits - 2);
  // round(e^(-2^k) * 2^31) for k = -2 .. 4
  constexpr std::int32_t factors[] = {1672461947, 1302514674, 790015084, 290630308,
                                      39332535,   720401,     242};
  constexpr int bits = IntegerBits < 5 ? IntegerBits : 5;  // e^-32 and less is 0
  if (x == 0) return one<Bits>;
  if (IntegerBits > 5 && x < -(std::int64_t{32} << fraction_bits)) return 0;
  const std::int32_t fraction = (x & (quarter - 1)) - quarter;  // in [-1/4, 0)
  std::int32_t result =
      exp_between_minus_quarter_and_0<Bits>(multiply_by_power<Bits>(fraction, IntegerBits));
  const std::int32_t rest = wrap_cast<raw<Bits>>(std::int64_t{fraction} - x);
  for (int k = 0; k < bits + 2; ++k)
    if ((rest & (1 << (fraction_bits - 2 + k))) != 0)
      result = multiply<Bits>(result, constant<Bits>(factors[k]));
  return result;
}

/// 2 / (1 + x) in Q2 for x in [0, 1), Q0: three Newton steps on half the denominator.
template <int Bits>
[[nodiscard]] constexpr std::int32_t two_over_one_plus(std::int32_t x) noexcept {
  constexpr std::int32_t q2_48_over_17 = constant<Bits>(1515870810);
  constexpr std::int32_t q2_minus_32_over_17 = constant<Bits>(-1010580540);
  constexpr std::int32_t q2_one = 1 << (Bits - 3);
  const std::int32_t half = half_sum(x, one<Bits>);
  std::int32_t y = sum<Bits>(q2_48_over_17, multiply<Bits>(half, q2_minus_32_over_17));
  for (int step = 0; step < 3; ++step) {
    const std::int32_t error = sum<Bits>(q2_one, -multiply<Bits>(half, y));
    y = sum<Bits>(y, multiply_by_power<Bits>(multiply<Bits>(y, error), 2));
  }
  return y;
}

/// 1 / (1 + x) for x in [0, 1), Q0.
template <int Bits = 32>
[[nodiscard]] constexpr std::int32_t one_over_one_plus(std::int32_t x) noexcept {
  return multiply_by_power<Bits>(two_over_one_plus<Bits>(x), 1);
}

}  // namespace bittwin::fixed_point::inline v1
