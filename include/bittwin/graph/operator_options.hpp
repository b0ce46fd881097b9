// SPDX-License-Identifier: Apache-2.0
// The operators a model file can hold, and the options of those that have any.
#pragma once

#include <bittwin/types/activation.hpp>
#include <bittwin/types/geometry.hpp>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace bittwin::graph::inline v1 {

/// Values are the .tflite builtin operator codes (schema.fbs, BuiltinOperator).
enum class operator_code : std::int32_t {
  add = 0,
  average_pool_2d = 1,
  concatenation = 2,
  conv_2d = 3,
  depthwise_conv_2d = 4,
  dequantize = 6,
  fully_connected = 9,
  max_pool_2d = 17,
  mul = 18,
  relu = 19,
  relu_n1_to_1 = 20,
  relu6 = 21,
  reshape = 22,
  softmax = 25,
  pad = 34,
  transpose = 39,
  mean = 40,
  sub = 41,
  squeeze = 43,
  split = 49,
  quantize = 114,
};

struct conv_2d_options {
  padding_kind padding = padding_kind::same;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t dilation_h = 1, dilation_w = 1;
  activation fused = activation::none;
};

struct depthwise_conv_2d_options {
  padding_kind padding = padding_kind::same;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t dilation_h = 1, dilation_w = 1;
  std::int32_t depth_multiplier = 1;  ///< as the file says; kernels go by the filter's shape
  activation fused = activation::none;
};

struct pool_2d_options {
  padding_kind padding = padding_kind::same;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t filter_h = 1, filter_w = 1;
  activation fused = activation::none;
};

struct fully_connected_options {
  activation fused = activation::none;
  bool keep_num_dims = false;
};

/// ADD, SUB, MUL
struct binary_options {
  activation fused = activation::none;
  bool power_of_two_int16 = true;  ///< pot_scale_int16: which int16 rule ADD and SUB take
};

struct concatenation_options {
  std::int32_t axis = 0;
  activation fused = activation::none;
};

struct softmax_options {
  float beta = 1.0F;
};

struct reduce_options {
  bool keep_dims = false;
};

struct reshape_options {
  std::vector<std::int32_t> new_shape;
};

struct squeeze_options {
  std::vector<std::int32_t> axes;
};

struct split_options {
  std::int32_t count = 1;
};

using operator_options =
    std::variant<std::monostate, conv_2d_options, depthwise_conv_2d_options, pool_2d_options,
                 fully_connected_options, binary_options, concatenation_options, softmax_options,
                 reduce_options, reshape_options, squeeze_options, split_options>;

/// "CONV_2D"; empty for a code that is not listed above.
[[nodiscard]] constexpr std::string_view name_of(operator_code code) noexcept {
  switch (code) {
    case operator_code::add:
      return "ADD";
    case operator_code::average_pool_2d:
      return "AVERAGE_POOL_2D";
    case operator_code::concatenation:
      return "CONCATENATION";
    case operator_code::conv_2d:
      return "CONV_2D";
    case operator_code::depthwise_conv_2d:
      return "DEPTHWISE_CONV_2D";
    case operator_code::dequantize:
      return "DEQUANTIZE";
    case operator_code::fully_connected:
      return "FULLY_CONNECTED";
    case operator_code::max_pool_2d:
      return "MAX_POOL_2D";
    case operator_code::mul:
      return "MUL";
    case operator_code::relu:
      return "RELU";
    case operator_code::relu_n1_to_1:
      return "RELU_N1_TO_1";
    case operator_code::relu6:
      return "RELU6";
    case operator_code::reshape:
      return "RESHAPE";
    case operator_code::softmax:
      return "SOFTMAX";
    case operator_code::pad:
      return "PAD";
    case operator_code::transpose:
      return "TRANSPOSE";
    case operator_code::mean:
      return "MEAN";
    case operator_code::sub:
      return "SUB";
    case operator_code::squeeze:
      return "SQUEEZE";
    case operator_code::split:
      return "SPLIT";
    case operator_code::quantize:
      return "QUANTIZE";
  }
  return {};
}

}  // namespace bittwin::graph::inline v1
