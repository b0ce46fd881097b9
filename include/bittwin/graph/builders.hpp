// SPDX-License-Identifier: Apache-2.0
// Which builder makes which operator, and which target's rules it gets: the table of the executor.
#pragma once

#include <bittwin/graph/arithmetic_nodes.hpp>
#include <bittwin/graph/build_node.hpp>
#include <bittwin/graph/dot_product_nodes.hpp>
#include <bittwin/graph/matmul_nodes.hpp>
#include <bittwin/graph/movement_nodes.hpp>
#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/real_nodes.hpp>

namespace bittwin::graph::inline v1 {

namespace detail {

/// Reals in and reals out: float32 operators of any target, and everything under a target on reals.
[[nodiscard]] inline bool is_on_reals(const node_context& c) noexcept {
  return is_floating(c.stored(c.input())) && is_floating(c.stored(c.output()));
}

[[nodiscard]] inline result<node> build_on_codes(const node_context& c) {
  switch (c.op.code) {
    case operator_code::conv_2d: return build_conv2d(c);
    case operator_code::depthwise_conv_2d: return build_depthwise_conv2d(c);
    case operator_code::fully_connected: return build_fully_connected(c);
    case operator_code::batch_matmul: return build_batch_matmul(c);
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
    case operator_code::conv_2d: return build_real_convolution(c, false);
    case operator_code::depthwise_conv_2d: return build_real_convolution(c, true);
    case operator_code::fully_connected: return build_real_fully_connected(c);
    case operator_code::batch_matmul: return build_real_batch_matmul(c);
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

}  // namespace detail

BITTWIN_GRAPH_FUNCTION result<node> build_node(const node_context& c) {
  switch (c.op.code) {
    case operator_code::reshape:
    case operator_code::squeeze: return build_reshape(c);
    case operator_code::transpose: return build_transpose(c);
    case operator_code::transpose_conv:
      return is_floating(c.stored(c.input(2))) ? build_real_transpose_conv(c) : build_transpose_conv(c);
    case operator_code::pad: return build_pad(c);
    case operator_code::concatenation: return build_concatenation(c);
    case operator_code::split: return build_split(c);
    default: return detail::is_on_reals(c) ? detail::build_on_reals(c) : detail::build_on_codes(c);
  }
}

}  // namespace bittwin::graph::inline v1
