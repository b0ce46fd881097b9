// SPDX-License-Identifier: Apache-2.0
// The operators on reals: under targets/real.hpp, and float32 operators under every target.
// The same textbook loops as the integers', in float64; a float32 result is rounded once, when it is stored,
// so it lies within half an ulp of the exact sum plus the rounding of float64's own additions. Runtimes that add in
// float32 stay within 8 ulp (of float32, at the tensor's largest magnitude) of it: tests/golden/operators.
// Constants are dequantized before; an activation clamps at its real bounds; QUANTIZE and DEQUANTIZE copy.
#pragma once

#include <algorithm>
#include <bittwin/graph/dot_product_nodes.hpp>
#include <bittwin/graph/node_context.hpp>
#include <bittwin/reference/elementwise.hpp>
#include <cmath>

namespace bittwin::graph::inline v1 {

namespace detail {

[[nodiscard]] inline double clamp_real(double value, activation kind) noexcept {
  const real_bounds bounds = bounds_of(kind);
  if (bounds.low && value < *bounds.low) return *bounds.low;
  if (bounds.high && value > *bounds.high) return *bounds.high;
  return value;
}

/// A node that makes one tensor of reals: fill(workspace, result). The fused activation is applied after.
template <class Fill>
[[nodiscard]] result<node> real_node(const node_context& c, activation fused, Fill fill) {
  if (!is_floating(c.stored(c.output()))) return c.wrong_type(c.output(), "float32, as its input");
  return node([fill = std::move(fill), fused, y = c.output(),
               size = static_cast<std::size_t>(c.out().extents.elements())](const workspace& s) {
    std::vector<double> result(size);
    fill(s, result);
    if (fused != activation::none)
      for (double& value : result) value = clamp_real(value, fused);
    s.store_reals(y, result);
  });
}

/// Where the bias of a dot product is, and how its codes become reals where it is int32:
/// they are at scale input * filter[channel].
struct real_bias {
  std::int32_t tensor = no_tensor;
  std::vector<double> scales;  ///< one a channel; empty: the bias is stored as reals

