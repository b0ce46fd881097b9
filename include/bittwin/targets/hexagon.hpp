// SPDX-License-Identifier: Apache-2.0
// A template: Qualcomm HTP and HVX (QNN, SNPE). A TensorFlow maintainer says that HVX multiplies by 16-bit fixed point;
// how those are made and rounded is not public. Sources
//   tensorflow/tensorflow issue 25087; AIMET simulates with std::round.
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::targets::inline v1 {

struct hexagon : arithmetic::nothing_published {
  static constexpr std::string_view name = "hexagon";
  static constexpr std::string_view version = "nothing published";
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::hexagon>{
    .to_measure =
        "construction of the 16-bit multiplier, ties, accumulator, bias width, pools, additions"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::hexagon, Room, Axis>{
    arithmetic::template_confidence<targets::hexagon, Room, Axis>, "tensorflow/tensorflow#25087"};

}  // namespace bittwin::inline v1
