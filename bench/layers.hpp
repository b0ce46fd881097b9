// SPDX-License-Identifier: Apache-2.0
// The layers that are timed, with the tensors of each: uniform codes, multipliers drawn so that outputs spread over
// the type (standard deviation about 40 codes).
#pragma once

#include <algorithm>
#include <bittwin/bittwin.hpp>
#include <bittwin/kernel/packed_layer.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "codes.hpp"

namespace bench {

enum class operation : std::uint8_t { conv2d, depthwise_conv2d, fully_connected };

struct layer {
  std::string_view name;
  operation op;
  std::int32_t extent, ic, oc, kernel, stride;  ///< square images and windows, padding `same`
};

inline constexpr layer layers[] = {
    {"first_224x3->32_k3s2", operation::conv2d, 224, 3, 32, 3, 2},
    {"r18_56x64->64_k3", operation::conv2d, 56, 64, 64, 3, 1},
    {"r18_28x128->128_k3", operation::conv2d, 28, 128, 128, 3, 1},
    {"r18_14x256->256_k3", operation::conv2d, 14, 256, 256, 3, 1},
    {"r18_7x512->512_k3", operation::conv2d, 7, 512, 512, 3, 1},
    {"pw_112x32->64", operation::conv2d, 112, 32, 64, 1, 1},
    {"pw_56x128->128", operation::conv2d, 56, 128, 128, 1, 1},
    {"pw_28x256->256", operation::conv2d, 28, 256, 256, 1, 1},
    {"pw_14x512->512", operation::conv2d, 14, 512, 512, 1, 1},
    {"pw_7x1024->1024", operation::conv2d, 7, 1024, 1024, 1, 1},
    {"dw_112x32_k3s1", operation::depthwise_conv2d, 112, 32, 32, 3, 1},
    {"dw_56x128_k3s1", operation::depthwise_conv2d, 56, 128, 128, 3, 1},
    {"dw_28x256_k3s1", operation::depthwise_conv2d, 28, 256, 256, 3, 1},
    {"dw_14x512_k3s1", operation::depthwise_conv2d, 14, 512, 512, 3, 1},
    {"dw_112x64_k3s2", operation::depthwise_conv2d, 112, 64, 64, 3, 2},
    {"dw_14x480_k5s1", operation::depthwise_conv2d, 14, 480, 480, 5, 1},
    {"fc_1024->1000", operation::fully_connected, 1, 1024, 1000, 1, 1},
};

/// Rows, or columns, of padding that `same` puts around an image of `extent`, as peers want it told.
struct padding {
  std::int32_t before, after;
};
[[nodiscard]] inline padding same_padding(std::int32_t extent, std::int32_t kernel,
                                          std::int32_t stride) {
  const bittwin::window w = bittwin::place(bittwin::padding_kind::same, extent, kernel, stride, 1);
  return {w.before, std::max((w.output - 1) * stride + kernel - extent - w.before, 0)};
}

/// Tensors and quantization of a layer.
struct problem {
  layer of;
  std::int32_t output_extent = 1;
  codes input, weights;
  std::vector<std::int32_t> bias;
  std::vector<float> scales;
  bittwin::affine in{0.05F, -3}, out{0.1F, 5};

  explicit problem(const layer& l) : of(l) {
    std::mt19937 random(20'260'301);  // any fixed number: every run times the same integers
    std::uniform_int_distribution<int> code(-128, 127), weight(-127, 127), offset(-2000, 2000);
    std::uniform_real_distribution<float> spread(0.7F, 1.4F);
    output_extent = (l.extent + l.stride - 1) / l.stride;
    const bool depthwise = l.op == operation::depthwise_conv2d;
    const int terms = l.kernel * l.kernel * (depthwise ? 1 : l.ic);
    input.resize(static_cast<std::size_t>(l.extent * l.extent * l.ic));
    weights.resize(static_cast<std::size_t>(terms * l.oc));
    for (auto& x : input) x = static_cast<std::int8_t>(code(random));
    for (auto& w : weights) w = static_cast<std::int8_t>(weight(random));
    // Uniform codes have a standard deviation of 74 each.
    const float multiplier = 40.0F / (74.0F * 74.0F * std::sqrt(static_cast<float>(terms)));
    for (std::int32_t c = 0; c < l.oc; ++c) {
      bias.push_back(offset(random));
      scales.push_back(multiplier * spread(random) * out.scale / in.scale);
    }
  }
  /// Nominal: taps in the padding count.
  [[nodiscard]] double macs() const {
    const double outputs = static_cast<double>(output_extent) * output_extent * of.oc;
    return outputs * static_cast<double>(weights.size()) / of.oc;
  }
  [[nodiscard]] std::size_t outputs() const {
    return static_cast<std::size_t>(output_extent * output_extent * of.oc);
  }
};

template <class Target> bittwin::result<bittwin::dot_product_kernel> prepare(const problem& p) {
  const layer& l = p.of;
  const bittwin::dot_product_quantization q{
      .input = p.in, .filter_scales = p.scales, .output = p.out};
  const std::span<const std::int8_t> weights(p.weights);
  const std::span<const std::int32_t> bias(p.bias);
  const bittwin::nhwc image{1, l.extent, l.extent, l.ic};
  if (l.op == operation::conv2d)
    return bittwin::conv2d<Target>::prepare({.input = image,
                                             .filter = {l.oc, l.kernel, l.kernel, l.ic},
                                             .stride_h = l.stride,
                                             .stride_w = l.stride,
                                             .quantization = q},
                                            weights, bias);
  if (l.op == operation::depthwise_conv2d)
    return bittwin::depthwise_conv2d<Target>::prepare({.input = image,
                                                       .filter_h = l.kernel,
                                                       .filter_w = l.kernel,
                                                       .stride_h = l.stride,
                                                       .stride_w = l.stride,
                                                       .quantization = q},
                                                      weights, bias);
  return bittwin::fully_connected<Target>::prepare(
      {.rows = 1, .depth = l.ic, .outputs = l.oc, .quantization = q}, weights, bias);
}

}  // namespace bench
