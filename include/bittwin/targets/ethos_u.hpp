// SPDX-License-Identifier: Apache-2.0
// Arm Ethos-U55/U65 as Vela programs it: TFLite's double rounding with 31-bit scales. Registers are certain, what the
// silicon does with them is inferred. How 32-bit sums overflow, additions of unequal scales and average pools are
// unknown: those operators are refused. Sources
//   nxp-imx/ethos-u-vela@1cdc4675: ethosu/vela/scaling.py, weight_compressor.py, high_level_command_to_npu_op.py.
#pragma once

#include <bittwin/policy/unknown.hpp>
#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct ethos_u_dot_product : sums_known_in_32_bits, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::of_8_bits, layer_is::ungrouped>;
  using scale_product =
      when<layer_is::uint8, bittwin::scale_product::in_float32, bittwin::scale_product::in_float64>;
  using multiplier = multipliers::vela_q31;
  using rescale = q31_double_rounding::rescale;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct ethos_u {
  static constexpr std::string_view name = "ethos-u";
  static constexpr std::string_view version = "vela 1cdc4675";

  struct conv2d : arithmetic::ethos_u_dot_product {};
  struct depthwise_conv2d : arithmetic::ethos_u_dot_product {
    using layers = bittwin::layers<layer_is::of_8_bits>;
  };
  struct fully_connected : arithmetic::ethos_u_dot_product {
    using scale_product = bittwin::scale_product::in_float32;
  };
  struct mul : arithmetic::offset_then_clamp, arithmetic::tflite_bounds {
    using layers = bittwin::layers<layer_is::of_8_bits>;
    using scale_product = bittwin::scale_product::in_float64;
    using multiplier = multipliers::vela_q31;
    using rescale = arithmetic::q31_double_rounding::rescale;
  };
  struct add : arithmetic::offset_then_clamp, arithmetic::tflite_bounds {
    using addition = unknown;
  };
  struct average_pool2d : arithmetic::tflite_pool {
    using pool_division = unknown;
  };
  struct max_pool2d : arithmetic::tflite_pool {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::ethos_u>{
    .formula = "clamp( half_away( half_up(acc m / 2^31) / 2^s ) + zo ), m as Vela makes it",
    .to_measure = "sums beyond int32; a mantissa of 2^31; ADD with unequal scales; average pools"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::ethos_u, Room, Axis>{
    confidence::inferred, "nxp-imx/ethos-u-vela@1cdc4675 ethosu/vela"};
template <>
inline constexpr provenance_record provenance<targets::ethos_u, room::add, axis::addition>{
    confidence::unknown, "Vela programs scales; the unit's roundings are not published"};
template <>
inline constexpr provenance_record
    provenance<targets::ethos_u, room::average_pool2d, axis::pool_division>{
        confidence::unknown,
        "Vela programs a reciprocal; rounding and zero points are not published"};

}  // namespace bittwin::inline v1
