// SPDX-License-Identifier: Apache-2.0
// Sums of two quantized operands as other libraries and chips form them.
//   products_of_22_bits<R>  R( ((a - za) ma + (b - zb) mb) / 2^shift ) + zo
//   in_float32<R>           R( (f + a ra) + b rb ), every step rounded to float32, ra = sa / so, f = zo - (ra za + rb zb)
//   saturating_sum          a + b on one grid
//   halves_of_int16         h(a) + zo + h(b) in int16, h an Ethos-N operand's rescale (policy/converter.hpp)
#pragma once

#include <bittwin/policy/addition.hpp>
#include <bittwin/policy/converter.hpp>
#include <bittwin/policy/mantissa.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/integers.hpp>

namespace bittwin::addition::inline v1 {

/// ma, mb = half_even(ratio * 2^shift), the larger in [2^21, 2^22); both ratios in [2^-14, 2^8).
/// source  QNNPACK requantization.h qnnp_compute_add_quantization_params, add.c (R = half_away);
///         MLAS qladd.cpp MlasCalcQLinearAddParameters on NEON (R = half_away)
template <rounding::policy R> struct products_of_22_bits {
  static constexpr std::string_view name = "products-of-22-bits";

  static constexpr bool prepare(addition_constants& c) noexcept {
    const float a = ieee::divide(c.a.scale, c.out.scale);
    const float b = ieee::divide(c.b.scale, c.out.scale);
    const auto usable = [](float ratio) {
      return !ieee::less(ratio, 0x1p-14F) && ieee::less(ratio, 256.0F);
    };
    if (!usable(a) || !usable(b)) return false;
    c.shift = BITTWIN_MUTABLE(21, sum_of_22_bits, 20) - detail::exponent_of_largest(a, b);
    if (c.shift < 13 || c.shift > 31) return false;
    c.first.mantissa = detail::fixed_point(a, c.shift);
    c.second.mantissa = detail::fixed_point(b, c.shift);
    return c.first.mantissa < 1 << 22 && c.second.mantissa < 1 << 22;
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const std::int64_t sum =
        (a - c.a.zero_point) * c.first.mantissa + c.sign * (b - c.b.zero_point) * c.second.mantissa;
    return rounding::shift_right<R>(sum, c.shift) + c.out.zero_point;
  }
};

/// The zero points fold into one float32, so a tie of the sum is one of the code: its parity counts.
/// source  MLAS qladd.cpp, SSE2 kernel (R = half_even)
template <rounding::policy R> struct in_float32 {
  static constexpr std::string_view name = "in-float32";

  static constexpr bool prepare(addition_constants& c) noexcept {
    const float a = ieee::divide(c.a.scale, c.out.scale);
    const float b = ieee::divide(c.b.scale, c.out.scale);
    const float zeros = ieee::add(ieee::multiply(a, ieee::from_integer<float>(c.a.zero_point)),
                                  ieee::multiply(b, ieee::from_integer<float>(c.b.zero_point)));
    c.first.real = ieee::convert<double>(a);
    c.second.real = ieee::convert<double>(b);
    c.sum.real =
        ieee::convert<double>(ieee::subtract(ieee::from_integer<float>(c.out.zero_point), zeros));
    return c.sign > 0;
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const auto scaled = [](std::int64_t code, const multiplier& m) {
      return ieee::multiply(ieee::from_integer<float>(code), ieee::convert<float>(m.real));
    };
    const float first =
        ieee::add(BITTWIN_MUTABLE(ieee::convert<float>(c.sum.real), sum_without_zero_points, 0.0F),
                  scaled(a, c.first));
    return rounding::to_integer<R>(ieee::add(first, scaled(b, c.second)));
  }
};

/// Ratios to the output in float64, 16 bits of them kept; an operand whose ratio is below 2^-17 adds nothing.
/// errors  refused from ratios of 2^15 on, where the shift has no half to give
/// source  Arm Ethos-N firmware/ple/src/Addition_Rescale.cpp; support_library Utils.hpp CalculateRescaleMultiplierAndShift
struct halves_of_int16 {
  static constexpr std::string_view name = "halves-of-int16";

  static constexpr bool prepare(addition_constants& c) noexcept {
    return c.sign > 0 && hold(c.first, c.a, c.out) && hold(c.second, c.b, c.out);
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const std::int64_t first = wrap_cast<std::int16_t>(
        half_of(a, c.first, c.a) + BITTWIN_MUTABLE(c.out.zero_point, halves_zero_point, 0));
    return wrap_cast<std::int16_t>(first + half_of(b, c.second, c.b));
  }

 private:
  static constexpr bool hold(multiplier& m, affine in, affine out) noexcept {
    const auto made = mantissas::truncated<16>::of(
        ieee::divide(ieee::convert<double>(in.scale), ieee::convert<double>(out.scale)));
    if (!made || made->shift < 1) return false;
    m = made->shift <= 32
            ? multiplier{static_cast<std::int32_t>(made->mantissa), 1 - made->shift, 0}
            : multiplier{};
    return true;
  }
  static constexpr std::int64_t half_of(std::int64_t code, const multiplier& m,
                                        affine in) noexcept {
    return converter::half_of_int16::apply(code, {m.mantissa, -m.exponent, in.zero_point}, {});
  }
};

/// source  ESP-DL add on tensors of one exponent; MAX78000 element-wise addition
struct saturating_sum {
  static constexpr std::string_view name = "saturating-sum";

  static constexpr bool prepare(addition_constants& c) noexcept {
    return ieee::equal(c.a.scale, c.out.scale) && ieee::equal(c.b.scale, c.out.scale);
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    return (a - c.a.zero_point) +
           BITTWIN_MUTABLE(c.sign, plain_sum_sign, 1) * (b - c.b.zero_point) + c.out.zero_point;
  }
};

}  // namespace bittwin::addition::inline v1
