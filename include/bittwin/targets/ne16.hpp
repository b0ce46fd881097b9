// SPDX-License-Identifier: Apache-2.0
// NE16 (GAP9) in its 16-bit mode of scales: uint8 activations with zero points of 0, weights with an offset, a product of 48
// bits, floored (a rounding constant is in the RTL and never added), saturated to 8 bits. Filters of 1x1 and 3x3. Its bias
// is added behind the scale, in 32 bits, so layers with a TFLite bias are refused; and so are multipliers of more than 15
// bits, whose integers the deployment tool chooses. Sources
//   pulp-platform/ne16@6bd7272: rtl/accumulator/ne16_normquant.sv, ne16_normquant_shifter.sv.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct ne16_dot_product : sums_known_in_32_bits, offset_then_clamp, type_bounds {
  using layers = bittwin::layers<layer_is::of_uint8, layer_is::symmetric, layer_is::of_1x1_or_3x3,
                                 layer_is::clamped_by_its_type, layer_is::without_bias>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier =
      multipliers::of_bits<15>;  // shifts up to 62, of the 63 that its register holds
  using rescale = bittwin::rescale::shifted_product<rounding::floor>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct ne16 {
  static constexpr std::string_view name = "ne16";
  static constexpr std::string_view version = "ne16 6bd7272, RTL";

  struct conv2d : arithmetic::ne16_dot_product {};
  struct depthwise_conv2d : arithmetic::ne16_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::ne16>{
    .formula = "sat8u( floor(acc m15 / 2^s) )",
    .known_faults = "CONFIG0 bit 11, use_rounding, changes nothing: floor stays",
    .to_measure = "sums beyond int32; biases behind the scale; the deployment tool's multipliers"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::ne16, Room, Axis>{
    confidence::published_code,
    "pulp-platform/ne16@6bd7272 rtl/accumulator/ne16_normquant_shifter.sv"};
template <class Room>
inline constexpr provenance_record provenance<targets::ne16, Room, axis::multiplier>{
    confidence::inferred, "exact multipliers of 15 bits; the deployment tool chooses others"};
template <class Room>
inline constexpr provenance_record provenance<targets::ne16, Room, axis::scale_product>{
    confidence::inferred, "the multiplier is the deployment tool's"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::ne16, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
