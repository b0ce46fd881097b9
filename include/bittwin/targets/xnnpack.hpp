// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite with its XNNPACK delegate, the WebAssembly SIMD build: float32 rescales, ties to
// even. Operators that the delegate leaves alone run as `otherwise`; targets/xnnpack_delegation.hpp
// decides which. Sources
//   npm @tensorflow/tfjs-tflite 0.0.1-alpha.10, outputs recomputed without a difference;
//   google/XNNPACK src/xnnpack/requantization.h, src/microparams-init.c for the formulas.
#pragma once

#include <bittwin/targets/tflite_builtin.hpp>

namespace bittwin::targets::inline v1 {

struct xnnpack {
  static constexpr std::string_view name = "xnnpack";
  static constexpr std::string_view version = "tfjs-tflite 0.0.1-alpha.10";

  /// What runs where the delegate does not.
  using otherwise = tflite_builtin;

  struct bounds {
    using activation_bounds = bittwin::activation_bounds::offset_then_round<arithmetic::half_even>;
    using narrowing = bittwin::narrowing::saturate;
    using grid = bittwin::grid::of_output;
  };
  struct dot_product : bounds, arithmetic::float32_rounding {
    using stages = bittwin::stages::clamp_then_offset;
    using padding = bittwin::padding::zero_point;
    using placement = bittwin::placement::as_stated;
    using weight_zero_point = bittwin::weight_zero_point::subtracted;
    using scale_channel = bittwin::scale_channel::own;
    using channel_order = bittwin::channel_order::input_major;
  };

  /// int8 windows of 9 and 25 taps whose groups have one channel each sum pairs of raw products in
  /// int16.
  using pairs_in_small_windows =
      when<layer_is::both<
               layer_is::of_9_or_25_taps,
               layer_is::both<layer_is::one_to_one,
                              layer_is::not_<layer_is::either<layer_is::uint8, layer_is::int16>>>>,
           bittwin::accumulator::int16_pairs, bittwin::accumulator::wrapping<std::int32_t>>;

  struct conv2d : dot_product {
    using accumulator = pairs_in_small_windows;
  };
  struct depthwise_conv2d : dot_product {
    using accumulator = pairs_in_small_windows;
  };
  struct fully_connected : dot_product {
    using accumulator = bittwin::accumulator::wrapping<std::int32_t>;
  };
  struct transpose_conv : dot_product {
    using activation_bounds = bittwin::activation_bounds::ignored;
    using accumulator = bittwin::accumulator::wrapping<std::int32_t>;
  };
  struct add : bounds {
    using addition = bittwin::addition::single_shift;
  };
  struct sub : bounds {
    using addition = bittwin::addition::single_shift;
  };
  struct mul : bounds, arithmetic::float32_rounding {
    using stages = bittwin::stages::clamp_then_offset;
  };
  struct max_pool2d : bounds {
    using placement = bittwin::placement::as_stated;
  };
  struct mean : bounds {
    using mean_rule = bittwin::mean_rules::float32_multiply<arithmetic::half_even>;
  };
  struct resize_bilinear {
    using interpolation = bittwin::interpolation::eleven_bit;
  };
  struct quantize {
    using float_code = bittwin::float_code::multiply_by_reciprocal<arithmetic::half_even>;
  };
  struct requantize : bounds {
    using scale_product = bittwin::scale_product::in_float32;
    using multiplier = multipliers::fixed<8, arithmetic::half_even>;
    using rescale = bittwin::rescale::fixed_one_step<8, arithmetic::half_up>;
    using stages = bittwin::stages::offset_then_clamp;
  };
  struct concatenation {
    using recode = bittwin::recode::copy;
  };
  struct pad {
    using padding = bittwin::padding::zero_point;
  };
  struct logistic {
    using unary_rule = unary_rules::through_float<float_functions::logistic, arithmetic::half_even,
                                                  unary_rules::of_256ths>;
  };
  struct elu {
    using unary_rule = unary_rules::through_float<float_functions::elu, arithmetic::half_even>;
  };
  struct leaky_relu {
    using unary_rule = unary_rules::leaky_relu_q8;
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::xnnpack>{
    .formula = "half_even( clamp(float32(acc) float32(si sw / so), min - zo, max - zo) ) + zo",
    .known_faults = "int8 windows of 9 and 25 taps sum pairs in int16: -128 * -128 twice wraps"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::xnnpack, Room, Axis>{
    confidence::published_code, "outputs of @tensorflow/tfjs-tflite 0.0.1-alpha.10, recomputed"};

}  // namespace bittwin::inline v1
