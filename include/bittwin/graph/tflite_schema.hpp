// SPDX-License-Identifier: Apache-2.0
// The one table of what the .tflite reader reads and the writer writes: {table, field, slot} of
// schema version 3, d included; options of operators have their own. A slot is the position of the
// field in its table; a union takes two, its type and its value.
// source  tensorflow/compiler/mlir/lite/schema/schema.fbs
#pragma once

#include <array>
#include <bittwin/graph/flatbuffer_view.hpp>
#include <bittwin/types/element_type.hpp>
#include <cstdint>
#include <optional>
#include <string>
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
inline constexpr field operator_custom_options{"Operator", "custom_options", 5};
inline constexpr field operator_intermediates{"Operator", "intermediates", 8};
inline constexpr field operator_large_options_offset{"Operator", "large_custom_options_offset", 9};
inline constexpr field operator_large_options_size{"Operator", "large_custom_options_size", 10};

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

/// "INT8", or the number of a type newer than the table.
[[nodiscard]] inline std::string type_name(std::int8_t type) {
  const auto at = static_cast<std::size_t>(type);
  return type >= 0 && at < type_names.size() ? std::string(type_names[at]) : std::to_string(type);
}

/// The inverse of element_type_of.
[[nodiscard]] constexpr std::int8_t type_of(element_type type) noexcept {
  for (std::int8_t code = 0; code < static_cast<std::int8_t>(type_names.size()); ++code)
    if (element_type_of(code) == type) return code;
  return 0;
}

}  // namespace bittwin::graph::tflite_schema
