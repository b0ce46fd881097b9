// SPDX-License-Identifier: Apache-2.0
// oneDNN 2: int8 convolutions with a scale per channel and zero points, sums and pools without zero points, and the
// reorder of int32 to int8. One thread.
#include <memory>

#include "onednn_device.hpp"

namespace bench {

namespace {

std::function<void()> prepare_onednn(const problem& p, std::span<std::int8_t> output) {
  const layer& l = p.of;
  if (l.op == operation::fully_connected) return {};
  device& d = one();
  const convolution_extents e(p);
  const memory::desc given(e.filter, type::s8, e.filter_layout);
  const memory::desc bias_desc({l.oc}, type::s32, tag::x);
  std::vector<float> scales;
  for (const float s : p.scales) scales.push_back(p.in.scale * s / p.out.scale);
  dnnl::primitive_attr attr;
  attr.set_output_scales(2, scales);
  attr.set_zero_points(DNNL_ARG_SRC, 0, {p.in.zero_point});
  attr.set_zero_points(DNNL_ARG_DST, 0, {p.out.zero_point});
  const dnnl::convolution_forward::desc desc(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      memory::desc(e.input, type::s8, tag::nhwc), memory::desc(e.filter, type::s8, tag::any),
      bias_desc, memory::desc(e.output, type::s8, tag::nhwc), e.strides, e.before, e.after);
  const dnnl::convolution_forward::primitive_desc made(desc, attr, d.engine);
  const auto bias = std::make_shared<std::vector<std::int32_t>>(p.bias);
  const memory weights = d.in_layout(d.view(given, p.weights.data()), made.weights_desc());
  auto run = call(dnnl::convolution_forward(made),
                  {{DNNL_ARG_SRC, d.view(made.src_desc(), p.input.data())},
                   {DNNL_ARG_WEIGHTS, weights},
                   {DNNL_ARG_BIAS, d.view(bias_desc, bias->data())},
                   {DNNL_ARG_DST, d.view(made.dst_desc(), output.data())}});
  return [run = std::move(run), bias] { run(); };
}

std::function<void()> prepare_onednn_elements(const element_problem& p,
                                              std::span<std::int8_t> output) {
  device& d = one();
  const element_case& c = p.of;
  const memory::dims x{1, c.channels, c.extent, c.extent};
  const memory::desc bytes(x, type::s8, tag::nhwc);
  if (c.op == element_operation::add) {
    dnnl::primitive_attr attr;
    attr.set_scales(DNNL_ARG_SRC_0, 0, {p.in.scale / p.out.scale});
    attr.set_scales(DNNL_ARG_SRC_1, 0, {p.other.scale / p.out.scale});
    const dnnl::binary::primitive_desc made({dnnl::algorithm::binary_add, bytes, bytes, bytes},
                                            attr, d.engine);
    return call(dnnl::binary(made), {{DNNL_ARG_SRC_0, d.view(bytes, p.a.data())},
                                     {DNNL_ARG_SRC_1, d.view(bytes, p.b.data())},
                                     {DNNL_ARG_DST, d.view(bytes, output.data())}});
  }
  if (c.op == element_operation::requantize) {
    const memory::desc wide(x, type::s32, tag::nhwc);
    dnnl::primitive_attr attr;
    attr.set_output_scales(0, {p.in.scale / p.out.scale});
    attr.set_zero_points(DNNL_ARG_DST, 0, {p.out.zero_point});
    const memory from = d.view(wide, p.wide.data()), to = d.view(bytes, output.data());
    const dnnl::reorder::primitive_desc made(d.engine, wide, d.engine, bytes, attr);
    return call(dnnl::reorder(made), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  }
  if (c.op != element_operation::average_pool && c.op != element_operation::max_pool) return {};
  const padding pad = p.is_global() ? padding{0, 0} : same_padding(c.extent, c.kernel, c.stride);
  const memory::dim made_extent = p.is_global() ? 1 : (c.extent + c.stride - 1) / c.stride;
  const memory::desc made_bytes({1, c.channels, made_extent, made_extent}, type::s8, tag::nhwc);
  const dnnl::pooling_forward::desc desc(
      dnnl::prop_kind::forward_inference,
      c.op == element_operation::max_pool ? dnnl::algorithm::pooling_max
                                          : dnnl::algorithm::pooling_avg_exclude_padding,
      bytes, made_bytes, {c.stride, c.stride}, {c.kernel, c.kernel}, {pad.before, pad.before},
      {pad.after, pad.after});
  const dnnl::pooling_forward::primitive_desc made(desc, d.engine);
  return call(dnnl::pooling_forward(made), {{DNNL_ARG_SRC, d.view(bytes, p.a.data())},
                                            {DNNL_ARG_DST, d.view(made_bytes, output.data())}});
}

}  // namespace

const peer onednn_2{"oneDNN", &unless_refused<&prepare_onednn, problem>,
                    &unless_refused<&prepare_onednn_elements, element_problem>};

}  // namespace bench
