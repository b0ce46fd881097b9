// SPDX-License-Identifier: Apache-2.0
// The natural logarithm from integers alone.
//   log(m 2^e) = e ln 2 + 2 atanh(s),  s = (m - 1) / (m + 1),  m in [3/4, 3/2)
// Rounded to the nearest float32; wrong only where the result lies within 2^-54 of it, relatively, of a
// rounding boundary.
#pragma once

#include <bittwin/types/elementary.hpp>
#include <bittwin/types/ieee.hpp>
#include <cstdint>

namespace bittwin::elementary::inline v1 {

namespace detail {

/// atanh(s) / s = 1 + s^2/3 + s^4/5 + ..., in Q62. s in Q64, below 1/4
[[nodiscard]] constexpr std::uint64_t q62_atanh_ratio(std::uint64_t s) noexcept {
  const std::uint64_t square = ieee::detail::multiply_64(s, s).high;
  std::uint64_t sum = std::uint64_t{1} << 62, power = sum;
  for (std::uint64_t n = 3; power != 0; n += 2) {
    power = ieee::detail::multiply_64(power, square).high;
    sum += power / n;
  }
  return sum;
}

}  // namespace detail

/// 0 gives -infinity, negative values NaN.
[[nodiscard]] constexpr float log(float x) noexcept {
  if (ieee::kind_of(x) == ieee::kind::nan) return x;
  const ieee::parts p = ieee::split(x);
  if (ieee::kind_of(x) == ieee::kind::finite && p.significand == 0)
    return ieee::infinity<float>(true);
  if (p.negative) return ieee::quiet_nan<float>;
  if (ieee::kind_of(x) == ieee::kind::infinite) return x;
  // x = m * 2^e, m in Q63 and in [3/4, 3/2)
  const int zeros = std::countl_zero(p.significand);
  std::uint64_t m = p.significand << zeros;  // Q63, in [1, 2)
  int e = p.exponent + 63 - zeros;
  constexpr std::uint64_t one = std::uint64_t{1} << 63;
  if (m >= one + (one >> 1)) {
    m >>= 1;
    ++e;
  }
  const bool below = m < one;
  const std::uint64_t distance = below ? one - m : m - one;
  if (distance == 0 && e == 0) return 0.0F;
  // s = distance / (m + 1) = quotient * 2^-(63 + up): the leading zeros of the distance cost no bits.
  const int up = distance == 0 ? 0 : std::countl_zero(distance) - 2;
  std::uint64_t rest = distance << up, quotient = 0;
  const std::uint64_t denominator = (m >> 2) + (one >> 2);  // of m + 1, in Q61: exact
  for (int bit = 0; bit < 62; ++bit) {
    quotient <<= 1;
    if (rest >= denominator) {
      rest -= denominator;
      quotient |= 1;
    }
    rest <<= 1;
  }
  const std::uint64_t q64 = up == 0 ? quotient << 1 : quotient >> (up - 1);
  const std::uint64_t twice_atanh =  // * 2^-(60 + up)
      ieee::detail::multiply_64(quotient, detail::q62_atanh_ratio(q64)).high;
  if (e == 0) return ieee::nearest<float>(below, {twice_atanh, true, -60 - up});
  const bool negative = e < 0;
  const auto count = static_cast<std::uint64_t>(negative ? -e : e);  // at most 149
  const ieee::detail::product whole = ieee::detail::multiply_64(detail::q64_ln2, count);
  const std::uint64_t large = (whole.high << 56) | (whole.low >> 8);       // Q56
  const std::uint64_t fraction = up >= 60 ? 0 : (twice_atanh >> up) >> 4;  // Q56
  return ieee::nearest<float>(negative,
                              {negative == below ? large + fraction : large - fraction, true, -56});
}

}  // namespace bittwin::elementary::inline v1
