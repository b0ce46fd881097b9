// SPDX-License-Identifier: Apache-2.0
// How many tensors an operator reads and writes: the one place, so that kernels may index operands.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/graph/operator_options.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace bittwin::graph::inline v1 {

/// required  inputs that must be present: the first ones       most  inputs, optional ones included
/// outputs   written                                           0 in most or outputs: one or more
struct operator_arity {
  std::int32_t required = 1;
  std::int32_t most = 1;
  std::int32_t outputs = 1;
};

/// Nothing for an operator outside the enumeration.
[[nodiscard]] constexpr std::optional<operator_arity> arity_of(operator_code code) noexcept {
  switch (code) {
    case operator_code::conv_2d:
    case operator_code::depthwise_conv_2d:
    case operator_code::fully_connected:
      return operator_arity{2, 3, 1};
    case operator_code::add:
    case operator_code::sub:
    case operator_code::mul:
    case operator_code::mean:
    case operator_code::pad:
    case operator_code::transpose:
      return operator_arity{2, 2, 1};
    case operator_code::reshape:
      return operator_arity{1, 2, 1};
    case operator_code::concatenation:
      return operator_arity{1, 0, 1};
    case operator_code::split:
      return operator_arity{2, 2, 0};
    case operator_code::average_pool_2d:
    case operator_code::max_pool_2d:
    case operator_code::softmax:
    case operator_code::squeeze:
    case operator_code::relu:
    case operator_code::relu6:
    case operator_code::relu_n1_to_1:
    case operator_code::quantize:
    case operator_code::dequantize:
      return operator_arity{1, 1, 1};
  }
  return std::nullopt;
}

/// label  of the operator, as sentences name it
[[nodiscard]] inline status check_arity(const operation& op, const std::string& label) {
  const std::optional<operator_arity> arity = arity_of(op.code);
  if (!arity) return ok();
  const auto inputs = static_cast<std::int32_t>(op.inputs.size());
  const auto outputs = static_cast<std::int32_t>(op.outputs.size());
  const auto counted = [&](const std::string& what, std::int32_t have, std::int32_t want) {
    return error{error_code::bad_file, label + " has " + std::to_string(have) + " " + what +
                                           " where " + std::to_string(want) +
                                           " belong; export the model again"};
  };
  if (inputs < arity->required) return counted("inputs", inputs, arity->required);
  if (arity->most > 0 && inputs > arity->most) return counted("inputs", inputs, arity->most);
  const auto* const split = std::get_if<split_options>(&op.options);
  const std::int32_t expected = split != nullptr      ? split->count
                                : arity->outputs == 0 ? outputs
                                                      : arity->outputs;
  if (outputs != expected || outputs == 0) return counted("outputs", outputs, expected);
  const std::int32_t required = arity->most == 0 ? inputs : arity->required;
  for (std::int32_t i = 0; i < required; ++i)
    if (op.inputs[static_cast<std::size_t>(i)] == no_tensor)
      return error{error_code::bad_file, label + " lacks its input " + std::to_string(i) +
                                             ", which is not optional; export the model again"};
  return ok();
}

}  // namespace bittwin::graph::inline v1
