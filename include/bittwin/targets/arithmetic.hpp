// SPDX-License-Identifier: Apache-2.0
// Axis values that several targets share, under the name of the arithmetic they make up.
#pragma once

#include <bittwin/policy/choice.hpp>
#include <bittwin/policy/overrides.hpp>
#include <bittwin/policy/provenance.hpp>
#include <bittwin/policy/room.hpp>

namespace bittwin::arithmetic::inline v1 {

using rounding::half_away;
using rounding::half_even;
using rounding::half_up;

/// Two roundings: ties up in the first step, away from zero in the second.
struct q31_double_rounding {
  using multiplier = multipliers::q31<half_away>;
  using rescale = bittwin::rescale::q31_two_step<half_up, half_away>;
};

/// One 64-bit product, ties up; as built with TFLITE_SINGLE_ROUNDING.
struct q31_single_rounding {
  using multiplier = multipliers::q31_capped<half_away>;
  using rescale = bittwin::rescale::q31_one_step<half_up>;
};

/// float32 product, ties to even.
struct float32_rounding {
  using scale_product = bittwin::scale_product::in_float32;
  using multiplier = multipliers::float32;
  using rescale = bittwin::rescale::float32_multiply<half_even>;
};

/// int16 layers with a 64-bit bias sum in 64 bits and have a rescale of their own.
template <class Narrow>
using or_64_bit_sums =
    when<layer_is::summed_in_64_bits, bittwin::rescale::q15_reduced<half_up>, Narrow>;

struct double_rounding_of_sums {
  using multiplier = q31_double_rounding::multiplier;
  using rescale = or_64_bit_sums<q31_double_rounding::rescale>;
};

struct single_rounding_of_sums {
  using multiplier = q31_single_rounding::multiplier;
  using rescale = or_64_bit_sums<q31_single_rounding::rescale>;
};

/// What every dot product of TFLite's kernels shares.
struct tflite_dot_product {
  using accumulator =
      when<layer_is::summed_in_64_bits, bittwin::accumulator::wrapping<std::int64_t>,
           bittwin::accumulator::wrapping<std::int32_t>>;
  using activation_bounds = bittwin::activation_bounds::round_then_offset<half_away>;
  using stages = bittwin::stages::offset_then_clamp;
  using narrowing = bittwin::narrowing::saturate;
  using padding = bittwin::padding::zero_point;
  using placement = bittwin::placement::as_stated;
  using weight_zero_point = bittwin::weight_zero_point::subtracted;
  using scale_channel = bittwin::scale_channel::own;
  using channel_order = bittwin::channel_order::input_major;
};

/// What its other rescaling operators share.
struct tflite_elementwise {
  using activation_bounds = bittwin::activation_bounds::round_then_offset<half_away>;
  using stages = bittwin::stages::offset_then_clamp;
  using narrowing = bittwin::narrowing::saturate;
  using grid = bittwin::grid::of_output;
};

struct tflite_pool {
  using activation_bounds = bittwin::activation_bounds::round_then_offset<half_away>;
  using pool_division = bittwin::pool_division::of_raw_codes<half_away>;
  using pool_count = bittwin::pool_count::inside;
  using padding = bittwin::padding::zero_point;
  using placement = bittwin::placement::as_stated;
};

template <class Q31, class Ratios = bittwin::addition::ratios_in_float64>
using tflite_addition = when<
    layer_is::int16,
    bittwin::addition::left_shifted<15, typename Q31::multiplier, typename Q31::rescale, Ratios>,
    bittwin::addition::left_shifted<20, typename Q31::multiplier, typename Q31::rescale, Ratios>>;

template <class Q31>
using tflite_squared_difference =
    when<layer_is::int16,
         bittwin::pairing::squared_difference<0, typename Q31::multiplier, typename Q31::rescale>,
         bittwin::pairing::squared_difference<7, typename Q31::multiplier, typename Q31::rescale>>;

template <class Q31>
using tflite_comparison =
    bittwin::comparison_keys::shifted_key<8, typename Q31::multiplier, typename Q31::rescale>;

template <class Q31>
using tflite_sum = bittwin::sum_rules::rescaled<typename Q31::multiplier, typename Q31::rescale>;

/// uint8 images are interpolated in float32, others with 10-bit weights.
template <class Float32, rounding::policy R>
using tflite_interpolation = when<layer_is::uint8, Float32, bittwin::interpolation::ten_bit<R>>;

template <class Q31>
using tflite_mean =
    bittwin::mean_rules::count_in_multiplier<typename Q31::multiplier, typename Q31::rescale>;

/// The optimized kernel for rows and columns.
using tflite_spatial_mean =
    bittwin::mean_rules::folded_zero_points<q31_double_rounding::multiplier,
                                            q31_double_rounding::rescale, half_away>;

template <class Q31>
using tflite_softmax =
    when<layer_is::int16,
         bittwin::softmax_rules::table_16<typename Q31::multiplier, typename Q31::rescale,
                                          scale_product::in_float64,
                                          bittwin::softmax_rules::tables_in_float32>,
         bittwin::softmax_rules::fixed_point<typename Q31::multiplier, typename Q31::rescale>>;

/// int8 operands share one grid and are copied; uint8 operands are brought to the output's.
using tflite_concatenation =
    when<layer_is::uint8, bittwin::recode::float32_affine<half_away>, bittwin::recode::copy>;

/// uint8 layers form the multiplier from a float32 product, int8 layers in float64.
using uint8_product_in_float32 =
    when<layer_is::uint8, scale_product::float32_product, scale_product::in_float64>;

/// per-tensor layers form the multiplier from a float32 product, per-channel layers in float64.
using per_tensor_product_in_float32 =
    when<layer_is::per_channel, scale_product::in_float64, scale_product::float32_product>;

}  // namespace bittwin::arithmetic::inline v1
