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

}  // namespace bittwin::arithmetic::inline v1
