// SPDX-License-Identifier: Apache-2.0
// A quantized model as plain data: tensors, operators in execution order, inputs, outputs.
// Readers produce it checked: every index is in range, every shape and buffer length agrees.
#pragma once

#include <bittwin/graph/operator_options.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/quantization.hpp>
#include <bittwin/types/shape.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bittwin::graph::inline v1 {

/// index of an absent optional operand (a missing bias)
inline constexpr std::int32_t no_tensor = -1;

struct tensor {
  std::string name;
  element_type type = element_type::int8;
  bittwin::shape extents;
  bittwin::quantization quantization;
  /// Little-endian elements at any alignment, int4 two to a byte; empty: computed at run time, or
  /// a tensor of no elements.
  std::span<const std::byte> constant;
  bool variable = false;  ///< state kept between runs

  [[nodiscard]] bool is_constant() const noexcept { return !constant.empty(); }
};

struct operation {
  operator_code code{};     ///< may be a value outside the enumeration: executors refuse those
  std::string label;        ///< as sentences name it: "CONV_2D", "custom Foo", "operator 999"
  std::string custom_name;  ///< of a custom operator
  std::int32_t version = 1;
  std::vector<std::int32_t> inputs;  ///< tensor indices or no_tensor
  std::vector<std::int32_t> outputs;
  /// Tensors that only carry the quantization of values inside the operator (an LSTM's), or
  /// no_tensor.
  std::vector<std::int32_t> intermediates;
  operator_options options;
  /// Of a custom operator that this version does not know: bytes of its own, as in the file.
  std::span<const std::byte> custom_options;
};

struct model {
  std::string name;         ///< file name without directories
  std::string description;  ///< free text of the file
  std::vector<tensor> tensors;
  std::vector<operation> operations;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::string sha256;  ///< of the file
  /// The file's bytes; constants and custom options point into them.
  std::shared_ptr<const std::vector<std::byte>> storage;
};

}  // namespace bittwin::graph::inline v1
