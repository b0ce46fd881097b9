// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite's built-in (optimized) kernels, the WebAssembly SIMD build, no delegate.
// The rule differs per operator: ruy rounds int8 CONV_2D and FULLY_CONNECTED once, everything else
// rounds twice. Sources
//   npm @tensorflow/tfjs-tflite 0.0.1-alpha.10, outputs recomputed without a difference;
//   tensorflow/lite/kernels and tensorflow/lite/kernels/internal/optimized for the formulas.
#pragma once

#include <bittwin/targets/tflite_reference.hpp>

namespace bittwin::targets::inline v1 {

struct tflite_builtin : tflite_reference {
  static constexpr std::string_view name = "tflite-builtin";
  static constexpr std::string_view version = "tfjs-tflite 0.0.1-alpha.10";

  struct conv2d : tflite_reference::conv2d {
    using rescale = arithmetic::or_64_bit_sums<
        when<layer_is::either<layer_is::uint8, layer_is::grouped>,
             arithmetic::q31_double_rounding::rescale, arithmetic::q31_single_rounding::rescale>>;
  };
  /// Without a bias, int16 layers go to ruy, which sums in 32 bits, as those with an int32 bias do.
  struct fully_connected : tflite_reference::fully_connected {
    using accumulator = when<layer_is::without_bias, bittwin::accumulator::wrapping<std::int32_t>,
                             arithmetic::tflite_dot_product::accumulator>;
    using rescale =
        when<layer_is::uint8, arithmetic::q31_double_rounding::rescale,
             when<layer_is::without_bias, arithmetic::q31_single_rounding::rescale,
                  arithmetic::or_64_bit_sums<arithmetic::q31_single_rounding::rescale>>>;
  };
  /// A fused activation is of a later version of the operator: it is read over. int16 layers
  /// without a bias sum in 32 bits.
  struct transpose_conv : tflite_reference::transpose_conv {
    using activation_bounds = bittwin::activation_bounds::ignored;
    using accumulator = when<layer_is::without_bias, bittwin::accumulator::wrapping<std::int32_t>,
                             arithmetic::tflite_dot_product::accumulator>;
    using rescale = when<layer_is::without_bias, arithmetic::q31_double_rounding::rescale,
                         arithmetic::double_rounding_of_sums::rescale>;
  };
  struct batch_matmul : tflite_reference::batch_matmul {
    using rescale = arithmetic::single_rounding_of_sums::rescale;
  };
  struct lstm : tflite_reference::lstm {
    using lstm_rule = lstm_rules::direct_products<arithmetic::q31_double_rounding::multiplier,
                                                  arithmetic::q31_double_rounding::rescale>;
  };
  using general_addition = arithmetic::tflite_addition<arithmetic::q31_double_rounding>;

  struct add : tflite_reference::add {
    using addition = when<layer_is::of_power_of_two_scales,
                          bittwin::addition::power_of_two<arithmetic::half_away>, general_addition>;
    using activation_bounds = bittwin::activation_bounds::round_then_offset<arithmetic::half_away>;
  };
  struct sub : tflite_reference::sub {
    using addition = when<layer_is::of_power_of_two_scales,
                          bittwin::addition::power_of_two<arithmetic::half_away>, general_addition>;
  };
  struct mul : tflite_reference::mul {
    using scale_product = bittwin::scale_product::in_float32;
  };
  struct mean : tflite_reference::mean {
    using mean_rule = when<
        layer_is::both<layer_is::spatial_and_kept, layer_is::not_<layer_is::int16>>,
        arithmetic::tflite_spatial_mean,
        when<layer_is::equally_quantized, bittwin::mean_rules::of_raw_codes<rounding::toward_zero>,
             bittwin::mean_rules::in_float32<arithmetic::half_away>>>;
  };
  /// Sums are stored modulo 2^8.
  struct sum : tflite_reference::sum {
    using sum_rule =
        when<layer_is::equally_quantized, bittwin::sum_rules::of_raw_codes,
             when<layer_is::int16, arithmetic::tflite_sum<arithmetic::q31_double_rounding>,
                  bittwin::sum_rules::in_float32<arithmetic::half_away>>>;
    using narrowing = bittwin::narrowing::wrap;
  };
  struct resize_bilinear : tflite_reference::resize_bilinear {
    using interpolation = arithmetic::tflite_interpolation<bittwin::interpolation::float32_weights,
                                                           arithmetic::half_away>;
  };
  struct space_to_batch_nd : tflite_reference::space_to_batch_nd {
    using padding = bittwin::padding::zero_point;
  };
  struct detection : tflite_reference::detection {
    using class_order = bittwin::class_order::heap_and_merge;
  };
  struct softmax : tflite_reference::softmax {
    using softmax_rule = when<
        layer_is::int16,
        bittwin::softmax_rules::table_16<
            arithmetic::q31_double_rounding::multiplier, arithmetic::q31_double_rounding::rescale,
            bittwin::scale_product::float32_product, bittwin::softmax_rules::tables_in_float64>,
        bittwin::softmax_rules::float_table<arithmetic::half_away>>;
  };
  struct quantize : tflite_reference::quantize {
    using float_code = bittwin::float_code::divide_in_float64<arithmetic::half_away,
                                                              bittwin::float_code::to_int32_min>;
  };
  struct relu6 : tflite_reference::relu6 {
    using grid = bittwin::grid::of_output;
  };
  struct logistic : tflite_reference::logistic {
    using unary_rule =
        arithmetic::tflite_optimized_sigmoid<sigmoid::logistic, float_functions::logistic,
                                             unary_rules::of_256ths>;
  };
  struct tanh : tflite_reference::tanh {
    using unary_rule = arithmetic::tflite_optimized_sigmoid<sigmoid::tanh, float_functions::tanh,
                                                            unary_rules::any_grid>;
  };
  struct leaky_relu : tflite_reference::leaky_relu {
    using unary_rule = arithmetic::tflite_leaky_relu<arithmetic::q31_double_rounding,
                                                     unary_rules::slope_sign_before>;
  };
  struct prelu : tflite_reference::prelu {
    using scale_product = bittwin::scale_product::in_float32;
  };
  struct log_softmax : tflite_reference::log_softmax {
    using softmax_rule = bittwin::softmax_rules::float_log<arithmetic::half_even>;
  };
  struct cast : tflite_reference::cast {
    using float_cast = bittwin::float_cast::uint8_through_uint32;
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::tflite_builtin>{
    .formula =
        "int8 CONV_2D, FULLY_CONNECTED: clamp( half_up(acc m / 2^(31-e)) + zo ); others round "
        "twice"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::tflite_builtin, Room, Axis>{
    confidence::published_code, "outputs of @tensorflow/tfjs-tflite 0.0.1-alpha.10, recomputed"};

/// It computes these in float32 alone; on codes, the definition through float32.
template <class Axis>
inline constexpr provenance_record provenance<targets::tflite_builtin, room::exp, Axis>{
    confidence::inferred, "as ELU"};
template <class Axis>
inline constexpr provenance_record provenance<targets::tflite_builtin, room::sqrt, Axis>{
    confidence::inferred, "as ELU"};

}  // namespace bittwin::inline v1
