// SPDX-License-Identifier: Apache-2.0
// How many tensors an operator reads and writes: the one place, so that kernels may index operands.
#pragma once

#include <bittwin/graph/detection_fields.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/operator_options.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace bittwin::graph::inline v1 {

/// required  inputs that are listed: the first ones    most  inputs, optional ones included
/// outputs   written                                   0 in most or outputs: one or more
/// optional  one bit an input of the required ones that may be absent (no_tensor) all the same
struct operator_arity {
  std::int32_t required = 1;
  std::int32_t most = 1;
  std::int32_t outputs = 1;
  std::uint32_t optional = 0;
};

/// Nothing for an operator outside the enumeration, and for custom ones.
[[nodiscard]] constexpr std::optional<operator_arity> arity_of(operator_code code) noexcept {
  switch (code) {
    case operator_code::conv_2d:
    case operator_code::depthwise_conv_2d:
    case operator_code::fully_connected: return operator_arity{2, 3, 1};
    case operator_code::transpose_conv: return operator_arity{3, 4, 1};
    case operator_code::add:
    case operator_code::sub:
    case operator_code::mul:
    case operator_code::div:
    case operator_code::maximum:
    case operator_code::minimum:
    case operator_code::squared_difference:
    case operator_code::equal:
    case operator_code::not_equal:
    case operator_code::less:
    case operator_code::less_equal:
    case operator_code::greater:
    case operator_code::greater_equal:
    case operator_code::mean:
    case operator_code::sum:
    case operator_code::reduce_max:
    case operator_code::reduce_min:
    case operator_code::arg_max:
    case operator_code::arg_min:
    case operator_code::prelu:
    case operator_code::batch_matmul:
    case operator_code::pad:
    case operator_code::mirror_pad:
    case operator_code::transpose:
    case operator_code::gather:
    case operator_code::resize_bilinear:
    case operator_code::resize_nearest_neighbor: return operator_arity{2, 2, 1};
    case operator_code::padv2:
    case operator_code::slice:
    case operator_code::select:
    case operator_code::select_v2:
    case operator_code::space_to_batch_nd:
    case operator_code::batch_to_space_nd: return operator_arity{3, 3, 1};
    case operator_code::strided_slice: return operator_arity{4, 4, 1};
    case operator_code::reshape:
    case operator_code::expand_dims: return operator_arity{1, 2, 1};
    case operator_code::concatenation:
    case operator_code::pack: return operator_arity{1, 0, 1};
    case operator_code::split: return operator_arity{2, 2, 0};
    case operator_code::split_v: return operator_arity{3, 3, 0};
    case operator_code::unpack: return operator_arity{1, 1, 0};
    case operator_code::unidirectional_sequence_lstm:
      // Input gate, peepholes, the input gate's bias, projection and its bias.
      return operator_arity{20, 24, 1, 1U << 1 | 1U << 5 | 7U << 9 | 1U << 12 | 3U << 16};
    case operator_code::svdf: return operator_arity{5, 5, 1, 1U << 3};  // the bias
    case operator_code::average_pool_2d:
    case operator_code::max_pool_2d:
    case operator_code::softmax:
    case operator_code::log_softmax:
    case operator_code::l2_normalization:
    case operator_code::squeeze:
    case operator_code::relu:
    case operator_code::relu6:
    case operator_code::relu_n1_to_1:
    case operator_code::leaky_relu:
    case operator_code::elu:
    case operator_code::hard_swish:
    case operator_code::logistic:
    case operator_code::tanh:
    case operator_code::exp:
    case operator_code::sqrt:
    case operator_code::rsqrt:
    case operator_code::abs:
    case operator_code::neg:
    case operator_code::cast:
    case operator_code::space_to_depth:
    case operator_code::depth_to_space:
    case operator_code::quantize:
    case operator_code::dequantize: return operator_arity{1, 1, 1};
    case operator_code::custom: return std::nullopt;
  }
  return std::nullopt;
}

/// Nothing for an operator that this version does not know.
[[nodiscard]] inline std::optional<operator_arity> arity_of(const operation& op) {
  if (op.code == operator_code::custom && op.custom_name == detection_name)
    return operator_arity{3, 3, 4};
  return arity_of(op.code);
}

/// label  of the operator, as sentences name it
[[nodiscard]] inline status check_arity(const operation& op, const std::string& label) {
  const std::optional<operator_arity> arity = arity_of(op);
  if (!arity) return ok();
  const auto inputs = static_cast<std::int32_t>(op.inputs.size());
  const auto outputs = static_cast<std::int32_t>(op.outputs.size());
  const auto counted = [&](const std::string& what, std::int32_t have, std::int32_t want) {
    return error{error_code::bad_file, label + " has " + std::to_string(have) + " " + what +
                                           " where " + std::to_string(want) +
                                           " belong; export the model again"};
  };
  if (BITTWIN_MUTABLE(inputs < arity->required, too_few_inputs, inputs + 1 < arity->required))
    return counted("inputs", inputs, arity->required);
  if (arity->most > 0 &&
      BITTWIN_MUTABLE(inputs > arity->most, too_many_inputs, inputs > arity->most + 1))
    return counted("inputs", inputs, arity->most);
  const auto* const pack = std::get_if<pack_options>(&op.options);
  if (pack != nullptr && inputs != pack->count) return counted("inputs", inputs, pack->count);
  const auto* const split = std::get_if<split_options>(&op.options);
  const auto* const unpack = std::get_if<unpack_options>(&op.options);
  const std::int32_t expected = split != nullptr      ? split->count
                                : unpack != nullptr   ? unpack->count
                                : arity->outputs == 0 ? outputs
                                                      : arity->outputs;
  if (outputs != expected || outputs == 0) return counted("outputs", outputs, expected);
  const std::int32_t required = arity->most == 0 ? inputs : arity->required;
  for (std::int32_t i = 0; i < required; ++i)
    if ((i >= 32 || (arity->optional >> i & 1) == 0) &&
        op.inputs[static_cast<std::size_t>(i)] == no_tensor)
      return error{error_code::bad_file, label + " lacks its input " + std::to_string(i) +
                                             ", which is not optional; export the model again"};
  return ok();
}

}  // namespace bittwin::graph::inline v1
