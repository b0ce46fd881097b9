// SPDX-License-Identifier: Apache-2.0
// Which options each operator has, in which table of a .tflite file, and whether it has a meaning
// without.
#pragma once

#include <bittwin/graph/operator_options.hpp>
#include <bittwin/graph/tflite_option_schema.hpp>

namespace bittwin::graph::inline v1 {

/// type      Operator.builtin_options_type; none: the operator has no options
/// required  the defaults of the table describe no layer
/// initial   the alternative that the operator's options are, with its own defaults
struct option_form {
  tflite_schema::options_type type = tflite_schema::options_type::none;
  bool required = false;
  operator_options initial;
};

[[nodiscard]] inline option_form option_form_of(operator_code code) {
  using type = tflite_schema::options_type;
  switch (code) {
    case operator_code::conv_2d:
      return {type::conv_2d, true, conv_2d_options{}};
    case operator_code::depthwise_conv_2d:
      return {type::depthwise_conv_2d, true, depthwise_conv_2d_options{}};
    case operator_code::transpose_conv:
      return {type::transpose_conv, true, transpose_conv_options{}};
    case operator_code::average_pool_2d:
    case operator_code::max_pool_2d:
      return {type::pool_2d, true, pool_2d_options{}};
    case operator_code::fully_connected:
      return {type::fully_connected, false, fully_connected_options{}};
    case operator_code::batch_matmul:
      return {type::batch_matmul, false, batch_matmul_options{}};
    case operator_code::add:
      return {type::add, false, binary_options{}};
    case operator_code::sub:
      return {type::sub, false, binary_options{}};
    case operator_code::mul:
      return {type::mul, false, binary_options{}};
    case operator_code::div:
      return {type::div, false, binary_options{}};
    case operator_code::concatenation:
      return {type::concatenation, false, concatenation_options{}};
    case operator_code::softmax:
      return {type::softmax, true, softmax_options{}};
    case operator_code::leaky_relu:
      return {type::leaky_relu, true, leaky_relu_options{}};
    case operator_code::l2_normalization:
      return {type::l2_normalization, false, l2_normalization_options{}};
    case operator_code::mean:
    case operator_code::sum:
    case operator_code::reduce_max:
    case operator_code::reduce_min:
      return {type::reducer, false, reduce_options{}};
    case operator_code::arg_max:
      return {type::arg_max, true, arg_options{}};
    case operator_code::arg_min:
      return {type::arg_min, true, arg_options{}};
    case operator_code::reshape:
      return {type::reshape, false, reshape_options{}};
    case operator_code::squeeze:
      return {type::squeeze, false, squeeze_options{}};
    case operator_code::split:
      return {type::split, true, split_options{}};
    case operator_code::split_v:
      return {type::split_v, true, split_options{}};
    case operator_code::pack:
      return {type::pack, true, pack_options{}};
    case operator_code::unpack:
      return {type::unpack, true, unpack_options{}};
    case operator_code::gather:
      return {type::gather, false, gather_options{}};
    case operator_code::mirror_pad:
      return {type::mirror_pad, true, mirror_pad_options{}};
    case operator_code::strided_slice:
      return {type::strided_slice, false, strided_slice_options{}};
    case operator_code::resize_bilinear:
      return {type::resize_bilinear, false, resize_options{}};
    case operator_code::resize_nearest_neighbor:
      return {type::resize_nearest_neighbor, false, resize_options{}};
    case operator_code::space_to_depth:
      return {type::space_to_depth, true, block_options{}};
    case operator_code::depth_to_space:
      return {type::depth_to_space, true, block_options{}};
    case operator_code::cast:
      return {type::cast, false, cast_options{}};
    case operator_code::unidirectional_sequence_lstm:
      return {type::unidirectional_sequence_lstm, true, lstm_options{}};
    case operator_code::svdf:
      return {type::svdf, true, svdf_options{}};
    default:
      return {};
  }
}

}  // namespace bittwin::graph::inline v1
