// SPDX-License-Identifier: Apache-2.0
// The operators of a model file that this version knows, by their .tflite codes.
// source  tensorflow/compiler/mlir/lite/schema/schema.fbs, BuiltinOperator
#pragma once

#include <bittwin/graph/operator_names.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bittwin::graph::inline v1 {

enum class operator_code : std::int32_t {
  add = 0,
  average_pool_2d = 1,
  concatenation = 2,
  conv_2d = 3,
  depthwise_conv_2d = 4,
  depth_to_space = 5,
  dequantize = 6,
  fully_connected = 9,
  l2_normalization = 11,
  logistic = 14,
  max_pool_2d = 17,
  mul = 18,
  relu = 19,
  relu_n1_to_1 = 20,
  relu6 = 21,
  reshape = 22,
  resize_bilinear = 23,
  softmax = 25,
  space_to_depth = 26,
  svdf = 27,
  tanh = 28,
  custom = 32,  ///< which one: operation::custom_name
  pad = 34,
  gather = 36,
  batch_to_space_nd = 37,
  space_to_batch_nd = 38,
  transpose = 39,
  mean = 40,
  sub = 41,
  div = 42,
  squeeze = 43,
  unidirectional_sequence_lstm = 44,
  strided_slice = 45,
  exp = 47,
  split = 49,
  log_softmax = 50,
  cast = 53,
  prelu = 54,
  maximum = 55,
  arg_max = 56,
  minimum = 57,
  less = 58,
  neg = 59,
  padv2 = 60,
  greater = 61,
  greater_equal = 62,
  less_equal = 63,
  select = 64,
  slice = 65,
  transpose_conv = 67,
  expand_dims = 70,
  equal = 71,
  not_equal = 72,
  sum = 74,
  sqrt = 75,
  rsqrt = 76,
  arg_min = 79,
  reduce_max = 82,
  pack = 83,
  unpack = 88,
  reduce_min = 89,
  resize_nearest_neighbor = 97,
  leaky_relu = 98,
  squared_difference = 99,
  mirror_pad = 100,
  abs = 101,
  split_v = 102,
  elu = 111,
  quantize = 114,
  hard_swish = 117,
  select_v2 = 123,
  batch_matmul = 126,
};

/// "CONV_2D"; empty for a code newer than the table of names.
[[nodiscard]] constexpr std::string_view name_of(operator_code code) noexcept {
  const auto at = static_cast<std::int32_t>(code);
  if (at < 0 || static_cast<std::size_t>(at) >= operator_names.size()) return {};
  return operator_names[static_cast<std::size_t>(at)];
}

}  // namespace bittwin::graph::inline v1
