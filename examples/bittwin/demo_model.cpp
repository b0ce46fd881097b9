// SPDX-License-Identifier: Apache-2.0
#include "demo_model.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <utility>

namespace bittwin::cli {
namespace {

using graph::operator_code;

// ReLU6 outputs: codes -128 .. 127 stand for 0 .. 12.75, so 6.0 is code -8. Sums: -12.8 .. 12.7.
constexpr float clamped_scale = 0.05F;
constexpr float linear_scale = 0.1F;
constexpr std::int64_t lowest_code = -128;

/// xorshift64*: the same weights everywhere.  source  Vigna, arXiv 1402.6246
class random_source {
 public:
  /// uniform in [-1, 1), multiples of 2^-23
  float next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    const std::uint64_t bits = (state_ * 2685821657736338717U) >> 40;
    return static_cast<float>(bits) * 0x1p-23F - 1.0F;
  }

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15U;
};

/// Lays out tensors, constants and operators one after another.
class network {
 public:
  std::int32_t activation_of(std::string name, shape extents, float scale, std::int64_t zero) {
    graph::tensor t;
    t.name = std::move(name);
    t.extents = extents;
    t.quantization = {{scale}, {zero}, 0};
    return add(std::move(t));
  }

  /// Weights uniform in +-reach, a scale per channel along `axis`.
  std::int32_t weights_of(std::string name, shape extents, int axis, float reach) {
    graph::tensor t;
    t.name = std::move(name);
    t.extents = extents;
    t.quantization.axis = axis;
    for (std::int32_t channel = 0; channel < extents[axis]; ++channel) {
      // Channels differ by up to a factor of two, as trained ones do.
      t.quantization.scales.push_back(reach * (0.75F + 0.25F * random_.next()) / 127.0F);
      t.quantization.zero_points.push_back(0);
    }
    std::vector<std::int8_t> codes;
    for (std::int64_t i = 0; i < extents.elements(); ++i)
      codes.push_back(static_cast<std::int8_t>(127.0F * random_.next()));
    return add(std::move(t), std::as_bytes(std::span(codes)));
  }

  /// real bias in +-1, at scale input * filter[channel]
  std::int32_t bias_of(std::string name, std::int32_t input, std::int32_t filter) {
    const std::vector<float> filter_scales = tensor(filter).quantization.scales;
    graph::tensor t;
    t.name = std::move(name);
    t.type = element_type::int32;
    t.extents = {static_cast<std::int32_t>(filter_scales.size())};
    std::vector<std::int32_t> codes;
    for (const float filter_scale : filter_scales) {
      const float scale = tensor(input).quantization.scale() * filter_scale;
      t.quantization.scales.push_back(scale);
      t.quantization.zero_points.push_back(0);
      codes.push_back(static_cast<std::int32_t>(random_.next() / scale));
    }
    return add(std::move(t), std::as_bytes(std::span(codes)));
  }

  std::int32_t integers_of(std::string name, const std::vector<std::int32_t>& values) {
    graph::tensor t;
    t.name = std::move(name);
    t.type = element_type::int32;
    t.extents = {static_cast<std::int32_t>(values.size())};
    return add(std::move(t), std::as_bytes(std::span(values)));
  }

  void apply(operator_code code, std::vector<std::int32_t> inputs, std::int32_t output,
             graph::operator_options options = {}) {
    graph::operation op;
    op.code = code;
    op.label = name_of(code);
    op.inputs = std::move(inputs);
    op.outputs = {output};
    op.options = std::move(options);
    model_.operations.push_back(std::move(op));
  }

  std::int32_t convolve(const std::string& name, std::int32_t input, std::int32_t channels,
                        std::int32_t taps, std::int32_t stride, activation fused) {
    const shape x = tensor(input).extents;
    const float reach = 2.2F / std::sqrt(static_cast<float>(taps * taps * x[3]));
    const std::int32_t w = weights_of(name + "/weights", {channels, taps, taps, x[3]}, 0, reach);
    const std::int32_t b = bias_of(name + "/bias", input, w);
    const std::int32_t y = output_of(name, {1, x[1] / stride, x[2] / stride, channels}, fused);
    apply(operator_code::conv_2d, {input, w, b}, y,
          graph::conv_2d_options{.stride_h = stride, .stride_w = stride, .fused = fused});
    return y;
  }

