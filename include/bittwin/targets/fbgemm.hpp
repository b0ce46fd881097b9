// SPDX-License-Identifier: Apache-2.0
// FBGEMM with 32-bit sums: uint8 activations, int8 weights (uint8 ones around 128 in a .tflite file), float32 rescale, ties
// to even, clamp behind the zero point. Its 16-bit sums and its fixed-point rescale are others. Sources
//   pytorch/FBGEMM@71d6f8b2: include/fbgemm/QuantUtils.h, src/QuantUtils.cc.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct fbgemm_dot_product : int32_sums, offset_then_clamp, type_bounds, float32_rounding {
  using layers = bittwin::layers<layer_is::of_uint8, layer_is::of_signed_weights,
                                 layer_is::clamped_by_its_type>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct fbgemm {
  static constexpr std::string_view name = "fbgemm";
  static constexpr std::string_view version = "71d6f8b2, 32-bit sums";

  struct conv2d : arithmetic::fbgemm_dot_product {};
  struct fully_connected : arithmetic::fbgemm_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::fbgemm>{
    .formula = "clamp( zo + half_even(float32(acc) float32(si sw / so)) )",
    .known_faults = "without VNNI, 16-bit kernels saturate pairs"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::fbgemm, Room, Axis>{
    confidence::published_code, "pytorch/FBGEMM@71d6f8b2 src/QuantUtils.cc"};
template <class Room>
inline constexpr provenance_record provenance<targets::fbgemm, Room, axis::scale_product>{
    confidence::inferred, "made by the caller"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::fbgemm, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
