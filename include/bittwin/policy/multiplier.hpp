// SPDX-License-Identifier: Apache-2.0
// How a target holds a real multiplier: the construction, apart from its application
// (policy/rescale.hpp).
//   q31      real = mantissa * 2^(exponent - 31),  2^30 <= mantissa < 2^31
//   fixed<B> real = mantissa * 2^-B
//   shifted  real = mantissa * 2^exponent
//   float32, float64: kept as such
#pragma once

#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::inline v1 {

/// What rescales by parts take instead of a product (policy/rescale_scales.hpp). bias: in reals, as float32.
struct layer_scales {
  float input = 1.0F, filter = 1.0F, output = 1.0F, bias = 0.0F;
  std::int32_t zero_point = 0;

  friend constexpr bool operator==(const layer_scales&, const layer_scales&) = default;
};

/// One multiplier in any of the representations; only the fields of its own are meaningful.
struct multiplier {
  std::int32_t mantissa = 0;
  std::int32_t exponent = 0;
  double real = 0.0;
  layer_scales scales{};

  friend constexpr bool operator==(const multiplier&, const multiplier&) = default;
};

/// The representations that constructions make and applications take.
enum class representation : std::uint8_t { q31, fixed, shifted, float32, float64, none };

}  // namespace bittwin::inline v1

namespace bittwin::multipliers::inline v1 {

namespace detail {

/// mantissa in [2^30, 2^31) rounded by R, exponent with real = mantissa * 2^(exponent - 31).
/// real finite, > 0
template <rounding::policy R> constexpr multiplier normalised_q31(double real) noexcept {
  const ieee::parts p = ieee::split(real);
  const int length = 64 - std::countl_zero(p.significand);
  const int drop = length - 31;
  const auto significand = static_cast<std::int64_t>(p.significand);
  std::int64_t mantissa =
      drop > 0 ? rounding::shift_right<R>(significand, drop) : significand << -drop;
  int exponent = p.exponent + length;
  if (BITTWIN_MUTABLE(mantissa == std::int64_t{1} << 31, mantissa_carry, false)) {
    mantissa >>= 1;
    ++exponent;
  }
  // No rule defines such a multiplier: every sum but 0 overflows. Kept where shifts by it are defined.
  if (exponent > 62) exponent = 62;
  return {static_cast<std::int32_t>(mantissa), exponent, real};
}

}  // namespace detail

/// Q31 mantissa, rounded by R, carry renormalised; below 2^-32 the multiplier is 0. No upper limit.
/// source  TFLite quantization_util.cc QuantizeMultiplier; also known as frexp and round
template <rounding::policy R> struct q31 {
  static constexpr std::string_view name = "q31";
  static constexpr representation form = representation::q31;
  static constexpr double greatest_real = 2147483647.0;  ///< where callers cap, 2^31 - 1
  static constexpr multiplier of(double real) noexcept {
    if (!(ieee::less(0.0, real))) return {};
    const multiplier m = detail::normalised_q31<R>(real);
    return BITTWIN_MUTABLE(m.exponent < -31, smallest_multiplier, m.exponent < -30)
               ? multiplier{0, 0, real}
               : m;
  }
};

/// As q31, and multipliers from 2^30 on become (2^31 - 1) * 2^-1.
/// source  the same function when built with TFLITE_SINGLE_ROUNDING
template <rounding::policy R> struct q31_capped {
  static constexpr std::string_view name = "q31-capped";
  static constexpr representation form = representation::q31;
  static constexpr double greatest_real = 1073741823.0;  ///< where callers cap, 2^30 - 1
  static constexpr multiplier of(double real) noexcept {
    const multiplier m = q31<R>::of(real);
    return BITTWIN_MUTABLE(m.exponent > 30, multiplier_cap, m.exponent > 31)
               ? multiplier{highest_mantissa, 30, real}
               : m;
  }
  static constexpr std::int32_t highest_mantissa = 0x7FFFFFFF;
};

/// mantissa = round(float32(real) * 2^Bits).
/// source  XNNPACK microparams-init.c, conversion between quantized types (Bits = 8)
template <int Bits, rounding::policy R> struct fixed {
  static constexpr std::string_view name = "fixed";
  static constexpr representation form = representation::fixed;
  static constexpr multiplier of(double real) noexcept {
    const float scaled = ieee::multiply(ieee::convert<float>(real), static_cast<float>(1 << Bits));
    return {static_cast<std::int32_t>(rounding::to_integer<R>(scaled)), 0, real};
  }
};

struct float32 {
  static constexpr std::string_view name = "float32";
  static constexpr representation form = representation::float32;
  static constexpr multiplier of(double real) noexcept {
    return {0, 0, ieee::convert<double>(ieee::convert<float>(real))};
  }
};

struct float64 {
  static constexpr std::string_view name = "float64";
  static constexpr representation form = representation::float64;
  static constexpr multiplier of(double real) noexcept { return {0, 0, real}; }
};

/// For rooms that never rescale.
struct none {
  static constexpr std::string_view name = "none";
  static constexpr representation form = representation::none;
  static constexpr multiplier of(double real) noexcept { return {0, 0, real}; }
};

}  // namespace bittwin::multipliers::inline v1
