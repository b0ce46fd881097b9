// SPDX-License-Identifier: Apache-2.0
// XNNPACK's int8 convolutions with a scale per channel (qc8), one thread.
#include <xnnpack.h>

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

constexpr peer all[] = {{"XNNPACK", &prepare_xnnpack}};

}  // namespace

std::span<const peer> peers() { return all; }

}  // namespace bench
