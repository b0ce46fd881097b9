// SPDX-License-Identifier: Apache-2.0
// The one table of what the .tflite reader reads: {table, field, slot} of schema version 3, d
// included. A slot is the position of the field in its table; a union takes two, its type and its
// value. source  tensorflow/compiler/mlir/lite/schema/schema.fbs
#pragma once

#include <array>
#include <bittwin/graph/flatbuffer_view.hpp>
#include <bittwin/types/element_type.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bittwin::graph::tflite_schema {

inline constexpr field model_version{"Model", "version", 0};
inline constexpr field model_operator_codes{"Model", "operator_codes", 1};
inline constexpr field model_subgraphs{"Model", "subgraphs", 2};
inline constexpr field model_description{"Model", "description", 3};
inline constexpr field model_buffers{"Model", "buffers", 4};

inline constexpr field code_deprecated{"OperatorCode", "deprecated_builtin_code", 0};
inline constexpr field code_custom{"OperatorCode", "custom_code", 1};
inline constexpr field code_version{"OperatorCode", "version", 2};
inline constexpr field code_builtin{"OperatorCode", "builtin_code", 3};

inline constexpr field buffer_data{"Buffer", "data", 0};
inline constexpr field buffer_offset{"Buffer", "offset", 1};
inline constexpr field buffer_size{"Buffer", "size", 2};

inline constexpr field subgraph_tensors{"SubGraph", "tensors", 0};
inline constexpr field subgraph_inputs{"SubGraph", "inputs", 1};
inline constexpr field subgraph_outputs{"SubGraph", "outputs", 2};
inline constexpr field subgraph_operators{"SubGraph", "operators", 3};

inline constexpr field tensor_shape{"Tensor", "shape", 0};
inline constexpr field tensor_type{"Tensor", "type", 1};
inline constexpr field tensor_buffer{"Tensor", "buffer", 2};
inline constexpr field tensor_name{"Tensor", "name", 3};
inline constexpr field tensor_quantization{"Tensor", "quantization", 4};
inline constexpr field tensor_is_variable{"Tensor", "is_variable", 5};
inline constexpr field tensor_sparsity{"Tensor", "sparsity", 6};
inline constexpr field tensor_external_buffer{"Tensor", "external_buffer", 10};

inline constexpr field quantization_scale{"QuantizationParameters", "scale", 2};
inline constexpr field quantization_zero_point{"QuantizationParameters", "zero_point", 3};
inline constexpr field quantization_details_type{"QuantizationParameters", "details_type", 4};
inline constexpr field quantization_axis{"QuantizationParameters", "quantized_dimension", 6};

inline constexpr field operator_code_index{"Operator", "opcode_index", 0};
inline constexpr field operator_inputs{"Operator", "inputs", 1};
inline constexpr field operator_outputs{"Operator", "outputs", 2};
inline constexpr field operator_options_type{"Operator", "builtin_options_type", 3};
inline constexpr field operator_options_value{"Operator", "builtin_options", 4};

inline constexpr field conv_padding{"Conv2DOptions", "padding", 0};
inline constexpr field conv_stride_w{"Conv2DOptions", "stride_w", 1};
inline constexpr field conv_stride_h{"Conv2DOptions", "stride_h", 2};
inline constexpr field conv_activation{"Conv2DOptions", "fused_activation_function", 3};
inline constexpr field conv_dilation_w{"Conv2DOptions", "dilation_w_factor", 4};
inline constexpr field conv_dilation_h{"Conv2DOptions", "dilation_h_factor", 5};

inline constexpr field depthwise_padding{"DepthwiseConv2DOptions", "padding", 0};
inline constexpr field depthwise_stride_w{"DepthwiseConv2DOptions", "stride_w", 1};
inline constexpr field depthwise_stride_h{"DepthwiseConv2DOptions", "stride_h", 2};
inline constexpr field depthwise_multiplier{"DepthwiseConv2DOptions", "depth_multiplier", 3};
inline constexpr field depthwise_activation{"DepthwiseConv2DOptions", "fused_activation_function",
                                            4};
