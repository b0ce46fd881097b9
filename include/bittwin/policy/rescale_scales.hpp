// SPDX-License-Identifier: Apache-2.0
// Rescales that read the scales and zero points of a layer. Every step is rounded to float32.
//   by_parts<R>             R( ((acc si) sw + b) / so + zo ) - zo
//   by_reciprocals<R>       R( (acc si' + b) so' ),  si' = 1 / (1/si 1/sw),  so' = 1/so
//   float32_then_offset<R>  R( acc m + zo ) - zo
// In the first two the bias is a float32 behind the first scale, and the accumulator holds none.
#pragma once

#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::rescale::inline v1 {

/// The zero point is added before the rounding, so its parity decides ties.
/// source  oneDNN src/cpu/ref_convolution_int8.cpp (R = half_even)
template <rounding::policy R> struct by_parts {
  static constexpr std::string_view name = "by-parts";
  static constexpr representation form = representation::float32;
  static constexpr bool takes_scales = true;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const layer_scales& s = m.scales;
    float v = ieee::multiply(ieee::from_integer<float>(acc), s.input);
    v = ieee::add(ieee::multiply(v, s.filter), s.bias);
    v = ieee::add(ieee::divide(v, s.output),
                  BITTWIN_MUTABLE(ieee::from_integer<float>(s.zero_point), parts_zero_point, 0.0F));
    return rounding::to_integer<R>(v) - BITTWIN_MUTABLE(s.zero_point, parts_offset, 0);
  }
};

/// As by_parts, with one float32 for the product of all scales, and the bias in the sum.
/// acc  any int32    m  float32
/// source  oneDNN 2.6.3, output scales: compared with the library (tests/originals), R = half_even
template <rounding::policy R> struct float32_then_offset {
  static constexpr std::string_view name = "float32-then-offset";
  static constexpr representation form = representation::float32;
  static constexpr bool takes_scales = true, keeps_bias = true;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const std::int32_t zero = m.scales.zero_point;
    const float v = ieee::multiply(ieee::from_integer<float>(acc), ieee::convert<float>(m.real));
    return rounding::to_integer<R>(ieee::add(
               v, BITTWIN_MUTABLE(ieee::from_integer<float>(zero), offset_behind_rounding, 0.0F))) -
           BITTWIN_MUTABLE(zero, offset_left_in, 0);
  }
  static constexpr code_range monotone_interval(const multiplier&) noexcept {
    return {-rounding::beyond, rounding::beyond};
  }
};

/// source  ncnn src/layer/convolution.cpp forward_int8 (R = half_away); scales are stored as their reciprocals
template <rounding::policy R> struct by_reciprocals {
  static constexpr std::string_view name = "by-reciprocals";
  static constexpr representation form = representation::float32;
  static constexpr bool takes_scales = true;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    const layer_scales& s = m.scales;
    const auto inverse = [](float x) { return ieee::divide(1.0F, x); };
    const float in = inverse(ieee::multiply(inverse(s.input), inverse(s.filter)));
    const float v = ieee::add(ieee::multiply(ieee::from_integer<float>(acc), in), s.bias);
    return rounding::to_integer<R>(
        ieee::multiply(v, BITTWIN_MUTABLE(inverse(s.output), reciprocal_output, s.output)));
  }
};

}  // namespace bittwin::rescale::inline v1
