// SPDX-License-Identifier: Apache-2.0
// What running a model takes, from its shapes alone: multiply-accumulates, bytes of constants.
//   CONV_2D            output elements * filter rows * filter columns * channels of one group
//   DEPTHWISE_CONV_2D  output elements * filter rows * filter columns
//   FULLY_CONNECTED    output elements * columns of the weights
// Other operators count nothing, as is the custom.
#pragma once

#include <bittwin/graph/model.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace bittwin::graph::inline v1 {

namespace detail {

/// a * b, both >= 0, or the largest int64.
[[nodiscard]] constexpr std::int64_t saturating_product(std::int64_t a, std::int64_t b) noexcept {
  if (a != 0 && b > std::numeric_limits<std::int64_t>::max() / a)
    return std::numeric_limits<std::int64_t>::max();
  return a * b;
}

}  // namespace detail

/// Saturates. The shapes need not fit each other: this describes models that nothing runs, too.
[[nodiscard]] inline std::int64_t macs_of(const model& m, const operation& op) noexcept {
  const bool conv = op.code == operator_code::conv_2d;
  const bool depthwise = op.code == operator_code::depthwise_conv_2d;
  if (!conv && !depthwise && op.code != operator_code::fully_connected) return 0;
  const shape& output = m.tensors[static_cast<std::size_t>(op.outputs[0])].extents;
  const shape& weights = m.tensors[static_cast<std::size_t>(op.inputs[1])].extents;
  std::int64_t each = depthwise ? 1 : weights.from_end(1);
  if (conv || depthwise)
    each = detail::saturating_product(
        each, detail::saturating_product(weights.from_end(2), weights.from_end(3)));
  return detail::saturating_product(output.elements(), each);
}

[[nodiscard]] inline std::int64_t macs_of(const model& m) noexcept {
  std::int64_t sum = 0;
  for (const operation& op : m.operations) {
    const std::int64_t own = macs_of(m, op);
    sum = own > std::numeric_limits<std::int64_t>::max() - sum
              ? std::numeric_limits<std::int64_t>::max()
              : sum + own;
  }
  return sum;
}

[[nodiscard]] inline std::int64_t constant_bytes_of(const model& m) noexcept {
  std::int64_t sum = 0;
  for (const tensor& t : m.tensors) sum += static_cast<std::int64_t>(t.constant.size());
  return sum;
}

}  // namespace bittwin::graph::inline v1
