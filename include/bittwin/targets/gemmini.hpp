// SPDX-License-Identifier: Apache-2.0
// Gemmini: int8, zero points of 0, float32 scale of the int32 accumulator, ties to even. RELU stands before the scale,
// which is the same at a zero point of 0. Sources
//   ucb-bar/gemmini@8c3f992: src/main/scala/gemmini/{Configs,Arithmetic,AccumulatorScale}.scala.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct gemmini_dot_product : int32_sums, offset_then_clamp, tflite_bounds, float32_rounding {
  using layers = bittwin::layers<layer_is::int8, layer_is::per_tensor, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::of_relu_alone>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct gemmini {
  static constexpr std::string_view name = "gemmini";
  static constexpr std::string_view version = "8c3f992";

  struct conv2d : arithmetic::gemmini_dot_product {};
  struct fully_connected : arithmetic::gemmini_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::gemmini>{
    .formula = "sat8( half_even(float32(acc) float32(si sw / so)) )",
    .known_faults = "partial sums of the array have 20 bits"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::gemmini, Room, Axis>{
    confidence::published_code, "ucb-bar/gemmini@8c3f992 AccumulatorScale.scala"};
template <class Room>
inline constexpr provenance_record provenance<targets::gemmini, Room, axis::scale_product>{
    confidence::inferred, "the scale is the program's"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::gemmini, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