inline constexpr field depthwise_dilation_w{"DepthwiseConv2DOptions", "dilation_w_factor", 5};
inline constexpr field depthwise_dilation_h{"DepthwiseConv2DOptions", "dilation_h_factor", 6};

inline constexpr field pool_padding{"Pool2DOptions", "padding", 0};
inline constexpr field pool_stride_w{"Pool2DOptions", "stride_w", 1};
inline constexpr field pool_stride_h{"Pool2DOptions", "stride_h", 2};
inline constexpr field pool_filter_w{"Pool2DOptions", "filter_width", 3};
inline constexpr field pool_filter_h{"Pool2DOptions", "filter_height", 4};
inline constexpr field pool_activation{"Pool2DOptions", "fused_activation_function", 5};

inline constexpr field fully_connected_activation{"FullyConnectedOptions",
                                                  "fused_activation_function", 0};
inline constexpr field fully_connected_format{"FullyConnectedOptions", "weights_format", 1};
inline constexpr field fully_connected_keep_dims{"FullyConnectedOptions", "keep_num_dims", 2};

inline constexpr field concatenation_axis{"ConcatenationOptions", "axis", 0};
inline constexpr field concatenation_activation{"ConcatenationOptions", "fused_activation_function",
                                                1};
inline constexpr field add_activation{"AddOptions", "fused_activation_function", 0};
inline constexpr field add_pot_scale_int16{"AddOptions", "pot_scale_int16", 1};
inline constexpr field sub_activation{"SubOptions", "fused_activation_function", 0};
inline constexpr field sub_pot_scale_int16{"SubOptions", "pot_scale_int16", 1};
inline constexpr field mul_activation{"MulOptions", "fused_activation_function", 0};
inline constexpr field softmax_beta{"SoftmaxOptions", "beta", 0};
inline constexpr field reducer_keep_dims{"ReducerOptions", "keep_dims", 0};
inline constexpr field reshape_new_shape{"ReshapeOptions", "new_shape", 0};
inline constexpr field squeeze_dims{"SqueezeOptions", "squeeze_dims", 0};
inline constexpr field split_count{"SplitOptions", "num_splits", 0};

/// Which table Operator.builtin_options holds.
enum class options_type : std::uint8_t {
  none = 0,
  conv_2d = 1,
  depthwise_conv_2d = 2,
  pool_2d = 5,
  fully_connected = 8,
  softmax = 9,
  concatenation = 10,
  add = 11,
  reshape = 17,
  mul = 21,
  reducer = 27,
  sub = 28,
  squeeze = 30,
  split = 35,
};

/// Names of TensorType, in order of its values.
inline constexpr std::array<std::string_view, 23> type_names{
    "FLOAT32",  "FLOAT16",  "INT32",     "UINT8",         "INT64",      "STRING",
    "BOOL",     "INT16",    "COMPLEX64", "INT8",          "FLOAT64",    "COMPLEX128",
    "UINT64",   "RESOURCE", "VARIANT",   "UINT32",        "UINT16",     "INT4",
    "BFLOAT16", "INT2",     "UINT4",     "FLOAT8_E4M3FN", "FLOAT8_E5M2"};

[[nodiscard]] constexpr std::optional<element_type> element_type_of(std::int8_t type) noexcept {
  switch (type) {
    case 0:
      return element_type::float32;
    case 1:
      return element_type::float16;
    case 2:
      return element_type::int32;
    case 3:
      return element_type::uint8;
    case 4:
      return element_type::int64;
    case 6:
      return element_type::boolean;
    case 7:
      return element_type::int16;
    case 9:
      return element_type::int8;
    case 10:
      return element_type::float64;
    case 17:
      return element_type::int4;
    default:
      return std::nullopt;
  }
}

}  // namespace bittwin::graph::tflite_schema
