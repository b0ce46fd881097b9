// SPDX-License-Identifier: Apache-2.0
// Rooms of chips of which nothing is published: each axis is a question to measure. Templates override what is known.
#pragma once

#include <bittwin/policy/unknown.hpp>
#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

/// The operands of TFLite's file format are known, what is computed of them is not.
struct unknown_dot_product : plain_operands {
  using scale_product = unknown;
  using multiplier = unknown;
  using rescale = unknown;
  using accumulator = unknown;
  using activation_bounds = unknown;
  using stages = unknown;
  using narrowing = unknown;
};

struct unknown_addition {
  using addition = unknown;
  using activation_bounds = unknown;
  using narrowing = unknown;
};

struct unknown_average {
  using pool_division = unknown;
  using pool_count = unknown;
  using padding = bittwin::padding::zero_point;
  using placement = bittwin::placement::as_stated;
  using activation_bounds = unknown;
};

/// The rooms of a chip of which nothing bit-exact is public.
struct nothing_published {
  struct conv2d : unknown_dot_product {};
  struct depthwise_conv2d : unknown_dot_product {};
  struct fully_connected : unknown_dot_product {};
  struct add : unknown_addition {};
  struct average_pool2d : unknown_average {};
};

/// How well an axis of a template is known: not at all, or as its sources let one conclude.
template <class Target, class Room, class Axis>
inline constexpr confidence template_confidence =
    is_unknown<typename Axis::template of<typename Room::template of<Target>>>
        ? confidence::unknown
        : confidence::inferred;

}  // namespace bittwin::arithmetic::inline v1
