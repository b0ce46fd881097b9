// SPDX-License-Identifier: Apache-2.0
// Which builder makes which operator, and which target's rules it gets: the table of the executor.
#pragma once

#include <bittwin/graph/arithmetic_nodes.hpp>
#include <bittwin/graph/block_nodes.hpp>
#include <bittwin/graph/build_node.hpp>
#include <bittwin/graph/detection_nodes.hpp>
#include <bittwin/graph/dot_product_nodes.hpp>
#include <bittwin/graph/grid_nodes.hpp>
#include <bittwin/graph/indexing_nodes.hpp>
#include <bittwin/graph/lstm_nodes.hpp>
#include <bittwin/graph/matmul_nodes.hpp>
#include <bittwin/graph/movement_nodes.hpp>
#include <bittwin/graph/number_nodes.hpp>
#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/padding_nodes.hpp>
#include <bittwin/graph/piece_nodes.hpp>
#include <bittwin/graph/real_nodes.hpp>
#include <bittwin/graph/real_reduction_nodes.hpp>
#include <bittwin/graph/recurrent_nodes.hpp>
#include <bittwin/graph/reduction_nodes.hpp>
#include <bittwin/graph/resize_nodes.hpp>
#include <bittwin/graph/slicing_nodes.hpp>
#include <bittwin/graph/unary_nodes.hpp>
#include <vector>