  std::int32_t convolve_depthwise(const std::string& name, std::int32_t input) {
    const shape x = tensor(input).extents;
    const std::int32_t w = weights_of(name + "/weights", {1, 3, 3, x[3]}, 3, 1.0F);
    const std::int32_t b = bias_of(name + "/bias", input, w);
    const std::int32_t y = output_of(name, x, activation::relu6);
    apply(operator_code::depthwise_conv_2d, {input, w, b}, y,
          graph::depthwise_conv_2d_options{.fused = activation::relu6});
    return y;
  }

  std::int32_t join(const std::string& name, std::int32_t a, std::int32_t b) {
    const std::int32_t y = output_of(name, tensor(a).extents, activation::relu6);
    apply(operator_code::add, {a, b}, y, graph::binary_options{.fused = activation::relu6});
    return y;
  }

  [[nodiscard]] const graph::tensor& tensor(std::int32_t index) const {
    return model_.tensors[static_cast<std::size_t>(index)];
  }

  graph::model finish(std::int32_t input, std::int32_t output) {
    model_.name = "demo";
    model_.description = "generated residual network with ReLU6";
    model_.inputs = {input};
    model_.outputs = {output};
    // One block owns all constants; the spans are set once it no longer moves.
    auto storage = std::make_shared<const std::vector<std::byte>>(std::move(bytes_));
    for (const auto& [index, range] : constants_)
      model_.tensors[static_cast<std::size_t>(index)].constant =
          std::span(*storage).subspan(range.first, range.second);
    model_.storage = std::move(storage);
    return std::move(model_);
  }

 private:
  std::int32_t add(graph::tensor t, std::span<const std::byte> constant = {}) {
    const auto index = static_cast<std::int32_t>(model_.tensors.size());
    model_.tensors.push_back(std::move(t));
    if (!constant.empty()) {
      constants_.push_back({index, {bytes_.size(), constant.size()}});
      bytes_.insert(bytes_.end(), constant.begin(), constant.end());
    }
    return index;
  }

  std::int32_t output_of(const std::string& name, shape extents, activation fused) {
    return fused == activation::none ? activation_of(name, extents, linear_scale, 0)
                                     : activation_of(name, extents, clamped_scale, lowest_code);
  }

  graph::model model_;
  random_source random_;
  std::vector<std::byte> bytes_;
  std::vector<std::pair<std::int32_t, std::pair<std::size_t, std::size_t>>> constants_;
};

/// depthwise 3x3, 1x1 without activation, ADD with the input, ReLU6
std::int32_t residual_block(network& net, const std::string& name, std::int32_t input) {
  const std::int32_t spatial = net.convolve_depthwise(name + "/depthwise", input);
  const std::int32_t projected = net.convolve(name + "/project", spatial,
                                              net.tensor(input).extents[3], 1, 1, activation::none);
  return net.join(name + "/add", input, projected);
}

}  // namespace

graph::model demo_model() {
  network net;
  const std::int32_t image = net.activation_of("image", {1, 24, 24, 3}, 0.05F, -3);
  std::int32_t x = net.convolve("stem", image, 16, 3, 2, activation::relu6);
  x = residual_block(net, "block0", x);
  x = net.convolve("down", x, 24, 3, 2, activation::relu6);
  x = residual_block(net, "block1", x);
  const std::int32_t pooled = net.activation_of("pool", {1, 1, 1, 24}, clamped_scale, lowest_code);
  net.apply(operator_code::average_pool_2d, {x}, pooled,
            graph::pool_2d_options{.padding = padding_kind::valid,
                                   .stride_h = 6,
                                   .stride_w = 6,
                                   .filter_h = 6,
                                   .filter_w = 6});
  const std::int32_t flat = net.activation_of("flat", {1, 24}, clamped_scale, lowest_code);
  net.apply(operator_code::reshape, {pooled, net.integers_of("flat/shape", {1, 24})}, flat,
            graph::reshape_options{{1, 24}});
  const std::int32_t weights = net.weights_of("classes/weights", {10, 24}, 0, 0.4F);
  const std::int32_t bias = net.bias_of("classes/bias", flat, weights);
  const std::int32_t logits = net.activation_of("classes", {1, 10}, linear_scale, 0);
  net.apply(operator_code::fully_connected, {flat, weights, bias}, logits,
            graph::fully_connected_options{});
  const std::int32_t shares = net.activation_of("shares", {1, 10}, 1.0F / 256.0F, lowest_code);
  net.apply(operator_code::softmax, {logits}, shares, graph::softmax_options{});
  return net.finish(image, shares);
}

}  // namespace bittwin::cli
