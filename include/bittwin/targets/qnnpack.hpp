// SPDX-License-Identifier: Apache-2.0
// QNNPACK: uint8, one scale a tensor, multipliers below 1 with 24 significant bits, two roundings. Sources
//   pytorch/QNNPACK@7d2a4e9: src/qnnpack/requantization.h, src/qnnpack/params.h, src/requantization/q31-scalar.c,
//   src/convolution.c, src/add.c (which multipliers and ratios are refused). Bounds of activations are the caller's.
// Compared once with its scalar functions: 5 million rescales and 2 million sums, 0 differ.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct qnnpack_dot_product : int32_sums, clamp_then_offset, tflite_bounds {
  using layers = bittwin::layers<layer_is::of_uint8, layer_is::per_tensor>;
  using scale_product = bittwin::scale_product::in_float32;
  using multiplier = multipliers::in_q31_registers<mantissas::q31_of_float32>;
  using rescale = q31_double_rounding::rescale;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct qnnpack {
  static constexpr std::string_view name = "qnnpack";
  static constexpr std::string_view version = "7d2a4e9";

  struct conv2d : arithmetic::qnnpack_dot_product {};
  struct depthwise_conv2d : arithmetic::qnnpack_dot_product {};
  struct fully_connected : arithmetic::qnnpack_dot_product {};
  struct add : arithmetic::offset_then_clamp, arithmetic::tflite_bounds {
    using layers = bittwin::layers<layer_is::of_uint8>;
    using addition = bittwin::addition::products_of_22_bits<arithmetic::half_away>;
  };
  struct max_pool2d : arithmetic::tflite_pool {
    using layers = bittwin::layers<layer_is::of_uint8>;
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::qnnpack>{
    .formula = "clamp( half_away( half_up(acc m / 2^31) / 2^s ), min - zo, max - zo ) + zo"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::qnnpack, Room, Axis>{
    confidence::published_code, "pytorch/QNNPACK@7d2a4e9 src/qnnpack/requantization.h"};
template <class Room>
inline constexpr provenance_record provenance<targets::qnnpack, Room, axis::activation_bounds>{
    confidence::inferred, "codes given by the caller; rounded as TFLite rounds them"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::qnnpack, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
