// SPDX-License-Identifier: Apache-2.0
// oneDNN 3: the same layers as its second version; scales and zero points are arguments of the call now. One thread.
#include <memory>

#include "onednn_device.hpp"

namespace bench {

namespace {

/// Scales and zero points of one call, which outlive it.
struct constants {
  std::vector<float> source_scale, weight_scales, output_scale, bias;
  std::vector<std::int32_t> source_zero_point, output_zero_point;
};

template <class T> memory vector_of(const std::vector<T>& values, type t) {
  return one().view(memory::desc({static_cast<memory::dim>(values.size())}, t, tag::x),
                    values.data());
}

std::function<void()> prepare_onednn(const problem& p, std::span<std::int8_t> output) {
  const layer& l = p.of;
  if (l.op == operation::fully_connected) return {};
  device& d = one();
  const convolution_extents e(p);
  const memory::desc given(e.filter, type::s8, e.filter_layout);
  const memory::desc bias_desc({l.oc}, type::f32, tag::x);
  dnnl::primitive_attr attr;
  attr.set_scales_mask(DNNL_ARG_SRC, 0);
  // Weights of grouped convolutions are scaled along (group, output channel).
  attr.set_scales_mask(DNNL_ARG_WEIGHTS, l.op == operation::depthwise_conv2d ? 3 : 1);
  attr.set_scales_mask(DNNL_ARG_DST, 0);
  attr.set_zero_points_mask(DNNL_ARG_SRC, 0);
  attr.set_zero_points_mask(DNNL_ARG_DST, 0);
  const dnnl::convolution_forward::primitive_desc made(
      d.engine, dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      memory::desc(e.input, type::s8, tag::nhwc), memory::desc(e.filter, type::s8, tag::any),
      bias_desc, memory::desc(e.output, type::s8, tag::nhwc), e.strides, e.before, e.after, attr);
  const auto held = std::make_shared<constants>();
  held->source_scale = {p.in.scale};
  held->weight_scales = p.scales;
  held->output_scale = {p.out.scale};
  for (std::size_t c = 0; c < p.bias.size(); ++c)
    held->bias.push_back(static_cast<float>(p.bias[c]) * p.in.scale * p.scales[c]);
  held->source_zero_point = {p.in.zero_point};
  held->output_zero_point = {p.out.zero_point};
  const memory weights = d.in_layout(d.view(given, p.weights.data()), made.weights_desc());
  auto run = call(
      dnnl::convolution_forward(made),
      {{DNNL_ARG_SRC, d.view(made.src_desc(), p.input.data())},
       {DNNL_ARG_WEIGHTS, weights},
       {DNNL_ARG_BIAS, vector_of(held->bias, type::f32)},
       {DNNL_ARG_DST, d.view(made.dst_desc(), output.data())},
       {DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC, vector_of(held->source_scale, type::f32)},
       {DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, vector_of(held->weight_scales, type::f32)},
       {DNNL_ARG_ATTR_SCALES | DNNL_ARG_DST, vector_of(held->output_scale, type::f32)},
       {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, vector_of(held->source_zero_point, type::s32)},
       {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, vector_of(held->output_zero_point, type::s32)}});
  return [run = std::move(run), held] { run(); };
}

std::function<void()> prepare_onednn_elements(const element_problem& p,
                                              std::span<std::int8_t> output) {
  device& d = one();
  const element_case& c = p.of;
  const memory::dims x{1, c.channels, c.extent, c.extent};
  const memory::desc bytes(x, type::s8, tag::nhwc);
  const auto held = std::make_shared<constants>();
  if (c.op == element_operation::add) {
    dnnl::primitive_attr attr;
    attr.set_scales_mask(DNNL_ARG_SRC_0, 0);
    attr.set_scales_mask(DNNL_ARG_SRC_1, 0);
    held->source_scale = {p.in.scale / p.out.scale};
    held->weight_scales = {p.other.scale / p.out.scale};
    const dnnl::binary::primitive_desc made(d.engine, dnnl::algorithm::binary_add, bytes, bytes,
                                            bytes, attr);
    auto run =
        call(dnnl::binary(made),
             {{DNNL_ARG_SRC_0, d.view(bytes, p.a.data())},
              {DNNL_ARG_SRC_1, d.view(bytes, p.b.data())},
              {DNNL_ARG_DST, d.view(bytes, output.data())},
              {DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC_0, vector_of(held->source_scale, type::f32)},
              {DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC_1, vector_of(held->weight_scales, type::f32)}});
    return [run = std::move(run), held] { run(); };
  }
  if (c.op == element_operation::requantize) {
    const memory::desc wide(x, type::s32, tag::nhwc);
    dnnl::primitive_attr attr;
    attr.set_scales_mask(DNNL_ARG_SRC, 0);
    attr.set_zero_points_mask(DNNL_ARG_DST, 0);
    held->source_scale = {p.in.scale / p.out.scale};
    held->output_zero_point = {p.out.zero_point};
    const memory from = d.view(wide, p.wide.data()), to = d.view(bytes, output.data());
    const dnnl::reorder::primitive_desc made(d.engine, wide, d.engine, bytes, attr);
    auto run =
        call(dnnl::reorder(made),
             {{DNNL_ARG_FROM, from},
              {DNNL_ARG_TO, to},
              {DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC, vector_of(held->source_scale, type::f32)},
              {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST,
               vector_of(held->output_zero_point, type::s32)}});
    return [run = std::move(run), held] { run(); };
  }
  if (c.op != element_operation::average_pool && c.op != element_operation::max_pool) return {};
  const padding pad = p.is_global() ? padding{0, 0} : same_padding(c.extent, c.kernel, c.stride);
  const memory::dim made_extent = p.is_global() ? 1 : (c.extent + c.stride - 1) / c.stride;
  const memory::desc made_bytes({1, c.channels, made_extent, made_extent}, type::s8, tag::nhwc);
  const dnnl::pooling_forward::primitive_desc made(
      d.engine, dnnl::prop_kind::forward_inference,
      c.op == element_operation::max_pool ? dnnl::algorithm::pooling_max
                                          : dnnl::algorithm::pooling_avg_exclude_padding,
      bytes, made_bytes, {c.stride, c.stride}, {c.kernel, c.kernel}, {0, 0},
      {pad.before, pad.before}, {pad.after, pad.after});
  return call(dnnl::pooling_forward(made), {{DNNL_ARG_SRC, d.view(bytes, p.a.data())},
                                            {DNNL_ARG_DST, d.view(made_bytes, output.data())}});
}

}  // namespace

const peer onednn_3{"oneDNN", &unless_refused<&prepare_onednn, problem>,
                    &unless_refused<&prepare_onednn_elements, element_problem>};

}  // namespace bench
