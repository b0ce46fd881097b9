// SPDX-License-Identifier: Apache-2.0
// Axis values that libraries outside TFLite share, and chips whose overflow is not published.
#pragma once

#include <bittwin/policy/addition_variants.hpp>
#include <bittwin/policy/layers.hpp>
#include <bittwin/policy/mantissa.hpp>
#include <bittwin/policy/multiplier_registers.hpp>
#include <bittwin/policy/rescale_q31_variants.hpp>
#include <bittwin/policy/rescale_scales.hpp>
#include <bittwin/policy/rescale_shift.hpp>
#include <bittwin/policy/rescale_tosa.hpp>
#include <bittwin/targets/arithmetic.hpp>
#include <bittwin/targets/unary_arithmetic.hpp>
#include <type_traits>

namespace bittwin::arithmetic::inline v1 {

/// One of several targets that share their sources.
template <class Target, class... Targets>
concept one_of = (std::is_same_v<Target, Targets> || ...);

/// Axes that a model file settles and a library is handed: what stands in the padding and where windows stand.
template <class Axis>
concept operand_axis =
    std::is_same_v<Axis, axis::padding> || std::is_same_v<Axis, axis::placement> ||
    std::is_same_v<Axis, axis::channel_order> || std::is_same_v<Axis, axis::scale_channel>;
inline constexpr provenance_record operator_definition{
    confidence::inferred, "the operator's definition in the model file"};

/// Codes less their zero points, windows where the file places them.
struct plain_operands {
  using padding = bittwin::padding::zero_point;
  using placement = bittwin::placement::as_stated;
  using weight_zero_point = bittwin::weight_zero_point::subtracted;
  using scale_channel = bittwin::scale_channel::own;
  using channel_order = bittwin::channel_order::input_major;
};

/// Sums in int32, modulo 2^32.
struct int32_sums : plain_operands {
  using accumulator = bittwin::accumulator::wrapping<std::int32_t>;
};

/// Sums that nobody knows beyond int32.
struct sums_known_in_32_bits : plain_operands {
  using accumulator = bittwin::accumulator::exact_within<32>;
};

struct offset_then_clamp {
  using stages = bittwin::stages::offset_then_clamp;
  using narrowing = bittwin::narrowing::saturate;
};

struct clamp_then_offset {
  using stages = bittwin::stages::clamp_then_offset;
  using narrowing = bittwin::narrowing::saturate;
};

/// Bounds of activations as TFLite's kernels round them.
struct tflite_bounds {
  using activation_bounds = bittwin::activation_bounds::round_then_offset<half_away>;
};

/// The type's range alone; layers whose activation bounds more are not represented.
struct type_bounds {
  using activation_bounds = bittwin::activation_bounds::ignored;
};

}  // namespace bittwin::arithmetic::inline v1
