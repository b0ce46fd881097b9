// SPDX-License-Identifier: Apache-2.0
// For operators that this version does not define: what a model can use in their place, so that a refusal helps.
#pragma once

#include <bittwin/graph/operator_names.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::graph::inline v1 {

/// The nearest supported form of an operator by its name; empty where none is near.
[[nodiscard]] constexpr std::string_view nearest_operator(std::string_view name) noexcept {
  struct entry {
    std::string_view name, nearest;
  };
  constexpr entry table[]{
      {"CUSTOM", "a builtin operator; of the custom ones only TFLite_Detection_PostProcess"},
      {"ADD_N", "a chain of ADD"},
      {"BIDIRECTIONAL_SEQUENCE_LSTM", "two UNIDIRECTIONAL_SEQUENCE_LSTM"},
      {"BIDIRECTIONAL_SEQUENCE_RNN", "two UNIDIRECTIONAL_SEQUENCE_LSTM"},
      {"BROADCAST_TO", "the broadcast of ADD or MUL"},
      {"BUCKETIZE", "comparisons and CAST"},
      {"CALL", "one subgraph with the callee in it"},
      {"CALL_ONCE", "one subgraph without initialisation"},
      {"CONV_3D", "CONV_2D, one a slice, and ADD"},
      {"CONV_3D_TRANSPOSE", "TRANSPOSE_CONV, one a slice, and ADD"},
      {"DENSIFY", "dense weights"},
      {"DYNAMIC_UPDATE_SLICE", "STRIDED_SLICE and CONCATENATION"},
      {"EMBEDDING_LOOKUP", "GATHER"},
      {"FAKE_QUANT", "QUANTIZE and DEQUANTIZE"},
      {"FILL", "a constant tensor"},
      {"FLOOR_DIV", "DIV"},
      {"GATHER_ND", "GATHER"},
      {"GELU", "LOGISTIC and MUL, or HARD_SWISH"},
      {"IF", "SELECT_V2 between both branches"},
      {"L2_POOL_2D", "AVERAGE_POOL_2D"},
      {"LOCAL_RESPONSE_NORMALIZATION", "L2_NORMALIZATION"},
      {"LOG", "LOG_SOFTMAX"},
      {"LOGICAL_AND", "MINIMUM on codes"},
      {"LOGICAL_OR", "MAXIMUM on codes"},
      {"LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM"},
      {"NON_MAX_SUPPRESSION_V4", "TFLite_Detection_PostProcess"},
      {"NON_MAX_SUPPRESSION_V5", "TFLite_Detection_PostProcess"},
      {"POW", "MUL"},
      {"RANGE", "a constant tensor"},
      {"RANK", "a constant tensor"},
      {"REDUCE_ALL", "REDUCE_MIN on codes"},
      {"REDUCE_ANY", "REDUCE_MAX on codes"},
      {"RELU_0_TO_1", "RELU with an output grid that ends at 1"},
      {"REVERSE_V2", "STRIDED_SLICE with stride -1"},
      {"RNN", "FULLY_CONNECTED"},
      {"SHAPE", "a constant tensor; fix the shapes at export"},
      {"SQUARE", "MUL of a tensor with itself"},
      {"TILE", "CONCATENATION of the tensor with itself"},
      {"TOPK_V2", "ARG_MAX"},
      {"UNIDIRECTIONAL_SEQUENCE_RNN", "UNIDIRECTIONAL_SEQUENCE_LSTM"},
      {"WHILE", "an unrolled graph"},
      {"ZEROS_LIKE", "a constant tensor"},
  };
  for (const entry& e : table)
    if (e.name == name) return e.nearest;
  return name.starts_with("STABLEHLO_")
             ? "the TFLite builtin of the same meaning: convert without StableHLO"
             : std::string_view{};
}

/// The same by its code.
[[nodiscard]] constexpr std::string_view nearest_operator(std::int32_t code) noexcept {
  if (code < 0 || static_cast<std::size_t>(code) >= operator_names.size()) return {};
  return nearest_operator(operator_names[static_cast<std::size_t>(code)]);
}

}  // namespace bittwin::graph::inline v1
