// SPDX-License-Identifier: Apache-2.0
// Which codes an activation clamps to, from its real bounds and the output's scale and zero point.
//   round_then_offset<R>  R(bound / scale) + zero_point      (quotient in float32)
//   offset_then_round<R>  R(bound / scale + zero_point)      (quotient and sum in float32)
// then cut to the range of the type. upper_dropped, lower_dropped and literal_bounds are faults.
#pragma once

#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/activation.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::activation_bounds::inline v1 {

namespace detail {

template <class Code>
constexpr code_range codes_of(activation kind, code_range type, Code code) noexcept {
  const real_bounds real = bounds_of(kind);
  const std::int64_t low = real.low ? code(*real.low) : type.low;
  const std::int64_t high =
      BITTWIN_MUTABLE(real.high ? code(*real.high) : type.high, upper_bound_lost, type.high);
  return {BITTWIN_MUTABLE(low > type.low, lower_bound_not_cut, true) ? low : type.low,
          high < type.high ? high : type.high};
}

}  // namespace detail

/// source  TFLite kernel_util.cc CalculateActivationRangeQuantized (R = half_away)
template <rounding::policy R> struct round_then_offset {
  static constexpr std::string_view name = "round-then-offset";
  static constexpr code_range codes(activation kind, affine output, code_range type) noexcept {
    return detail::codes_of(kind, type, [&](float bound) {
      return rounding::to_integer<R>(ieee::divide(bound, output.scale)) +
             BITTWIN_MUTABLE(output.zero_point, bound_without_offset, 0);
    });
  }
};

/// source  XNNPACK xnn_qs8_quantize, xnn_qu8_quantize (R = half_even)
template <rounding::policy R> struct offset_then_round {
  static constexpr std::string_view name = "offset-then-round";
  static constexpr code_range codes(activation kind, affine output, code_range type) noexcept {
    return detail::codes_of(kind, type, [&](float bound) {
      return rounding::to_integer<R>(
          ieee::add(ieee::divide(bound, output.scale),
                    ieee::from_integer<float>(BITTWIN_MUTABLE(output.zero_point, bound_offset_first,
                                                              output.zero_point + 1))));
    });
  }
};

/// No activation: only the type bounds.
struct ignored {
  static constexpr std::string_view name = "ignored";
  static constexpr code_range codes(activation, affine, code_range type) noexcept { return type; }
};

/// Fault UPPER_CLAMP_MISSING: the upper bound is left to the type's saturation.
template <class Base> struct upper_dropped {
  static constexpr std::string_view name = "upper-dropped";
  static constexpr code_range codes(activation kind, affine output, code_range type) noexcept {
    return {Base::codes(kind, output, type).low, type.high};
  }
};

/// Fault LOWER_CLAMP_MISSING.
template <class Base> struct lower_dropped {
  static constexpr std::string_view name = "lower-dropped";
  static constexpr code_range codes(activation kind, affine output, code_range type) noexcept {
    return {type.low, Base::codes(kind, output, type).high};
  }
};

/// Fault CLAMP_LITERAL: the real bounds are used as codes.
struct literal_bounds {
  static constexpr std::string_view name = "literal-bounds";
  static constexpr code_range codes(activation kind, affine, code_range type) noexcept {
    return detail::codes_of(kind, type,
                            [](float bound) { return static_cast<std::int64_t>(bound); });
  }
};

}  // namespace bittwin::activation_bounds::inline v1
