// SPDX-License-Identifier: Apache-2.0
// How an accumulator is scaled to the output grid: the application of a multiplier.
//   q31_two_step  Second( First(acc * mantissa / 2^31) / 2^right ), after acc << left
//   q31_one_step  R( acc * mantissa / 2^(31 - exponent) )
//   q15_reduced   R( acc * q15 / 2^(15 - exponent) ),  q15 = the mantissa rounded to 16 bits
//   fixed_one_step<B>  R( acc * mantissa / 2^B )
//   float_multiply  R( F(acc) * F(real) ), the product rounded to F, ties to even
// Results are integers before zero point and clamp.
#pragma once

#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bittwin::rescale::inline v1 {

namespace detail {

/// What the two-step rescales share: multipliers above 1 shift the accumulator left first, modulo 2^32.
/// right  the shift that is left for the second step
struct q31_product {
  std::int64_t product = 0;
  int right = 0;
};
[[nodiscard]] constexpr q31_product q31_product_of(std::int64_t acc, const multiplier& m) noexcept {
  const int left =
      BITTWIN_MUTABLE(m.exponent > 0, two_steps_left_shift, m.exponent > 1) ? m.exponent : 0;
  const auto shifted = wrap_cast<std::int32_t>(wrap_shift_left(acc, left & 63));
  return {std::int64_t{shifted} * m.mantissa, m.exponent > 0 ? 0 : -m.exponent};
}

/// R(product / 2^count), and to the left, modulo 2^64, for counts below 0.  -63 <= count < 64
template <rounding::policy R>
[[nodiscard]] constexpr std::int64_t shifted(std::int64_t product, int count) noexcept {
  return count < 0 ? wrap_shift_left(product, -count) : rounding::shift_right<R>(product, count);
}

/// A Q31 mantissa in 16 bits: half up, and 0x7FFF where that would carry into the sign.
[[nodiscard]] constexpr std::int32_t q15_of(const multiplier& m) noexcept {
  return m.mantissa < 0x7FFF0000 ? (m.mantissa + BITTWIN_MUTABLE((1 << 15), q15_rounding, 0)) >> 16
                                 : 0x7FFF;
}

template <rounding::policy R>
constexpr std::int64_t scaled_q15(std::int64_t acc, std::int32_t q15,
                                  std::int32_t exponent) noexcept {
  const std::int64_t product = wrap_multiply(acc, q15);
  return wrap_cast<std::int32_t>(
      shifted<R>(product, BITTWIN_MUTABLE(15 - exponent, q15_shift, 14 - exponent)));
}

}  // namespace detail

/// Two roundings. acc is int32; multipliers above 1 shift it left first, modulo 2^32.
/// acc     any int32    mantissa  [0, 2^31)    exponent  [-31, 31]
/// errors  none; INT32_MIN * INT32_MIN saturates, unreachable with mantissas >= 0
/// source  TFLite common.h MultiplyByQuantizedMultiplier (First half_up, Second half_away);
///         also known as SaturatingRoundingDoublingHighMul and RoundingDivideByPOT
template <rounding::policy First, rounding::policy Second> struct q31_two_step {
  static constexpr std::string_view name = "q31-two-step";
  static constexpr representation form = representation::q31;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const auto [product, right] = detail::q31_product_of(acc, m);
    const std::int64_t high =
        rounding::shift_right<First>(product, BITTWIN_MUTABLE(31, two_steps_first_shift, 30));
    return rounding::shift_right<Second>(saturate_cast<std::int32_t>(high), right);
  }
};

/// One rounding of the 64-bit product.
/// acc     any int32    mantissa  [0, 2^31)    exponent  [-31, 30]
/// errors  a result outside int32 is kept modulo 2^32, as the conversion in the source does
/// source  TFLite common.h with TFLITE_SINGLE_ROUNDING, ruy apply_multiplier.cc (R = half_up)
template <rounding::policy R> struct q31_one_step {
  static constexpr std::string_view name = "q31-one-step";
  static constexpr representation form = representation::q31;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const std::int64_t product =
        std::int64_t{BITTWIN_MUTABLE(wrap_cast<std::int32_t>(acc), one_step_width,
                                     wrap_cast<std::int32_t>(acc) & 0x7FFFFFFF)} *
        m.mantissa;
    return wrap_cast<std::int32_t>(detail::shifted<R>(
        product, BITTWIN_MUTABLE(31 - m.exponent, one_step_shift, 30 - m.exponent)));
  }
};

