// SPDX-License-Identifier: Apache-2.0
// Synopsys embARC MLI on fx8: int8, zero points of 0, scales that are powers of two, 32-bit sums, one shift that rounds as
// ROUND_MODE says. Its bias has 8 bits and a scale of its own, so layers with a TFLite bias are refused. Its affine sa8
// layers are not modelled: their 16-bit scales are the program's. Sources
//   foss-for-synopsys-dwc-arc-processors/embarc_mli@b364bc13: lib/src/bricks/impl/mli_prv_quant_ref.h,
//   lib/src/pal/ref/mli_math.h, cmake/mli_lib.cmake.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

template <rounding::policy R>
struct embarc_dot_product : sums_known_in_32_bits, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::per_tensor, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::on_powers_of_two,
                                 layer_is::of_relu_alone, layer_is::without_bias>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::exponent_alone;
  using rescale = bittwin::rescale::power_of_two<R>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct embarc_mli {
  static constexpr std::string_view name = "embarc-mli";
  static constexpr std::string_view version = "b364bc13, fx8, ROUND_MODE UP";

  struct conv2d : arithmetic::embarc_dot_product<rounding::half_up> {};
  struct depthwise_conv2d : arithmetic::embarc_dot_product<rounding::half_up> {};
  struct fully_connected : arithmetic::embarc_dot_product<rounding::half_up> {};
};

struct embarc_mli_convergent {
  static constexpr std::string_view name = "embarc-mli-convergent";
  static constexpr std::string_view version = "b364bc13, fx8, ROUND_MODE CONVERGENT";

  struct conv2d : arithmetic::embarc_dot_product<rounding::half_even> {};
  struct depthwise_conv2d : arithmetic::embarc_dot_product<rounding::half_even> {};
  struct fully_connected : arithmetic::embarc_dot_product<rounding::half_even> {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::embarc_mli>{
    .formula = "sat8( half_up(acc / 2^s) )",
    .to_measure = "8-bit biases; sums beyond 32 bits; sa8 layers; pools"};
template <>
inline constexpr target_notes notes<targets::embarc_mli_convergent>{
    .formula = "sat8( half_even(acc / 2^s) )",
    .to_measure = "8-bit biases; sums beyond 32 bits; sa8 layers; pools"};

template <arithmetic::one_of<targets::embarc_mli, targets::embarc_mli_convergent> T, class Room,
          class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::published_code, "embarc_mli@b364bc13 lib/src/bricks/impl/mli_prv_quant_ref.h"};
template <arithmetic::one_of<targets::embarc_mli, targets::embarc_mli_convergent> T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::activation_bounds>{
    confidence::inferred, "RELU ends at the code of 0"};
template <arithmetic::one_of<targets::embarc_mli, targets::embarc_mli_convergent> T, class Room,
          arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
