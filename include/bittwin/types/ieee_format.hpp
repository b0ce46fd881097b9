// SPDX-License-Identifier: Apache-2.0
// IEEE 754 binary32 and binary64 taken apart into integers and put together again.
//   split(v) = { negative, significand, exponent },  v = (-1)^negative * significand * 2^exponent
//   nearest<F>(...): the F nearest to such a value, ties to even; subnormals are kept
#pragma once

#include <bit>
#include <bittwin/types/integers.hpp>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace bittwin::ieee::inline v1 {

/// A finite value taken apart:  (-1)^negative * significand * 2^exponent.
struct parts {
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};

enum class kind : std::uint8_t { finite, infinite, nan };

namespace detail {

template <std::floating_point F> struct format;

template <> struct format<float> {
  using bits = std::uint32_t;
  static constexpr int fraction_bits = 23;
  static constexpr int max_biased = 255;
};

template <> struct format<double> {
  using bits = std::uint64_t;
  static constexpr int fraction_bits = 52;
  static constexpr int max_biased = 2047;
};

template <std::floating_point F>
inline constexpr int bias = format<F>::max_biased / 2 + format<F>::fraction_bits;

template <std::floating_point F>
constexpr F assemble(bool negative, std::uint64_t biased, std::uint64_t fraction) noexcept {
  using bits = typename format<F>::bits;
  constexpr int sign_at = static_cast<int>(sizeof(F)) * 8 - 1;
  return std::bit_cast<F>(static_cast<bits>(
      (bits{negative} << sign_at) | (static_cast<bits>(biased) << format<F>::fraction_bits) |
      static_cast<bits>(fraction)));
}

/// 64 leading bits of a wider magnitude; `sticky` tells whether anything below them is non-zero.
struct wide {
  std::uint64_t high = 0;
  bool sticky = false;
  int exponent = 0;  ///< of the lowest bit of `high`
};

/// Magnitude high:low with the exponent of low's lowest bit, reduced to 64 leading bits.
constexpr wide reduce(std::uint64_t high, std::uint64_t low, int exponent) noexcept {
  if (high == 0) return {low, false, exponent};
  const int lead = std::countl_zero(high);
  if (lead == 0) return {high, low != 0, exponent + 64};
  return {(high << lead) | (low >> (64 - lead)), (low << lead) != 0, exponent + 64 - lead};
}

struct product {
  std::uint64_t high, low;
};

constexpr product multiply_64(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr std::uint64_t mask = 0xFFFFFFFFU;
  const std::uint64_t low = (a & mask) * (b & mask);
  const std::uint64_t mid = (a >> 32) * (b & mask) + (low >> 32);
  const std::uint64_t mid2 = (a & mask) * (b >> 32) + (mid & mask);
  return {(a >> 32) * (b >> 32) + (mid >> 32) + (mid2 >> 32), (mid2 << 32) | (low & mask)};
}

}  // namespace detail

template <std::floating_point F> [[nodiscard]] constexpr kind kind_of(F value) noexcept {
  using format = detail::format<F>;
  const auto raw = std::bit_cast<typename format::bits>(value);
  const auto biased = static_cast<int>((raw >> format::fraction_bits) & format::max_biased);
  if (biased != format::max_biased) return kind::finite;
  const auto fraction = raw & ((typename format::bits{1} << format::fraction_bits) - 1);
  return fraction == 0 ? kind::infinite : kind::nan;
}

template <std::floating_point F> [[nodiscard]] constexpr bool is_negative(F value) noexcept {
  return (std::bit_cast<typename detail::format<F>::bits>(value) >> (sizeof(F) * 8 - 1)) != 0;
}

/// Precondition: kind_of(value) == kind::finite.
template <std::floating_point F> [[nodiscard]] constexpr parts split(F value) noexcept {
  using format = detail::format<F>;
  const std::uint64_t raw = std::bit_cast<typename format::bits>(value);
  const std::uint64_t fraction = raw & ((std::uint64_t{1} << format::fraction_bits) - 1);
  const auto biased = static_cast<int>((raw >> format::fraction_bits) & format::max_biased);
  if (biased == 0) return {is_negative(value), fraction, 1 - detail::bias<F>};
  return {is_negative(value), fraction | (std::uint64_t{1} << format::fraction_bits),
          biased - detail::bias<F>};
}

/// The F nearest to (-1)^negative * (high + something in (0, 1) if sticky) * 2^exponent, ties to
/// even.
template <std::floating_point F>
[[nodiscard]] constexpr F nearest(bool negative, detail::wide value) noexcept {
  using format = detail::format<F>;
  constexpr int digits = format::fraction_bits + 1;
  if (value.high == 0) return detail::assemble<F>(negative, 0, 0);
  const int length = 64 - std::countl_zero(value.high);
  // Bits to drop: down to `digits` of them, more where the result is subnormal.
  const int lowest_exponent = 1 - detail::bias<F>;
  int drop = length - digits;
  if (value.exponent + drop < lowest_exponent) drop = lowest_exponent - value.exponent;
  std::uint64_t kept = 0;
  if (drop <= 0) {
    kept = value.high << -drop;
  } else if (drop <= 64) {
    kept = drop == 64 ? 0 : value.high >> drop;
    const std::uint64_t rest =
        drop == 64 ? value.high : value.high & ((std::uint64_t{1} << drop) - 1);
    const std::uint64_t half = std::uint64_t{1} << (drop - 1);
    if (rest > half || (rest == half && (value.sticky || (kept & 1) != 0))) ++kept;
  }
  int exponent = value.exponent + drop;
  if (kept == std::uint64_t{1} << digits) {
    kept >>= 1;
    ++exponent;
  }
  if (kept < std::uint64_t{1} << format::fraction_bits)
    return detail::assemble<F>(negative, 0, kept);
  const int biased = exponent + detail::bias<F>;
  if (biased >= format::max_biased) return detail::assemble<F>(negative, format::max_biased, 0);
  return detail::assemble<F>(negative, static_cast<std::uint64_t>(biased),
                             kept & ((std::uint64_t{1} << format::fraction_bits) - 1));
}

template <std::floating_point F> [[nodiscard]] constexpr F negate(F value) noexcept {
  using bits = typename detail::format<F>::bits;
  return std::bit_cast<F>(
      static_cast<bits>(std::bit_cast<bits>(value) ^ (bits{1} << (sizeof(F) * 8 - 1))));
}

template <std::floating_point F> [[nodiscard]] constexpr F magnitude(F value) noexcept {
  return is_negative(value) ? negate(value) : value;
}

template <std::floating_point F> inline constexpr F quiet_nan = std::numeric_limits<F>::quiet_NaN();

template <std::floating_point F> [[nodiscard]] constexpr F infinity(bool negative) noexcept {
  return detail::assemble<F>(negative, detail::format<F>::max_biased, 0);
}

template <std::floating_point F>
[[nodiscard]] constexpr F from_integer(std::int64_t value) noexcept {
  const bool negative = value < 0;
  const auto magnitude = static_cast<std::uint64_t>(value);
  return nearest<F>(negative, {negative ? 0 - magnitude : magnitude, false, 0});
}

/// float32 from float64 and back.
template <std::floating_point To, std::floating_point From>
[[nodiscard]] constexpr To convert(From value) noexcept {
  if constexpr (std::is_same_v<To, From>) return value;
  if (kind_of(value) == kind::nan) return quiet_nan<To>;
  if (kind_of(value) == kind::infinite) return infinity<To>(is_negative(value));
  const parts p = split(value);
  return nearest<To>(p.negative, {p.significand, false, p.exponent});
}

}  // namespace bittwin::ieee::inline v1
