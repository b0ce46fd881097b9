// SPDX-License-Identifier: Apache-2.0
// The operators on reals, for targets/real.hpp: the same textbook loops as the integers', in
// float64. Constants are dequantized before; an activation clamps at its real bounds; QUANTIZE and
// DEQUANTIZE copy.
#pragma once

#include <algorithm>
#include <bittwin/graph/axes.hpp>
#include <bittwin/graph/dot_product_nodes.hpp>
#include <bittwin/graph/node.hpp>
#include <bittwin/kernel/mean.hpp>
#include <bittwin/reference/elementwise.hpp>
#include <bittwin/reference/pool.hpp>
#include <cmath>
#include <limits>

namespace bittwin::graph::inline v1 {

namespace detail {

[[nodiscard]] inline double clamp_real(double value, activation kind) noexcept {
  const real_bounds bounds = bounds_of(kind);
  if (bounds.low && value < *bounds.low) return *bounds.low;
  if (bounds.high && value > *bounds.high) return *bounds.high;
  return value;
}

/// Bias in reals: int32 codes are at scale input * filter[channel].
[[nodiscard]] inline std::vector<double> real_bias(const node_context& c, const workspace& s) {
  std::vector<double> bias;
  if (!c.has(2)) return bias;
  if (stored_type(c.m, c.input(2), c.rules) == element_type::float64) {
    const auto values = s.in<double>(c.input(2));
    bias.assign(values.begin(), values.end());
    return bias;
  }
  const auto codes = s.in<std::int32_t>(c.input(2));
  const double input = c.in(0).quantization.scale();
  for (std::size_t oc = 0; oc < codes.size(); ++oc)
    bias.push_back(codes[oc] * input * c.in(1).quantization.scale(oc));
  return bias;
}

[[nodiscard]] inline status check_real_dot_product(const node_context& c) {
  if (!c.has(2) || c.in(2).type != element_type::int32) return ok();
  if (c.in(0).quantization.present() && c.in(1).quantization.present()) return ok();
  return c.fail(error_code::bad_scale,
                c.name(c.input(2)) + " is int32, but its input or filter has no scale");
}

/// A context outlives its builder only as a copy; the model outlives both.
struct real_convolution {
  node_context c;
  convolution_geometry geometry;
  std::int32_t depth_multiplier = 0;  ///< 0: not depthwise
  activation fused = activation::none;

  void operator()(const workspace& s) const {
    const std::vector<double> bias = real_bias(c, s);
    const double* b = bias.empty() ? nullptr : bias.data();
    const nhwc_view<const double> x(s.in<double>(c.input(0)).data(), geometry.input());
    const nhwc_view<double> y(s.out<double>(c.output()).data(), geometry.output());
    const double* w = s.in<double>(c.input(1)).data();
    const auto store = [&](auto n, auto oy, auto ox, auto oc, double sum) {
      y(n, oy, ox, oc) = clamp_real(sum, fused);
    };
    if (depth_multiplier == 0)
      reference::conv2d<accumulator::real>(geometry, {}, x, w, b, store);
    else
      reference::depthwise_conv2d<accumulator::real>(
          geometry, {}, x, w, b, [&](std::int32_t oc) { return oc / depth_multiplier; }, store);
  }
};

}  // namespace detail

[[nodiscard]] inline result<node> build_real_convolution(const node_context& c, bool depthwise) {
  const shape &x = c.in(0).extents, &f = c.in(1).extents;
  if (x.rank() != 4 || f.rank() != 4)
    return c.fail(error_code::bad_shape, "input and filter must have four axes");
  if (auto s = detail::check_real_dot_product(c); !s) return s.error();
  const auto o = c.options<conv_2d_options>();
  const auto d = c.options<depthwise_conv_2d_options>();
  const padding_kind padding = depthwise ? d.padding : o.padding;
  const std::int32_t channels = depthwise ? f[3] : f[0];
  const std::int32_t group_depth = depthwise ? 1 : f[3];
  if (x[3] < 1 || group_depth < 1 || x[3] % group_depth != 0 ||
      channels % (x[3] / group_depth) != 0)
    return c.fail(error_code::bad_shape, "the filter's channels do not fit the input's");
  const convolution_geometry g{
      .batch = x[0],
      .rows = place(padding, x[1], f[1], depthwise ? d.stride_h : o.stride_h,
                    depthwise ? d.dilation_h : o.dilation_h),
      .columns = place(padding, x[2], f[2], depthwise ? d.stride_w : o.stride_w,
                       depthwise ? d.dilation_w : o.dilation_w),
      .input_channels = x[3],
      .output_channels = channels,
      .groups = x[3] / group_depth};
  if (auto s = check_window(g.rows, "rows"); !s) return c.fail(s.error());
  if (auto s = check_window(g.columns, "columns"); !s) return c.fail(s.error());
  if (c.has(2) && c.in(2).extents.elements() != channels)
    return c.fail(error_code::bad_shape, "the bias does not have one element a channel");
  if (auto s = c.expect_shape({x[0], g.rows.output, g.columns.output, channels}); !s)
    return s.error();
  return node(detail::real_convolution{c, g, depthwise ? channels / x[3] : 0,
                                       depthwise ? d.fused : o.fused});
}

[[nodiscard]] inline result<node> build_real_fully_connected(const node_context& c) {
  const shape& f = c.in(1).extents;
  if (f.rank() != 2 || f[1] < 1 || c.in(0).extents.elements() % f[1] != 0)
    return c.fail(error_code::bad_shape, "the filter does not fit the input");
  if (auto s = detail::check_real_dot_product(c); !s) return s.error();
  const std::int64_t rows = c.in(0).extents.elements() / f[1];
  if (c.out().extents.elements() != rows * f[0] || (c.has(2) && c.in(2).extents.elements() != f[0]))
    return c.fail(error_code::bad_shape, "output or bias do not fit the filter");
  const activation fused = c.options<fully_connected_options>().fused;
  return node([c, f, rows, fused](const workspace& s) {
    const std::vector<double> bias = detail::real_bias(c, s);
    const auto y = s.out<double>(c.output());
    reference::fully_connected<accumulator::real>(
        rows, f[1], f[0], {}, s.in<double>(c.input(0)).data(), s.in<double>(c.input(1)).data(),
        bias.empty() ? nullptr : bias.data(), [&](auto row, auto o, double sum) {
          y[static_cast<std::size_t>(row * f[0] + o)] = detail::clamp_real(sum, fused);
        });
  });
}

/// combine(a, b) for ADD, SUB, MUL
template <class Combine>
[[nodiscard]] result<node> build_real_binary(const node_context& c, Combine combine) {
  shape made;
  if (!reference::broadcast_shape(c.in(0).extents, c.in(1).extents, made))
    return c.fail(error_code::bad_shape, "the operands do not broadcast");
  if (auto s = c.expect_shape(made); !s) return s.error();
  return node([c, made, combine, fused = c.options<binary_options>().fused](const workspace& s) {
    const auto a = s.in<double>(c.input(0)), b = s.in<double>(c.input(1));
    const auto y = s.out<double>(c.output());
    reference::for_each_pair(made, c.in(0).extents, c.in(1).extents, [&](auto o, auto i, auto j) {
      y[static_cast<std::size_t>(o)] = detail::clamp_real(
          combine(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)]), fused);
    });
  });
}

