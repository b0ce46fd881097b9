// SPDX-License-Identifier: Apache-2.0
// Relatives of the Q31 rescales of policy/rescale.hpp that differ from them only where 32 bits end.
#pragma once

#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::rescale::inline v1 {

/// q31_two_step whose high product is kept modulo 2^32: INT32_MIN * INT32_MIN is INT32_MIN, not INT32_MAX.
/// acc     any int32    mantissa  any int32    exponent  [-31, 31]
/// source  CMSIS-NN arm_nnsupportfunctions.h, arm_nn_doubling_high_mult_no_sat (First half_up, Second half_away)
template <rounding::policy First, rounding::policy Second> struct q31_two_step_wrapping {
  static constexpr std::string_view name = "q31-two-step-wrapping";
  static constexpr representation form = representation::q31;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const auto [product, right] = detail::q31_product_of(acc, m);
    const std::int64_t high = rounding::shift_right<First>(product, 31);
    return rounding::shift_right<Second>(
        BITTWIN_MUTABLE(wrap_cast<std::int32_t>(high), high_product_saturates,
                        saturate_cast<std::int32_t>(high)),
        right);
  }
  /// As q31_two_step's: mantissas of multipliers are not negative, so the corner is not reached.
  static constexpr code_range monotone_interval(const multiplier& m) noexcept {
    if (m.exponent > 31) return {0, 0};
    const int left = m.exponent > 0 ? m.exponent : 0;
    return {lowest<std::int32_t> >> left, highest<std::int32_t> >> left};
  }
};

/// Two steps in 32-bit registers without a nudge for the sign: near INT32_MAX the second sum wraps.
///   h = floor((acc * mantissa + 2^30) / 2^31),  (h + 2^(right-1) - [h < 0]) / 2^right, the sum modulo 2^32
/// acc     any int32    mantissa  [0, 2^31)    exponent  [-31, 31]
/// source  ESP-NN common_functions.h with CONFIG_NN_SKIP_NUDGE
struct q31_two_step_int32_sum {
  static constexpr std::string_view name = "q31-two-step-int32-sum";
  static constexpr representation form = representation::q31;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const auto [product, right] = detail::q31_product_of(acc, m);
    const std::int64_t high = (product + (std::int64_t{1} << 30)) >> 31;
    if (right == 0) return high;
    const std::int64_t nudge =
        (std::int64_t{1} << (right - 1)) - BITTWIN_MUTABLE((high < 0 ? 1 : 0), int32_sum_tie, 0);
    return wrap_cast<std::int32_t>(high + nudge) >> right;
  }
  /// Where the high product leaves room for its nudge.
  static constexpr code_range monotone_interval(const multiplier& m) noexcept {
    if (m.exponent > 0)
      return {lowest<std::int32_t> >> m.exponent, highest<std::int32_t> >> m.exponent};
    const std::int64_t nudge = m.exponent == 0 ? 0 : std::int64_t{1} << (-m.exponent - 1);
    return {lowest<std::int32_t>, highest<std::int32_t> - nudge - 1};
  }
};

/// q15_reduced whose doubled result passes through 32 bits, so that one bit less of it is usable.
///   ((acc * q15 >> (14 - exponent)) modulo 2^32, + 1) >> 1
/// acc     [-2^47, 2^47)    mantissa  [0, 2^31)    exponent  [-31, 7]
/// source  CMSIS-NN arm_nnsupportfunctions.h arm_nn_requantize_s64
struct q15_reduced_int32 {
  static constexpr std::string_view name = "q15-reduced-int32";
  static constexpr representation form = representation::q31;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const std::int64_t q15 = detail::q15_of(m);
    const std::int64_t product = wrap_multiply(acc, q15);
    const auto doubled = wrap_cast<std::int32_t>(
        product >> BITTWIN_MUTABLE((14 - m.exponent), doubled_shift, (13 - m.exponent)));
    return wrap_cast<std::int32_t>(std::int64_t{doubled} + 1) >> 1;
  }
  /// Where the doubled result fits 32 bits, one kept for the sum.
  static constexpr code_range monotone_interval(const multiplier& m) noexcept {
    constexpr std::int64_t limit = std::int64_t{1} << 47;
    const std::int64_t q15 = detail::q15_of(m);
    const int right = 14 - m.exponent;
    if (q15 == 0 || right >= 31) return {-limit, limit - 1};
    const std::int64_t most = ((highest<std::int32_t> - std::int64_t{1}) << right) / q15;
    return {most < limit ? -most : -limit, most < limit ? most : limit - 1};
  }
};

}  // namespace bittwin::rescale::inline v1
