// SPDX-License-Identifier: Apache-2.0
// Pools, MEAN, SOFTMAX and the clamping activations on reals, in float64, rounded once when stored.
#pragma once

#include <algorithm>
#include <bittwin/graph/axes.hpp>
#include <bittwin/graph/real_nodes.hpp>
#include <bittwin/kernel/mean.hpp>
#include <bittwin/kernel/pool2d.hpp>
#include <bittwin/reference/pool.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace bittwin::graph::inline v1 {

[[nodiscard]] inline result<node> build_real_pool2d(const node_context& c, bool average) {
  if (auto s = c.expect_rank(c.input(), 4, "NHWC"); !s) return s.error();
  const auto o = c.options<pool_2d_options>();
  const auto g = pool_geometry({.type = element_type::float64,
                                .input = detail::nhwc_of(c.in().extents),
                                .filter_h = o.filter_h,
                                .filter_w = o.filter_w,
                                .stride_h = o.stride_h,
                                .stride_w = o.stride_w,
                                .padding = o.padding},
                               &place);
  if (!g) return c.fail(g.error());
  const nhwc made = g->output();
  if (auto s = c.expect_shape({made.n, made.h, made.w, made.c}); !s) return s.error();
  return detail::real_node(
      c, o.fused,
      [g = *g, average, x_index = c.input()](const workspace& s, std::vector<double>& result) {
        const auto x = s.reals(x_index);
        const nhwc_view<const double> from(x.data(), g.input());
        const nhwc_view<double> y(result.data(), g.output());
        if (average)
          reference::average_pool2d(g, from, false, 0.0,
                                    [&](auto n, auto oy, auto ox, auto ch, double sum, auto count) {
                                      y(n, oy, ox, ch) = sum / count;
                                    });
        else
          reference::max_pool2d(g, from, std::numeric_limits<double>::lowest(),
                                [&](auto n, auto oy, auto ox, auto ch, double largest) {
                                  y(n, oy, ox, ch) = largest;
                                });
      });
}

[[nodiscard]] inline result<node> build_real_mean(const node_context& c) {
  const auto axes = axes_of(c, 1, c.in().extents.rank());
  if (!axes) return axes.error();
  mean_spec spec;
  spec.input = c.in().extents;
  spec.axes = *axes;
  spec.keep_dims = c.options<reduce_options>().keep_dims;
  if (auto s = c.expect_shape(spec.output()); !s) return s.error();
  return detail::real_node(
      c, activation::none,
      [spec, x_index = c.input()](const workspace& s, std::vector<double>& result) {
        const auto x = s.reals(x_index);
        reference::for_each_reduced(spec.input, spec.axes, [&](auto from, auto to) {
          result[static_cast<std::size_t>(to)] += x[static_cast<std::size_t>(from)];
        });
        for (double& value : result) value /= static_cast<double>(spec.count());
      });
}

[[nodiscard]] inline result<node> build_real_softmax(const node_context& c) {
  if (auto s = c.expect_shape(c.in().extents); !s) return s.error();
  return detail::real_node(c, activation::none,
                           [depth = static_cast<std::size_t>(c.in().extents.from_end(1)),
                            beta = double{c.options<softmax_options>().beta},
                            x_index = c.input()](const workspace& s, std::vector<double>& y) {
                             const auto x = s.reals(x_index);
                             for (std::size_t row = 0; row < x.size(); row += depth) {
                               double largest = x[row], sum = 0;
                               for (std::size_t i = 0; i < depth; ++i)
                                 largest = std::max(largest, x[row + i]);
                               for (std::size_t i = 0; i < depth; ++i)
                                 sum += y[row + i] = std::exp(beta * (x[row + i] - largest));
                               for (std::size_t i = 0; i < depth; ++i) y[row + i] /= sum;
                             }
                           });
}

/// RELU, RELU6, RELU_N1_TO_1; with activation::none also QUANTIZE and DEQUANTIZE.
[[nodiscard]] inline result<node> build_real_activation(const node_context& c, activation kind) {
  if (auto s = c.expect_shape(c.in().extents); !s) return s.error();
  return detail::real_node(c, kind,
                           [x_index = c.input()](const workspace& s, std::vector<double>& result) {
                             result = s.reals(x_index);
                           });
}

}  // namespace bittwin::graph::inline v1
