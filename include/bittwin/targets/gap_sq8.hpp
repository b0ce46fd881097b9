// SPDX-License-Identifier: Apache-2.0
// GreenWaves GAP8 and GAP9, AutoTiler SQ8: an 8-bit multiplier and a shift, ties up. How a real multiplier becomes 8 bits is
// the generator's search: layers whose multiplier has more than 8 bits are refused. Sources
//   GreenWaves-Technologies/gap_sdk@a2302650: tools/autotiler_v3/CNN_Libraries_SQ8, GapBuiltins.h.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct gap_dot_product : int32_sums, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::of_relu_alone>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::of_bits<8>;
  using rescale = bittwin::rescale::shifted_product<half_up>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct gap_sq8 {
  static constexpr std::string_view name = "gap-sq8";
  static constexpr std::string_view version = "gap_sdk a2302650";

  struct conv2d : arithmetic::gap_dot_product {};
  struct depthwise_conv2d : arithmetic::gap_dot_product {};
  struct fully_connected : arithmetic::gap_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::gap_sq8>{.formula = "clip7( half_up(acc m8 / 2^n) )"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::gap_sq8, Room, Axis>{
    confidence::published_code, "GreenWaves-Technologies/gap_sdk@a2302650 CNN_Libraries_SQ8"};
template <class Room>
inline constexpr provenance_record provenance<targets::gap_sq8, Room, axis::multiplier>{
    confidence::inferred, "exact multipliers of 8 bits; the generator searches for others"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::gap_sq8, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
