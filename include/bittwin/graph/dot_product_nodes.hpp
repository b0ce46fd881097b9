// SPDX-License-Identifier: Apache-2.0
// CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED of a model: specs from tensors, kernels bound to
// the workspace.
#pragma once

#include <bittwin/graph/node_context.hpp>
#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/kernel/depthwise_conv2d.hpp>
#include <bittwin/kernel/fully_connected.hpp>
#include <memory>
#include <utility>

namespace bittwin::graph::inline v1 {

namespace detail {

[[nodiscard]] inline nhwc nhwc_of(const shape& s) noexcept { return {s[0], s[1], s[2], s[3]}; }

/// Where the operands stand among an operator's inputs.
struct dot_product_operands {
  std::size_t x = 0, w = 1, bias = 2;
};

/// Types of input, weights, bias and output.
[[nodiscard]] inline status check_dot_product_types(const node_context& c,
                                                    const dot_product_operands& at) {
  const element_type type = c.in(at.x).type;
  const element_type weight = c.in(at.w).type;
  if (!is_8_bit(type) && type != element_type::int16)
    return c.wrong_type(c.input(at.x), "int8, uint8 or int16");
  if (auto t = c.expect_type(c.output(), type); !t) return t;
  if (type == element_type::uint8) {
    if (auto t = c.expect_type(c.input(at.w), type); !t) return t;
  } else if (weight != element_type::int8 && weight != element_type::int4) {
    return c.wrong_type(c.input(at.w), "int8 or int4");
  }
  if (weight == element_type::int4 && !c.in(at.w).is_constant())
    return c.fail(
        error_code::unsupported,
        sentence({c.name(c.input(at.w)), " is int4 and computed; store it as a constant"}));
  if (!c.has(at.bias)) return ok();
  const element_type bias = c.in(at.bias).type;
  if (bias == element_type::int32 || (bias == element_type::int64 && type == element_type::int16))
    return ok();
  return c.wrong_type(c.input(at.bias), type == element_type::int16 ? "int32 or int64" : "int32");
}

/// Types, grids and filter scales. channel_axis: the filter's axis of output channels.
/// absent_bias: what an int16 layer says of a bias that it does not have.
[[nodiscard]] inline result<dot_product_quantization> dot_product_quantization_of(
    const node_context& c, activation fused, int channel_axis, element_type absent_bias,
    const dot_product_operands& at = {}) {
  if (auto t = check_dot_product_types(c, at); !t) return t.error();
  const element_type type = c.in(at.x).type;
  const auto in = c.grid(c.input(at.x)), out = c.grid(c.output());
  if (!in) return in.error();
  if (!out) return out.error();
  const quantization& filter = c.in(at.w).quantization;
  const auto refuse = [&](std::string_view what) {
    return c.fail(error_code::unsupported, sentence({c.name(c.input(at.w)), what}));
  };
  if (!filter.present()) return refuse(" has no scale; quantize the model fully");
  if (filter.per_channel() && filter.axis != channel_axis)
    return refuse(sentence({" has its scales along axis ", number(filter.axis),
                            "; output channels run along axis ", number(channel_axis)}));
  if (filter.per_channel() && type == element_type::uint8)
    return refuse(" is uint8 with a scale per channel; use int8 weights");
  if (filter.per_channel())
    for (const std::int64_t zero : filter.zero_points)
      if (zero != 0)
        return refuse(sentence(
            {" has scales per channel and a zero point of ", number(zero), "; it must be 0"}));
  const element_type bias = c.has(at.bias) ? c.in(at.bias).type : absent_bias;
  return dot_product_quantization{
      .type = type,
      .input = *in,
      .filter_scales = filter.scales,
      .filter_zero_point = static_cast<std::int32_t>(filter.zero_point()),
      .output = *out,
      .fused = fused,
      .bias_type = bias == element_type::int32 ? bias : element_type::int64,
      .has_bias = c.has(at.bias)};
}

inline void run_dot_product(const workspace& s, const dot_product_kernel& kernel, std::int32_t x,
                            std::int32_t y) {
  switch (kernel.plan().type) {
    case element_type::int8:
      return kernel(s.in<std::int8_t>(x), s.out<std::int8_t>(y), s.parallel());
    case element_type::uint8:
      return kernel(s.in<std::uint8_t>(x), s.out<std::uint8_t>(y), s.parallel());
    default: return kernel(s.in<std::int16_t>(x), s.out<std::int16_t>(y), s.parallel());
  }
}

[[nodiscard]] inline std::vector<std::int64_t> constant_bias(const tensor& t) {
  if (t.type == element_type::int64) return constant_as<std::int64_t>(t);
  const auto narrow = constant_as<std::int32_t>(t);
  return {narrow.begin(), narrow.end()};
}

/// Binds prepare(weights, bias) -> kernel: once, or before each run where an operand is computed.
template <class Prepare>
[[nodiscard]] result<node> bind_dot_product(const node_context& c, Prepare prepare,
                                            const dot_product_operands& at = {}) {
  const std::int32_t x = c.input(at.x), w = c.input(at.w), y = c.output();
  const std::int32_t b = c.has(at.bias) ? c.input(at.bias) : no_tensor;
  const bool fixed = c.in(at.w).is_constant() && (b == no_tensor || c.in(at.bias).is_constant());
  if (fixed) {
    const std::vector<std::int64_t> bias =
        b == no_tensor ? std::vector<std::int64_t>{} : constant_bias(c.in(at.bias));
    result<dot_product_kernel> kernel = prepare(stored_constant(c.in(at.w)), bias);
    if (!kernel) return c.fail(kernel.error());
    auto shared = std::make_shared<const dot_product_kernel>(std::move(*kernel));
    return node([shared, x, y](const workspace& s) { run_dot_product(s, *shared, x, y); },
                shared->explain());
  }
  // Checked once with zeros: the shapes do not change, so the later calls cannot fail.
  const std::vector<std::byte> zeros(static_cast<std::size_t>(c.in(at.w).extents.elements()));
  const std::vector<std::int64_t> zero_bias(
      b == no_tensor ? 0 : static_cast<std::size_t>(c.in(at.bias).extents.elements()));
  auto checked = prepare(zeros, zero_bias);
  if (!checked) return c.fail(checked.error());
  if (const int bits = checked->plan().rule.known_bits; bits > 0)
    return c.fail(
        error_code::unsupported,
        sentence({"weights or bias are computed at run time, and what target ", c.rules.name,
                  " does with sums beyond ", number(bits), " bits is unknown"}));
  return node([prepare, x, w, b, y](const workspace& s) {
    const auto bias = b == no_tensor ? std::vector<std::int64_t>{} : s.codes(b);
    const auto kernel = prepare(std::as_bytes(s.in<std::int8_t>(w)), bias);
    if (kernel) run_dot_product(s, *kernel, x, y);
  });
}

}  // namespace detail

[[nodiscard]] inline result<node> build_conv2d(const node_context& c) {
  if (c.rules.conv2d == nullptr) return c.refuse();
  if (auto s = c.expect_rank(c.input(), 4, "NHWC"); !s) return s.error();
  if (auto s = c.expect_rank(c.input(1), 4, "OHWI"); !s) return s.error();
  const auto o = c.options<conv_2d_options>();
  const auto q = detail::dot_product_quantization_of(c, o.fused, 0, o.bias_type);
  if (!q) return q.error();
  const shape& f = c.in(1).extents;
  const conv2d_spec spec{.input = detail::nhwc_of(c.in(0).extents),
                         .filter = {f[0], f[1], f[2], f[3]},
                         .stride_h = o.stride_h,
                         .stride_w = o.stride_w,
                         .dilation_h = o.dilation_h,
                         .dilation_w = o.dilation_w,
                         .padding = o.padding,
                         .quantization = *q};
  const dot_product_rule rule = c.rules.conv2d(facts_of(spec));
  const window rows = place(o.padding, spec.input.h, f[1], o.stride_h, o.dilation_h);
  const window columns = place(o.padding, spec.input.w, f[2], o.stride_w, o.dilation_w);
  auto built = detail::bind_dot_product(
      c, [rule, spec](std::span<const std::byte> weights, std::span<const std::int64_t> bias) {
        return prepare_conv2d(rule, spec, weights, bias);
      });
  if (!built) return built.error();
  if (auto s = c.expect_shape({spec.input.n, rows.output, columns.output, f[0]}); !s)
    return s.error();
  return built;
}

[[nodiscard]] inline result<node> build_depthwise_conv2d(const node_context& c) {
  if (c.rules.depthwise_conv2d == nullptr) return c.refuse();
  const shape &x = c.in(0).extents, &f = c.in(1).extents;
  if (auto s = c.expect_rank(c.input(), 4, "NHWC"); !s) return s.error();
  if (auto s = c.expect_rank(c.input(1), 4, "[1, h, w, channels]"); !s) return s.error();
  if (f[0] != 1 || x[3] < 1 || f[3] % x[3] != 0)
    return c.fail(error_code::bad_shape,
                  sentence({"a filter of shape ", to_string(f), " does not fit an input of ",
                            number(x[3]), " channels; it must be [1, h, w, multiple of them]"}));
  const auto o = c.options<depthwise_conv_2d_options>();
  const auto q = detail::dot_product_quantization_of(c, o.fused, 3, element_type::int64);
  if (!q) return q.error();
  const depthwise_conv2d_spec spec{.input = detail::nhwc_of(x),
                                   .filter_h = f[1],
                                   .filter_w = f[2],
                                   .depth_multiplier = f[3] / x[3],
                                   .stride_h = o.stride_h,
                                   .stride_w = o.stride_w,
                                   .dilation_h = o.dilation_h,
                                   .dilation_w = o.dilation_w,
                                   .padding = o.padding,
                                   .quantization = *q};
  const dot_product_rule rule = c.rules.depthwise_conv2d(facts_of(spec));
  const window rows = place(o.padding, x[1], f[1], o.stride_h, o.dilation_h);
  const window columns = place(o.padding, x[2], f[2], o.stride_w, o.dilation_w);
  auto built = detail::bind_dot_product(
      c, [rule, spec](std::span<const std::byte> weights, std::span<const std::int64_t> bias) {
        return prepare_depthwise_conv2d(rule, spec, weights, bias);
      });
  if (!built) return built.error();
  if (auto s = c.expect_shape({x[0], rows.output, columns.output, f[3]}); !s) return s.error();
  return built;
}

/// Any rank of input: its elements are read as rows of the filter's depth.
[[nodiscard]] inline result<node> build_fully_connected(const node_context& c) {
  if (c.rules.fully_connected == nullptr) return c.refuse();
  const shape& f = c.in(1).extents;
  if (auto s = c.expect_rank(c.input(1), 2, "[outputs, inputs]"); !s) return s.error();
  const std::int64_t elements = c.in().extents.elements();
  if (f[0] < 1 || f[1] < 1 || elements % f[1] != 0)
    return c.fail(error_code::bad_shape,
                  sentence({"an input of ", number(elements),
                            " elements is no multiple of the filter's depth ", number(f[1])}));
  const auto o = c.options<fully_connected_options>();
  const auto q = detail::dot_product_quantization_of(c, o.fused, 0, o.bias_type);
  if (!q) return q.error();
  const auto rows = static_cast<std::int32_t>(elements / f[1]);
  const fully_connected_spec spec{.rows = rows, .depth = f[1], .outputs = f[0], .quantization = *q};
  if (c.out().extents.elements() != std::int64_t{rows} * f[0] ||
      c.out().extents.from_end(1) != f[0])
    return c.fail(error_code::bad_shape,
                  sentence({c.name(c.output()), " is declared as ", to_string(c.out().extents),
                            ", but its operands make ", to_string(shape{rows, f[0]})}));
  const dot_product_rule rule = c.rules.fully_connected(facts_of(spec));
  return detail::bind_dot_product(
      c, [rule, spec](std::span<const std::byte> weights, std::span<const std::int64_t> bias) {
        return prepare_fully_connected(rule, spec, weights, bias);
      });
}

}  // namespace bittwin::graph::inline v1