namespace bittwin::graph::inline v1 {

namespace detail {

/// Reals in and reals out: float32 operators of any target, and everything under a target on reals.
[[nodiscard]] inline bool is_on_reals(const node_context& c) noexcept {
  return is_floating(c.stored(c.input())) && is_floating(c.stored(c.output()));
}

/// How the target bounds an activation on numbers; null: it has no room for the operator.
template <class Rule>
[[nodiscard]] auto bounds_on_numbers(const node_context& c, rule_for<Rule> rule) {
  return rule == nullptr ? nullptr : rule({.input = c.in().type, .output = c.in().type}).bounds;
}

/// int32 and int64: numbers, whatever the target.
[[nodiscard]] inline result<node> build_on_numbers(const node_context& c) {
  switch (c.op.code) {
    case operator_code::add:
      return build_number_pairs(c, &numbers::add, bounds_on_numbers(c, c.rules.add));
    case operator_code::sub:
      return build_number_pairs(c, &numbers::subtract, bounds_on_numbers(c, c.rules.sub));
    case operator_code::mul:
      return build_number_pairs(c, &numbers::multiply, bounds_on_numbers(c, c.rules.mul));
    case operator_code::div:
      return build_number_pairs(c, &numbers::divide, bounds_on_numbers(c, c.rules.div));
    case operator_code::squared_difference:
      return build_number_pairs(c, &numbers::squared_difference, nullptr);
    case operator_code::mean: return build_code_reduction(c, &numbers::add, true);
    case operator_code::sum: return build_code_reduction(c, &numbers::add);
    case operator_code::maximum: return build_code_pairs(c, &numbers::maximum);
    case operator_code::minimum: return build_code_pairs(c, &numbers::minimum);
    case operator_code::reduce_max: return build_code_reduction(c, &numbers::maximum);
    case operator_code::reduce_min: return build_code_reduction(c, &numbers::minimum);
    default: return c.refuse();
  }
}

/// Whether an operator has an arithmetic on numbers of its own.
[[nodiscard]] inline bool is_on_numbers(const node_context& c) noexcept {
  switch (c.op.code) {
    case operator_code::add:
    case operator_code::sub:
    case operator_code::mul:
    case operator_code::div:
    case operator_code::squared_difference:
    case operator_code::mean:
    case operator_code::sum:
    case operator_code::maximum:
    case operator_code::minimum:
    case operator_code::reduce_max:
    case operator_code::reduce_min: return is_number(c.in().type);
    default: return false;
  }
}

[[nodiscard]] inline result<node> build_on_codes(const node_context& c) {
  switch (c.op.code) {
    case operator_code::squared_difference: return build_addition(c, c.rules.squared_difference, 1);
    case operator_code::div: return build_addition(c, c.rules.div, 1);
    case operator_code::maximum: return build_code_pairs(c, &numbers::maximum);
    case operator_code::minimum: return build_code_pairs(c, &numbers::minimum);
    case operator_code::reduce_max: return build_code_reduction(c, &numbers::maximum);
    case operator_code::reduce_min: return build_code_reduction(c, &numbers::minimum);
    case operator_code::sum: return build_sum(c);
    case operator_code::resize_bilinear: return build_resize_bilinear(c);
    case operator_code::conv_2d: return build_conv2d(c);
    case operator_code::depthwise_conv_2d: return build_depthwise_conv2d(c);
    case operator_code::fully_connected: return build_fully_connected(c);
    case operator_code::batch_matmul: return build_batch_matmul(c);
    case operator_code::svdf: return build_svdf(c);
    case operator_code::unidirectional_sequence_lstm: return build_lstm(c);
    case operator_code::add: return build_addition(c, c.rules.add, 1);
    case operator_code::sub: return build_addition(c, c.rules.sub, -1);
    case operator_code::mul: return build_mul(c);
    case operator_code::average_pool_2d: return build_pool2d(c, c.rules.average_pool2d);
    case operator_code::max_pool_2d: return build_pool2d(c, c.rules.max_pool2d);
    case operator_code::mean: return build_mean(c);
    case operator_code::softmax: return build_softmax(c);
    case operator_code::quantize: return build_quantize(c);
    case operator_code::dequantize: return build_dequantize(c);
    case operator_code::relu: return build_activation(c, activation::relu, c.rules.relu);
    case operator_code::relu6: return build_activation(c, activation::relu6, c.rules.relu6);
    case operator_code::relu_n1_to_1:
      return build_activation(c, activation::relu_n1_to_1, c.rules.relu_n1_to_1);
    default: return c.refuse();
  }
}

[[nodiscard]] inline result<node> build_on_reals(const node_context& c) {
  switch (c.op.code) {
    case operator_code::squared_difference:
      return build_real_binary(c, [](double a, double b) { return (a - b) * (a - b); });
    case operator_code::div: return build_real_binary(c, [](double a, double b) { return a / b; });
    case operator_code::maximum:
      return build_real_binary(c, [](double a, double b) { return a < b ? b : a; });
    case operator_code::minimum:
      return build_real_binary(c, [](double a, double b) { return b < a ? b : a; });
    case operator_code::sum:
      return build_real_reduction(c, [](double a, double b) { return a + b; });
    case operator_code::reduce_max:
      return build_real_reduction(c, [](double a, double b) { return a < b ? b : a; });
    case operator_code::reduce_min:
      return build_real_reduction(c, [](double a, double b) { return b < a ? b : a; });
    case operator_code::resize_bilinear: return build_real_resize_bilinear(c);
    case operator_code::conv_2d: return build_real_convolution(c, false);
    case operator_code::depthwise_conv_2d: return build_real_convolution(c, true);
    case operator_code::fully_connected: return build_real_fully_connected(c);
    case operator_code::batch_matmul: return build_real_batch_matmul(c);
    case operator_code::svdf: return build_real_svdf(c);
    case operator_code::unidirectional_sequence_lstm: return build_real_lstm(c);
    case operator_code::add: return build_real_binary(c, [](double a, double b) { return a + b; });
    case operator_code::sub: return build_real_binary(c, [](double a, double b) { return a - b; });
    case operator_code::mul: return build_real_binary(c, [](double a, double b) { return a * b; });
    case operator_code::average_pool_2d: return build_real_pool2d(c, true);
    case operator_code::max_pool_2d: return build_real_pool2d(c, false);
    case operator_code::mean: return build_real_mean(c);
    case operator_code::softmax: return build_real_softmax(c);
    case operator_code::quantize:
    case operator_code::dequantize: return build_real_activation(c, activation::none);
    case operator_code::relu: return build_real_activation(c, activation::relu);
    case operator_code::relu6: return build_real_activation(c, activation::relu6);
    case operator_code::relu_n1_to_1: return build_real_activation(c, activation::relu_n1_to_1);
    default: return c.refuse();
  }
}

/// float16 is stored, moved, and widened by DEQUANTIZE; nothing computes in it.
[[nodiscard]] inline status expect_no_half(const node_context& c) {
  if (c.op.code == operator_code::dequantize) return ok();
  for (const std::vector<std::int32_t>* list : {&c.op.inputs, &c.op.outputs})
    for (const std::int32_t index : *list)
      if (index != no_tensor && c.stored(index) == element_type::float16)
        return c.wrong_type(index, "integers or float32; widen float16 with DEQUANTIZE");
  return ok();
}

}  // namespace detail

inline namespace in_graph_implementation_hpp {

result<node> build_node(const node_context& c) {
  // Nothing is known of the operands of other operators: even the first may be absent.
  if (!arity_of(c.op)) return c.refuse();
  switch (c.op.code) {
    case operator_code::reshape:
    case operator_code::expand_dims:
    case operator_code::squeeze: return build_reshape(c);
    case operator_code::transpose: return build_transpose(c);
    case operator_code::pad: return build_pad(c);
    case operator_code::concatenation: return build_concatenation(c);
    case operator_code::split: return build_split(c);
    case operator_code::padv2: return build_pad_v2(c);
    case operator_code::mirror_pad: return build_mirror_pad(c);
    case operator_code::slice: return build_slice(c);
    case operator_code::strided_slice: return build_strided_slice(c);
    case operator_code::split_v: return build_split_v(c);
    case operator_code::pack: return build_pack(c);
    case operator_code::unpack: return build_unpack(c);
    case operator_code::gather: return build_gather(c);
    case operator_code::select:
    case operator_code::select_v2: return build_select(c);
    case operator_code::space_to_depth: return build_depth(c, true);
    case operator_code::depth_to_space: return build_depth(c, false);
    case operator_code::space_to_batch_nd: return build_space_to_batch(c);
    case operator_code::batch_to_space_nd: return build_batch_to_space(c);
    case operator_code::resize_nearest_neighbor: return build_resize_nearest(c);
    default: break;
  }
  if (auto s = detail::expect_no_half(c); !s) return s.error();
  switch (c.op.code) {
    case operator_code::transpose_conv:
      return is_floating(c.stored(c.input(2))) ? build_real_transpose_conv(c)
                                               : build_transpose_conv(c);
    case operator_code::arg_max: return build_arg(c, true);
    case operator_code::arg_min: return build_arg(c, false);
    case operator_code::equal: return build_comparison(c, relation::equal);
    case operator_code::not_equal: return build_comparison(c, relation::not_equal);
    case operator_code::less: return build_comparison(c, relation::less);
    case operator_code::less_equal: return build_comparison(c, relation::less_equal);
    case operator_code::greater: return build_comparison(c, relation::greater);
    case operator_code::greater_equal: return build_comparison(c, relation::greater_equal);
    case operator_code::cast: return build_cast(c);
    case operator_code::logistic:
    case operator_code::tanh:
    case operator_code::hard_swish:
    case operator_code::leaky_relu:
    case operator_code::elu:
    case operator_code::exp:
    case operator_code::rsqrt:
    case operator_code::sqrt:
    case operator_code::abs:
    case operator_code::neg:
    case operator_code::prelu:
    case operator_code::l2_normalization:
    case operator_code::log_softmax: return build_one_operand(c, detail::is_on_reals(c));
    default: break;
  }
  if (c.op.code == operator_code::custom && c.op.custom_name == detection_name)
    return build_detection(c);
  if (detail::is_on_numbers(c)) return detail::build_on_numbers(c);
  return detail::is_on_reals(c) ? detail::build_on_reals(c) : detail::build_on_codes(c);
}

}  // namespace in_graph_implementation_hpp

}  // namespace bittwin::graph::inline v1
