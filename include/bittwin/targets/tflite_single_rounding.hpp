// SPDX-License-Identifier: Apache-2.0
// The same kernels built with TFLITE_SINGLE_ROUNDING=1. uint8 depthwise convolutions keep rounding
// twice: their kernel has a rounding of its own. Sources
//   tensorflow/tflite-micro 90b983c2 (2026-08-20), common.h, quantization_util.cc,
//   depthwiseconv_uint8.h. Recomputed from the outputs of that build without a difference.
#pragma once

#include <bittwin/targets/tflite_reference.hpp>

namespace bittwin::targets::inline v1 {

struct tflite_single_rounding : tflite_reference {
  static constexpr std::string_view name = "tflite-single-rounding";

  struct conv2d : tflite_reference::conv2d {
    using multiplier = arithmetic::single_rounding_of_sums::multiplier;
    using rescale = arithmetic::single_rounding_of_sums::rescale;
  };
  struct depthwise_conv2d : tflite_reference::depthwise_conv2d {
    using multiplier = arithmetic::q31_single_rounding::multiplier;
    using rescale = when<layer_is::uint8, arithmetic::q31_double_rounding::rescale,
                         arithmetic::single_rounding_of_sums::rescale>;
  };
  struct fully_connected : tflite_reference::fully_connected {
    using multiplier = arithmetic::single_rounding_of_sums::multiplier;
    using rescale = arithmetic::single_rounding_of_sums::rescale;
  };
  struct transpose_conv : tflite_reference::transpose_conv {
    using multiplier = arithmetic::single_rounding_of_sums::multiplier;
    using rescale = arithmetic::single_rounding_of_sums::rescale;
  };
  struct batch_matmul : tflite_reference::batch_matmul {
    using multiplier = arithmetic::single_rounding_of_sums::multiplier;
    using rescale = arithmetic::single_rounding_of_sums::rescale;
  };
  struct svdf : tflite_reference::svdf {
    using multiplier = arithmetic::q31_single_rounding::multiplier;
    using rescale = arithmetic::q31_single_rounding::rescale;
  };
  struct lstm : tflite_reference::lstm {
    using multiplier = arithmetic::single_rounding_of_sums::multiplier;
    using rescale = arithmetic::single_rounding_of_sums::rescale;
    using lstm_rule = lstm_rules::composed_operators<arithmetic::q31_single_rounding::multiplier,
                                                     arithmetic::q31_single_rounding::rescale>;
  };
  struct add : tflite_reference::add {
    using addition = arithmetic::tflite_addition<arithmetic::q31_single_rounding>;
  };
  struct sub : tflite_reference::sub {
    using addition = arithmetic::tflite_addition<arithmetic::q31_single_rounding,
                                                 bittwin::addition::ratios_in_float32>;
  };
  struct mul : tflite_reference::mul {
    using multiplier = arithmetic::q31_single_rounding::multiplier;
    using rescale = arithmetic::q31_single_rounding::rescale;
  };
  struct squared_difference : tflite_reference::squared_difference {
    using pair_rule = arithmetic::tflite_squared_difference<arithmetic::q31_single_rounding>;
  };
  struct div : tflite_reference::div {
    using pair_rule =
        bittwin::pairing::one_step_quotient<arithmetic::q31_single_rounding::multiplier>;
  };
  struct comparison : tflite_reference::comparison {
    using comparison_key = arithmetic::tflite_comparison<arithmetic::q31_single_rounding>;
  };
  struct sum : tflite_reference::sum {
    using sum_rule = arithmetic::tflite_sum<arithmetic::q31_single_rounding>;
  };
  struct resize_bilinear : tflite_reference::resize_bilinear {
    using interpolation = arithmetic::tflite_interpolation<bittwin::interpolation::float32_terms,
                                                           arithmetic::half_up>;
  };
  struct mean : tflite_reference::mean {
    using mean_rule = arithmetic::tflite_mean<arithmetic::q31_single_rounding>;
  };
  struct softmax : tflite_reference::softmax {
    using softmax_rule = arithmetic::tflite_softmax<arithmetic::q31_single_rounding>;
  };
  struct requantize : tflite_reference::requantize {
    using multiplier = arithmetic::q31_single_rounding::multiplier;
    using rescale = arithmetic::q31_single_rounding::rescale;
  };
  struct relu : tflite_reference::relu {
    using multiplier = arithmetic::q31_single_rounding::multiplier;
    using rescale = arithmetic::q31_single_rounding::rescale;
  };
  struct relu_n1_to_1 : tflite_reference::relu_n1_to_1 {
    using multiplier = arithmetic::q31_single_rounding::multiplier;
    using rescale = arithmetic::q31_single_rounding::rescale;
  };
  struct logistic : tflite_reference::logistic {
    using unary_rule =
        arithmetic::tflite_sigmoid<sigmoid::logistic, arithmetic::q31_single_rounding>;
  };
  struct tanh : tflite_reference::tanh {
    using unary_rule = arithmetic::tflite_sigmoid<sigmoid::tanh, arithmetic::q31_single_rounding>;
  };
  struct leaky_relu : tflite_reference::leaky_relu {
    using unary_rule = arithmetic::tflite_leaky_relu<arithmetic::q31_single_rounding,
                                                     unary_rules::slope_sign_behind>;
  };
  struct rsqrt : tflite_reference::rsqrt {
    using unary_rule = arithmetic::tflite_inverse_root<arithmetic::q31_single_rounding>;
  };
  struct abs : tflite_reference::abs {
    using unary_rule = arithmetic::tflite_magnitude<arithmetic::q31_single_rounding>;
  };
  struct prelu : tflite_reference::prelu {
    using multiplier = arithmetic::q31_single_rounding::multiplier;
    using rescale = arithmetic::q31_single_rounding::rescale;
  };
  struct l2_normalization : tflite_reference::l2_normalization {
    using l2_rule = arithmetic::tflite_l2<arithmetic::q31_single_rounding>;
  };
  struct log_softmax : tflite_reference::log_softmax {
    using softmax_rule = arithmetic::tflite_log_softmax<arithmetic::q31_single_rounding>;
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::tflite_single_rounding>{
    .formula = "clamp( half_up(acc m / 2^(31-e)) + zo )"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::tflite_single_rounding, Room, Axis>{
    confidence::published_code, "tensorflow/tflite-micro@90b983c2, TFLITE_SINGLE_ROUNDING=1"};

template <class Axis>
inline constexpr provenance_record
    provenance<targets::tflite_single_rounding, room::relu_n1_to_1, Axis>{confidence::inferred,
                                                                          "as RELU"};
template <class Axis>
inline constexpr provenance_record provenance<targets::tflite_single_rounding, room::exp, Axis>{
    confidence::inferred, "as ELU"};
template <class Axis>
inline constexpr provenance_record provenance<targets::tflite_single_rounding, room::sqrt, Axis>{
    confidence::inferred, "as ELU"};
template <class Axis>
inline constexpr provenance_record provenance<targets::tflite_single_rounding, room::neg, Axis>{
    confidence::inferred, "the definition"};

}  // namespace bittwin::inline v1
