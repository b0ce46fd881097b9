// SPDX-License-Identifier: Apache-2.0
// The natural logarithm of a Q12.19 number of at least 1, in Q5.26.
//   log x = k ln 2 + a rational approximation of log r around 2^(-1/4),  x = 2^k r
// source  TFLite common.h log_x_for_x_greater_than_or_equal_to_1_impl
#pragma once

#include <bit>
#include <bittwin/policy/fixed_point_exp.hpp>
#include <cstdint>

namespace bittwin::fixed_point::inline v1 {

/// x = raw * 2^-19, raw > 0; values below 1 work down to 2^-12.
[[nodiscard]] constexpr std::int32_t log_q12(std::int32_t raw) noexcept {
  constexpr int integer_bits = 12, accumulator_bits = 6;  // the accumulator is Q6.25
  // Q0.31 constants, each rounded to nearest.
  constexpr std::int32_t ln_2 = 1488522236;
  constexpr std::int32_t fourth_root_half = 1805811301;   // 2^(-1/4)
  constexpr std::int32_t root_half = 1518500250;          // 2^(-1/2)
  constexpr std::int32_t numerator_cubic = 117049297;     // 11/240 2^(1/4)
  constexpr std::int32_t denominator_square = 127690142;  // 1/20 2^(1/4)
  constexpr std::int32_t denominator_one = 1057819769;    // 2 2^(-1/4) - 2^(1/4)
  constexpr std::int32_t denominator_linear = 638450708;  // 1/4 2^(1/4)
  constexpr std::int32_t quarter = 1 << (31 - accumulator_bits - 2);
  const auto zeros = [](std::int32_t v) { return std::countl_zero(static_cast<std::uint32_t>(v)); };
  // Two candidates for k and r, r near 2^(-1/4): x itself, and x times sqrt(1/2).
  const int zeros_a = zeros(raw);
  const std::int32_t r_a =
      multiply_by_power(multiply(multiply_by_power(raw, zeros_a - 1), root_half), 1);
  const std::int32_t k_a = saturate_cast<std::int32_t>(
      std::int64_t{multiply_by_power(integer_bits - zeros_a, 31 - accumulator_bits)} + quarter);
  const int zeros_b = zeros(multiply(raw, root_half)) - 1;
  const std::int32_t r_b = multiply_by_power(raw, zeros_b);
  const std::int32_t k_b = saturate_cast<std::int32_t>(
      std::int64_t{multiply_by_power(integer_bits - zeros_b, 31 - accumulator_bits)} - quarter);
  const std::int32_t r = r_a < r_b ? r_a : r_b;
  const std::int32_t k = k_a > k_b ? k_a : k_b;
  const std::int32_t p = half_sum(r, fourth_root_half);
  const std::int32_t d = sum(r, -fourth_root_half);
  const std::int32_t q = sum(d, d);
  const std::int32_t square = multiply(q, q);
  const std::int32_t numerator =
      sum(multiply(q, r), multiply(multiply(q, square), numerator_cubic));
  const std::int32_t denominator =
      sum(multiply(p, sum(sum(denominator_one, q), multiply(denominator_square, square))),
          multiply(denominator_linear, q));
  const std::int32_t rational =
      multiply(divide_by_power(numerator, accumulator_bits), one_over_one_plus(denominator));
  return multiply_by_power(sum(multiply(k, ln_2), rational), accumulator_bits - 5);
}

}  // namespace bittwin::fixed_point::inline v1
