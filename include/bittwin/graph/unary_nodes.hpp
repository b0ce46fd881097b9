// SPDX-License-Identifier: Apache-2.0
// LOGISTIC, TANH, HARD_SWISH, LEAKY_RELU, ELU, EXP, RSQRT, SQRT, ABS, NEG, PRELU, L2_NORMALIZATION and
// LOG_SOFTMAX on codes, and CAST. ABS and NEG also take plain integers, those without a scale or of 32 and 64 bits.
#pragma once

#include <bittwin/graph/arithmetic_nodes.hpp>
#include <bittwin/graph/real_unary_nodes.hpp>
#include <bittwin/kernel/cast.hpp>
#include <bittwin/kernel/l2_normalization.hpp>
#include <bittwin/kernel/prelu.hpp>
#include <bittwin/kernel/unary.hpp>
#include <utility>

namespace bittwin::graph::inline v1 {

namespace detail {

[[nodiscard]] inline bool is_code(element_type type) noexcept {
  return is_8_bit(type) || type == element_type::int16;
}

[[nodiscard]] inline status expect_code(const node_context& c, std::int32_t tensor) {
  if (is_code(c.at(tensor).type)) return ok();
  return c.wrong_type(tensor, "int8, uint8 or int16");
}

/// Operand and result have one type, one shape, and are int8, uint8 or int16.
[[nodiscard]] inline status expect_codes_alike(const node_context& c) {
  if (auto s = expect_code(c, c.input()); !s) return s;
  if (auto s = c.expect_type(c.output(), c.in().type); !s) return s;
  return c.expect_shape(c.in().extents);
}

[[nodiscard]] inline bool is_plain(const node_context& c) noexcept {
  const element_type type = c.in().type;
  return (c.op.code == operator_code::abs || c.op.code == operator_code::neg) &&
         (type == element_type::int32 || type == element_type::int64 ||
          !c.in().quantization.present());
}

}  // namespace detail

[[nodiscard]] inline result<node> build_unary(const node_context& c, rule_for<unary_rule> rule) {
  if (rule == nullptr) return c.refuse();
  unary_spec spec{.type = c.in().type, .alpha = c.options<leaky_relu_options>().alpha};
  if (detail::is_plain(c)) {
    if (!is_integer(spec.type) || spec.type == element_type::boolean)
      return c.wrong_type(c.input(), "integers");
    if (auto s = c.expect_type(c.output(), spec.type); !s) return s.error();
    if (auto s = c.expect_shape(c.in().extents); !s) return s.error();
    spec.quantized = false;
  } else {
    if (auto s = detail::expect_codes_alike(c); !s) return s.error();
    const auto g = detail::grids_of(c);
    if (!g) return g.error();
    spec.in = g->in;
    spec.out = g->out;
  }
  auto kernel = prepare_unary(rule(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  return detail::same_type_node(c, *std::move(kernel));
}

[[nodiscard]] inline result<node> build_prelu(const node_context& c) {
  if (c.rules.prelu == nullptr) return c.refuse();
  if (auto s = detail::expect_codes_alike(c); !s) return s.error();
  if (auto s = detail::expect_code(c, c.input(1)); !s) return s.error();
  const auto g = detail::grids_of(c);
  if (!g) return g.error();
  const auto alpha = c.grid(c.input(1));
  if (!alpha) return alpha.error();
  const prelu_spec spec{.type = c.in().type,
                        .alpha_type = c.in(1).type,
                        .extents = c.in().extents,
                        .alpha_extents = c.in(1).extents,
                        .in = g->in,
                        .alpha = *alpha,
                        .out = g->out};
  auto kernel = prepare_prelu(c.rules.prelu(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  return detail::binary_node(c, *std::move(kernel));
}

[[nodiscard]] inline result<node> build_l2_normalization(const node_context& c) {
  if (c.rules.l2_normalization == nullptr) return c.refuse();
  if (!is_8_bit(c.in().type)) return c.wrong_type(c.input(), "int8 or uint8");
  if (auto s = detail::expect_codes_alike(c); !s) return s.error();
  if (c.options<l2_normalization_options>().fused != activation::none)
    return c.fail(error_code::unsupported, "a fused activation; no runtime defines it here");
  const auto g = detail::grids_of(c);
  if (!g) return g.error();
  const detail::rows_of_axis rows = detail::innermost_rows(c.in().extents);
  const l2_normalization_spec spec{
      .type = c.in().type, .rows = rows.count, .depth = rows.depth, .in = g->in, .out = g->out};
  const auto kernel = prepare_l2_normalization(c.rules.l2_normalization(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  return detail::unary_node(c, *kernel);
}

[[nodiscard]] inline result<node> build_log_softmax(const node_context& c) {
  if (c.rules.log_softmax == nullptr) return c.refuse();
  if (!is_8_bit(c.in().type)) return c.wrong_type(c.input(), "int8 or uint8");
  if (auto s = detail::expect_codes_alike(c); !s) return s.error();
  const auto g = detail::grids_of(c);
  if (!g) return g.error();
  const detail::rows_of_axis rows = detail::innermost_rows(c.in().extents);
  const softmax_spec spec{.type = c.in().type,
                          .output = c.in().type,
                          .rows = rows.count,
                          .depth = rows.depth,
                          .in = g->in,
                          .out = g->out};
  auto kernel = prepare_log_softmax(c.rules.log_softmax(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  return detail::unary_node(c, *std::move(kernel));
}

/// The element types of the tensors decide, not the options, as in the runtimes.
[[nodiscard]] inline result<node> build_cast(const node_context& c) {
  for (const std::int32_t t : {c.input(), c.output()})
    if (const element_type type = c.stored(t);
        !is_floating(type) && (!is_integer(type) || type == element_type::int4))
      return c.wrong_type(t, "float32, bool or integers of 8 to 64 bits");
  if (auto s = c.expect_shape(c.in().extents); !s) return s.error();
  const element_type from = c.stored(c.input()), to = c.stored(c.output());
  const std::int32_t x = c.input(), y = c.output();
  if (is_floating(from) && is_floating(to))
    return node([x, y](const workspace& s) { s.store_reals(y, s.reals(x)); });
  if (is_floating(to))
    return node([x, y](const workspace& s) {
      const auto codes = s.codes(x);
      if (s.type(y) == element_type::float32) {
        const auto values = s.out<float>(y);
        for (std::size_t i = 0; i < codes.size(); ++i)
          values[i] = ieee::from_integer<float>(codes[i]);
      } else {
        const auto values = s.out<double>(y);
        for (std::size_t i = 0; i < codes.size(); ++i)
          values[i] = ieee::from_integer<double>(codes[i]);
      }
    });
  if (is_floating(from)) {
    if (c.rules.is_real)
      return node([to, x, y](const workspace& s) {
        const auto reals = s.reals(x);
        std::vector<code> codes(reals.size());
        for (std::size_t i = 0; i < codes.size(); ++i)
          codes[i] = to == element_type::boolean
                         ? code{reals[i] != 0}
                         : clamp_to(rounding::to_integer<rounding::toward_zero>(reals[i]),
                                    range_of(to).low, range_of(to).high);
        s.store_codes(y, codes);
      });
    if (from != element_type::float32)
      return c.wrong_type(x, "float32, where the result is of integers");
    if (c.rules.cast == nullptr) return c.refuse();
    const float_cast_function of =
        c.rules.cast(layer_facts{.input = c.in().type, .output = c.out().type});
    return node([of, to, x, y](const workspace& s) {
      const auto values = s.in<float>(x);
      std::vector<code> codes(values.size());
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = of(values[i], to);
      s.store_codes(y, codes);
    });
  }
  return node([to, x, y](const workspace& s) {
    auto codes = s.codes(x);
    if (to == element_type::boolean)
      for (code& value : codes) value = value != 0 ? 1 : 0;
    s.store_codes(y, codes);
  });
}

/// The operators of this file, on codes or on reals.
[[nodiscard]] inline result<node> build_one_operand(const node_context& c, bool on_reals) {
  if (on_reals) return build_real_one_operand(c);
  switch (c.op.code) {
    case operator_code::logistic: return build_unary(c, c.rules.logistic);
    case operator_code::tanh: return build_unary(c, c.rules.tanh);
    case operator_code::hard_swish: return build_unary(c, c.rules.hard_swish);
    case operator_code::leaky_relu: return build_unary(c, c.rules.leaky_relu);
    case operator_code::elu: return build_unary(c, c.rules.elu);
    case operator_code::exp: return build_unary(c, c.rules.exp);
    case operator_code::rsqrt: return build_unary(c, c.rules.rsqrt);
    case operator_code::sqrt: return build_unary(c, c.rules.sqrt);
    case operator_code::abs: return build_unary(c, c.rules.abs);
    case operator_code::neg: return build_unary(c, c.rules.neg);
    case operator_code::prelu: return build_prelu(c);
    case operator_code::l2_normalization: return build_l2_normalization(c);
    case operator_code::log_softmax: return build_log_softmax(c);
    default: return c.refuse();
  }
}

}  // namespace bittwin::graph::inline v1