/// One rounding whose doubled result passes through 32 bits: a defect that was shipped, kept as a
/// fault. source  ARM-software/CMSIS-NN pull request 220: ((acc * mantissa) >> (30 - exponent)) cut
/// to int32, + 1, >> 1
struct q31_one_step_int32 {
  static constexpr std::string_view name = "q31-one-step-int32";
  static constexpr representation form = representation::q31;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const std::int64_t product = std::int64_t{wrap_cast<std::int32_t>(acc)} * m.mantissa;
    const auto doubled =
        wrap_cast<std::int32_t>(detail::shifted<rounding::floor>(product, 30 - m.exponent));
    return rounding::shift_right<rounding::half_up>(std::int64_t{doubled}, 1);
  }
};

/// half_up(acc * factor / 2^shift), where neither the product nor the result is cut.
struct half_up_product {
  std::int32_t factor = 0;
  int shift = 0;  ///< may be below 0
};

/// One rounding of a 64-bit accumulator by a multiplier cut to 16 bits.
/// acc     [-2^47, 2^47)    mantissa  [0, 2^31)    exponent  [-31, 7]
/// errors  outside those ranges the product and the result are kept modulo 2^64 and 2^32
/// source  TFLite common.h MultiplyByQuantizedMultiplier(int64) (R = half_up); the same when built
///         with TFLITE_SINGLE_ROUNDING
template <rounding::policy R> struct q15_reduced {
  static constexpr std::string_view name = "q15-reduced";
  static constexpr representation form = representation::q31;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    return detail::scaled_q15<R>(acc, detail::q15_of(m), m.exponent);
  }
  static constexpr half_up_product product(
      const multiplier& m) noexcept requires std::is_same_v<R, rounding::half_up> {
    return {detail::q15_of(m), 15 - m.exponent};
  }
};

/// Fault MULTIPLIER_WRAP: the carry into the sign is kept, so multipliers just below a power of two
/// turn negative.
/// source  tensorflow/tensorflow pull request 42134, before it
template <rounding::policy R> struct q15_wrapping {
  static constexpr std::string_view name = "q15-wrapping";
  static constexpr representation form = representation::q31;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const std::int64_t rounded = (std::int64_t{m.mantissa} + (1 << 15)) >> 16;
    return detail::scaled_q15<R>(acc, wrap_cast<std::int16_t>(rounded), m.exponent);
  }
};

/// source  XNNPACK qs8-vcvt (Bits = 8, R = half_up)
template <int Bits, rounding::policy R> struct fixed_one_step {
  static constexpr std::string_view name = "fixed-one-step";
  static constexpr representation form = representation::fixed;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    return rounding::shift_right<R>(acc * m.mantissa,
                                    BITTWIN_MUTABLE(Bits, fixed_point_bits, Bits - 1));
  }
};

/// source  XNNPACK requantization.h, fp32 (R = half_even)
template <rounding::policy R> struct float32_multiply {
  static constexpr std::string_view name = "float32-multiply";
  static constexpr representation form = representation::float32;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    return rounding::to_integer<R>(
        ieee::multiply(ieee::from_integer<float>(acc), ieee::convert<float>(m.real)));
  }
};

/// source  LiteRT fully_connected.h since pull request 8567 (R = half_away)
template <rounding::policy R> struct float64_multiply {
  static constexpr std::string_view name = "float64-multiply";
  static constexpr representation form = representation::float64;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    return rounding::to_integer<R>(ieee::multiply(ieee::from_integer<double>(acc), m.real));
  }
};

/// The accumulator is already on the output grid.
struct none {
  static constexpr std::string_view name = "none";
  static constexpr representation form = representation::none;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier&) noexcept { return acc; }
};

}  // namespace bittwin::rescale::inline v1
