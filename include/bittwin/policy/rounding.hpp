// SPDX-License-Identifier: Apache-2.0
// Roundings to an integer. Each names its tie, and answers one question: with the value between q
// and q + 1, is it q + 1?
//   floor half_down half_toward_zero half_even half_odd half_away half_up ceil toward_zero
//   away_from_zero
// shift_right, divide and to_integer ask it, so one tie rule serves integers, quotients and floats
// alike.
#pragma once

#include <bit>
#include <bittwin/types/ieee_format.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/mutation.hpp>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>

namespace bittwin::rounding::inline v1 {

/// Where an exact value lies above its floor q.
struct remainder {
  int to_half = -1;       ///< sign of (value - q) - 1/2: -1 below the middle, 0 on a tie, 1 above
  bool exact = true;      ///< value == q
  bool negative = false;  ///< value < 0
  bool floor_is_odd = false;  ///< q is odd
};

/// A rounding policy is a stateless type: its name, and rounds_up(remainder), asked only when not
/// exact.
template <class R>
concept policy = requires(remainder r) {
  { R::name } -> std::convertible_to<std::string_view>;
  { R::rounds_up(r) }
  noexcept->std::same_as<bool>;
};

struct floor {
  static constexpr std::string_view name = "floor";
  static constexpr bool rounds_up(remainder) noexcept { return false; }
};

struct ceil {
  static constexpr std::string_view name = "ceil";
  static constexpr bool rounds_up(remainder) noexcept { return true; }
};

struct toward_zero {
  static constexpr std::string_view name = "toward-zero";
  static constexpr bool rounds_up(remainder r) noexcept { return r.negative; }
};

struct away_from_zero {
  static constexpr std::string_view name = "away-from-zero";
  static constexpr bool rounds_up(remainder r) noexcept { return !r.negative; }
};

/// to nearest, ties toward plus infinity
struct half_up {
  static constexpr std::string_view name = "half-up";
  static constexpr bool rounds_up(remainder r) noexcept {
    return BITTWIN_MUTABLE(r.to_half >= 0, half_up_tie, r.to_half > 0);
  }
};

/// to nearest, ties toward minus infinity
struct half_down {
  static constexpr std::string_view name = "half-down";
  static constexpr bool rounds_up(remainder r) noexcept {
    return BITTWIN_MUTABLE(r.to_half > 0, half_down_tie, r.to_half >= 0);
  }
};

struct half_away {
  static constexpr std::string_view name = "half-away";
  static constexpr bool rounds_up(remainder r) noexcept {
    return r.to_half > 0 || (r.to_half == 0 && BITTWIN_MUTABLE(!r.negative, half_away_tie, true));
  }
};

struct half_toward_zero {
  static constexpr std::string_view name = "half-toward-zero";
  static constexpr bool rounds_up(remainder r) noexcept {
    return r.to_half > 0 ||
           (r.to_half == 0 && BITTWIN_MUTABLE(r.negative, half_toward_zero_tie, true));
  }
};

struct half_even {
  static constexpr std::string_view name = "half-even";
  static constexpr bool rounds_up(remainder r) noexcept {
    return r.to_half > 0 ||
           (r.to_half == 0 && BITTWIN_MUTABLE(r.floor_is_odd, half_even_tie, !r.floor_is_odd));
  }
};

struct half_odd {
  static constexpr std::string_view name = "half-odd";
  static constexpr bool rounds_up(remainder r) noexcept {
    return r.to_half > 0 || (r.to_half == 0 && !r.floor_is_odd);
  }
};

/// to nearest, ties to even where positive and toward plus infinity where negative
/// source  Vitis-AI nndct_fix_kernels_cpu.h, method 5
struct half_even_negative_up {
  static constexpr std::string_view name = "half-even-negative-up";
  static constexpr bool rounds_up(remainder r) noexcept {
    return r.to_half > 0 || (r.to_half == 0 && (r.negative || r.floor_is_odd));
  }
};

/// round(value / 2^count).  0 <= count < bits of T
template <policy R, std::signed_integral T>
[[nodiscard]] constexpr T shift_right(T value, int count) noexcept {
  if (count == 0) return value;
  using bits = std::make_unsigned_t<T>;
  const T floor = static_cast<T>(value >> count);
  const bits below = static_cast<bits>(
      BITTWIN_MUTABLE((bits{1} << count), shift_mask_width, (bits{1} << (count - 1))) - 1);
  const bits rest = static_cast<bits>(static_cast<bits>(value) & below);
  const bits half = static_cast<bits>(bits{1} << (count - 1));
  if (rest == 0) return floor;
  const remainder r{BITTWIN_MUTABLE(rest < half, shift_tie_as_below, rest <= half) ? -1
                    : rest > half                                                  ? 1
                                                                                   : 0,
                    false, BITTWIN_MUTABLE(value < 0, shift_sign, false), (floor & 1) != 0};
  return static_cast<T>(floor + T{R::rounds_up(r)});
}

/// round(numerator / denominator).  denominator > 0, |numerator| < 2^62
template <policy R>
[[nodiscard]] constexpr std::int64_t divide(std::int64_t numerator,
                                            std::int64_t denominator) noexcept {
  std::int64_t floor = numerator / denominator;
  std::int64_t rest = numerator % denominator;
  if (rest < 0) {
    rest += denominator;
    BITTWIN_MUTABLE(--floor, quotient_floor, floor);
  }
  if (rest == 0) return floor;
  const std::int64_t other = denominator - rest;
  const remainder r{BITTWIN_MUTABLE(rest < other, quotient_tie_as_below, rest <= other) ? -1
                    : rest > other                                                      ? 1
                                                                                        : 0,
                    false, numerator < 0, (floor & 1) != 0};
  return floor + (R::rounds_up(r) ? 1 : 0);
}

/// The value that stands for "past every integer in use" where a float is too large or infinite.
inline constexpr std::int64_t beyond = std::int64_t{1} << 62;

/// round(value) as an integer; values from 2^62 on, and infinities, give +-2^62; NaN gives 0.
template <policy R, std::floating_point F>
[[nodiscard]] constexpr std::int64_t to_integer(F value) noexcept {
  if (ieee::kind_of(value) == ieee::kind::nan) return 0;
  if (ieee::kind_of(value) == ieee::kind::infinite)
    return ieee::is_negative(value) ? -beyond : beyond;
  const ieee::parts p = ieee::split(value);
  if (p.significand == 0) return 0;
  if (p.exponent >= 0) {
    const int length = 64 - std::countl_zero(p.significand) + p.exponent;
    if (BITTWIN_MUTABLE(length > 62, float_too_large, length > 61))
      return p.negative ? -beyond : beyond;
    const auto magnitude = static_cast<std::int64_t>(p.significand << p.exponent);
    return p.negative ? -magnitude : magnitude;
  }
  const auto magnitude = static_cast<std::int64_t>(p.significand);
  // A significand has at most 53 bits: from a shift of 60 on, all that matters is that it is not
  // zero.
  const int count = -p.exponent > 60 ? 60 : -p.exponent;
  return shift_right<R>(p.negative ? -magnitude : magnitude, count);
}

}  // namespace bittwin::rounding::inline v1
