// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite Micro's reference kernels, double rounding, x86-64.
// Sources
//   tensorflow/tflite-micro 90b983c2 (2026-08-20): tensorflow/lite/kernels/internal/reference and
//   tensorflow/lite/micro/kernels; uint8 operators by the functions that the same tree still holds
//   in reference/. Recomputed from the outputs of that build without a difference.
#pragma once

#include <bittwin/policy/provenance.hpp>
#include <bittwin/targets/arithmetic.hpp>
#include <bittwin/targets/unary_arithmetic.hpp>
#include <string_view>

namespace bittwin::targets::inline v1 {

struct tflite_reference {
  static constexpr std::string_view name = "tflite-reference";
  static constexpr std::string_view version = "tflite-micro 90b983c2";

  struct conv2d : arithmetic::tflite_dot_product, arithmetic::double_rounding_of_sums {
    using scale_product = arithmetic::uint8_product_in_float32;
  };
  struct depthwise_conv2d : arithmetic::tflite_dot_product, arithmetic::double_rounding_of_sums {
    using scale_product = arithmetic::uint8_product_in_float32;
  };
  struct fully_connected : arithmetic::tflite_dot_product, arithmetic::double_rounding_of_sums {
    using scale_product = arithmetic::per_tensor_product_in_float32;
  };
  /// The sum of int32 numbers is not clamped.
  struct transpose_conv : arithmetic::tflite_dot_product, arithmetic::double_rounding_of_sums {
    using scale_product = arithmetic::uint8_product_in_float32;
  };
  struct batch_matmul : arithmetic::tflite_dot_product, arithmetic::double_rounding_of_sums {
    using scale_product = bittwin::scale_product::float32_product;
  };
  /// Its fused activation is left out of the integer kernel.
  struct svdf : arithmetic::tflite_elementwise, arithmetic::q31_double_rounding {
    using scale_product = bittwin::scale_product::in_float32;
    using activation_bounds = bittwin::activation_bounds::ignored;
  };
  struct lstm : arithmetic::double_rounding_of_sums {
    using scale_product = bittwin::scale_product::float32_product;
    using lstm_rule = lstm_rules::composed_operators<arithmetic::q31_double_rounding::multiplier,
                                                     arithmetic::q31_double_rounding::rescale>;
  };
  struct add : arithmetic::tflite_elementwise {
    using activation_bounds =
        when<layer_is::of_numbers, bittwin::activation_bounds::ignored,
             bittwin::activation_bounds::round_then_offset<arithmetic::half_away>>;
    using addition = arithmetic::tflite_addition<arithmetic::q31_double_rounding>;
  };
  struct sub : arithmetic::tflite_elementwise {
    using addition = arithmetic::tflite_addition<arithmetic::q31_double_rounding,
                                                 bittwin::addition::ratios_in_float32>;
  };
  struct mul : arithmetic::tflite_elementwise, arithmetic::q31_double_rounding {
    using scale_product = bittwin::scale_product::in_float64;
  };
  struct squared_difference : arithmetic::tflite_elementwise {
    using pair_rule = arithmetic::tflite_squared_difference<arithmetic::q31_double_rounding>;
  };
  struct div : arithmetic::tflite_elementwise {
    using pair_rule =
        bittwin::pairing::two_step_quotient<arithmetic::q31_double_rounding::multiplier>;
  };
  struct comparison {
    using comparison_key = arithmetic::tflite_comparison<arithmetic::q31_double_rounding>;
  };
  struct average_pool2d : arithmetic::tflite_pool {};
  struct max_pool2d : arithmetic::tflite_pool {};
  struct mean : arithmetic::tflite_elementwise {
    using mean_rule = arithmetic::tflite_mean<arithmetic::q31_double_rounding>;
  };
  struct sum : arithmetic::tflite_elementwise {
    using sum_rule = arithmetic::tflite_sum<arithmetic::q31_double_rounding>;
  };
  struct resize_bilinear {
    using interpolation = arithmetic::tflite_interpolation<bittwin::interpolation::float32_terms,
                                                           arithmetic::half_away>;
  };
  /// Fills with code 0, whatever the zero point.
  struct space_to_batch_nd {
    using padding = bittwin::padding::code_zero;
  };
  struct detection {
    using class_order = bittwin::class_order::by_position;
  };
  struct softmax {
    using softmax_rule = arithmetic::tflite_softmax<arithmetic::q31_double_rounding>;
  };
  struct quantize {
    using float_code = bittwin::float_code::divide_in_float32<arithmetic::half_away,
                                                              bittwin::float_code::to_int32_min>;
  };
  struct requantize : arithmetic::tflite_elementwise, arithmetic::q31_double_rounding {
    using scale_product = bittwin::scale_product::in_float64;
  };
  struct relu : arithmetic::tflite_elementwise, arithmetic::q31_double_rounding {
    using scale_product = bittwin::scale_product::in_float32;
  };
  struct relu6 : arithmetic::tflite_elementwise, arithmetic::q31_double_rounding {
    using scale_product = bittwin::scale_product::in_float32;
    using grid = bittwin::grid::of_input;
  };
  struct relu_n1_to_1 : arithmetic::tflite_elementwise, arithmetic::q31_double_rounding {
    using scale_product = bittwin::scale_product::in_float32;
  };
  struct concatenation {
    using recode = arithmetic::tflite_concatenation;
  };
  struct pad {
    using padding = bittwin::padding::zero_point;
  };
  struct logistic {
    using unary_rule =
        arithmetic::tflite_sigmoid<sigmoid::logistic, arithmetic::q31_double_rounding>;
  };
  struct tanh {
    using unary_rule = arithmetic::tflite_sigmoid<sigmoid::tanh, arithmetic::q31_double_rounding>;
  };
  struct hard_swish {
    using unary_rule = unary_rules::hard_swish<arithmetic::q31_double_rounding::multiplier>;
  };
  struct leaky_relu {
    using unary_rule = arithmetic::tflite_leaky_relu<arithmetic::q31_double_rounding,
                                                     unary_rules::slope_sign_behind>;
  };
  struct elu {
    using unary_rule =
        unary_rules::through_float<float_functions::elu_through_exp, arithmetic::half_away>;
  };
  struct exp {
    using unary_rule = unary_rules::through_float<float_functions::exp, arithmetic::half_away>;
  };
  struct rsqrt {
    using unary_rule = arithmetic::tflite_inverse_root<arithmetic::q31_double_rounding>;
  };
  struct sqrt {
    using unary_rule = unary_rules::through_float<float_functions::sqrt, arithmetic::half_away>;
  };
  struct abs {
    using unary_rule = arithmetic::tflite_magnitude<arithmetic::q31_double_rounding>;
  };
  struct neg {
    using unary_rule = unary_rules::negation;
  };
  struct prelu : arithmetic::tflite_elementwise, arithmetic::q31_double_rounding {
    using scale_product = bittwin::scale_product::in_float64;
  };
  struct l2_normalization {
    using l2_rule = arithmetic::tflite_l2<arithmetic::q31_double_rounding>;
  };
  struct log_softmax {
    using softmax_rule = arithmetic::tflite_log_softmax<arithmetic::q31_double_rounding>;
  };
  struct cast {
    using float_cast = bittwin::float_cast::through_int32;
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::tflite_reference>{
    .formula = "clamp( half_away( half_up(acc 2^left m / 2^31) / 2^right ) + zo )"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::tflite_reference, Room, Axis>{
    confidence::published_code, "tensorflow/tflite-micro@90b983c2"};

/// The tree has no such kernel for 8 bits; the operator's rule is taken as RELU's.
template <class Axis>
inline constexpr provenance_record provenance<targets::tflite_reference, room::relu_n1_to_1, Axis>{
    confidence::inferred, "as RELU"};

/// The tree computes these in float32 alone; on codes, the definition through float32.
template <class Axis>
inline constexpr provenance_record provenance<targets::tflite_reference, room::exp, Axis>{
    confidence::inferred, "as ELU"};
template <class Axis>
inline constexpr provenance_record provenance<targets::tflite_reference, room::sqrt, Axis>{
    confidence::inferred, "as ELU"};
template <class Axis>
inline constexpr provenance_record provenance<targets::tflite_reference, room::neg, Axis>{
    confidence::inferred, "the definition"};

}  // namespace bittwin::inline v1