  [[nodiscard]] std::vector<double> of(const workspace& s) const {
    if (tensor == no_tensor) return {};
    if (scales.empty()) return s.reals(tensor);
    const auto codes = s.codes(tensor);
    std::vector<double> bias(codes.size());
    for (std::size_t oc = 0; oc < codes.size(); ++oc)
      bias[oc] = static_cast<double>(codes[oc]) * scales[oc];
    return bias;
  }
};

[[nodiscard]] inline result<real_bias> real_bias_of(const node_context& c, std::size_t i,
                                                    std::int32_t channels, std::size_t x = 0,
                                                    std::size_t w = 1) {
  real_bias bias;
  if (!c.has(i)) return bias;
  if (c.in(i).extents.elements() != channels)
    return c.fail(error_code::bad_shape,
                  sentence({c.name(c.input(i)), " has ", number(c.in(i).extents.elements()),
                            " elements for ", number(channels), " output channels"}));
  bias.tensor = c.input(i);
  const element_type type = c.stored(c.input(i));
  if (is_floating(type)) return bias;
  const quantization &input = c.in(x).quantization, &filter = c.in(w).quantization;
  if (!input.present() || !filter.present())
    return c.fail(error_code::bad_scale,
                  sentence({c.name(c.input(i)), " is ", name_of(c.in(i).type),
                            ", but the input or the filter has no scale"}));
  for (std::int32_t oc = 0; oc < channels; ++oc)
    bias.scales.push_back(double{input.scale()} *
                          double{filter.scale(static_cast<std::size_t>(oc))});
  return bias;
}

}  // namespace detail

[[nodiscard]] inline result<node> build_real_convolution(const node_context& c, bool depthwise) {
  if (auto s = c.expect_rank(c.input(), 4, "NHWC"); !s) return s.error();
  if (auto s = c.expect_rank(c.input(1), 4, "OHWI"); !s) return s.error();
  const shape &x = c.in().extents, &f = c.in(1).extents;
  const auto o = c.options<conv_2d_options>();
  const auto d = c.options<depthwise_conv_2d_options>();
  const padding_kind padding = depthwise ? d.padding : o.padding;
  const std::int32_t channels = depthwise ? f[3] : f[0];
  const std::int32_t group_depth = depthwise ? 1 : f[3];
  if (x[3] < 1 || group_depth < 1 || x[3] % group_depth != 0 ||
      channels % (x[3] / group_depth) != 0)
    return c.fail(error_code::bad_shape,
                  sentence({"a filter of shape ", to_string(f), " does not fit an input of ",
                            number(x[3]), " channels"}));
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
  if (auto s = c.expect_shape({x[0], g.rows.output, g.columns.output, channels}); !s)
    return s.error();
  const auto bias = detail::real_bias_of(c, 2, channels);
  if (!bias) return bias.error();
  return detail::real_node(
      c, depthwise ? d.fused : o.fused,
      [g, depthwise, bias = *bias, x_index = c.input(), w_index = c.input(1)](
          const workspace& s, std::vector<double>& result) {
        const auto from = s.reals(x_index), w = s.reals(w_index), b = bias.of(s);
        const nhwc_view<const double> view(from.data(), g.input());
        const nhwc_view<double> y(result.data(), g.output());
        const double* added = b.empty() ? nullptr : b.data();
        const auto store = [&](auto n, auto oy, auto ox, auto oc, double sum) {
          y(n, oy, ox, oc) = sum;
        };
        const std::int32_t multiplier = g.output_channels / g.input_channels;
        if (depthwise)
          reference::depthwise_conv2d<accumulator::real>(
              g, {}, view, w.data(), added, [&](std::int32_t oc) { return oc / multiplier; },
              store);
        else
          reference::conv2d<accumulator::real>(g, {}, view, w.data(), added, store);
      });
}

[[nodiscard]] inline result<node> build_real_fully_connected(const node_context& c) {
  if (auto s = c.expect_rank(c.input(1), 2, "[outputs, inputs]"); !s) return s.error();
  const shape& f = c.in(1).extents;
  const std::int64_t elements = c.in().extents.elements();
  if (f[0] < 1 || f[1] < 1 || elements % f[1] != 0 ||
      c.out().extents.elements() != elements / f[1] * f[0])
    return c.fail(error_code::bad_shape,
                  sentence({"a filter of shape ", to_string(f), " does not take ",
                            to_string(c.in().extents), " to ", to_string(c.out().extents)}));
  const auto bias = detail::real_bias_of(c, 2, f[0]);
  if (!bias) return bias.error();
  return detail::real_node(
      c, c.options<fully_connected_options>().fused,
      [rows = elements / f[1], depth = f[1], outputs = f[0], bias = *bias, x_index = c.input(),
       w_index = c.input(1)](const workspace& s, std::vector<double>& result) {
        const auto x = s.reals(x_index), w = s.reals(w_index), b = bias.of(s);
        reference::fully_connected<accumulator::real>(
            rows, depth, outputs, {}, x.data(), w.data(), b.empty() ? nullptr : b.data(),
            [&](auto row, auto o, double sum) {
              result[static_cast<std::size_t>(row * outputs + o)] = sum;
            });
      });
}

using real_function = double (*)(double, double);

/// combine(a, b) for ADD, SUB, MUL
[[nodiscard]] inline result<node> build_real_binary(const node_context& c, real_function combine) {
  shape made;
  if (!reference::broadcast_shape(c.in(0).extents, c.in(1).extents, made))
    return c.fail(error_code::bad_shape,
                  sentence({"operands of shape ", to_string(c.in(0).extents), " and ",
                            to_string(c.in(1).extents), " do not broadcast"}));
  if (auto s = c.expect_shape(made); !s) return s.error();
  return detail::real_node(
      c, c.options<binary_options>().fused,
      [combine, made, a_shape = c.in(0).extents, b_shape = c.in(1).extents, a_index = c.input(0),
       b_index = c.input(1)](const workspace& s, std::vector<double>& result) {
        const auto a = s.reals(a_index), b = s.reals(b_index);
        reference::for_each_pair(made, a_shape, b_shape, [&](auto o, auto i, auto j) {
          result[static_cast<std::size_t>(o)] =
              combine(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)]);
        });
      });
}

}  // namespace bittwin::graph::inline v1
