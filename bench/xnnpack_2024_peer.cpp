// SPDX-License-Identifier: Apache-2.0
// XNNPACK of 2024: the same layers as that of 2022; operators are created, reshaped and set up. One thread.
#include "xnnpack_call.hpp"

namespace bench {

namespace {

xnn_quantization_params grid_of(bittwin::affine grid) { return {grid.zero_point, grid.scale}; }

std::function<void()> prepare_xnnpack(const problem& p, std::span<std::int8_t> output) {
  const layer& l = p.of;
  if (l.op == operation::fully_connected || xnn_initialize(nullptr) != xnn_status_success)
    return {};
  const bool depthwise = l.op == operation::depthwise_conv2d;
  const padding pad = same_padding(l.extent, l.kernel, l.stride);
  xnn_operator_t op = nullptr;
  if (xnn_create_convolution2d_nhwc_qs8_qc8w(
          u(pad.before), u(pad.after), u(pad.after), u(pad.before), u(l.kernel), u(l.kernel),
          u(l.stride), u(l.stride), 1, 1, depthwise ? u(l.ic) : 1, depthwise ? 1 : n(l.ic),
          depthwise ? 1 : n(l.oc), n(l.ic), n(l.oc), zero(p.in), p.in.scale, p.scales.data(),
          p.weights.data(), p.bias.data(), zero(p.out), p.out.scale, -128, 127,
          depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, nullptr, nullptr,
          &op) != xnn_status_success)
    return {};
  const xnnpack_call call(op, p.input);
  std::size_t bytes = 0, alignment = 0;
  if (xnn_reshape_convolution2d_nhwc_qs8_qc8w(op, 1, n(l.extent), n(l.extent), &bytes, &alignment,
                                              nullptr, nullptr, nullptr) != xnn_status_success ||
      xnn_setup_convolution2d_nhwc_qs8_qc8w(op, call.workspace(bytes), call.input(),
                                            output.data()) != xnn_status_success)
    return {};
  return call;
}

std::function<void()> prepare_xnnpack_elements(const element_problem& p,
                                               std::span<std::int8_t> output) {
  if (xnn_initialize(nullptr) != xnn_status_success) return {};
  const element_case& c = p.of;
  const xnn_quantization_params in = grid_of(p.in), other = grid_of(p.other), out = grid_of(p.out);
  xnn_operator_t op = nullptr;
  if (c.op == element_operation::add) {
    if (xnn_create_binary_elementwise_nd(xnn_binary_add, xnn_datatype_qint8, &in, &other, &out, 0,
                                         &op) != xnn_status_success)
      return {};
    const xnnpack_call call(op, p.a);
    const std::size_t count = p.a.size();
    if (xnn_reshape_binary_elementwise_nd(op, 1, &count, 1, &count, nullptr) !=
            xnn_status_success ||
        xnn_setup_binary_elementwise_nd(op, call.input(), p.b.data(), output.data()) !=
            xnn_status_success)
      return {};
    return call;
  }
  if (c.op == element_operation::mean) {
    if (xnn_create_reduce_nd(xnn_reduce_mean, xnn_datatype_qint8, &in, &out, 0, &op) !=
        xnn_status_success)
      return {};
    const xnnpack_call call(op, p.a);
    const std::size_t extents[] = {1, n(c.extent), n(c.extent), n(c.channels)};
    const std::int64_t axes[] = {1, 2};
    std::size_t bytes = 0, alignment = 0;
    if (xnn_reshape_reduce_nd(op, 2, axes, 4, extents, &bytes, &alignment, nullptr) !=
            xnn_status_success ||
        xnn_setup_reduce_nd(op, call.workspace(bytes), call.input(), output.data()) !=
            xnn_status_success)
      return {};
    return call;
  }
  if (c.op == element_operation::max_pool) {
    const padding pad = same_padding(c.extent, c.kernel, c.stride);
    if (xnn_create_max_pooling2d_nhwc_s8(u(pad.before), u(pad.after), u(pad.after), u(pad.before),
                                         u(c.kernel), u(c.kernel), u(c.stride), u(c.stride), 1, 1,
                                         -128, 127, 0, &op) != xnn_status_success)
      return {};
    const xnnpack_call call(op, p.a);
    if (xnn_reshape_max_pooling2d_nhwc_s8(op, 1, n(c.extent), n(c.extent), n(c.channels),
                                          n(c.channels), n(c.channels), nullptr, nullptr,
                                          nullptr) != xnn_status_success ||
        xnn_setup_max_pooling2d_nhwc_s8(op, call.input(), output.data()) != xnn_status_success)
      return {};
    return call;
  }
  return {};
}

}  // namespace

const peer xnnpack_2024{"XNNPACK", &prepare_xnnpack, &prepare_xnnpack_elements};

}  // namespace bench
