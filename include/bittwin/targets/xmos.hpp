// SPDX-License-Identifier: Apache-2.0
// A template: XMOS xcore.ai's XS3 vector unit under lib_nn. Sums saturate after every addition, symmetrically; three 16-bit
// steps follow. How a layer's multipliers, zero points and sums choose the first shift and the 16-bit multiplier and bias is
// a search over what its accumulators can reach, and not modelled: those axes are unknown here. Sources
//   xmos/lib_nn: OutputTransformFn, vpu_sim; xmos/ai_tools.
#pragma once

#include <bittwin/policy/rescale_converter.hpp>
#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct xmos_dot_product : unknown_dot_product {
  using layers = bittwin::layers<layer_is::int8, layer_is::of_symmetric_weights>;
  using rescale = bittwin::rescale::steps_of_16_bits;
  using accumulator = bittwin::accumulator::saturating_symmetric;
  using narrowing = bittwin::narrowing::saturate;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct xmos {
  static constexpr std::string_view name = "xmos";
  static constexpr std::string_view version = "XS3 VPU, lib_nn";

  struct conv2d : arithmetic::xmos_dot_product {};
  struct depthwise_conv2d : arithmetic::xmos_dot_product {};
  struct fully_connected : arithmetic::xmos_dot_product {};
  struct add : arithmetic::unknown_addition {};
  struct average_pool2d : arithmetic::unknown_average {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::xmos>{
    .formula = "sat8( half_up(sym16( half_up(sym16( half_up(acc / 2^s) ) m / 2^14) ) / 2^8) )",
    .known_faults = "accumulators saturate at every step: where they do, the order of taps counts",
    .to_measure = "shifts, multipliers and biases that lib_nn chooses; additions, pools"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::xmos, Room, Axis>{
    arithmetic::template_confidence<targets::xmos, Room, Axis>, "xmos/lib_nn OutputTransformFn"};

}  // namespace bittwin::inline v1
