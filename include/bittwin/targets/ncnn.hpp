// SPDX-License-Identifier: Apache-2.0
// ncnn's int8 convolutions with requantization: symmetric, float32, ties away from zero, codes from -127. Its scales
// are reciprocals of ours, turned by one float32 division each (inferred: ncnn makes its own tables). Sources
//   Tencent/ncnn@a4d2ea1d: src/layer/convolution.cpp, convolutiondepthwise.cpp, innerproduct.cpp (int8 paths).
// A .tflite bias becomes float32(bias si sw).
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct ncnn_dot_product : int32_sums, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::of_relu_alone>;
  using scale_product = bittwin::scale_product::in_float32;
  using multiplier = multipliers::float32;
  using rescale = bittwin::rescale::by_reciprocals<half_away>;
  using stages = bittwin::stages::offset_then_clamp;
  using narrowing = bittwin::narrowing::symmetric;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct ncnn {
  static constexpr std::string_view name = "ncnn";
  static constexpr std::string_view version = "a4d2ea1d";

  struct conv2d : arithmetic::ncnn_dot_product {};
  struct depthwise_conv2d : arithmetic::ncnn_dot_product {};
  struct fully_connected : arithmetic::ncnn_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::ncnn>{
    .formula = "clamp( half_away((float32(acc) si' + b) so'), -127, 127 )"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::ncnn, Room, Axis>{
    confidence::published_code, "Tencent/ncnn@a4d2ea1d src/layer/convolution.cpp"};
template <class Room>
inline constexpr provenance_record provenance<targets::ncnn, Room, axis::scale_product>{
    confidence::inferred, "ncnn stores reciprocals; ours are turned by one float32 division"};
template <class Room>
inline constexpr provenance_record provenance<targets::ncnn, Room, axis::activation_bounds>{
    confidence::inferred, "activations in reals, which end at the code of 0"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::ncnn, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
