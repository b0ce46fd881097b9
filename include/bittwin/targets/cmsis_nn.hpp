// SPDX-License-Identifier: Apache-2.0
// CMSIS-NN's int8 kernels in C, as TensorFlow Lite Micro calls them: two roundings, or one where it is built with
// CMSIS_NN_USE_SINGLE_ROUNDING. Multipliers and bounds are TensorFlow Lite Micro's. Sources
//   ARM-software/CMSIS-NN@99f736a6: Include/arm_nnsupportfunctions.h, Source/ConvolutionFunctions,
//   FullyConnectedFunctions, BasicMathFunctions, PoolingFunctions; tensorflow/tflite-micro@90b983c2 micro/kernels/cmsis_nn.
// Compared once with those sources, built for x86-64 both ways: 3x3 convolutions, ADD, MUL and pools, 0 of 4.7 million
// codes differ.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

template <class Rescale>
struct cmsis_nn_dot_product : int32_sums, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::q31_up_to<30, half_away>;
  using rescale = Rescale;
};

template <class Rescale> struct cmsis_nn_addition : offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
  using addition = bittwin::addition::left_shifted<20, multipliers::q31<half_away>, Rescale>;
};

template <class Rescale> struct cmsis_nn_product : offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::q31_up_to<30, half_away>;
  using rescale = Rescale;
};

struct cmsis_nn_pool : tflite_pool {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
};

using cmsis_nn_double = bittwin::rescale::q31_two_step_wrapping<half_up, half_away>;
using cmsis_nn_single = bittwin::rescale::q31_one_step<half_up>;

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct cmsis_nn {
  static constexpr std::string_view name = "cmsis-nn";
  static constexpr std::string_view version = "99f736a6";

  struct conv2d : arithmetic::cmsis_nn_dot_product<arithmetic::cmsis_nn_double> {};
  struct depthwise_conv2d : arithmetic::cmsis_nn_dot_product<arithmetic::cmsis_nn_double> {};
  struct fully_connected : arithmetic::cmsis_nn_dot_product<arithmetic::cmsis_nn_double> {
    using scale_product = arithmetic::per_tensor_product_in_float32;
  };
  struct add : arithmetic::cmsis_nn_addition<arithmetic::cmsis_nn_double> {};
  struct mul : arithmetic::cmsis_nn_product<arithmetic::cmsis_nn_double> {};
  struct average_pool2d : arithmetic::cmsis_nn_pool {};
  struct max_pool2d : arithmetic::cmsis_nn_pool {};
};

struct cmsis_nn_single {
  static constexpr std::string_view name = "cmsis-nn-single";
  static constexpr std::string_view version = "99f736a6";

  struct conv2d : arithmetic::cmsis_nn_dot_product<arithmetic::cmsis_nn_single> {};
  struct depthwise_conv2d : arithmetic::cmsis_nn_dot_product<arithmetic::cmsis_nn_single> {};
  struct fully_connected : arithmetic::cmsis_nn_dot_product<arithmetic::cmsis_nn_single> {
    using scale_product = arithmetic::per_tensor_product_in_float32;
  };
  struct add : arithmetic::cmsis_nn_addition<arithmetic::cmsis_nn_single> {};
  struct mul : arithmetic::cmsis_nn_product<arithmetic::cmsis_nn_single> {};
  struct average_pool2d : arithmetic::cmsis_nn_pool {};
  struct max_pool2d : arithmetic::cmsis_nn_pool {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::cmsis_nn>{
    .formula = "clamp( half_away( wrap32(half_up(acc 2^left m / 2^31)) / 2^right ) + zo )"};

template <>
inline constexpr target_notes notes<targets::cmsis_nn_single>{
    .formula = "clamp( half_up(acc m / 2^(31-e)) + zo )",
    .known_faults =
        "vectors with MVE: the predicated tail doubles with rounding, so its lanes round twice"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::cmsis_nn, Room, Axis>{
    confidence::published_code, "ARM-software/CMSIS-NN@99f736a6, the C path"};
template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::cmsis_nn_single, Room, Axis>{
    confidence::published_code, "ARM-software/CMSIS-NN@99f736a6, CMSIS_NN_USE_SINGLE_ROUNDING"};

}  // namespace bittwin::inline v1
