// SPDX-License-Identifier: Apache-2.0
// What running a model takes, from its shapes alone: multiply-accumulates, bytes of constants.
//   CONV_2D            output elements * filter rows * filter columns * channels of one group
//   DEPTHWISE_CONV_2D  output elements * filter rows * filter columns
//   FULLY_CONNECTED    output elements * columns of the weights
//   BATCH_MATMUL       output elements * columns of the first operand (rows where it is transposed)
//   TRANSPOSE_CONV     input elements * filter rows * filter columns * output channels
//   SVDF               features * input columns, and features * memory columns
//   UNIDIRECTIONAL_SEQUENCE_LSTM  a step: elements of all its weight matrices
// Other operators count nothing, as is the custom.
#pragma once

#include <bittwin/graph/model.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <variant>

namespace bittwin::graph::inline v1 {

namespace detail {

/// a * b, both >= 0, or the largest int64.
[[nodiscard]] constexpr std::int64_t saturating_product(std::int64_t a, std::int64_t b) noexcept {
  if (a != 0 && b > std::numeric_limits<std::int64_t>::max() / a)
    return std::numeric_limits<std::int64_t>::max();
  return a * b;
}

/// a + b, both >= 0, or the largest int64.
[[nodiscard]] constexpr std::int64_t saturating_sum(std::int64_t a, std::int64_t b) noexcept {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return a > most - b ? most : a + b;
}

/// Elements of the weight matrices of an LSTM (inputs 1 to 8 and the projection), those that are there.
[[nodiscard]] inline std::int64_t lstm_matrix_elements(const model& m,
                                                       const operation& op) noexcept {
  std::int64_t sum = 0;
  for (std::size_t i = 1; i < op.inputs.size() && i <= 16; ++i)
    if ((i <= 8 || i == 16) && op.inputs[i] != no_tensor)
      sum =
          saturating_sum(sum, m.tensors[static_cast<std::size_t>(op.inputs[i])].extents.elements());
  return sum;
}

}  // namespace detail

/// Saturates. The shapes need not fit each other: this describes models that nothing runs, too.
[[nodiscard]] inline std::int64_t macs_of(const model& m, const operation& op) noexcept {
  using detail::saturating_product;
  const auto extents_of = [&](std::size_t input) -> const shape& {
    return m.tensors[static_cast<std::size_t>(op.inputs[input])].extents;
  };
  const auto window = [&](const shape& weights) {
    return saturating_product(weights.from_end(2), weights.from_end(3));
  };
  const auto outputs = [&] {
    return m.tensors[static_cast<std::size_t>(op.outputs[0])].extents.elements();
  };
  switch (op.code) {
    case operator_code::conv_2d: {
      const shape& weights = extents_of(1);
      return saturating_product(outputs(),
                                saturating_product(weights.from_end(1), window(weights)));
    }
    case operator_code::depthwise_conv_2d:
      return saturating_product(outputs(), window(extents_of(1)));
    case operator_code::fully_connected:
      return saturating_product(outputs(), extents_of(1).from_end(1));
    case operator_code::transpose_conv: {
      const shape& weights = extents_of(1);
      return saturating_product(extents_of(2).elements(),
                                saturating_product(weights.from_end(4), window(weights)));
    }
    case operator_code::batch_matmul: {
      const auto* const options = std::get_if<batch_matmul_options>(&op.options);
      const bool transposed = options != nullptr && options->adjoint_x;
      return saturating_product(outputs(), extents_of(0).from_end(transposed ? 2 : 1));
    }
    case operator_code::svdf: {
      const shape &input = extents_of(0), &features = extents_of(1), &time = extents_of(2);
      const std::int64_t each = detail::saturating_sum(features.elements(), time.elements());
      return saturating_product(input.from_end(2), each);
    }
    case operator_code::unidirectional_sequence_lstm: {
      const shape& input = extents_of(0);
      return saturating_product(saturating_product(input.from_end(2), input.from_end(3)),
                                detail::lstm_matrix_elements(m, op));
    }
    default: return 0;
  }
}

[[nodiscard]] inline std::int64_t macs_of(const model& m) noexcept {
  std::int64_t sum = 0;
  for (const operation& op : m.operations) sum = detail::saturating_sum(sum, macs_of(m, op));
  return sum;
}

[[nodiscard]] inline std::int64_t constant_bytes_of(const model& m) noexcept {
  std::int64_t sum = 0;
  for (const tensor& t : m.tensors) sum += static_cast<std::int64_t>(t.constant.size());
  return sum;
}

/// Of the constants that operators read, counted once a reading: what binding all of them has to look at.
[[nodiscard]] inline std::int64_t read_constant_bytes_of(const model& m) noexcept {
  std::int64_t sum = 0;
  for (const operation& op : m.operations)
    for (const std::int32_t index : op.inputs)
      if (index != no_tensor)
        sum +=
            static_cast<std::int64_t>(m.tensors[static_cast<std::size_t>(index)].constant.size());
  return sum;
}

}  // namespace bittwin::graph::inline v1
