// SPDX-License-Identifier: Apache-2.0
// PULP-NN, 32-bit kernels on 8-bit codes: uint8 activations with zero points of 0, int8 weights (in a file: uint8 around 128),
// a multiplier and a shift, floored. Without batch normalisation the scaled value is cast to int16 before it is clipped. Its
// bias has 8 bits and a shift of its own, so layers with a TFLite bias are refused. Which integers stand for a real
// multiplier is the deployment tool's choice: multipliers of more than 15 bits are refused. Additions (cast to uint16) and
// pools are published and not modelled. Sources
//   pulp-platform/pulp-nn@288d06b: 32bit/include/pulp_nn_utils.h, 32bit/src/pulp_nn_utils.c, pulp_nn_linear.c.
#pragma once

#include <bittwin/policy/rescale_converter.hpp>
#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct pulp_dot_product : int32_sums, offset_then_clamp, type_bounds {
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::shifted_at_most<31, multipliers::of_bits<15>>;
};

/// pulp_nn_quant_u8: one multiplier a layer.
struct pulp_quantised : pulp_dot_product {
  using layers = bittwin::layers<layer_is::of_uint8, layer_is::per_tensor, layer_is::symmetric,
                                 layer_is::of_signed_weights, layer_is::clamped_by_its_type,
                                 layer_is::without_bias>;
  using rescale = bittwin::rescale::in_converter<converter::int16_before_clip>;
};

/// pulp_nn_bn_quant_u8 with kappa as the multiplier and lambda 0: one a channel, 32 bits.
struct pulp_normalised : pulp_dot_product {
  using layers =
      bittwin::layers<layer_is::of_uint8, layer_is::symmetric, layer_is::of_signed_weights,
                      layer_is::clamped_by_its_type, layer_is::without_bias>;
  using rescale = bittwin::rescale::in_converter<converter::folded_normalisation>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct pulp_nn {
  static constexpr std::string_view name = "pulp-nn";
  static constexpr std::string_view version = "288d06b, 32 bits, quant_u8";

  struct conv2d : arithmetic::pulp_quantised {};
  struct depthwise_conv2d : arithmetic::pulp_quantised {};
  struct fully_connected : arithmetic::pulp_quantised {};
};

struct pulp_nn_bn {
  static constexpr std::string_view name = "pulp-nn-bn";
  static constexpr std::string_view version = "288d06b, 32 bits, bn_quant_u8";

  struct conv2d : arithmetic::pulp_normalised {};
  struct depthwise_conv2d : arithmetic::pulp_normalised {};
  struct fully_connected : arithmetic::pulp_normalised {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::pulp_nn>{
    .formula = "clip_u8( wrap16( floor(wrap32(acc m15) / 2^d) ) )",
    .known_faults = "scaled values from 2^15 on wrap before the clip: bright codes become 0",
    .to_measure = "the deployment tool's multipliers; 8-bit biases"};
template <>
inline constexpr target_notes notes<targets::pulp_nn_bn>{
    .formula = "clip_u8( floor(wrap32(acc k15) / 2^d) )",
    .known_faults = "products from 2^31 on wrap; the 64-bit kernels do not",
    .to_measure = "the deployment tool's kappa and lambda; 8-bit biases"};

template <arithmetic::one_of<targets::pulp_nn, targets::pulp_nn_bn> T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::published_code, "pulp-platform/pulp-nn@288d06b 32bit/src/pulp_nn_utils.c"};
template <arithmetic::one_of<targets::pulp_nn, targets::pulp_nn_bn> T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::multiplier>{
    confidence::inferred, "exact multipliers of 15 bits; the deployment tool chooses others"};
template <arithmetic::one_of<targets::pulp_nn, targets::pulp_nn_bn> T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::scale_product>{
    confidence::inferred, "the multiplier is the deployment tool's"};
template <arithmetic::one_of<targets::pulp_nn, targets::pulp_nn_bn> T, class Room,
          arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
