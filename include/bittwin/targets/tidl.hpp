// SPDX-License-Identifier: Apache-2.0
// Templates: TI TIDL on the C7x MMA, symmetric. Scale type 0 rescales by a right shift alone; the other has scales
// that are powers of two. Activations round floor(x + 0.5) in TI's training emulation, which is taken for the chip's
// rule (inferred). Accumulators beyond int32, additions and pools are not public. Sources
//   TexasInstruments/edgeai-tidl-tools@95ba2c7 docs; edgeai-modeloptimization.
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct tidl_dot_product : unknown_dot_product, offset_then_clamp {
  using layers =
      bittwin::layers<layer_is::of_8_bits, layer_is::symmetric, layer_is::of_symmetric_weights>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::exponent_alone;
  using rescale = bittwin::rescale::power_of_two<half_up>;
  using stages = offset_then_clamp::stages;
  using narrowing = offset_then_clamp::narrowing;
};

struct tidl_power_of_two_dot_product : tidl_dot_product {
  using layers = bittwin::layers<layer_is::of_8_bits, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::on_powers_of_two>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct tidl {
  static constexpr std::string_view name = "tidl";
  static constexpr std::string_view version = "scale type 0";

  struct conv2d : arithmetic::tidl_dot_product {};
  struct depthwise_conv2d : arithmetic::tidl_dot_product {};
  struct fully_connected : arithmetic::tidl_dot_product {};
  struct add : arithmetic::unknown_addition {};
  struct average_pool2d : arithmetic::unknown_average {};
};

struct tidl_power_of_two {
  static constexpr std::string_view name = "tidl-power-of-two";
  static constexpr std::string_view version = "scales that are powers of two";

  struct conv2d : arithmetic::tidl_power_of_two_dot_product {};
  struct depthwise_conv2d : arithmetic::tidl_power_of_two_dot_product {};
  struct fully_connected : arithmetic::tidl_power_of_two_dot_product {};
  struct add : arithmetic::unknown_addition {};
  struct average_pool2d : arithmetic::unknown_average {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::tidl>{
    .formula = "sat8( half_up(acc / 2^k) )",
    .to_measure = "sums beyond int32; activation bounds; ADD; pools"};

template <>
inline constexpr target_notes notes<targets::tidl_power_of_two>{
    .formula = "sat8( half_up(acc / 2^k) )",
    .to_measure = "sums beyond int32; activation bounds; ADD; pools"};

template <arithmetic::one_of<targets::tidl, targets::tidl_power_of_two> T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    arithmetic::template_confidence<T, Room, Axis>,
    "TexasInstruments/edgeai-tidl-tools@95ba2c7 docs"};

}  // namespace bittwin::inline v1