[[nodiscard]] inline result<node> build_real_pool2d(const node_context& c, bool average) {
  const shape& x = c.in(0).extents;
  if (x.rank() != 4) return c.fail(error_code::bad_shape, "the input must have four axes, NHWC");
  const auto o = c.options<pool_2d_options>();
  const auto g = pool_geometry({.type = element_type::float64,
                                .input = detail::nhwc_of(x),
                                .filter_h = o.filter_h,
                                .filter_w = o.filter_w,
                                .stride_h = o.stride_h,
                                .stride_w = o.stride_w,
                                .padding = o.padding,
                                .grid = {},
                                .fused = o.fused},
                               &place);
  if (!g) return c.fail(g.error());
  const nhwc made = g->output();
  if (auto s = c.expect_shape({made.n, made.h, made.w, made.c}); !s) return s.error();
  return node([c, g = *g, average, fused = o.fused](const workspace& s) {
    const nhwc_view<const double> from(s.in<double>(c.input(0)).data(), g.input());
    const nhwc_view<double> y(s.out<double>(c.output()).data(), g.output());
    if (average)
      reference::average_pool2d(g, from, false, 0.0,
                                [&](auto n, auto oy, auto ox, auto ch, double sum, auto count) {
                                  y(n, oy, ox, ch) = detail::clamp_real(sum / count, fused);
                                });
    else
      reference::max_pool2d(g, from, std::numeric_limits<double>::lowest(),
                            [&](auto n, auto oy, auto ox, auto ch, double largest) {
                              y(n, oy, ox, ch) = detail::clamp_real(largest, fused);
                            });
  });
}

[[nodiscard]] inline result<node> build_real_mean(const node_context& c) {
  const auto axes = axes_of(c, 1, c.in(0).extents.rank());
  if (!axes) return axes.error();
  mean_spec spec;
  spec.input = c.in(0).extents;
  spec.axes = *axes;
  spec.keep_dims = c.options<reduce_options>().keep_dims;
  if (auto s = c.expect_shape(spec.output()); !s) return s.error();
  return node([c, spec](const workspace& s) {
    const auto x = s.in<double>(c.input(0));
    const auto y = s.out<double>(c.output());
    std::fill(y.begin(), y.end(), 0.0);
    reference::for_each_reduced(spec.input, spec.axes, [&](auto from, auto to) {
      y[static_cast<std::size_t>(to)] += x[static_cast<std::size_t>(from)];
    });
    for (double& value : y) value /= static_cast<double>(spec.count());
  });
}

[[nodiscard]] inline result<node> build_real_softmax(const node_context& c) {
  if (auto s = c.expect_shape(c.in(0).extents); !s) return s.error();
  const auto depth = static_cast<std::size_t>(c.in(0).extents.from_end(1));
  const double beta = c.options<softmax_options>().beta;
  return node([c, depth, beta](const workspace& s) {
    const auto x = s.in<double>(c.input(0));
    const auto y = s.out<double>(c.output());
    for (std::size_t row = 0; row < x.size(); row += depth) {
      const auto from = x.subspan(row, depth);
      const double largest = *std::max_element(from.begin(), from.end());
      double sum = 0;
      for (std::size_t i = 0; i < depth; ++i)
        sum += y[row + i] = std::exp(beta * (from[i] - largest));
      for (std::size_t i = 0; i < depth; ++i) y[row + i] /= sum;
    }
  });
}

/// RELU, RELU6, RELU_N1_TO_1; with activation::none also QUANTIZE and DEQUANTIZE.
[[nodiscard]] inline result<node> build_real_activation(const node_context& c, activation kind) {
  if (auto s = c.expect_shape(c.in(0).extents); !s) return s.error();
  return node([c, kind](const workspace& s) {
    const auto x = s.in<double>(c.input(0));
    const auto y = s.out<double>(c.output());
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = detail::clamp_real(x[i], kind);
  });
}

}  // namespace bittwin::graph::inline v1
