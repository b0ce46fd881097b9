// SPDX-License-Identifier: Apache-2.0
// Two devices with one fault each, as boards in public reports have them.
#pragma once

#include <bittwin/policy/overrides.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <string_view>

namespace bittwin::cli {

template <class Room>
using upper_dropped =
    with_fault<activation_bounds::upper_dropped, typename Room::activation_bounds>;

/// A device that leaves every upper activation bound to the type's saturation.
struct upper_clamp_dropped : targets::tflite_reference {
  static constexpr std::string_view name = "fault: upper clamp dropped";
  struct conv2d : targets::tflite_reference::conv2d {
    using activation_bounds = upper_dropped<targets::tflite_reference::conv2d>;
  };
  struct depthwise_conv2d : targets::tflite_reference::depthwise_conv2d {
    using activation_bounds = upper_dropped<targets::tflite_reference::depthwise_conv2d>;
  };
  struct add : targets::tflite_reference::add {
    using activation_bounds = upper_dropped<targets::tflite_reference::add>;
  };
};
static_assert(overrides<upper_clamp_dropped, targets::tflite_reference>(
    "conv2d.activation_bounds", "depthwise_conv2d.activation_bounds", "add.activation_bounds"));

/// A device whose ADD reads both operands with the first one's scale.
struct add_scales_ignored : targets::tflite_reference {
  static constexpr std::string_view name = "fault: Add ignores operand scales";
  struct add : targets::tflite_reference::add {
    using addition = with_fault<bittwin::addition::first_scale_for_both,
                                targets::tflite_reference::add::addition>;
  };
};
static_assert(overrides<add_scales_ignored, targets::tflite_reference>("add.addition"));

}  // namespace bittwin::cli
