// SPDX-License-Identifier: Apache-2.0
// Operators on two codes besides sum and product: squared difference, quotient, and the numbers that
// comparisons compare.
//   squared_difference<L>  R( d * d * mo ) + zo,  d = R( (a - za) << L * ma ) - R( (b - zb) << L * mb ),
//                          ma, mb = scale / (2 max scale), mo = (2 max scale)^2 / (4^L scale_out)
//   two_step_quotient, one_step_quotient  R( n * reciprocal(d) * (scale_a / (scale_b scale_out)) ) + zo
//   shifted_key<L>         R( (a - za) << L * scale_a )  against the same of b
// Results are codes before the clamp.
#pragma once

#include <bit>
#include <bittwin/policy/addition.hpp>
#include <bittwin/policy/fixed_point_exp.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::pairing::inline v1 {

/// d * d wraps in int32: with L = 7 codes of 8 bits stay below, with L = 0 codes of 16 bits.
/// source  TFLite squared_difference.cc (L 7 for 8 bits, 0 for 16 bits); 4^L scale_out is a float32
template <int LeftShift, class Multiplier, class Rescale> struct squared_difference {
  static constexpr std::string_view name = "squared-difference";
  using rescale = Rescale;

  static constexpr bool prepare(addition_constants& c) noexcept {
    const float largest = ieee::less(c.a.scale, c.b.scale) ? c.b.scale : c.a.scale;
    const float twice = ieee::multiply(2.0F, largest);
    const double wide = ieee::convert<double>(twice);
    const float out = ieee::multiply(static_cast<float>(1 << (2 * LeftShift)), c.out.scale);
    c.first = Multiplier::of(addition::ratios_in_float64::input_ratio(c.a.scale, twice));
    c.second = Multiplier::of(addition::ratios_in_float64::input_ratio(c.b.scale, twice));
    c.sum = Multiplier::of(ieee::divide(ieee::multiply(wide, wide), ieee::convert<double>(out)));
    return true;
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const std::int64_t unit = std::int64_t{1} << LeftShift;
    const std::int64_t first = Rescale::apply((a - c.a.zero_point) * unit, c.first);
    const std::int64_t second = Rescale::apply((b - c.b.zero_point) * unit, c.second);
    const auto square = wrap_cast<std::int32_t>(wrap_multiply(first - second, first - second));
    return Rescale::apply(square, c.sum) + c.out.zero_point;
  }
};

/// What both quotients share: the divisor's sign moves to the dividend, and the divisor's reciprocal is a
/// Q0.31 number in [1/2, 1].
struct division {
  std::int32_t dividend = 0, reciprocal = 0;
  int headroom = 0;  ///< bits by which the dividend can be shifted left
  int digits = 0;    ///< of the divisor, left of its leading bit

  constexpr division(std::int64_t numerator, std::int64_t denominator) noexcept {
    const auto divisor = static_cast<std::uint32_t>(denominator < 0 ? -denominator : denominator);
    dividend = static_cast<std::int32_t>(denominator < 0 ? -numerator : numerator);
    const int leading = std::countl_zero(divisor);
    digits = 31 - leading;
    reciprocal = fixed_point::one_over_one_plus(
        wrap_cast<std::int32_t>((divisor << (leading & 31)) - 0x80000000U));
    headroom =
        std::countl_zero(static_cast<std::uint32_t>(dividend < 0 ? ~dividend : dividend)) - 1;
  }
};

/// Every product rounds half up, the last shift half away. A shift past 31 bits is taken modulo 32, as the
/// source's machine code does, so that small dividends differ from the formula; a divisor of 0 gives what
/// falls out of it.
/// source  TFLite reference/div.h, common.h GetReciprocal, gemmlowp RoundingDivideByPOT
template <class Multiplier> struct two_step_quotient {
  static constexpr std::string_view name = "two-step-quotient";

  static constexpr bool prepare(addition_constants& c) noexcept {
    const float ratio = ieee::divide(c.a.scale, ieee::multiply(c.b.scale, c.out.scale));
    c.sum = Multiplier::of(ieee::convert<double>(ratio));
    return true;
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const division d(a - c.a.zero_point, b - c.b.zero_point);
    const std::int32_t quotient = fixed_point::multiply(
        wrap_cast<std::int32_t>(wrap_shift_left(d.dividend, d.headroom)), d.reciprocal);
    const int shift = c.sum.exponent - d.digits - d.headroom;
    return std::int64_t{scaled(fixed_point::multiply(quotient, c.sum.mantissa), shift)} +
           c.out.zero_point;
  }

 private:
  static constexpr std::int64_t scaled(std::int32_t value, int shift) noexcept {
    if (shift >= -31) return fixed_point::divide_by_power(value, shift < 0 ? -shift : 0);
    const std::int32_t threshold = value < 0 ? 0 : -1;
    return (value >> (-shift & 31)) + (value > threshold ? 1 : 0);
  }
};

/// Each product is shifted in one rounding, half up; a shift past 63 bits is taken modulo 64.
/// source  the same built with TFLITE_SINGLE_ROUNDING, common.cc MultiplyByQuantizedMultiplier
template <class Multiplier> struct one_step_quotient {
  static constexpr std::string_view name = "one-step-quotient";

  static constexpr bool prepare(addition_constants& c) noexcept {
    return two_step_quotient<Multiplier>::prepare(c);
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const division d(a - c.a.zero_point, b - c.b.zero_point);
    const std::int32_t quotient = scaled(d.dividend, d.reciprocal, d.headroom);
    return std::int64_t{scaled(quotient, c.sum.mantissa, c.sum.exponent - d.digits - d.headroom)} +
           c.out.zero_point;
  }

 private:
  static constexpr std::int32_t scaled(std::int32_t value, std::int32_t mantissa,
                                       int shift) noexcept {
    const int right = 31 - shift;
    const std::int64_t half = wrap_shift_left(1, (right - 1) & 63);
    return wrap_cast<std::int32_t>(wrap_add(std::int64_t{value} * mantissa, half) >> (right & 63));
  }
};

}  // namespace bittwin::pairing::inline v1

namespace bittwin::comparison_keys::inline v1 {

/// Operands of 8 bits are compared after this rescale even where their grids are equal.
/// source  TFLite comparisons.cc (L = 8)
template <int LeftShift, class Multiplier, class Rescale> struct shifted_key {
  static constexpr std::string_view name = "shifted-key";
  using rescale = Rescale;

  static constexpr multiplier prepare(float scale) noexcept {
    return Multiplier::of(ieee::convert<double>(scale));
  }
  static constexpr std::int64_t key(std::int64_t centred, const multiplier& m) noexcept {
    return Rescale::apply(centred * (std::int64_t{1} << LeftShift), m);
  }
};

}  // namespace bittwin::comparison_keys::inline v1
