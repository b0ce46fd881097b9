// SPDX-License-Identifier: Apache-2.0
// Rescales by a mantissa and a shift of any width, and by a power of two alone.
#pragma once

#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::rescale::inline v1 {

/// R(acc * mantissa * 2^exponent), one rounding of the 64-bit product.
/// acc     any int32    mantissa  [0, 2^31)    exponent  [-62, 0]
/// source  XNNPACK requantization.h rndnu (24-bit mantissas, R = half_up); GAP SQ8 roundnorm (8 bits, half_up);
///         TVM fixed_point_multiply (R = half_up, or half_away)
template <rounding::policy R> struct shifted_product {
  static constexpr std::string_view name = "shifted-product";
  static constexpr representation form = representation::shifted;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    return rounding::shift_right<R>(
        acc * m.mantissa, BITTWIN_MUTABLE(-m.exponent, shifted_product_shift, 1 - m.exponent));
  }
  static constexpr code_range monotone_interval(const multiplier&) noexcept {
    return range_of(element_type::int32);
  }
};

/// Two roundings in 16 bits: the accumulator is shifted and saturated first, then multiplied.
///   x = sat16( half_up(acc * 2^(exponent + 24)) ),  half_up(x * m / 2^15),  m = mantissa cut to 15 bits, half up
/// acc     any int32    mantissa  [2^23, 2^24)    exponent  [-55, -16], of which m's carry takes one
/// source  XNNPACK requantization.h rndnu16
struct preshifted_16 {
  static constexpr std::string_view name = "preshifted-16";
  static constexpr representation form = representation::shifted;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    std::int64_t factor = (std::int64_t{m.mantissa} + (1 << 8)) >> 9;
    int shift = m.exponent + 24;
    if (factor == 1 << 15) {
      factor >>= 1;
      ++shift;
    }
    const std::int64_t shifted = shift >= 0 ? wrap_shift_left(acc, shift)
                                            : rounding::shift_right<rounding::half_up>(acc, -shift);
    return rounding::shift_right<rounding::half_up>(saturate_cast<std::int16_t>(shifted) * factor,
                                                    BITTWIN_MUTABLE(15, preshifted_shift, 14));
  }
  static constexpr code_range monotone_interval(const multiplier&) noexcept {
    return range_of(element_type::int32);
  }
};

/// R(acc * 2^exponent).  acc  any int32    exponent  [-62, 31]
/// source  MAX78000 (ai8x-synthesis izer/compute.py, R = half_up, exponent = output_shift - 7, bias * 128 in acc);
///         ESP-DL dl_tool (R = half_even on ESP32-P4, half_up on ESP32-S3)
template <rounding::policy R> struct power_of_two {
  static constexpr std::string_view name = "power-of-two";
  static constexpr representation form = representation::shifted;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    return m.exponent >= 0 ? wrap_shift_left(acc, m.exponent)
                           : rounding::shift_right<R>(acc, -m.exponent);
  }
  static constexpr code_range monotone_interval(const multiplier&) noexcept {
    return range_of(element_type::int32);
  }
};

/// A nearest rounding whose correction has the value's sign and is added to the quotient that was already floored:
/// negative values can end two below. Not monotone below zero, so it declares [0, 2^31) only.
///   p = acc * mantissa, q = p >> shift; where the rest is above the middle, or on it and q is odd:  q + sign(p)
/// acc     36 bits    mantissa  [1, 2^15)    exponent  [-43, 0], shift = -exponent
/// source  nncase runtime_op_utility.h carry_shift<int64_t, true>; whether the silicon does so is unknown
struct carry_shift {
  static constexpr std::string_view name = "carry-shift";
  static constexpr representation form = representation::shifted;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const int shift = -m.exponent;
    const std::int64_t product =
        wrap_multiply(acc, BITTWIN_MUTABLE(m.mantissa, carry_shift_factor, 1));
    if (shift <= 0) return product;
    const std::int64_t quotient = product >> shift;
    const std::int64_t rest = product - quotient * (std::int64_t{1} << shift);
    const std::int64_t half = std::int64_t{1} << (shift - 1);
    const bool corrects = rest > half || (rest == half && (quotient & 1) != 0);
    return corrects ? quotient + BITTWIN_MUTABLE((product < 0 ? -1 : 1), carry_shift_sign, 1)
                    : quotient;
  }
  static constexpr code_range monotone_interval(const multiplier&) noexcept {
    return {0, highest<std::int32_t>};
  }
};

}  // namespace bittwin::rescale::inline v1
