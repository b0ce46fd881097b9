// SPDX-License-Identifier: Apache-2.0
// A template: Google Coral Edge TPU on TFLite's int8 and uint8. A TensorFlow maintainer says that its multipliers are
// float32; nothing else is public. Sources
//   tensorflow/tensorflow issue 25087; google-coral/edgetpu issues 288 and 382 (differs from the CPU).
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct edge_tpu_dot_product : unknown_dot_product {
  using layers = bittwin::layers<layer_is::of_8_bits>;
  using multiplier = multipliers::float32;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct edge_tpu {
  static constexpr std::string_view name = "edge-tpu";
  static constexpr std::string_view version = "nothing published";

  struct conv2d : arithmetic::edge_tpu_dot_product {};
  struct depthwise_conv2d : arithmetic::edge_tpu_dot_product {};
  struct fully_connected : arithmetic::edge_tpu_dot_product {};
  struct add : arithmetic::unknown_addition {};
  struct average_pool2d : arithmetic::unknown_average {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::edge_tpu>{
    .to_measure =
        "ties of the float32 rescale, accumulator, order of clamp and zero point, pools, "
        "additions"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::edge_tpu, Room, Axis>{
    arithmetic::template_confidence<targets::edge_tpu, Room, Axis>,
    "tensorflow/tensorflow#25087; google-coral/edgetpu#288, #382"};

}  // namespace bittwin::inline v1
