// SPDX-License-Identifier: Apache-2.0
// Templates: NXP eIQ Neutron. Its converter takes TFLite's int8 grids as they are, affine and per channel; what the
// unit computes of them is not public. A public report shows ReLU6 without its upper bound: the second template has it.
// Sources
//   eIQ neutron-converter documentation (a re-encoder of TFLite); NXP community 2415701 (i.MX95, SSD MobileNet v1).
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct neutron_dot_product : unknown_dot_product {
  using layers = bittwin::layers<layer_is::of_8_bits>;
};

/// Fault UPPER_CLAMP_MISSING.
struct neutron_relu6_dot_product : neutron_dot_product {
  using activation_bounds =
      bittwin::activation_bounds::upper_dropped<tflite_bounds::activation_bounds>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct neutron {
  static constexpr std::string_view name = "neutron";
  static constexpr std::string_view version = "nothing published";

  struct conv2d : arithmetic::neutron_dot_product {};
  struct depthwise_conv2d : arithmetic::neutron_dot_product {};
  struct fully_connected : arithmetic::neutron_dot_product {};
  struct add : arithmetic::unknown_addition {};
  struct average_pool2d : arithmetic::unknown_average {};
};

struct neutron_relu6 {
  static constexpr std::string_view name = "neutron-relu6";
  static constexpr std::string_view version = "as NXP community 2415701 reports i.MX95";

  struct conv2d : arithmetic::neutron_relu6_dot_product {};
  struct depthwise_conv2d : arithmetic::neutron_relu6_dot_product {};
  struct fully_connected : arithmetic::neutron_relu6_dot_product {};
  struct add : arithmetic::unknown_addition {};
  struct average_pool2d : arithmetic::unknown_average {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::neutron>{
    .known_faults =
        "UPPER_CLAMP_MISSING as NXP community 2415701 reports it: template neutron-relu6",
    .to_measure = "ties, multiplier width, accumulator, upper bounds of activations, ADD, pools"};

template <>
inline constexpr target_notes notes<targets::neutron_relu6>{
    .known_faults = "UPPER_CLAMP_MISSING: RELU6 ends where the type ends",
    .to_measure = "ties, multiplier width, accumulator, ADD, pools"};

template <arithmetic::one_of<targets::neutron, targets::neutron_relu6> T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    arithmetic::template_confidence<T, Room, Axis>,
    "eIQ neutron-converter documentation; NXP community 2415701"};

}  // namespace bittwin::inline v1
