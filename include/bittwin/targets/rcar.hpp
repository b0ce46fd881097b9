// SPDX-License-Identifier: Apache-2.0
// A template: Renesas R-Car CNN-IP and DRP-AI. Nothing bit-exact is public.
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::targets::inline v1 {

struct rcar {
  static constexpr std::string_view name = "rcar";
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
inline constexpr target_notes notes<targets::rcar>{
    .to_measure =
        "everything: ties, multiplier width, accumulator, bias, clamps, pools, additions"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::rcar, Room, Axis>{
    is_unknown<typename Axis::template of<typename Room::template of<targets::rcar>>>
        ? confidence::unknown
        : confidence::inferred,
    "nothing bit-exact found"};

}  // namespace bittwin::inline v1
