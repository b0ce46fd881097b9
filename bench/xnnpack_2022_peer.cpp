// SPDX-License-Identifier: Apache-2.0
// XNNPACK of 2022: int8 convolutions with a scale per channel (qc8), sums, means, pools; one thread.
#include "xnnpack_call.hpp"

namespace bench {

namespace {

std::function<void()> prepare_xnnpack(const problem& p, std::span<std::int8_t> output) {
  const layer& l = p.of;
  if (l.op == operation::fully_connected || xnn_initialize(nullptr) != xnn_status_success)
    return {};
  const bool depthwise = l.op == operation::depthwise_conv2d;
  const padding pad = same_padding(l.extent, l.kernel, l.stride);
  xnn_operator_t op = nullptr;
  const xnn_status created = xnn_create_convolution2d_nhwc_qc8(
      u(pad.before), u(pad.after), u(pad.after), u(pad.before), u(l.kernel), u(l.kernel),
      u(l.stride), u(l.stride), 1, 1, depthwise ? u(l.ic) : 1, depthwise ? 1 : n(l.ic),
      depthwise ? 1 : n(l.oc), n(l.ic), n(l.oc), static_cast<std::int8_t>(p.in.zero_point),
      p.in.scale, p.scales.data(), p.weights.data(), p.bias.data(),
      static_cast<std::int8_t>(p.out.zero_point), p.out.scale, -128, 127,
      depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, &op);
  if (created != xnn_status_success) return {};
  const xnnpack_call call(op, p.input);
  if (xnn_setup_convolution2d_nhwc_qc8(op, 1, n(l.extent), n(l.extent), call.input(), output.data(),
                                       nullptr) != xnn_status_success)
    return {};
  return call;
}

std::function<void()> prepare_xnnpack_elements(const element_problem& p,
                                               std::span<std::int8_t> output) {
  if (xnn_initialize(nullptr) != xnn_status_success) return {};
  const element_case& c = p.of;
  xnn_operator_t op = nullptr;
  if (c.op == element_operation::add) {
    if (xnn_create_add_nd_qs8(zero(p.in), p.in.scale, zero(p.other), p.other.scale, zero(p.out),
                              p.out.scale, -128, 127, 0, &op) != xnn_status_success)
      return {};
    const xnnpack_call call(op, p.a);
    const std::size_t count = p.a.size();
    if (xnn_setup_add_nd_qs8(op, 1, &count, 1, &count, call.input(), p.b.data(), output.data(),
                             nullptr) != xnn_status_success)
      return {};
    return call;
  }
  if (c.op == element_operation::mean) {
    if (xnn_create_global_average_pooling_nwc_qs8(n(c.channels), n(c.channels), n(c.channels),
                                                  zero(p.in), p.in.scale, zero(p.out), p.out.scale,
                                                  -128, 127, 0, &op) != xnn_status_success)
      return {};
    const xnnpack_call call(op, p.a);
    if (xnn_setup_global_average_pooling_nwc_qs8(op, 1, n(c.extent * c.extent), call.input(),
                                                 output.data(), nullptr) != xnn_status_success)
      return {};
    return call;
  }
  if (c.op == element_operation::max_pool) {
    const padding pad = same_padding(c.extent, c.kernel, c.stride);
    if (xnn_create_max_pooling2d_nhwc_s8(u(pad.before), u(pad.after), u(pad.after), u(pad.before),
                                         u(c.kernel), u(c.kernel), u(c.stride), u(c.stride), 1, 1,
                                         n(c.channels), n(c.channels), n(c.channels), -128, 127, 0,
                                         &op) != xnn_status_success)
      return {};
    const xnnpack_call call(op, p.a);
    if (xnn_setup_max_pooling2d_nhwc_s8(op, 1, n(c.extent), n(c.extent), call.input(),
                                        output.data(), nullptr) != xnn_status_success)
      return {};
    return call;
  }
  return {};
}

}  // namespace

const peer xnnpack_2022{"XNNPACK", &prepare_xnnpack, &prepare_xnnpack_elements};

}  // namespace bench
