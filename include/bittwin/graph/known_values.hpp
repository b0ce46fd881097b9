// SPDX-License-Identifier: Apache-2.0
// Every value of every axis that a description may name: those of the shipped targets, and the others that the
// policies offer. A value that a shipped target uses and that is not here fails tests/targets.
#pragma once

#include <bittwin/policy/accumulator_halved.hpp>
#include <bittwin/policy/rescale_converter.hpp>
#include <bittwin/targets/all.hpp>

namespace bittwin::graph::known_values::inline v1 {

template <class... Values> struct list {};

using rounding::half_away, rounding::half_even, rounding::half_up, rounding::half_down;
using double_q31 = arithmetic::q31_double_rounding;
using single_q31 = arithmetic::q31_single_rounding;
using q31 = double_q31::multiplier;
using capped = single_q31::multiplier;
using twice = double_q31::rescale;
using once = single_q31::rescale;
using wrapped_twice = rescale::q31_two_step_wrapping<half_up, half_away>;
using int32_min = float_code::to_int32_min;

template <class Axis> struct values_of;

template <> struct values_of<axis::scale_product> {
  using type =
      list<scale_product::in_float64, scale_product::float32_product, scale_product::in_float32>;
};
template <> struct values_of<axis::multiplier> {
  using type = list<q31, capped, multipliers::fixed<8, half_even>, multipliers::float32,
                    multipliers::float64, multipliers::none, multipliers::q31_up_to<0, half_away>,
                    multipliers::of_bits<8>, multipliers::of_bits<15>,
                    multipliers::q31_up_to<7, half_away>, multipliers::q31_up_to<30, half_away>,
                    multipliers::in_q31_registers<mantissas::q31_of_float32>,
                    multipliers::in_registers<mantissas::all_of_float32>,
                    multipliers::in_registers<mantissas::fifteen_bits_plus_one>,
                    multipliers::in_registers<mantissas::truncated<15>>,
                    multipliers::in_registers<mantissas::truncated<16>>,
                    multipliers::in_registers<mantissas::rounded_16>,
                    multipliers::shifted_at_most<31, multipliers::of_bits<15>>,
                    multipliers::shifted_at_most<43, multipliers::of_bits<15>>,
                    multipliers::vela_q31, multipliers::tosa_32, multipliers::exponent_alone,
                    multipliers::right_shift_alone, multipliers::float32_below_256>;
};
template <> struct values_of<axis::rescale> {
  using type =
      list<twice, rescale::q31_two_step<half_up, half_up>, once, rescale::q31_one_step<half_even>,
           rescale::q31_one_step<half_away>, rescale::q31_one_step<half_down>,
           rescale::q31_one_step<rounding::floor>, rescale::q31_one_step<rounding::toward_zero>,
           rescale::q31_one_step_int32, rescale::q15_reduced<half_up>, rescale::q15_reduced_int32,
           rescale::q15_wrapping<half_up>, rescale::fixed_one_step<8, half_up>,
           rescale::float32_multiply<half_even>, rescale::float32_multiply<half_away>,
           rescale::float64_multiply<half_away>, rescale::none, wrapped_twice,
           rescale::q31_two_step_int32_sum, rescale::shifted_product<half_up>,
           rescale::shifted_product<half_even>, rescale::shifted_product<half_away>,
           rescale::shifted_product<rounding::floor>, rescale::steps_of_16_bits,
           rescale::in_converter<converter::int16_before_clip>,
           rescale::in_converter<converter::folded_normalisation>, rescale::preshifted_16,
           rescale::by_parts<half_even>, rescale::float32_then_offset<half_even>,
           rescale::by_reciprocals<half_away>, rescale::power_of_two<half_up>,
           rescale::power_of_two<half_even>, rescale::power_of_two<half_away>,
           rescale::power_of_two<rounding::floor>, rescale::carry_shift, rescale::tosa_half_up,
           rescale::tosa_double_half_away>;
};
template <> struct values_of<axis::accumulator> {
  using type = list<accumulator::wrapping<std::int16_t>, accumulator::wrapping<std::int32_t>,
                    accumulator::wrapping<std::int64_t>, accumulator::saturating<std::int32_t>,
                    accumulator::exact_within<20>, accumulator::exact_within<32>,
                    accumulator::exact_within<36>, accumulator::saturating_symmetric,
                    accumulator::halved_weights, accumulator::int16_pairs,
                    accumulator::int16_saturating_pairs, accumulator::uint8_saturating_pairs>;
};
template <> struct values_of<axis::activation_bounds> {
  using rounded = activation_bounds::round_then_offset<half_away>;
  using type = list<rounded, activation_bounds::offset_then_round<half_even>,
                    activation_bounds::ignored, activation_bounds::upper_dropped<rounded>,
                    activation_bounds::lower_dropped<rounded>, activation_bounds::literal_bounds>;
};
template <> struct values_of<axis::stages> {
  using type = list<stages::offset_then_clamp, stages::clamp_then_offset,
                    stages::type_clamp_then_offset, stages::offset_only>;
};
template <> struct values_of<axis::narrowing> {
  using type = list<narrowing::saturate, narrowing::symmetric, narrowing::wrap>;
};
template <> struct values_of<axis::padding> {
  using type = list<padding::zero_point, padding::code_zero>;
};
template <> struct values_of<axis::placement> {
  using type = list<placement::as_stated, placement::odd_cell_before, placement::dilation_ignored>;
};
template <> struct values_of<axis::weight_zero_point> {
  using type = list<weight_zero_point::subtracted, weight_zero_point::ignored>;
};
template <> struct values_of<axis::scale_channel> {
  using type =
      list<scale_channel::own, scale_channel::first, scale_channel::last, scale_channel::reversed>;
};
template <> struct values_of<axis::channel_order> {
  using type = list<channel_order::input_major, channel_order::multiple_major>;
};
template <> struct values_of<axis::addition> {
  using float32 = addition::ratios_in_float32;
  using type =
      list<addition::left_shifted<20, q31, twice>, addition::left_shifted<15, q31, twice>,
           addition::left_shifted<20, capped, once>, addition::left_shifted<15, capped, once>,
           addition::left_shifted<20, q31, twice, float32>,
           addition::left_shifted<15, q31, twice, float32>,
           addition::left_shifted<20, capped, once, float32>,
           addition::left_shifted<15, capped, once, float32>,
           addition::left_shifted<20, q31, wrapped_twice>, addition::left_shifted<20, q31, once>,
           addition::single_shift, addition::power_of_two<half_away>,
           addition::per_operand<q31, twice>, addition::products_of_22_bits<half_away>,
           addition::in_float32<half_even>, addition::saturating_sum, addition::halves_of_int16>;
};
template <> struct values_of<axis::pair_rule> {
  using type =
      list<pairing::squared_difference<0, q31, twice>, pairing::squared_difference<7, q31, twice>,
           pairing::squared_difference<0, capped, once>,
           pairing::squared_difference<7, capped, once>, pairing::two_step_quotient<q31>,
           pairing::one_step_quotient<capped>>;
};
template <> struct values_of<axis::comparison_key> {
  using type = list<comparison_keys::shifted_key<8, q31, twice>,
                    comparison_keys::shifted_key<8, capped, once>>;
};
template <> struct values_of<axis::pool_division> {
  using type = list<pool_division::of_raw_codes<half_away>, pool_division::of_raw_codes<half_up>,
                    pool_division::of_raw_codes<half_even>,
                    pool_division::of_raw_codes<rounding::toward_zero>,
                    pool_division::of_centred_codes<half_away>, pool_division::by_reciprocal>;
};
template <> struct values_of<axis::pool_count> {
  using type = list<pool_count::inside, pool_count::whole_window>;
};
template <> struct values_of<axis::mean_rule> {
  using type = list<mean_rules::count_in_multiplier<q31, twice>,
                    mean_rules::count_in_multiplier<capped, once>,
                    mean_rules::folded_zero_points<q31, twice, half_away>,
                    mean_rules::of_raw_codes<rounding::toward_zero>,
                    mean_rules::in_float32<half_away>, mean_rules::float32_multiply<half_even>>;
};
template <> struct values_of<axis::sum_rule> {
  using type = list<sum_rules::rescaled<q31, twice>, sum_rules::rescaled<capped, once>,
                    sum_rules::of_raw_codes, sum_rules::in_float32<half_away>>;
};
template <> struct values_of<axis::interpolation> {
  using type =
      list<interpolation::ten_bit<half_away>, interpolation::ten_bit<half_up>,
           interpolation::eleven_bit, interpolation::float32_terms, interpolation::float32_weights>;
};
template <> struct values_of<axis::class_order> {
  using type = list<class_order::by_position, class_order::heap_and_merge>;
};
template <> struct values_of<axis::softmax_rule> {
  template <class M, class R>
  using table =
      softmax_rules::table_16<M, R, scale_product::in_float64, softmax_rules::tables_in_float32>;
  using type =
      list<softmax_rules::fixed_point<q31, twice>, softmax_rules::fixed_point<capped, once>,
           table<q31, twice>, table<capped, once>,
           softmax_rules::table_16<q31, twice, scale_product::float32_product,
                                   softmax_rules::tables_in_float64>,
           softmax_rules::float_table<half_away>, softmax_rules::fixed_log<q31, twice>,
           softmax_rules::fixed_log<capped, once>, softmax_rules::float_log<half_even>>;
};
template <> struct values_of<axis::lstm_rule> {
  using type =
      list<lstm_rules::composed_operators<q31, twice>, lstm_rules::composed_operators<capped, once>,
           lstm_rules::direct_products<q31, twice>>;
};
template <> struct values_of<axis::float_code> {
  using type = list<float_code::divide_in_float32<half_away, int32_min>,
                    float_code::divide_in_float64<half_away, int32_min>,
                    float_code::multiply_by_reciprocal<half_even>,
                    float_code::divide_in_float32<half_even, int32_min>,
                    float_code::add_half_and_truncate<int32_min>>;
};
template <> struct values_of<axis::grid> { using type = list<grid::of_output, grid::of_input>; };
template <> struct values_of<axis::recode> {
  using type = list<recode::copy, recode::float32_affine<half_away>>;
};
template <> struct values_of<axis::unary_rule> {
  template <class F, class R> using sigmoid_of = unary_rules::fixed_sigmoid<F, q31, R>;
  template <class F>
  using fixed_or_table = unary_rules::fixed_16_or<F, unary_rules::interpolated<F>>;
  using type =
      list<unary_rules::interpolated<sigmoid::logistic>, unary_rules::interpolated<sigmoid::tanh>,
           sigmoid_of<sigmoid::logistic, twice>, sigmoid_of<sigmoid::tanh, twice>,
           sigmoid_of<sigmoid::logistic, once>, sigmoid_of<sigmoid::tanh, once>,
           fixed_or_table<sigmoid::logistic>, fixed_or_table<sigmoid::tanh>,
           unary_rules::through_float<float_functions::logistic, half_away, unary_rules::of_256ths>,
           unary_rules::through_float<float_functions::logistic, half_even, unary_rules::of_256ths>,
           unary_rules::through_float<float_functions::tanh, half_away, unary_rules::any_grid>,
           unary_rules::through_float<float_functions::elu_through_exp, half_away>,
           unary_rules::through_float<float_functions::elu, half_even>,
           unary_rules::through_float<float_functions::exp, half_away>,
           unary_rules::through_float<float_functions::sqrt, half_away>,
           unary_rules::hard_swish<q31>, unary_rules::leaky_relu_q8,
           arithmetic::tflite_leaky_relu<double_q31, unary_rules::slope_sign_behind>,
           arithmetic::tflite_leaky_relu<double_q31, unary_rules::slope_sign_before>,
           arithmetic::tflite_leaky_relu<single_q31, unary_rules::slope_sign_behind>,
           arithmetic::tflite_inverse_root<double_q31>, arithmetic::tflite_inverse_root<single_q31>,
           arithmetic::tflite_magnitude<double_q31>, arithmetic::tflite_magnitude<single_q31>,
           unary_rules::negation>;
};
template <> struct values_of<axis::l2_rule> {
  using type = list<l2_rules::scaled_codes<twice>, l2_rules::scaled_codes<once>,
                    l2_rules::root_of_row<twice>, l2_rules::root_of_row<once>>;
};
template <> struct values_of<axis::float_cast> {
  using type = list<float_cast::through_int32, float_cast::uint8_through_uint32>;
};

/// Conditions that an axis may depend on, and those that layers may have to meet.
using conditions =
    list<layer_is::uint8, layer_is::int16, layer_is::int8, layer_is::of_power_of_two_scales,
         layer_is::of_numbers, layer_is::summed_in_64_bits, layer_is::without_bias,
         layer_is::per_channel, layer_is::grouped, layer_is::equally_quantized,
         layer_is::spatial_and_kept, layer_is::either<layer_is::uint8, layer_is::grouped>,
         layer_is::both<layer_is::spatial_and_kept, layer_is::not_<layer_is::int16>>,
         layer_is::both<
             layer_is::of_9_or_25_taps,
             layer_is::both<layer_is::one_to_one,
                            layer_is::not_<layer_is::either<layer_is::uint8, layer_is::int16>>>>>;
using layer_conditions =
    list<layer_is::int8, layer_is::int8_as_modelled, layer_is::of_uint8, layer_is::of_8_bits,
         layer_is::per_tensor, layer_is::symmetric, layer_is::of_symmetric_weights,
         layer_is::on_powers_of_two, layer_is::clamped_by_its_type, layer_is::of_relu_alone,
         layer_is::of_equal_grids, layer_is::ungrouped, layer_is::of_even_depth,
         layer_is::without_bias, layer_is::of_signed_weights, layer_is::of_1x1_or_3x3,
         layer_is::of_even_depth_or_int8, layer_is::of_int8_weights,
         layer_is::of_padding_within_pairs, layer_is::of_windows_or_uint8>;

}  // namespace bittwin::graph::known_values::inline v1
