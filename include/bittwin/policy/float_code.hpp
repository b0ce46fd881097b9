// SPDX-License-Identifier: Apache-2.0
// From a float32 value to a code, and back.
//   divide_in_float32<R>  R( float32(x / scale) ) + zero_point
//   divide_in_float64<R>  R( double(x) / double(scale) ) + zero_point
//   multiply_by_reciprocal<R>  R( float32(x * float32(1 / scale)) ) + zero_point
//   add_half_and_truncate, zero_point_one_less: faults
// `is_monotone` says that codes do not fall while x rises, as long as |x / scale| <= 2^30.
// What an out-of-range quotient becomes is part of each rule.
#pragma once

#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::float_code::inline v1 {

/// A quotient past int32, infinite or NaN becomes INT32_MIN, as the x86 conversion does.
struct to_int32_min {
  static constexpr std::string_view name = "int32-min";
  static constexpr std::int32_t of(std::int64_t rounded, bool nan) noexcept {
    const bool fits = lowest<std::int32_t> <= rounded && rounded <= highest<std::int32_t>;
    return fits && !nan ? static_cast<std::int32_t>(rounded)
                        : std::numeric_limits<std::int32_t>::min();
  }
};

/// A quotient past int32 becomes the nearest int32, NaN becomes 0, as the WebAssembly conversion
/// does.
struct saturated {
  static constexpr std::string_view name = "saturated";
  static constexpr std::int32_t of(std::int64_t rounded, bool nan) noexcept {
    return nan ? 0 : saturate_cast<std::int32_t>(rounded);
  }
};

namespace detail {

/// The sum with the zero point wraps in int32, then is clamped to the type.
template <rounding::policy R, class Overflow, std::floating_point F>
constexpr std::int64_t offset_and_clamp(F quotient, std::int32_t zero_point,
                                        code_range type) noexcept {
  const std::int32_t rounded =
      Overflow::of(rounding::to_integer<R>(quotient), ieee::kind_of(quotient) == ieee::kind::nan);
  const auto code = wrap_cast<std::int32_t>(std::int64_t{rounded} + zero_point);
  return clamp_to<std::int64_t>(code, type.low, type.high);
}

}  // namespace detail

/// source  TFLM reference/quantize.h AffineQuantize (R = half_away)
template <rounding::policy R, class Overflow> struct divide_in_float32 {
  static constexpr std::string_view name = "divide-in-float32";
  static constexpr bool is_monotone = true;
  static constexpr std::int64_t of(float x, affine out, code_range type) noexcept {
    return detail::offset_and_clamp<R, Overflow>(ieee::divide(x, out.scale), out.zero_point, type);
  }
};

/// source  TFLite reference/quantize.h with a double scale (R = half_away)
template <rounding::policy R, class Overflow> struct divide_in_float64 {
  static constexpr std::string_view name = "divide-in-float64";
  static constexpr bool is_monotone = true;
  static constexpr std::int64_t of(float x, affine out, code_range type) noexcept {
    const double quotient =
        ieee::divide(ieee::convert<double>(x), ieee::convert<double>(out.scale));
    return detail::offset_and_clamp<R, Overflow>(quotient, out.zero_point, type);
  }
};

/// The product saturates before the zero point is added.
/// source  XNNPACK f32-qs8-vcvt (R = half_even)
template <rounding::policy R> struct multiply_by_reciprocal {
  static constexpr std::string_view name = "multiply-by-reciprocal";
  static constexpr bool is_monotone = true;
  static constexpr std::int64_t of(float x, affine out, code_range type) noexcept {
    const float product = ieee::multiply(x, ieee::divide(1.0F, out.scale));
    return clamp_to<std::int64_t>(rounding::to_integer<R>(product) + out.zero_point, type.low,
                                  type.high);
  }
};

/// Fault TRUNCATION: the quotient plus 1/2, formed in float32, is cut toward zero; right for
/// positive values alone. source  Tencent/TNN issue 377, ARM-software/ComputeLibrary issue 834
template <class Overflow> struct add_half_and_truncate {
  static constexpr std::string_view name = "add-half-and-truncate";
  static constexpr bool is_monotone = true;
  static constexpr std::int64_t of(float x, affine out, code_range type) noexcept {
    return detail::offset_and_clamp<rounding::toward_zero, Overflow>(
        ieee::add(ieee::divide(x, out.scale), 0.5F), out.zero_point, type);
  }
};

/// Fault OUTPUT_ZERO_POINT: a zero point of 127 where 128 is meant.
/// source  microsoft/onnxruntime issue 25823
template <class Base> struct zero_point_one_less {
  static constexpr std::string_view name = "zero-point-one-less";
  static constexpr bool is_monotone = Base::is_monotone;
  static constexpr std::int64_t of(float x, affine out, code_range type) noexcept {
    return Base::of(x, {out.scale, out.zero_point - 1}, type);
  }
};

/// real = float32(code - zero_point) * scale, in float32.  source  TFLite reference/dequantize.h
[[nodiscard]] constexpr float real_of(std::int64_t code, affine in) noexcept {
  return ieee::multiply(ieee::from_integer<float>(code - in.zero_point), in.scale);
}

}  // namespace bittwin::float_code::inline v1
