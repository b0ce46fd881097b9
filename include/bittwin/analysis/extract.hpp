// SPDX-License-Identifier: Apache-2.0
// Pieces of a model as models of their own: what somebody else can run without the rest of it.
//   const auto one = extract(model, cut::single, 7);   // one->m computes model's tensors one->to from one->from
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/types/activation.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// single  one operator; prefix: it and all that it needs; suffix: it and all operators behind it
enum class cut : std::uint8_t { single, prefix, suffix };

struct piece {
  graph::model m;                 ///< constants stay in the whole model's bytes
  std::vector<std::int32_t> ops;  ///< operators of the whole model, ascending
  std::vector<std::int32_t>
      from;  ///< tensors of the whole model that are the piece's inputs, in their order
  std::vector<std::int32_t> to;  ///< and its outputs
};

/// k       an operator of the model: a precondition
/// errors  a piece that computes nothing from an input: constants alone
[[nodiscard]] result<piece> extract(const graph::model& whole, cut by, std::size_t k);

/// The piece with another fused activation in its operator `k` (of the whole model).
/// errors  an operator that has none
[[nodiscard]] result<piece> with_activation(piece of, std::size_t k, activation fused);

/// The piece with float32 inputs and outputs: a QUANTIZE before each input of codes, a DEQUANTIZE behind each output.
/// The float32 scale * (code - zero point) of a code is rounded to that code again, so the piece sees the same codes.
[[nodiscard]] piece in_floats(piece of);

}  // namespace bittwin::analysis::inline v1
