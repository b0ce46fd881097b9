// SPDX-License-Identifier: Apache-2.0
// e^x - 1, the hyperbolic tangent and the logistic function from integers alone.
//   expm1(x) = x (1 + x/2 + x^2/6 + ...)       for |x| < 1/4, else e^x - 1
//   tanh(x)  = expm1(2x) / (expm1(2x) + 2)     on |x|
//   logistic(x) = 1 / (1 + e^-x)
// Rounded to the nearest float32; wrong only where the result lies within 2^-54 of it, relatively, of a
// rounding boundary.
#pragma once

#include <bittwin/types/elementary.hpp>
#include <bittwin/types/ieee.hpp>
#include <cstdint>

namespace bittwin::elementary::inline v1 {

namespace detail {

/// mantissa * 2^exponent with mantissa in [2^62, 2^63), or 0; not exact.
struct approximate {
  std::uint64_t mantissa = 0;
  int exponent = 0;
};

[[nodiscard]] constexpr approximate normalised(std::uint64_t mantissa, int exponent) noexcept {
  if (mantissa == 0) return {};
  const int shift = std::countl_zero(mantissa) - 1;
  return shift >= 0 ? approximate{mantissa << shift, exponent - shift}
                    : approximate{mantissa >> 1, exponent + 1};
}

/// (e^x - 1) / x for |x| < 1/4, x = +-q64 * 2^-64, in Q62.
[[nodiscard]] constexpr std::uint64_t q62_expm1_ratio(bool negative, std::uint64_t q64) noexcept {
  std::uint64_t sum = std::uint64_t{1} << 62, term = sum;
  for (std::uint64_t n = 2; term != 0; ++n) {
    term = ieee::detail::multiply_64(term, q64).high / n;
    sum = negative && n % 2 == 0 ? sum - term : sum + term;
  }
  return sum;
}

/// e^|x|, for 0 < |x| < 128
[[nodiscard]] constexpr approximate exp_of_magnitude(const ieee::parts& x) noexcept {
  std::uint64_t whole = 0, fraction = 0;
  if (x.exponent >= 0) {
    whole = x.significand << x.exponent;
  } else {
    whole = x.exponent > -64 ? x.significand >> -x.exponent : 0;
    fraction = x.exponent > -64    ? x.significand << (64 + x.exponent)
               : x.exponent > -128 ? x.significand >> (-x.exponent - 64)
                                   : 0;
  }
  int k = 0;
  while (whole > 0 || fraction >= q64_ln2) {
    if (fraction < q64_ln2) --whole;
    fraction -= q64_ln2;
    ++k;
  }
  return normalised(q62_exp(fraction), k - 62);
}

/// |e^x - 1|; x finite, not 0, |x| < 128
[[nodiscard]] constexpr approximate expm1_magnitude(const ieee::parts& x) noexcept {
  const int length = 64 - std::countl_zero(x.significand) + x.exponent;  // |x| < 2^length
  if (length <= -2) {
    const int drop = -64 - x.exponent;
    const std::uint64_t q64 = drop <= 0    ? x.significand << -drop
                              : drop >= 64 ? 0
                                           : x.significand >> drop;
    const approximate value = normalised(x.significand, x.exponent);
    const std::uint64_t ratio = q62_expm1_ratio(x.negative, q64);
    return normalised(ieee::detail::multiply_64(value.mantissa, ratio).high, value.exponent + 2);
  }
  const approximate power = exp_of_magnitude(x);  // at least e^(1/4), below 2^185
  if (x.negative) {                               // 1 - 1 / power = (power - 1) / power
    std::uint64_t rest = std::uint64_t{1} << 62, quotient = 0;
    for (int bit = 0; bit < 64; ++bit) {
      quotient <<= 1;
      if (rest >= power.mantissa) {
        rest -= power.mantissa;
        quotient |= 1;
      }
      rest <<= 1;
    }
    const int down = power.exponent + 62;                             // quotient = 2^125 / mantissa
    const std::uint64_t inverse = down >= 64 ? 0 : quotient >> down;  // Q63 of 1 / power
    return normalised((std::uint64_t{1} << 63) - inverse, -63);
  }
  if (power.exponent > 0) return power;  // beyond 2^62: 1 is below the error
  return normalised(power.mantissa - (std::uint64_t{1} << -power.exponent), power.exponent);
}

[[nodiscard]] constexpr float nearest_float(bool negative, const approximate& value) noexcept {
  return ieee::nearest<float>(negative, {value.mantissa, true, value.exponent});
}

/// numerator / denominator, both below 2^63
[[nodiscard]] constexpr approximate quotient(const approximate& numerator,
                                             const approximate& denominator) noexcept {
  std::uint64_t rest = numerator.mantissa, result = 0;
  for (int bit = 0; bit < 63; ++bit) {
    result <<= 1;
    if (rest >= denominator.mantissa) {
      rest -= denominator.mantissa;
      result |= 1;
    }
    rest <<= 1;
  }
  return normalised(result, numerator.exponent - denominator.exponent - 62);
}

}  // namespace detail

[[nodiscard]] constexpr float expm1(float x) noexcept {
  if (ieee::kind_of(x) == ieee::kind::nan) return x;
  if (ieee::kind_of(x) == ieee::kind::infinite)
    return ieee::is_negative(x) ? -1.0F : ieee::infinity<float>(false);
  const ieee::parts p = ieee::split(x);
  if (p.significand == 0) return x;
  if (64 - std::countl_zero(p.significand) + p.exponent > 7)
    return p.negative ? -1.0F : ieee::infinity<float>(false);
  return detail::nearest_float(p.negative, detail::expm1_magnitude(p));
}

[[nodiscard]] constexpr float tanh(float x) noexcept {
  if (ieee::kind_of(x) == ieee::kind::nan) return x;
  const float one = ieee::is_negative(x) ? -1.0F : 1.0F;
  if (ieee::kind_of(x) == ieee::kind::infinite) return one;
  ieee::parts p = ieee::split(x);
  if (p.significand == 0) return x;
  if (64 - std::countl_zero(p.significand) + p.exponent > 5) return one;  // 1 - 2^-40 or nearer
  const bool negative = p.negative;
  p.negative = false;
  ++p.exponent;
  const detail::approximate a = detail::expm1_magnitude(p);
  // a + 2: the smaller of the two is aligned to the larger.
  detail::approximate sum;
  if (a.exponent >= 1 - 62) {
    const int up = a.exponent + 61;  // of a's lowest bit above 2^-61
    sum = detail::normalised(a.mantissa + (up >= 62 ? 0 : (std::uint64_t{1} << 62) >> up),
                             a.exponent);
  } else {
    const int down = -61 - a.exponent;
    sum = detail::normalised((std::uint64_t{1} << 62) + (down >= 64 ? 0 : a.mantissa >> down), -61);
  }
  return detail::nearest_float(negative, detail::quotient(a, sum));
}

[[nodiscard]] constexpr float logistic(float x) noexcept {
  if (ieee::kind_of(x) == ieee::kind::nan) return x;
  const bool negative = ieee::is_negative(x);
  const ieee::parts p = ieee::split(x);
  if (ieee::kind_of(x) == ieee::kind::infinite ||
      64 - std::countl_zero(p.significand) + p.exponent > 7)
    return negative ? 0.0F : 1.0F;
  if (p.significand == 0) return 0.5F;
  const detail::approximate power = detail::exp_of_magnitude(p);  // at least 1
  const detail::approximate one{std::uint64_t{1} << 62, -62};
  const int down = power.exponent + 62;
  const detail::approximate sum =
      detail::normalised(power.mantissa + (down >= 63 ? 0 : one.mantissa >> down), power.exponent);
  return detail::nearest_float(false, detail::quotient(negative ? one : power, sum));
}

}  // namespace bittwin::elementary::inline v1
