// SPDX-License-Identifier: Apache-2.0
// How chips cut a real multiplier into the integers of their registers:  real ~ mantissa * 2^-shift.
// Construction only; policy/rescale_*.hpp applies. Nothing is returned where the target rejects the multiplier.
#pragma once

#include <bit>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bittwin::mantissas::inline v1 {

struct parts {
  std::int64_t mantissa = 0;
  int shift = 0;

  friend constexpr bool operator==(const parts&, const parts&) = default;
};

namespace detail {

/// R(f * 2^bits) with real = f * 2^e, f in [1/2, 1): the carry to 2^bits is left standing.
template <rounding::policy R>
[[nodiscard]] constexpr std::optional<parts> cut(double real, int bits) noexcept {
  if (!ieee::less(0.0, real) || ieee::kind_of(real) == ieee::kind::infinite) return std::nullopt;
  const ieee::parts p = ieee::split(real);
  const int length = 64 - std::countl_zero(p.significand);
  const auto significand = static_cast<std::int64_t>(p.significand);
  const int drop = length - bits;
  const std::int64_t mantissa =
      drop > 0 ? rounding::shift_right<R>(significand, drop) : significand << -drop;
  return parts{mantissa, bits - (p.exponent + length)};
}

[[nodiscard]] constexpr double as_float32(double real) noexcept {
  return ieee::convert<double>(ieee::convert<float>(real));
}

}  // namespace detail

/// Bits of the double, the rest cut off.
/// source  Intel NPU compiler quantization.cpp (Bits = 15); Ethos-N driver stack Utils.hpp (Bits = 16)
template <int Bits> struct truncated {
  static constexpr std::string_view name = "truncated";
  static constexpr std::optional<parts> of(double real) noexcept {
    return detail::cut<rounding::floor>(real, Bits);
  }
};

/// 16 bits of the double, ties away; a carry to 2^16 is renormalised, and shifts beyond 47 keep 47: bits go below.
/// source  Ethos-N driver stack Utils.hpp CalculateQuantizedMultiplierSmallerThanOne
struct rounded_16 {
  static constexpr std::string_view name = "rounded-16";
  static constexpr std::optional<parts> of(double real) noexcept {
    auto made = detail::cut<rounding::half_away>(real, 16);
    if (made && made->shift > 47) {
      const int lost = made->shift - 47;
      if (lost > 17) return parts{0, 47};
      made = detail::cut<rounding::half_away>(real, 16 - lost);
    }
    if (made && made->mantissa == 1 << 16)
      return parts{1 << 15, BITTWIN_MUTABLE(made->shift - 1, carry_of_16_bits, made->shift)};
    return made;
  }
};

/// 31 bits, rounded, a carry to 2^31 left standing; shifts outside [0, 63] become (0, 16).
/// source  Vela scaling.py quantise_scale (R = half_away)
template <rounding::policy R> struct rounded_31 {
  static constexpr std::string_view name = "rounded-31";
  static constexpr std::optional<parts> of(double real) noexcept {
    const auto made = detail::cut<R>(real, 31);
    if (made && (made->shift < 0 || made->shift > 63)) return parts{0, 16};
    return made;
  }
};

/// All 24 bits of the float32.  real  [2^-32, 256)
/// source  XNNPACK requantization.h rndnu
struct all_of_float32 {
  static constexpr std::string_view name = "all-of-float32";
  static constexpr std::optional<parts> of(double real) noexcept {
    return detail::cut<rounding::floor>(detail::as_float32(real), 24);
  }
};

/// The same as a Q31 mantissa and a right shift behind it; multipliers from 1 on are rejected.
/// source  QNNPACK requantization.h:  real ~ mantissa * 2^-(31 + shift)
struct q31_of_float32 {
  static constexpr std::string_view name = "q31-of-float32";
  static constexpr std::optional<parts> of(double real) noexcept {
    const auto made = all_of_float32::of(real);
    if (!made || made->shift < BITTWIN_MUTABLE(24, mantissa_of_one_accepted, 23))
      return std::nullopt;
    return parts{made->mantissa << 7, made->shift - 24};
  }
};

/// The implicit bit and 14 more of the float32, plus one; a carry to 2^15 is renormalised.
/// source  vendor-compatible parameters as Mesa's rocket driver derives them (which forgets the carry): inferred
struct fifteen_bits_plus_one {
  static constexpr std::string_view name = "fifteen-bits-plus-one";
  static constexpr std::optional<parts> of(double real) noexcept {
    const auto made = detail::cut<rounding::floor>(detail::as_float32(real), 15);
    if (!made) return std::nullopt;
    return BITTWIN_MUTABLE(made->mantissa + 1 == 1 << 15, mantissa_carry_dropped, false)
               ? parts{1 << 14, made->shift - 1}
               : parts{made->mantissa + 1, made->shift};
  }
};

}  // namespace bittwin::mantissas::inline v1
