// SPDX-License-Identifier: Apache-2.0
// XNNPACK's int8 convolutions with a scale per channel (qc8), one thread.
#include <xnnpack.h>

#include <algorithm>
#include <memory>

#include "peer.hpp"

namespace bench {

namespace {

struct operator_delete {
  void operator()(xnn_operator_t op) const { xnn_delete_operator(op); }
};

std::function<void()> prepare_xnnpack(const problem& p, std::span<std::int8_t> output) {
  const layer& l = p.of;
  if (l.op == operation::fully_connected || xnn_initialize(nullptr) != xnn_status_success)
    return {};
  const bool depthwise = l.op == operation::depthwise_conv2d;
  const auto u = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
  const auto n = [](std::int32_t value) { return static_cast<std::size_t>(value); };
  const bittwin::window w =
      bittwin::place(bittwin::padding_kind::same, l.extent, l.kernel, l.stride, 1);
  const std::int32_t after =
      std::max((w.output - 1) * l.stride + l.kernel - l.extent - w.before, 0);
  xnn_operator_t op = nullptr;
  const xnn_status created = xnn_create_convolution2d_nhwc_qc8(
      u(w.before), u(after), u(after), u(w.before), u(l.kernel), u(l.kernel), u(l.stride),
      u(l.stride), 1, 1, depthwise ? u(l.ic) : 1, depthwise ? 1 : n(l.ic), depthwise ? 1 : n(l.oc),
      n(l.ic), n(l.oc), static_cast<std::int8_t>(p.in.zero_point), p.in.scale, p.scales.data(),
      p.weights.data(), p.bias.data(), static_cast<std::int8_t>(p.out.zero_point), p.out.scale,
      -128, 127, depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, &op);
  if (created != xnn_status_success) return {};
  const std::shared_ptr<xnn_operator> owner(op, operator_delete{});
  auto padded = std::make_shared<std::vector<std::int8_t>>(p.input);
  padded->resize(padded->size() + XNN_EXTRA_BYTES);
  if (xnn_setup_convolution2d_nhwc_qc8(op, 1, n(l.extent), n(l.extent), padded->data(),
                                       output.data(), nullptr) != xnn_status_success)
    return {};
  return [owner, padded] { xnn_run_operator(owner.get(), nullptr); };
}

std::function<void()> prepare_xnnpack_elements(const element_problem& p,
                                               std::span<std::int8_t> output) {
  if (xnn_initialize(nullptr) != xnn_status_success) return {};
  const auto zero = [](bittwin::affine grid) { return static_cast<std::int8_t>(grid.zero_point); };
  const auto n = [](std::int32_t value) { return static_cast<std::size_t>(value); };
  xnn_operator_t op = nullptr;
  xnn_status ready = xnn_status_unsupported_parameter;
  auto padded = std::make_shared<std::vector<std::int8_t>>(p.a);
  padded->resize(padded->size() + XNN_EXTRA_BYTES);
  if (p.of.op == element_operation::add) {
    if (xnn_create_add_nd_qs8(zero(p.in), p.in.scale, zero(p.other), p.other.scale, zero(p.out),
                              p.out.scale, -128, 127, 0, &op) != xnn_status_success)
      return {};
    const std::size_t count = p.a.size();
    ready = xnn_setup_add_nd_qs8(op, 1, &count, 1, &count, padded->data(), p.b.data(),
                                 output.data(), nullptr);
  } else if (p.of.op == element_operation::mean) {
    if (xnn_create_global_average_pooling_nwc_qs8(
            n(p.of.channels), n(p.of.channels), n(p.of.channels), zero(p.in), p.in.scale,
            zero(p.out), p.out.scale, -128, 127, 0, &op) != xnn_status_success)
      return {};
    ready = xnn_setup_global_average_pooling_nwc_qs8(op, 1, n(p.of.extent * p.of.extent),
                                                     padded->data(), output.data(), nullptr);
  } else if (p.of.op == element_operation::max_pool) {
    const auto u = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
    const bittwin::window w =
        bittwin::place(bittwin::padding_kind::same, p.of.extent, p.of.kernel, p.of.stride, 1);
    const std::int32_t after =
        std::max((w.output - 1) * p.of.stride + p.of.kernel - p.of.extent - w.before, 0);
    if (xnn_create_max_pooling2d_nhwc_s8(u(w.before), u(after), u(after), u(w.before),
                                         u(p.of.kernel), u(p.of.kernel), u(p.of.stride),
                                         u(p.of.stride), 1, 1, n(p.of.channels), n(p.of.channels),
                                         n(p.of.channels), -128, 127, 0, &op) != xnn_status_success)
      return {};
    ready = xnn_setup_max_pooling2d_nhwc_s8(op, 1, n(p.of.extent), n(p.of.extent), padded->data(),
                                            output.data(), nullptr);
  }
  if (op == nullptr) return {};
  const std::shared_ptr<xnn_operator> owner(op, operator_delete{});
  if (ready != xnn_status_success) return {};
  return [owner, padded] { xnn_run_operator(owner.get(), nullptr); };
}

}  // namespace

const peer xnnpack_2022{"XNNPACK", &prepare_xnnpack, &prepare_xnnpack_elements};

}  // namespace bench
