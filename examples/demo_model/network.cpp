// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

#include <algorithm>
#include <bittwin/graph/file.hpp>
#include <cmath>
#include <cstring>
#include <utility>

namespace bittwin::demo {
namespace {

using graph::operator_code;

struct block_shape {
  std::int32_t from, wide, to, stride;
};
constexpr block_shape blocks[] = {
    {16, 48, 16, 1}, {16, 64, 24, 2}, {24, 72, 24, 1}, {24, 96, 32, 2}, {32, 96, 32, 1}};
constexpr std::int32_t stem_channels = 16, head_channels = 64;

/// Elements of every layer's filter, and its channels.
std::vector<std::pair<std::size_t, std::size_t>> layer_sizes() {
  std::vector<std::pair<std::size_t, std::size_t>> sizes;
  const auto layer = [&](std::int32_t inputs_and_taps, std::int32_t channels) {
    const auto count = static_cast<std::size_t>(channels);
    sizes.emplace_back(static_cast<std::size_t>(inputs_and_taps) * count, count);
  };
  layer(9 * image_channels, stem_channels);
  for (const block_shape& b : blocks) layer(b.from, b.wide), layer(9, b.wide), layer(b.wide, b.to);
  layer(blocks[4].to, head_channels);
  layer(head_channels, classes);
  return sizes;
}

/// Lays out tensors, constants and operators one after the other, in float32 or, where ranges are given, in int8.
class network {
 public:
  network(const std::vector<trained_layer>& weights, const ranges* seen, bool separate)
      : weights_(weights), seen_(seen), separate_(separate) {}

  std::int32_t input() {
    graph::tensor t = activation_on("image", {1, image_extent, image_extent, image_channels});
    if (seen_ != nullptr) t.quantization = {{image_grid.scale}, {image_grid.zero_point}, 0};
    return add(std::move(t));
  }

  std::int32_t convolve(const std::string& name, std::int32_t from, std::int32_t channels,
                        std::int32_t kernel, std::int32_t stride, activation fused) {
    const shape x = tensor(from).extents;
    const auto [filter, bias] = constants(name, from, {channels, kernel, kernel, x[3]}, 0);
    return activated(
        name, {1, x[1] / stride, x[2] / stride, channels}, fused,
        [&](std::int32_t to, activation bounds) {
          apply(operator_code::conv_2d, {from, filter, bias}, to,
                graph::conv_2d_options{.stride_h = stride, .stride_w = stride, .fused = bounds});
        });
  }

  std::int32_t convolve_depthwise(const std::string& name, std::int32_t from, std::int32_t stride) {
    const shape x = tensor(from).extents;
    const auto [filter, bias] = constants(name, from, {1, 3, 3, x[3]}, 3);
    return activated(name, {1, x[1] / stride, x[2] / stride, x[3]}, activation::relu6,
                     [&](std::int32_t to, activation bounds) {
                       apply(operator_code::depthwise_conv_2d, {from, filter, bias}, to,
                             graph::depthwise_conv_2d_options{
                                 .stride_h = stride, .stride_w = stride, .fused = bounds});
                     });
  }

  std::int32_t join(const std::string& name, std::int32_t a, std::int32_t b) {
    const std::int32_t to = add(activation_on(name, tensor(a).extents));
    apply(operator_code::add, {a, b}, to, graph::binary_options{});
    return to;
  }

