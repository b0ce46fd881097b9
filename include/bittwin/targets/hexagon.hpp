// SPDX-License-Identifier: Apache-2.0
// A template: Qualcomm HTP and HVX (QNN, SNPE). A TensorFlow maintainer says that HVX multiplies by 16-bit fixed point;
// how those are made and rounded is not public. Sources
//   tensorflow/tensorflow issue 25087; AIMET simulates with std::round.
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::targets::inline v1 {

struct hexagon {
  static constexpr std::string_view name = "hexagon";
  static constexpr std::string_view version = "nothing published";

  struct conv2d : arithmetic::unknown_dot_product {};
  struct depthwise_conv2d : arithmetic::unknown_dot_product {};
  struct fully_connected : arithmetic::unknown_dot_product {};
  struct add : arithmetic::unknown_addition {};
  struct average_pool2d : arithmetic::unknown_average {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::hexagon>{
    .to_measure =
        "construction of the 16-bit multiplier, ties, accumulator, bias width, pools, additions"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::hexagon, Room, Axis>{
    is_unknown<typename Axis::template of<typename Room::template of<targets::hexagon>>>
        ? confidence::unknown
        : confidence::inferred,
    "tensorflow/tensorflow#25087"};

}  // namespace bittwin::inline v1
