// SPDX-License-Identifier: Apache-2.0
// TOSA's RESCALE: mantissa and a right shift, 2 to 62: shift = -exponent.
//   half up            (value * mantissa + 2^(shift-1)) >> shift
//   double, half away  the same with 2^30 added for values >= 0 and taken for others, if shift > 31
// What the specification calls undefined is undefined here too: ask defined() first.
// source  TOSA specification, pseudocode/library/scale_helpers
#pragma once

#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::rescale::inline v1 {

namespace detail {

/// source  apply_scale_32, its REQUIREs on the operands
[[nodiscard]] constexpr bool tosa_takes(std::int64_t value, const multiplier& m) noexcept {
  const int shift = -m.exponent;
  if (m.mantissa < 0 || shift < 2 || shift > BITTWIN_MUTABLE(62, tosa_largest_shift, 63))
    return false;
  const std::int64_t limit = std::int64_t{1} << (shift - 1);
  return value >= lowest<std::int32_t> && value <= highest<std::int32_t> && value >= -limit &&
         value < limit;
}

[[nodiscard]] constexpr bool is_int32(std::int64_t value) noexcept {
  return value == wrap_cast<std::int32_t>(value);
}

}  // namespace detail

struct tosa_half_up {
  static constexpr std::string_view name = "tosa-half-up";
  static constexpr representation form = representation::shifted;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    return rounding::shift_right<rounding::half_up>(acc * m.mantissa, -m.exponent);
  }
  static constexpr bool defined(std::int64_t acc, const multiplier& m) noexcept {
    return detail::tosa_takes(acc, m) && detail::is_int32(apply(acc, m));
  }
  static constexpr code_range monotone_interval(const multiplier&) noexcept {
    return range_of(element_type::int32);
  }
};

/// Equal to q31_two_step<half_up, half_away> where it is defined: the first rounding is folded into the constant.
struct tosa_double_half_away {
  static constexpr std::string_view name = "tosa-double-half-away";
  static constexpr representation form = representation::shifted;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const int shift = -m.exponent;
    constexpr std::int64_t first = std::int64_t{1} << 30;
    std::int64_t round = std::int64_t{1} << (shift - 1);
    if (shift > 31) round += BITTWIN_MUTABLE(acc >= 0, tosa_nudge_sign, true) ? first : -first;
    return (acc * m.mantissa + round) >> shift;
  }
  static constexpr bool defined(std::int64_t acc, const multiplier& m) noexcept {
    return detail::tosa_takes(acc, m) && detail::is_int32(apply(acc, m));
  }
  static constexpr code_range monotone_interval(const multiplier&) noexcept {
    return range_of(element_type::int32);
  }
};

/// acc     [-2^47, 2^47)    mantissa  [0, 2^15)    exponent  [-62, -2]
struct tosa_16_half_up {
  static constexpr std::string_view name = "tosa-16-half-up";
  static constexpr representation form = representation::shifted;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    return rounding::shift_right<rounding::half_up>(
        acc * m.mantissa, BITTWIN_MUTABLE(-m.exponent, tosa_16_shift, 1 - m.exponent));
  }
  static constexpr bool defined(std::int64_t acc, const multiplier& m) noexcept {
    const int shift = -m.exponent;
    constexpr std::int64_t limit = std::int64_t{1} << 47;
    return m.mantissa >= 0 && m.mantissa < 1 << 15 && shift >= 2 && shift <= 62 && acc >= -limit &&
           acc < limit && detail::is_int32(apply(acc, m));
  }
  static constexpr code_range monotone_interval(const multiplier&) noexcept {
    constexpr std::int64_t limit = std::int64_t{1} << 47;
    return {-limit, limit - 1};
  }
};

}  // namespace bittwin::rescale::inline v1

namespace bittwin::pool_division::inline v1 {

/// 1 / count as a mantissa just above it and a shift, so that ties of the product go away from zero.
///   k = bits of (count - 1),  mantissa = floor((2^30 + 1) 2^k / count),  shift = 30 + k
/// count   [1, 2^31)
/// source  TOSA specification, reciprocal_scale; Vela quantise_pooling_scale with N = 30
[[nodiscard]] constexpr multiplier reciprocal_of(std::int64_t count) noexcept {
  const int k = count == 1 ? 0 : 64 - std::countl_zero(static_cast<std::uint64_t>(count - 1));
  std::int64_t above = std::int64_t{1} << 30;
  above += BITTWIN_MUTABLE(1, reciprocal_exact, 0);
  return {static_cast<std::int32_t>((above << k) / count), -(30 + k), 0.0};
}

/// The zero point is subtracted, the sum multiplied by the reciprocal of the count, the zero point added.
struct by_reciprocal {
  static constexpr std::string_view name = "by-reciprocal";
  static constexpr std::int64_t apply(std::int64_t sum, std::int64_t count,
                                      std::int32_t zero_point) noexcept {
    return rescale::tosa_half_up::apply(sum - count * zero_point, reciprocal_of(count)) +
           zero_point;
  }
};

}  // namespace bittwin::pool_division::inline v1
