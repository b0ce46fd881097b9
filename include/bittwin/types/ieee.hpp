// SPDX-License-Identifier: Apache-2.0
// IEEE 754 arithmetic computed on integers, for rules whose definition contains float32 or float64.
//   multiply(a, b), divide(a, b), add(a, b): the exact result, rounded to nearest, ties to even
// The integers of a target must not depend on -ffast-math, contraction, the rounding mode,
// flush-to-zero or x87, so no floating-point instruction takes part. NaN results are the quiet NaN.
#pragma once

#include <bit>
#include <bittwin/types/ieee_format.hpp>
#include <concepts>
#include <cstdint>
#include <utility>

namespace bittwin::ieee::inline v1 {

template <std::floating_point F> [[nodiscard]] constexpr F multiply(F a, F b) noexcept {
  const bool negative = is_negative(a) != is_negative(b);
  const kind ka = kind_of(a), kb = kind_of(b);
  if (ka != kind::finite || kb != kind::finite) {
    const bool times_zero = (ka == kind::finite && split(a).significand == 0) ||
                            (kb == kind::finite && split(b).significand == 0);
    if (ka == kind::nan || kb == kind::nan || times_zero) return quiet_nan<F>;
    return infinity<F>(negative);
  }
  const parts x = split(a), y = split(b);
  const detail::product p = detail::multiply_64(x.significand, y.significand);
  return nearest<F>(negative, detail::reduce(p.high, p.low, x.exponent + y.exponent));
}

template <std::floating_point F> [[nodiscard]] constexpr F divide(F a, F b) noexcept {
  const bool negative = is_negative(a) != is_negative(b);
  const kind ka = kind_of(a), kb = kind_of(b);
  if (ka == kind::nan || kb == kind::nan || (ka == kind::infinite && kb == kind::infinite))
    return quiet_nan<F>;
  if (ka == kind::infinite) return infinity<F>(negative);
  if (kb == kind::infinite) return detail::assemble<F>(negative, 0, 0);
  const parts x = split(a), y = split(b);
  if (y.significand == 0) return x.significand == 0 ? quiet_nan<F> : infinity<F>(negative);
  if (x.significand == 0) return detail::assemble<F>(negative, 0, 0);
  // Long division, one quotient bit a step, on operands whose leading bits are aligned:
  // 55 or more bits of quotient suffice for float64 and its rounding bit.
  const int up_x = std::countl_zero(x.significand) - 1, up_y = std::countl_zero(y.significand) - 1;
  std::uint64_t rest = x.significand << up_x;
  const std::uint64_t divisor = y.significand << up_y;
  std::uint64_t quotient = 0;
  constexpr int steps = 58;
  for (int step = 0; step < steps; ++step) {
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
    rest <<= 1;
  }
  const int exponent = x.exponent - up_x - (y.exponent - up_y) - (steps - 1);
  return nearest<F>(negative, {quotient, rest != 0, exponent});
}

template <std::floating_point F> [[nodiscard]] constexpr F add(F a, F b) noexcept {
  const kind ka = kind_of(a), kb = kind_of(b);
  if (ka == kind::nan || kb == kind::nan) return quiet_nan<F>;
  if (ka == kind::infinite || kb == kind::infinite) {
    if (ka == kb && is_negative(a) != is_negative(b)) return quiet_nan<F>;
    return ka == kind::infinite ? a : b;
  }
  parts x = split(a), y = split(b);
  if (x.significand == 0 && y.significand == 0)
    return detail::assemble<F>(x.negative && y.negative, 0, 0);
  if (x.significand == 0) return b;
  if (y.significand == 0) return a;
  // `x` is the one that reaches higher; 9 spare bits above 53 hold the carry and guard bits.
  if (x.exponent < y.exponent) std::swap(x, y);
  constexpr int guard = 9;
  std::uint64_t high = x.significand << guard, low = y.significand << guard;
  const int distance = x.exponent - y.exponent;
  bool sticky = false;
  if (distance > 0) {
    sticky = distance >= 64 ? low != 0 : (low << (64 - distance)) != 0;
    low = distance >= 64 ? 0 : low >> distance;
  }
  int exponent = x.exponent - guard;
  if (x.negative == y.negative) return nearest<F>(x.negative, {high + low, sticky, exponent});
  // The part of y below the lowest bit is borrowed: high - (low + fraction) = high - low - 1 + (1 -
  // fraction).
  if (high >= low + (sticky ? 1U : 0U)) {
    const std::uint64_t difference = high - low - (sticky ? 1U : 0U);
    if (difference == 0 && !sticky) return detail::assemble<F>(false, 0, 0);
    return nearest<F>(x.negative, {difference, sticky, exponent});
  }
  return nearest<F>(y.negative, {low - high, sticky, exponent});
}

template <std::floating_point F> [[nodiscard]] constexpr F subtract(F a, F b) noexcept {
  return add(a, negate(b));
}

/// a < b for values that are not NaN; -0 equals +0. Compares codes, so flags cannot change it.
template <std::floating_point F> [[nodiscard]] constexpr bool less(F a, F b) noexcept {
  using bits = typename detail::format<F>::bits;
  using ordered = std::make_signed_t<bits>;
  const auto order = [](F value) {
    const auto raw = static_cast<ordered>(std::bit_cast<bits>(magnitude(value)));
    return is_negative(value) ? static_cast<ordered>(-raw) : raw;
  };
  return order(a) < order(b);
}

/// a == b for values that are not NaN, by the same codes.
template <std::floating_point F> [[nodiscard]] constexpr bool equal(F a, F b) noexcept {
  return !less(a, b) && !less(b, a);
}

}  // namespace bittwin::ieee::inline v1
