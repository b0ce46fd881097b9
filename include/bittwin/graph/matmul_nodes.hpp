// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV and BATCH_MATMUL of a model, on codes and on reals.
#pragma once

#include <bittwin/graph/axes.hpp>
#include <bittwin/graph/dot_product_nodes.hpp>
#include <bittwin/graph/real_nodes.hpp>
#include <bittwin/kernel/batch_matmul.hpp>
#include <bittwin/kernel/transpose_conv.hpp>
#include <utility>

namespace bittwin::graph::inline v1 {

namespace detail {

/// Inputs are output_shape, filter, input, bias.
inline constexpr dot_product_operands transpose_conv_operands{.x = 2, .w = 1, .bias = 3};

/// Ranks, channels and the stated output shape; where that is computed, the output's own counts.
[[nodiscard]] inline status check_transpose_conv(const node_context& c) {
  if (auto s = c.expect_rank(c.input(2), 4, "NHWC"); !s) return s;
  if (auto s = c.expect_rank(c.input(1), 4, "OHWI"); !s) return s;
  if (auto s = c.expect_rank(c.output(), 4, "NHWC"); !s) return s;
  const shape &x = c.in(2).extents, &f = c.in(1).extents, &y = c.out().extents;
  if (x[3] != f[3] || y[3] != f[0] || x[0] != y[0])
    return c.fail(error_code::bad_shape,
                  sentence({"a filter of shape ", to_string(f), " does not take ", to_string(x),
                            " to ", to_string(y)}));
  if (!c.in(0).is_constant()) return ok();
  const auto stated = constant_integers(c, 0);
  if (!stated) return stated.error();
  return stated->size() == 4 && shape(std::span<const std::int32_t>(*stated)) == y
             ? ok()
             : status(c.fail(error_code::bad_shape,
                             sentence({c.name(c.output()), " is declared as ", to_string(y),
                                       ", but ", c.name(c.input(0)), " states another shape"})));
}

}  // namespace detail

[[nodiscard]] inline result<node> build_transpose_conv(const node_context& c) {
  if (c.rules.transpose_conv == nullptr) return c.refuse();
  if (auto s = detail::check_transpose_conv(c); !s) return s.error();
  const auto o = c.options<transpose_conv_options>();
  const auto at = detail::transpose_conv_operands;
  const auto q = detail::dot_product_quantization_of(c, o.fused, 0, o.bias_type, at);
  if (!q) return q.error();
  const shape &f = c.in(1).extents, &y = c.out().extents;
  const transpose_conv_spec spec{.input = detail::nhwc_of(c.in(2).extents),
                                 .filter = {f[0], f[1], f[2], f[3]},
                                 .output_h = y[1],
                                 .output_w = y[2],
                                 .stride_h = o.stride_h,
                                 .stride_w = o.stride_w,
                                 .padding = o.padding,
                                 .quantization = *q};
  const dot_product_rule rule = c.rules.transpose_conv(facts_of(spec));
  return detail::bind_dot_product(
      c,
      [rule, spec](std::span<const std::byte> weights, std::span<const std::int64_t> bias) {
        return prepare_transpose_conv(rule, spec, weights, bias);
      },
      at);
}

[[nodiscard]] inline result<node> build_real_transpose_conv(const node_context& c) {
  if (auto s = detail::check_transpose_conv(c); !s) return s.error();
  const shape &x = c.in(2).extents, &f = c.in(1).extents, &y = c.out().extents;
  const auto o = c.options<transpose_conv_options>();
  const convolution_geometry g{
      .batch = x[0],
      .rows = transposed_window(&place, o.padding, x[1], y[1], f[1], o.stride_h),
      .columns = transposed_window(&place, o.padding, x[2], y[2], f[2], o.stride_w),
      .input_channels = x[3],
      .output_channels = f[0],
      .groups = 1};
  if (auto s = check_window(g.rows, "rows"); !s) return c.fail(s.error());
  if (auto s = check_window(g.columns, "columns"); !s) return c.fail(s.error());
  const auto bias = detail::real_bias_of(c, 3, f[0], 2);
  if (!bias) return bias.error();
  return detail::real_node(
      c, o.fused,
      [g, bias = *bias, x_index = c.input(2), w_index = c.input(1)](const workspace& s,
                                                                    std::vector<double>& result) {
        const auto from = s.reals(x_index), w = s.reals(w_index), b = bias.of(s);
        const nhwc_view<const double> view(from.data(), g.input());
        const nhwc_view<double> to(result.data(), g.output());
        reference::transpose_conv<accumulator::real>(
            g, {}, view, w.data(), b.empty() ? nullptr : b.data(),
            [&](auto n, auto oy, auto ox, auto oc, double sum) { to(n, oy, ox, oc) = sum; });
      });
}

[[nodiscard]] inline result<node> build_batch_matmul(const node_context& c) {
  if (c.rules.batch_matmul == nullptr) return c.refuse();
  if (c.in().type != element_type::int8 && c.in().type != element_type::int16)
    return c.wrong_type(c.input(), "int8 or int16");
  if (auto s = c.expect_one_type(2); !s) return s.error();
  const auto a = c.grid(c.input(0)), b = c.grid(c.input(1)), out = c.grid(c.output());
  if (!a) return a.error();
  if (!b) return b.error();
  if (!out) return out.error();
  const auto o = c.options<batch_matmul_options>();
  const batch_matmul_spec spec{.type = c.in().type,
                               .a_extents = c.in(0).extents,
                               .b_extents = c.in(1).extents,
                               .adjoint_a = o.adjoint_x,
                               .adjoint_b = o.adjoint_y,
                               .a = *a,
                               .b = *b,
                               .output = *out};
  auto kernel = prepare_batch_matmul(c.rules.batch_matmul(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  if (auto s = c.expect_shape(kernel->output()); !s) return s.error();
  return node(
      [k = *std::move(kernel), i = c.input(0), j = c.input(1), y = c.output()](const workspace& s) {
        if (k.plan().type == element_type::int8)
          k(s.in<std::int8_t>(i), s.in<std::int8_t>(j), s.out<std::int8_t>(y));
        else
          k(s.in<std::int16_t>(i), s.in<std::int16_t>(j), s.out<std::int16_t>(y));
      });
}

[[nodiscard]] inline result<node> build_real_batch_matmul(const node_context& c) {
  const auto o = c.options<batch_matmul_options>();
  const auto g = matmul_geometry_of(c.in(0).extents, c.in(1).extents, o.adjoint_x, o.adjoint_y);
  if (!g) return c.fail(g.error());
  if (auto s = c.expect_shape(output_of(*g)); !s) return s.error();
  return detail::real_node(
      c, activation::none,
      [g = *g, i = c.input(0), j = c.input(1)](const workspace& s, std::vector<double>& result) {
        const auto a = s.reals(i), b = s.reals(j);
        reference::batch_matmul<accumulator::real>(
            g, 0.0, 0.0, a.data(), b.data(),
            [&](auto at, double sum) { result[static_cast<std::size_t>(at)] = sum; });
      });
}

}  // namespace bittwin::graph::inline v1
