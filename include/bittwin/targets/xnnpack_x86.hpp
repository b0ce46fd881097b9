// SPDX-License-Identifier: Apache-2.0
// XNNPACK as a library, without a delegate: x86, where everything rescales in float32, and NEON, where uint8 layers
// rescale by 24-bit integers with ties up. Operators it lacks are refused. Sources
//   google/XNNPACK@75db3c09: src/xnnpack/requantization.h, src/microparams-init.c, src/configs/gemm-config.c,
//   src/operators/convolution-nhwc.c (which multipliers it refuses).
// Bounds of activations are its caller's, here as the TensorFlow Lite delegate makes them.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>
#include <bittwin/targets/xnnpack.hpp>

namespace bittwin::arithmetic::inline v1 {

struct xnnpack_x86_dot_product : int32_sums, clamp_then_offset, float32_rounding {
  using layers = bittwin::layers<layer_is::of_8_bits>;
  using activation_bounds = bittwin::activation_bounds::offset_then_round<half_even>;
  using multiplier = multipliers::float32_below_256;
};

struct xnnpack_neon_dot_product : xnnpack_x86_dot_product {
  using multiplier = when<layer_is::uint8, multipliers::in_registers<mantissas::all_of_float32>,
                          multipliers::float32_below_256>;
  using rescale =
      when<layer_is::uint8, bittwin::rescale::shifted_product<half_up>, float32_rounding::rescale>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct xnnpack_x86 {
  static constexpr std::string_view name = "xnnpack-x86";
  static constexpr std::string_view version = "75db3c09";

  struct conv2d : arithmetic::xnnpack_x86_dot_product {};
  struct depthwise_conv2d : arithmetic::xnnpack_x86_dot_product {};
  struct fully_connected : arithmetic::xnnpack_x86_dot_product {};
  struct add : xnnpack::add {};
  struct sub : xnnpack::sub {};
  struct mul : xnnpack::mul {};
  struct max_pool2d : xnnpack::max_pool2d {};
  struct quantize : xnnpack::quantize {};
  struct requantize : xnnpack::requantize {};
};

struct xnnpack_neon {
  static constexpr std::string_view name = "xnnpack-neon";
  static constexpr std::string_view version = "75db3c09";

  struct conv2d : arithmetic::xnnpack_neon_dot_product {};
  struct depthwise_conv2d : arithmetic::xnnpack_neon_dot_product {};
  struct fully_connected : arithmetic::xnnpack_neon_dot_product {};
  struct add : xnnpack::add {};
  struct sub : xnnpack::sub {};
  struct max_pool2d : xnnpack::max_pool2d {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::xnnpack_x86>{
    .formula = "half_even( clamp(float32(acc) float32(si sw / so), min - zo, max - zo) ) + zo"};

template <>
inline constexpr target_notes notes<targets::xnnpack_neon>{
    .formula =
        "int8 as xnnpack-x86; uint8: clamp( half_up(acc m24 / 2^s), min - zo, max - zo ) + zo",
    .to_measure = "one AArch64 configuration rescales uint8 by 15 bits and int16 (rndnu16)"};

/// One of the two targets.
template <class T>
concept xnnpack_library =
    std::is_same_v<T, targets::xnnpack_x86> || std::is_same_v<T, targets::xnnpack_neon>;

template <xnnpack_library T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::published_code, "google/XNNPACK@75db3c09 src/xnnpack/requantization.h"};
template <xnnpack_library T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::activation_bounds>{
    confidence::inferred, "codes given by the caller; rounded as the TFLite delegate rounds them"};
template <xnnpack_library T, class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
