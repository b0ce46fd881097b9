// SPDX-License-Identifier: Apache-2.0
// QUANTIZE, DEQUANTIZE and the standalone activations: from one grid to another.
#pragma once

#include <bittwin/graph/arithmetic_nodes.hpp>
#include <bittwin/kernel/activation.hpp>
#include <bittwin/kernel/quantize.hpp>
#include <utility>
#include <vector>

namespace bittwin::graph::inline v1 {

namespace detail {

[[nodiscard]] inline status expect_quantizable(const node_context& c, std::int32_t tensor) {
  const element_type type = c.at(tensor).type;
  if (is_8_bit(type) || type == element_type::int16) return ok();
  return c.wrong_type(tensor, "int8, uint8 or int16");
}

[[nodiscard]] inline result<node> build_quantize_float(const node_context& c) {
  if (c.rules.quantize == nullptr) return c.refuse();
  if (auto s = expect_quantizable(c, c.output()); !s) return s.error();
  const auto out = c.grid(c.output());
  if (!out) return out.error();
  const quantize_spec spec{c.out().type, *out};
  const auto kernel = prepare_quantize(c.rules.quantize(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  return node([k = *kernel, x = c.input(), y = c.output()](const workspace& s) {
    std::vector<code> codes(s.in<float>(x).size());
    k(s.in<float>(x), std::span(codes));
    s.store_codes(y, codes);
  });
}

/// On the elements as they are stored where the result is of bytes, and the operand too or of int32.
[[nodiscard]] inline node requantize_node(const node_context& c, requantize_kernel kernel) {
  const element_type from = c.in().type;
  if (!is_8_bit(c.out().type) || (!is_8_bit(from) && from != element_type::int32))
    return unary_node(c, std::move(kernel));
  explanation why = kernel.explain();
  return node(
      [kernel = std::move(kernel), from, x = c.input(), y = c.output()](const workspace& s) {
        const auto run = [&]<class From>(From) {
          static_cast<void>(on_bytes(
              s, y, [&]<class To>(To) { kernel(s.in<From>(x), s.out<To>(y), s.parallel()); }));
        };
        if (from == element_type::int32)
          run(std::int32_t{});
        else
          static_cast<void>(on_bytes(s, x, run));
      },
      std::move(why));
}

}  // namespace detail

[[nodiscard]] inline result<node> build_quantize(const node_context& c) {
  if (auto s = c.expect_shape(c.in().extents); !s) return s.error();
  if (c.in().type == element_type::float32) return detail::build_quantize_float(c);
  if (c.rules.requantize == nullptr) return c.refuse();
  for (const std::int32_t t : {c.input(), c.output()})
    if (c.at(t).type != element_type::int32)
      if (auto s = detail::expect_quantizable(c, t); !s) return s.error();
  const auto g = detail::grids_of(c);
  if (!g) return g.error();
  const requantize_spec spec{c.in().type, c.out().type, g->in, g->out};
  auto kernel = prepare_requantize(c.rules.requantize(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  return detail::requantize_node(c, *std::move(kernel));
}

[[nodiscard]] inline result<node> build_dequantize(const node_context& c) {
  if (auto s = c.expect_type(c.output(), element_type::float32); !s) return s.error();
  if (auto s = c.expect_shape(c.in().extents); !s) return s.error();
  if (c.in().type == element_type::float16)
    return node([x = c.input(), y = c.output()](const workspace& s) {
      const auto halves = s.in<std::uint16_t>(x);
      const auto values = s.out<float>(y);
      for (std::size_t i = 0; i < halves.size(); ++i) values[i] = ieee::from_half(halves[i]);
    });
  if (auto s = detail::expect_quantizable(c, c.input()); !s) return s.error();
  const auto in = c.grid(c.input());
  if (!in) return in.error();
  return node([grid = *in, x = c.input(), y = c.output()](const workspace& s) {
    dequantize(std::span<const code>(s.codes(x)), grid, s.out<float>(y));
  });
}

[[nodiscard]] inline result<node> build_activation(const node_context& c, activation kind,
                                                   rule_for<activation_rule> rule) {
  if (rule == nullptr) return c.refuse();
  if (auto s = detail::expect_codes(c, 1); !s) return s.error();
  if (auto s = c.expect_shape(c.in().extents); !s) return s.error();
  const auto g = detail::grids_of(c);
  if (!g) return g.error();
  const activation_spec spec{c.in().type, kind, g->in, g->out};
  auto kernel = prepare_activation(rule(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  return detail::same_type_node(c, *std::move(kernel));
}

}  // namespace bittwin::graph::inline v1