  graph::model classify(std::int32_t from) {
    const std::int32_t extent = tensor(from).extents[1], depth = tensor(from).extents[3];
    const quantization same = tensor(from).quantization;
    const std::int32_t pooled = add(activation_of("pool", {1, 1, 1, depth}, same));
    apply(operator_code::average_pool_2d, {from}, pooled,
          graph::pool_2d_options{.padding = padding_kind::valid,
                                 .stride_h = extent,
                                 .stride_w = extent,
                                 .filter_h = extent,
                                 .filter_w = extent});
    const std::int32_t flat = add(activation_of("flat", {1, depth}, same));
    apply(operator_code::reshape, {pooled, integers_of("flat/shape", {1, depth})}, flat,
          graph::reshape_options{{1, depth}});
    const auto [filter, bias] = constants("classes", flat, {classes, depth}, 0);
    const std::int32_t scores = add(activation_on("classes", {1, classes}));
    apply(operator_code::fully_connected, {flat, filter, bias}, scores,
          graph::fully_connected_options{});
    const std::int32_t shares =
        add(activation_of("shares", {1, classes}, {{1.0F / 256}, {-128}, 0}));
    apply(operator_code::softmax, {scores}, shares, graph::softmax_options{});
    return finish(shares);
  }

  [[nodiscard]] const graph::tensor& tensor(std::int32_t index) const {
    return model_.tensors[static_cast<std::size_t>(index)];
  }

 private:
  [[nodiscard]] bool is_int8() const { return seen_ != nullptr; }

  graph::tensor activation_of(std::string name, shape extents, quantization codes) const {
    graph::tensor t;
    t.name = std::move(name);
    t.extents = extents;
    t.type = is_int8() ? element_type::int8 : element_type::float32;
    if (is_int8()) t.quantization = std::move(codes);
    return t;
  }

  /// On the 256 codes of its range, which holds 0.
  graph::tensor activation_on(const std::string& name, shape extents) const {
    quantization codes;
    if (is_int8() && seen_->count(name) > 0) {
      const interval range = seen_->at(name);
      const double low = std::min(range.low, 0.0), high = std::max(range.high, 0.0);
      const auto scale = static_cast<float>((high - low) / 255);
      codes = {{scale}, {-128 - std::llround(low / double{scale})}, 0};
    }
    return activation_of(name, extents, std::move(codes));
  }

  template <class Apply>
  std::int32_t activated(const std::string& name, shape extents, activation fused, Apply apply_to) {
    const bool split = separate_ && fused != activation::none;
    const std::int32_t sums = add(activation_on((split ? "sums of " : "") + name, extents));
    apply_to(sums, split ? activation::none : fused);
    if (!split) return sums;
    const std::int32_t to = add(activation_on(name, extents));
    apply(operator_code::relu6, {sums}, to);
    return to;
  }

