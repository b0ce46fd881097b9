// SPDX-License-Identifier: Apache-2.0
// What a rule of a one-operand operator works on: constants of one layer, made once, then a code at a time.
//   prepare(constants)      empty, or why the rule does not represent the layer
//   apply(constants, code)  the code of the result, inside its type
// The rules themselves: unary_float.hpp, unary_sigmoid.hpp, unary_fixed.hpp.
#pragma once

#include <bittwin/policy/multiplier.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bittwin::inline v1 {

/// type   of operand and result            in, out  their grids
/// alpha  slope of LEAKY_RELU below zero   quantized  false: plain integers, the grids are {1, 0}
/// The rest belongs to the rule.
struct unary_constants {
  element_type type = element_type::int8;
  affine in{}, out{};
  float alpha = 0.0F;
  bool quantized = true;
  multiplier first{}, second{};
  std::int32_t limit = 0;
  std::int32_t shift = 0;
  float reciprocal = 1.0F;
  std::vector<std::int32_t> table{};
};

namespace detail {

/// Is the scale 2^-exponent?
[[nodiscard]] constexpr bool is_power(float scale, int exponent) noexcept {
  const ieee::parts p = ieee::split(scale);
  return std::has_single_bit(p.significand) &&
         p.exponent + std::countr_zero(p.significand) == -exponent;
}

}  // namespace detail

}  // namespace bittwin::inline v1
