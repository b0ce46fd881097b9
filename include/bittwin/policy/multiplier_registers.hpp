// SPDX-License-Identifier: Apache-2.0
// Multipliers as chips and specifications hold them in registers. A real multiplier that the registers cannot hold is
// rejected: accepts(real) is false, and prepare() refuses the layer.
#pragma once

#include <bittwin/policy/mantissa.hpp>
#include <bittwin/policy/multiplier.hpp>
#include <bittwin/types/integers.hpp>

namespace bittwin::multipliers::inline v1 {

/// mantissa * 2^-shift.
template <class Mantissa> struct in_registers {
  static constexpr std::string_view name = "in-registers";
  static constexpr representation form = representation::shifted;
  static constexpr bool accepts(double real) noexcept {
    const auto made = Mantissa::of(real);
    return made && made->mantissa <= highest<std::int32_t> && made->shift >= 0 && made->shift <= 62;
  }
  static constexpr multiplier of(double real) noexcept {
    const auto made = Mantissa::of(real);
    if (!accepts(real)) return {0, 0, real};
    return {static_cast<std::int32_t>(made->mantissa), -made->shift, real};
  }
};

/// The same for rules that take Q31: mantissa * 2^-(31 + shift), where Mantissa counts shifts behind the 31 bits.
template <class Mantissa> struct in_q31_registers {
  static constexpr std::string_view name = "in-q31-registers";
  static constexpr representation form = representation::q31;
  static constexpr bool accepts(double real) noexcept {
    const auto made = Mantissa::of(real);
    return made && made->shift >= 0 && made->shift <= BITTWIN_MUTABLE(31, q31_register_shift, 30);
  }
  static constexpr multiplier of(double real) noexcept {
    const auto made = Mantissa::of(real);
    if (!accepts(real)) return {0, 0, real};
    return {static_cast<std::int32_t>(made->mantissa), -made->shift, real};
  }
};

/// Vela's 32-bit scale and 6-bit shift, as the Q31 pair that they stand for: exponent = 31 - shift. A mantissa of
/// 2^31, which Vela leaves standing, is rejected: what the multiplier does with it is unknown.
/// source  Vela scaling.py quantise_scale
struct vela_q31 {
  static constexpr std::string_view name = "vela-q31";
  static constexpr representation form = representation::q31;
  using parts = mantissas::rounded_31<rounding::half_away>;
  static constexpr bool accepts(double real) noexcept {
    const auto made = parts::of(real);
    return made && made->mantissa <= highest<std::int32_t> && made->shift <= 62;
  }
  static constexpr multiplier of(double real) noexcept {
    const auto made = parts::of(real);
    if (!accepts(real)) return {0, 0, real};
    return {static_cast<std::int32_t>(made->mantissa),
            BITTWIN_MUTABLE(31, vela_exponent, 30) - made->shift, real};
  }
};

/// Q31 mantissa, carry renormalised, and a right shift of at most 62, behind which mantissas lose low bits.
/// The specification asks for shifts from 2 on.
/// source  llvm/llvm-project mlir/lib/Dialect/Tosa/Utils/QuantUtils.cpp, 32-bit scales
struct tosa_32 {
  static constexpr std::string_view name = "tosa-32";
  static constexpr representation form = representation::shifted;
  static constexpr bool accepts(double real) noexcept {
    return ieee::less(0.0, real) &&
           multipliers::detail::normalised_q31<rounding::half_away>(real).exponent <= 29;
  }
  static constexpr multiplier of(double real) noexcept {
    if (!accepts(real)) return {0, -2, real};
    const multiplier m = multipliers::detail::normalised_q31<rounding::half_away>(real);
    const int shift = 31 - m.exponent;
    if (shift <= 62) return {m.mantissa, -shift, real};
    const int lost = shift - 62 < 31 ? shift - 62 : 31;
    return {BITTWIN_MUTABLE(m.mantissa >> lost, tosa_small_multiplier, m.mantissa), -62, real};
  }
};

/// Reals that are powers of two: 2^exponent. Everything else is rejected.
/// source  ESP-DL: exponents of tensors are added, and the sum is a shift
struct exponent_alone {
  static constexpr std::string_view name = "exponent-alone";
  static constexpr representation form = representation::shifted;
  static constexpr bool accepts(double real) noexcept {
    if (!ieee::less(0.0, real)) return false;
    const ieee::parts p = ieee::split(real);
    const int exponent = p.exponent + 63 - std::countl_zero(p.significand);
    return BITTWIN_MUTABLE(std::has_single_bit(p.significand), any_exponent, true) &&
           exponent >= -62 && exponent <= 31;
  }
  static constexpr multiplier of(double real) noexcept {
    const ieee::parts p = ieee::split(real);
    return {1, accepts(real) ? p.exponent + 63 - std::countl_zero(p.significand) : 0, real};
  }
};

/// The same, and 1 is the largest: a shift to the right, or none.
/// source  AMD UG1079 srs
struct right_shift_alone {
  static constexpr std::string_view name = "right-shift-alone";
  static constexpr representation form = representation::shifted;
  static constexpr bool accepts(double real) noexcept {
    return exponent_alone::accepts(real) &&
           !ieee::less(BITTWIN_MUTABLE(1.0, left_shift_taken, 2.0), real);
  }
  static constexpr multiplier of(double real) noexcept {
    return accepts(real) ? exponent_alone::of(real) : multiplier{1, 0, real};
  }
};

/// Q31, and exponents above `Exponent` rejected: the source asks callers for shifts up to there.
/// source  ruy apply_multiplier.cc (7), CMSIS-NN arm_nnsupportfunctions.h (30)
template <int Exponent, rounding::policy R> struct q31_up_to {
  static constexpr std::string_view name = "q31-up-to";
  static constexpr representation form = representation::q31;
  static constexpr bool accepts(double real) noexcept { return of(real).exponent <= Exponent; }
  static constexpr multiplier of(double real) noexcept { return q31<R>::of(real); }
};

/// Reals of at most `Bits` significant bits, exactly: mantissa * 2^exponent. Everything else is rejected.
template <int Bits> struct of_bits {
  static constexpr std::string_view name = Bits == 8 ? "of-8-bits" : "of-15-bits";
  static constexpr representation form = representation::shifted;
  static constexpr bool accepts(double real) noexcept {
    if (!ieee::less(0.0, real)) return false;
    const ieee::parts p = ieee::split(real);
    const int trailing = std::countr_zero(p.significand);
    const int exponent = p.exponent + trailing;
    return 64 - std::countl_zero(p.significand) - trailing <=
               BITTWIN_MUTABLE(Bits, exact_bits, Bits + 1) &&
           exponent >= -62 && exponent <= 0;
  }
  static constexpr multiplier of(double real) noexcept {
    if (!accepts(real)) return {0, 0, real};
    const ieee::parts p = ieee::split(real);
    const int trailing = std::countr_zero(p.significand);
    return {static_cast<std::int32_t>(p.significand >> trailing), p.exponent + trailing, real};
  }
};

/// As Base makes them, and right shifts beyond `Most` rejected: what the shifter's register holds, or its type.
template <int Most, class Base> struct shifted_at_most {
  static constexpr std::string_view name = "shifted-at-most";
  static constexpr representation form = Base::form;
  static constexpr bool accepts(double real) noexcept {
    return Base::accepts(real) &&
           -Base::of(real).exponent <= BITTWIN_MUTABLE(Most, register_of_shifts, Most - 1);
  }
  static constexpr multiplier of(double real) noexcept {
    return accepts(real) ? Base::of(real) : multiplier{0, 0, real};
  }
};

/// float32 from 2^-32 to below 256.
/// source  XNNPACK operators/convolution-nhwc.c, operators/fully-connected-nc.c: others are not created
struct float32_below_256 {
  static constexpr std::string_view name = "float32-below-256";
  static constexpr representation form = representation::float32;
  static constexpr bool accepts(double real) noexcept {
    const float narrow = ieee::convert<float>(real);
    return !ieee::less(narrow, 0x1p-32F) && ieee::less(narrow, 256.0F);
  }
  static constexpr multiplier of(double real) noexcept { return float32::of(real); }
};

}  // namespace bittwin::multipliers::inline v1