  /// The filter and bias of the next layer of the file.
  std::pair<std::int32_t, std::int32_t> constants(const std::string& name, std::int32_t from,
                                                  shape extents, int axis) {
    const trained_layer& w = weights_[next_++];
    graph::tensor filter, bias;
    filter.name = name + "/weights", bias.name = name + "/bias";
    filter.extents = extents, bias.extents = {extents[axis]};
    if (!is_int8()) {
      filter.type = bias.type = element_type::float32;
      const std::int32_t first = add(std::move(filter), std::as_bytes(std::span(w.filter)));
      return {first, add(std::move(bias), std::as_bytes(std::span(w.bias)))};
    }
    const auto channels = static_cast<std::size_t>(extents[axis]);
    // Channels are outermost, or of a depthwise filter innermost.
    const std::size_t length = w.filter.size() / channels;
    const auto channel_of = [&](std::size_t i) { return axis == 0 ? i / length : i % channels; };
    filter.quantization.axis = axis;
    filter.quantization.scales.assign(channels, 0);
    for (std::size_t i = 0; i < w.filter.size(); ++i) {
      float& largest = filter.quantization.scales[channel_of(i)];
      largest = std::max(largest, std::abs(w.filter[i]));
    }
    std::vector<std::int8_t> filter_codes;
    std::vector<std::int32_t> bias_codes;
    bias.type = element_type::int32;
    for (std::size_t c = 0; c < channels; ++c) {
      filter.quantization.scales[c] /= 127;
      const float scale = tensor(from).quantization.scale() * filter.quantization.scales[c];
      bias.quantization.scales.push_back(scale);
      bias_codes.push_back(static_cast<std::int32_t>(std::lround(w.bias[c] / scale)));
    }
    filter.quantization.zero_points.assign(channels, 0);
    bias.quantization.zero_points.assign(channels, 0);
    for (std::size_t i = 0; i < w.filter.size(); ++i)
      filter_codes.push_back(static_cast<std::int8_t>(
          std::lround(w.filter[i] / filter.quantization.scales[channel_of(i)])));
    const std::int32_t first = add(std::move(filter), std::as_bytes(std::span(filter_codes)));
    return {first, add(std::move(bias), std::as_bytes(std::span(bias_codes)))};
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

  std::int32_t add(graph::tensor t, std::span<const std::byte> constant = {}) {
    const auto index = static_cast<std::int32_t>(model_.tensors.size());
    model_.tensors.push_back(std::move(t));
    if (!constant.empty()) {
      places_.push_back({index, {bytes_.size(), constant.size()}});
      bytes_.insert(bytes_.end(), constant.begin(), constant.end());
    }
    return index;
  }

  graph::model finish(std::int32_t output) {
    model_.name = "demo";
    model_.description = "residual network with ReLU6, trained on drawn figures";
    model_.inputs = {0};
    model_.outputs = {output};
    // One block owns all constants; the spans are set once it no longer moves.
    auto storage = std::make_shared<const std::vector<std::byte>>(std::move(bytes_));
    for (const auto& [index, range] : places_)
      model_.tensors[static_cast<std::size_t>(index)].constant =
          std::span(*storage).subspan(range.first, range.second);
    model_.storage = std::move(storage);
    return std::move(model_);
  }

  const std::vector<trained_layer>& weights_;
  const ranges* seen_;
  bool separate_;
  std::size_t next_ = 0;
  graph::model model_;
  std::vector<std::byte> bytes_;
  std::vector<std::pair<std::int32_t, std::pair<std::size_t, std::size_t>>> places_;
};

graph::model build(network net) {
  std::int32_t x = net.convolve("stem", net.input(), stem_channels, 3, 2, activation::relu6);
  for (std::size_t i = 0; i < std::size(blocks); ++i) {
    const block_shape& b = blocks[i];
    const std::string name = "block" + std::to_string(i);
    const std::int32_t wide = net.convolve(name + "/expand", x, b.wide, 1, 1, activation::relu6);
    const std::int32_t spatial = net.convolve_depthwise(name + "/depthwise", wide, b.stride);
    const std::int32_t y = net.convolve(name + "/project", spatial, b.to, 1, 1, activation::none);
    x = b.from == b.to ? net.join(name + "/add", x, y) : y;
  }
  return net.classify(net.convolve("head", x, head_channels, 1, 1, activation::relu6));
}

}  // namespace

result<std::vector<trained_layer>> read_weights(const std::string& path) {
  const auto file = graph::read_file(path);
  if (!file) return file.error();
  std::vector<float> all((*file)->size() / sizeof(float));
  std::memcpy(all.data(), (*file)->data(), all.size() * sizeof(float));
  std::vector<trained_layer> layers;
  auto at = all.begin();
  for (const auto& [elements, channels] : layer_sizes()) {
    if (static_cast<std::size_t>(all.end() - at) < elements + channels)
      return error{error_code::bad_file,
                   path + " ends before layer " + std::to_string(layers.size()) +
                       "; train.py and network.cpp must list the same blocks"};
    const auto bias = at + static_cast<std::ptrdiff_t>(elements);
    const auto end = bias + static_cast<std::ptrdiff_t>(channels);
    layers.push_back({{at, bias}, {bias, end}});
    at = end;
  }
  if (at != all.end())
    return error{
        error_code::bad_file,
        path +
            " goes on behind the last layer; train.py and network.cpp must list the same blocks"};
  return layers;
}

graph::model float_network(const std::vector<trained_layer>& weights, bool separate_activations) {
  return build(network(weights, nullptr, separate_activations));
}

graph::model int8_network(const std::vector<trained_layer>& weights, const ranges& seen) {
  return build(network(weights, &seen, false));
}

}  // namespace bittwin::demo
