// SPDX-License-Identifier: Apache-2.0
// A template: Renesas R-Car CNN-IP and DRP-AI. Nothing bit-exact is public.
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::targets::inline v1 {

struct rcar : arithmetic::nothing_published {
  static constexpr std::string_view name = "rcar";
  static constexpr std::string_view version = "nothing published";
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::rcar>{
    .to_measure =
        "everything: ties, multiplier width, accumulator, bias, clamps, pools, additions"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::rcar, Room, Axis>{
    arithmetic::template_confidence<targets::rcar, Room, Axis>, "nothing bit-exact found"};

}  // namespace bittwin::inline v1
