// SPDX-License-Identifier: Apache-2.0
// Arm Ethos-N78: additions, whose firmware is open: each operand is scaled in 16 bits, its last bit rounded half up. Of
// convolutions the compiler's 16-bit multiplier is known, and not what the unit does with it: the rescale is unknown. Sources
//   ARM-software/ethos-n-driver-stack@6834c82: firmware/ple/src/Addition_Rescale.cpp, include/ethosn_ple/CExec.hpp;
//   driver/support_library/src/Utils.hpp. Issue 8 there: not identical to TFLite.
#pragma once

#include <bittwin/policy/unknown.hpp>
#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct ethos_n_dot_product : plain_operands, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::of_8_bits>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::in_registers<mantissas::rounded_16>;
  using rescale = unknown;
  using accumulator = unknown;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct ethos_n {
  static constexpr std::string_view name = "ethos-n";
  static constexpr std::string_view version = "driver stack 6834c82";

  struct conv2d : arithmetic::ethos_n_dot_product {};
  struct depthwise_conv2d : arithmetic::ethos_n_dot_product {};
  struct fully_connected : arithmetic::ethos_n_dot_product {};
  struct add : arithmetic::type_bounds {
    using layers = bittwin::layers<layer_is::of_8_bits, layer_is::clamped_by_its_type>;
    using addition = bittwin::addition::halves_of_int16;
    using narrowing = bittwin::narrowing::saturate;
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::ethos_n>{
    .formula = "ADD: sat8( h(a) + h(b) + zo ), h(x) = (sat16((x - z) m16 >> (s - 1)) + 1) >> 1",
    .known_faults = "ratios from 64 on leave 16 bits",
    .to_measure = "rounding and accumulators of convolutions; means, pools"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::ethos_n, Room, Axis>{
    confidence::inferred, "ARM-software/ethos-n-driver-stack@6834c82 support_library Utils.hpp"};
template <class Room, arithmetic::one_of<axis::rescale, axis::accumulator> Axis>
inline constexpr provenance_record provenance<targets::ethos_n, Room, Axis>{
    confidence::unknown, "nothing published of the MAC engine"};
template <class Axis>
inline constexpr provenance_record provenance<targets::ethos_n, room::add, Axis>{
    confidence::published_code, "ethos-n-driver-stack firmware/ple/src/Addition_Rescale.cpp"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::ethos_n, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
