// SPDX-License-Identifier: Apache-2.0
// Elementary functions from integers alone, so that no libm changes a table entry.
//   exp<F>(x): e^x rounded to nearest; wrong only where e^x lies within 2^-56 of a rounding
//   boundary
#pragma once

#include <bittwin/types/ieee.hpp>
#include <concepts>
#include <cstdint>

namespace bittwin::elementary::inline v1 {

namespace detail {

inline constexpr std::uint64_t q64_ln2 = 0xB17217F7D1CF79ACU;  // round(ln 2 * 2^64)

/// e^r for r in [0, ln 2), r in Q64; result in Q62, error below 2^-57.
constexpr std::uint64_t q62_exp(std::uint64_t r) noexcept {
  std::uint64_t sum = std::uint64_t{1} << 62, term = sum;
  for (std::uint64_t n = 1; term != 0; ++n) {
    term = ieee::detail::multiply_64(term, r).high / n;
    sum += term;
  }
  return sum;
}

}  // namespace detail

template <std::floating_point F> [[nodiscard]] constexpr F exp(F x) noexcept {
  if (ieee::kind_of(x) == ieee::kind::nan) return x;
  const bool negative = ieee::is_negative(x);
  const auto overflow = negative ? F{0} : ieee::infinity<F>(false);
  if (ieee::kind_of(x) == ieee::kind::infinite) return overflow;
  const ieee::parts p = ieee::split(x);
  if (p.significand == 0) return F{1};
  const int length = 64 - std::countl_zero(p.significand) + p.exponent;  // |x| < 2^length
  if (length > 11) return overflow;
  // |x| = whole + fraction * 2^-64; what lies below 2^-64 is too small to matter.
  std::uint64_t whole = 0, fraction = 0;
  if (p.exponent >= 0) {
    whole = p.significand << p.exponent;
  } else if (p.exponent > -64) {
    whole = p.significand >> -p.exponent;
    fraction = p.significand << (64 + p.exponent);
  } else {
    const int drop = -p.exponent - 64;
    fraction = drop >= 64 ? 0 : p.significand >> drop;
  }
  // |x| = k ln 2 + fraction * 2^-64
  int k = 0;
  while (whole > 0 || fraction >= detail::q64_ln2) {
    if (fraction < detail::q64_ln2) --whole;
    fraction -= detail::q64_ln2;
    ++k;
  }
  if (negative && fraction != 0) {
    fraction = detail::q64_ln2 - fraction;
    ++k;
  }
  return ieee::nearest<F>(false, {detail::q62_exp(fraction), true, (negative ? -k : k) - 62});
}

}  // namespace bittwin::elementary::inline v1
