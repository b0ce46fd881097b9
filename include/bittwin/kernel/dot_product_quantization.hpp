// SPDX-License-Identifier: Apache-2.0
// Scales, zero points and types of a dot product, and what the conditions of a room may ask of them.
#pragma once

#include <bittwin/kernel/represented.hpp>
#include <bittwin/types/activation.hpp>
#include <cstdint>
#include <span>

namespace bittwin::inline v1 {

/// Scales, zero points and element type of the tensors of a dot product.
struct dot_product_quantization {
  element_type type = element_type::int8;  ///< of input and output; int16 meets int8 weights
  affine input{};
  std::span<const float> filter_scales{};  ///< one, or one an output channel
  std::int32_t filter_zero_point = 0;
  affine output{};
  activation fused = activation::none;
  /// Of an int16 layer: int32 or int64, also where the bias is absent. 8-bit layers have int32.
  element_type bias_type = element_type::int64;
  bool has_bias = true;
};

/// What the conditions of a room may ask of the quantization.
[[nodiscard]] inline layer_facts facts_of(const dot_product_quantization& q) noexcept {
  layer_facts facts{.input = q.type,
                    .output = q.type,
                    .bias = q.type == element_type::int16 ? q.bias_type : element_type::int32,
                    .has_bias = q.has_bias,
                    .per_channel = q.filter_scales.size() > 1,
                    .equal_quantization = q.input == q.output,
                    .symmetric_weights = q.filter_zero_point == 0,
                    .signed_weights = q.filter_zero_point == 128,
                    .low_zero_point = q.type != element_type::uint8 || q.input.zero_point <= 128};
  state_grids(facts, {q.input, q.output});
  state_activation(facts, q.fused, q.output, q.type);
  for (const float scale : q.filter_scales)
    facts.on_powers_of_two = facts.on_powers_of_two && is_power_of_two(scale);
  return facts;
}

/// int16 layers are symmetric: all zero points are 0.
[[nodiscard]] inline status check_symmetric(const dot_product_quantization& q) {
  if (q.type != element_type::int16 ||
      (q.input.zero_point == 0 && q.output.zero_point == 0 && q.filter_zero_point == 0))
    return ok();
  return error{error_code::bad_zero_point,
               sentence({"an int16 layer has the zero points ", number(q.input.zero_point), ", ",
                         number(q.filter_zero_point), " and ", number(q.output.zero_point),
                         "; all must be 0, quantize it symmetrically"})};
}

}  // namespace bittwin::inline v1
