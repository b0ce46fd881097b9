// SPDX-License-Identifier: Apache-2.0
// Sum and difference of int16 operands whose scales are powers of two: one operand is on the output's grid
// already, the other is shifted to it.
//   code = saturate16( R(a / 2^right_a) + sign * R(b / 2^right_b) ),  right = log2(scale_out / scale)
// Refused where neither operand is on the output's grid, or one's scale is above the output's.
#pragma once

#include <bit>
#include <bittwin/policy/addition.hpp>
#include <optional>

namespace bittwin::addition::inline v1 {

/// log2(scale) where it lies within 1/1000 of an integer, as the source takes it.
/// source  TFLite kernel_util / quantization_util.cc CheckedLog2
[[nodiscard]] constexpr std::optional<int> whole_log2(float scale) noexcept {
  const ieee::parts p = ieee::split(scale);
  if (p.significand == 0) return std::nullopt;
  const int up = std::countl_zero(p.significand) - 40;  // to 24 bits
  const std::uint64_t significand = up >= 0 ? p.significand << up : p.significand >> -up;
  const int exponent = p.exponent - up + 23;
  if (significand <= 8394424) return exponent;       // 2^23 * 2^(1/1000)
  if (significand >= 16765591) return exponent + 1;  // 2^24 * 2^(-1/1000)
  return std::nullopt;
}

/// source  TFLite add.cc, sub.cc and reference Add, Sub16 on int16 (R = half_away)
template <rounding::policy R> struct power_of_two {
  static constexpr std::string_view name = "power-of-two";

  static constexpr bool prepare(addition_constants& c) noexcept {
    const auto a = whole_log2(c.a.scale), b = whole_log2(c.b.scale), out = whole_log2(c.out.scale);
    if (!a || !b || !out) return false;
    c.first.exponent = *out - *a;
    c.second.exponent = *out - *b;
    const auto usable = [](int right) { return right >= 0 && right <= 31; };
    return usable(c.first.exponent) && usable(c.second.exponent) &&
           (c.first.exponent == 0 || c.second.exponent == 0);
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const std::int64_t first = rounding::shift_right<R>(a, c.first.exponent);
    const std::int64_t second = rounding::shift_right<R>(b, c.second.exponent);
    return saturate_cast<std::int16_t>(first + c.sign * second);
  }
};

}  // namespace bittwin::addition::inline v1
