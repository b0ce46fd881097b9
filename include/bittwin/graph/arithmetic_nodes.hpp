// SPDX-License-Identifier: Apache-2.0
// ADD, SUB, MUL, pooling, MEAN, SOFTMAX, QUANTIZE, DEQUANTIZE and the standalone activations of a
// model.
#pragma once

#include <bittwin/graph/axes.hpp>
#include <bittwin/graph/node.hpp>
#include <bittwin/kernel/activation.hpp>
#include <bittwin/kernel/addition.hpp>
#include <bittwin/kernel/mean.hpp>
#include <bittwin/kernel/mul.hpp>
#include <bittwin/kernel/pool2d.hpp>
#include <bittwin/kernel/quantize.hpp>
#include <bittwin/kernel/softmax.hpp>
#include <utility>

namespace bittwin::graph::inline v1 {

namespace detail {

[[nodiscard]] inline result<binary_spec> binary_spec_of(const node_context& c) {
  for (const std::int32_t t : {c.input(1), c.output()})
    if (c.m.tensors[static_cast<std::size_t>(t)].type != c.in(0).type)
      return c.wrong_type(t, name_of(c.in(0).type));
  const auto a = c.grid(c.input(0)), b = c.grid(c.input(1)), out = c.grid(c.output());
  if (!a) return a.error();
  if (!b) return b.error();
  if (!out) return out.error();
  return binary_spec{.type = c.in(0).type,
                     .a_extents = c.in(0).extents,
                     .b_extents = c.in(1).extents,
                     .a = *a,
                     .b = *b,
                     .output = *out,
                     .fused = c.options<binary_options>().fused};
}

template <class T, class Kernel>
[[nodiscard]] result<node> bind_binary(const node_context& c, T, result<Kernel> kernel) {
  if (!kernel) return c.fail(kernel.error());
  if (auto s = c.expect_shape(kernel->output()); !s) return s.error();
  const std::int32_t a = c.input(0), b = c.input(1), y = c.output();
  return node([k = std::move(*kernel), a, b, y](const workspace& s) {
    k(s.in<T>(a), s.in<T>(b), s.out<T>(y));
  });
}

}  // namespace detail

/// sign  1 for ADD, -1 for SUB
[[nodiscard]] inline result<node> build_addition(const node_context& c,
                                                 rule_for<addition_rule> rule, int sign) {
  if (rule == nullptr) return c.refuse();
  return with_code_type(c, c.input(0), [&](auto code) -> result<node> {
    const auto spec = detail::binary_spec_of(c);
    if (!spec) return spec.error();
    return detail::bind_binary(c, code, prepare_addition(rule(facts_of(*spec)), *spec, sign));
  });
}

[[nodiscard]] inline result<node> build_mul(const node_context& c) {
  if (c.rules.mul == nullptr) return c.refuse();
  return with_code_type(c, c.input(0), [&](auto code) -> result<node> {
    const auto spec = detail::binary_spec_of(c);
    if (!spec) return spec.error();
    return detail::bind_binary(c, code, prepare_mul(c.rules.mul(facts_of(*spec)), *spec));
  });
}

[[nodiscard]] inline result<node> build_pool2d(const node_context& c, rule_for<pool_rule> rule) {
  if (rule == nullptr) return c.refuse();
  return with_code_type(c, c.input(0), [&](auto code) -> result<node> {
    using T = decltype(code);
    if (c.out().type != c.in(0).type) return c.wrong_type(c.output(), name_of(c.in(0).type));
    const shape& x = c.in(0).extents;
    if (x.rank() != 4) return c.fail(error_code::bad_shape, "the input must have four axes, NHWC");
    const auto in = c.grid(c.input(0)), out = c.grid(c.output());
    if (!in) return in.error();
    if (!out) return out.error();
    const auto o = c.options<pool_2d_options>();
    const pool2d_spec spec{.type = c.in(0).type,
                           .input = {x[0], x[1], x[2], x[3]},
                           .filter_h = o.filter_h,
                           .filter_w = o.filter_w,
                           .stride_h = o.stride_h,
                           .stride_w = o.stride_w,
                           .padding = o.padding,
                           .grid = *out,
                           .fused = o.fused};
    const auto kernel = prepare_pool2d(rule(facts_of(spec)), spec);
    if (!kernel) return c.fail(kernel.error());
    const nhwc made = kernel->output();
    if (auto s = c.expect_shape({made.n, made.h, made.w, made.c}); !s) return s.error();
    return node(
        [k = *kernel, i = c.input(0), y = c.output(), from = spec.input, made](const workspace& s) {
          k(nhwc_view<const T>(s.in<T>(i).data(), from), nhwc_view<T>(s.out<T>(y).data(), made));
        });
  });
}

[[nodiscard]] inline result<node> build_mean(const node_context& c) {
  if (c.rules.mean == nullptr) return c.refuse();
  return with_code_type(c, c.input(0), [&](auto code) -> result<node> {
    using T = decltype(code);
    if (c.out().type != c.in(0).type) return c.wrong_type(c.output(), name_of(c.in(0).type));
    const auto in = c.grid(c.input(0)), out = c.grid(c.output());
    if (!in) return in.error();
    if (!out) return out.error();
    const auto axes = axes_of(c, 1, c.in(0).extents.rank());
    if (!axes) return axes.error();
    const mean_spec spec{.type = c.in(0).type,
                         .input = c.in(0).extents,
                         .axes = *axes,
                         .keep_dims = c.options<reduce_options>().keep_dims,
                         .in = *in,
                         .out = *out,
                         .counted_from_end = counted_from_end(c, 1)};
    const auto kernel = prepare_mean(c.rules.mean(facts_of(spec)), spec);
    if (!kernel) return c.fail(kernel.error());
    if (auto s = c.expect_shape(kernel->output()); !s) return s.error();
    return node([k = *kernel, i = c.input(0), y = c.output()](const workspace& s) {
      std::vector<std::int64_t> sums(s.out<T>(y).size());
      k(s.in<T>(i), s.out<T>(y), std::span(sums));
    });
  });
}

[[nodiscard]] inline result<node> build_softmax(const node_context& c) {
  if (c.rules.softmax == nullptr) return c.refuse();
  return with_code_type(c, c.input(0), [&](auto code) -> result<node> {
    using T = decltype(code);
    if (c.out().type != c.in(0).type) return c.wrong_type(c.output(), name_of(c.in(0).type));
    const auto in = c.grid(c.input(0)), out = c.grid(c.output());
    if (!in) return in.error();
    if (!out) return out.error();
    if (auto s = c.expect_shape(c.in(0).extents); !s) return s.error();
    const std::int64_t depth = c.in(0).extents.from_end(1);
    const softmax_spec spec{.type = c.in(0).type,
                            .rows = depth > 0 ? c.in(0).extents.elements() / depth : 0,
                            .depth = depth,
                            .beta = c.options<softmax_options>().beta,
                            .in = *in,
                            .out = *out};
    auto kernel = prepare_softmax(c.rules.softmax(facts_of(spec)), spec);
    if (!kernel) return c.fail(kernel.error());
    return node([k = *kernel, i = c.input(0), y = c.output()](const workspace& s) {
      k(s.in<T>(i), s.out<T>(y));
    });
  });
}

namespace detail {

[[nodiscard]] inline result<node> build_quantize_float(const node_context& c) {
  if (c.rules.quantize == nullptr) return c.refuse();
  return with_code_type(c, c.output(), [&](auto code) -> result<node> {
    using T = decltype(code);
    const auto out = c.grid(c.output());
    if (!out) return out.error();
    const quantize_spec spec{c.out().type, *out};
    const auto kernel = prepare_quantize(c.rules.quantize(facts_of(spec)), spec);
    if (!kernel) return c.fail(kernel.error());
    return node([k = *kernel, i = c.input(0), y = c.output()](const workspace& s) {
      k(s.in<float>(i), s.out<T>(y));
    });
  });
}

/// From one grid or type to another, clamped or not.
[[nodiscard]] inline result<node> bind_requantize(const node_context& c,
                                                  result<requantize_kernel> kernel) {
  if (!kernel) return c.fail(kernel.error());
  return with_code_type(c, c.input(0), [&](auto from) {
    return with_code_type(c, c.output(), [&](auto to) -> result<node> {
      using From = decltype(from);
      using To = decltype(to);
      return node([k = std::move(*kernel), i = c.input(0), y = c.output()](const workspace& s) {
        k(s.in<From>(i), s.out<To>(y));
      });
    });
  });
}

}  // namespace detail

[[nodiscard]] inline result<node> build_quantize(const node_context& c) {
  if (auto s = c.expect_shape(c.in(0).extents); !s) return s.error();
  if (c.in(0).type == element_type::float32) return detail::build_quantize_float(c);
  if (c.rules.requantize == nullptr) return c.refuse();
  const auto in = c.grid(c.input(0)), out = c.grid(c.output());
  if (!in) return in.error();
  if (!out) return out.error();
  const requantize_spec spec{c.in(0).type, c.out().type, *in, *out};
  return detail::bind_requantize(c, prepare_requantize(c.rules.requantize(facts_of(spec)), spec));
}

[[nodiscard]] inline result<node> build_dequantize(const node_context& c) {
  if (c.out().type != element_type::float32) return c.wrong_type(c.output(), "float32");
  if (auto s = c.expect_shape(c.in(0).extents); !s) return s.error();
  return with_code_type(c, c.input(0), [&](auto code) -> result<node> {
    using T = decltype(code);
    const auto in = c.grid(c.input(0));
    if (!in) return in.error();
    return node([grid = *in, i = c.input(0), y = c.output()](const workspace& s) {
      dequantize(s.in<T>(i), grid, s.out<float>(y));
    });
  });
}

[[nodiscard]] inline result<node> build_activation(const node_context& c, activation kind,
                                                   rule_for<activation_rule> rule) {
  if (rule == nullptr) return c.refuse();
  if (auto s = c.expect_shape(c.in(0).extents); !s) return s.error();
  if (c.out().type != c.in(0).type) return c.wrong_type(c.output(), name_of(c.in(0).type));
  const auto in = c.grid(c.input(0)), out = c.grid(c.output());
  if (!in) return in.error();
  if (!out) return out.error();
  const activation_spec spec{c.in(0).type, kind, *in, *out};
  return detail::bind_requantize(c, prepare_activation(rule(facts_of(spec)), spec));
}

}  // namespace bittwin::graph::inline v1
