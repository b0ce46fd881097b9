// SPDX-License-Identifier: Apache-2.0
// Rescales of runtimes that keep the scales of a layer apart and add the bias, a float32, behind the first of them.
// The accumulator holds no bias. Every step is rounded to float32.
//   by_parts<R>         R( ((acc si) sw + b) / so + zo ) - zo
//   by_reciprocals<R>   R( (acc si' + b) so' ),  si' = 1 / (1/si 1/sw),  so' = 1/so
#pragma once

#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rounding.hpp>
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
