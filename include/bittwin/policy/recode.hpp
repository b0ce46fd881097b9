// SPDX-License-Identifier: Apache-2.0
// How codes of one grid are read on another: in CONCATENATION, and in standalone activations.
//   copy            the code as it is
//   float32_affine  R( x * (si / so) - zi * (si / so) ) + zo, with 1/so rounded to float32 first
#pragma once

#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::recode::inline v1 {

struct copy {
  static constexpr std::string_view name = "copy";
  static constexpr std::int64_t apply(std::int64_t code, affine, affine, code_range) noexcept {
    return code;
  }
};

/// Equal grids are copied.
/// source  TFLite reference/concatenation.h ConcatenationWithScaling, uint8 only (R = half_away)
template <rounding::policy R> struct float32_affine {
  static constexpr std::string_view name = "float32-affine";
  static constexpr std::int64_t apply(std::int64_t code, affine in, affine out,
                                      code_range type) noexcept {
    if (in == out) return code;
    const float ratio = ieee::multiply(in.scale, ieee::divide(1.0F, out.scale));
    const float bias = ieee::multiply(ieee::from_integer<float>(-in.zero_point), ratio);
    const float value = ieee::add(ieee::multiply(ieee::from_integer<float>(code), ratio), bias);
    return clamp_to(rounding::to_integer<R>(value) + out.zero_point, type.low, type.high);
  }
};

}  // namespace bittwin::recode::inline v1

namespace bittwin::grid::inline v1 {

/// The result is rescaled to the output's grid and clamped there.
struct of_output {
  static constexpr std::string_view name = "of-output";
  static constexpr affine of(affine, affine output) noexcept { return output; }
};

/// Codes are clamped on the input's grid; the output's scale and zero point are not read.
/// source  TFLM activations.cc, RELU6
struct of_input {
  static constexpr std::string_view name = "of-input";
  static constexpr affine of(affine input, affine) noexcept { return input; }
};

}  // namespace bittwin::grid::inline v1
