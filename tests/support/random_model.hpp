// SPDX-License-Identifier: Apache-2.0
// Random models that run: a chain of operators on images with branches, each tensor on a grid of its own.
#pragma once

#include <bittwin/graph/model.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/model_maker.hpp"

namespace bittwin::test {

class random_model {
 public:
  explicit random_model(std::uint32_t seed) : random_(seed) {}

  /// steps  operators, at least 1
  [[nodiscard]] graph::model make(int steps) {
    using code = graph::operator_code;
    const shape image{1, 1 + below(6), 1 + below(6), 1 + below(4)};
    const std::int32_t input = maker_.codes(image, zero(), element_type::int8, scale());
    made_ = {{input, image}};
    for (int step = 0; step < steps; ++step) {
      // The last tensor mostly; an earlier one makes a branch whose tensors live longer.
      const part from =
          made_[below(3) == 0
                    ? static_cast<std::size_t>(below(static_cast<std::int32_t>(made_.size())))
                    : made_.size() - 1];
      switch (below(8)) {
        case 0: windowed(code::conv_2d, from); break;
        case 1: windowed(code::depthwise_conv_2d, from); break;
        case 2: pool(below(2) == 0 ? code::max_pool_2d : code::average_pool_2d, from); break;
        case 3: binary(code::add, from); break;
        case 4: binary(code::mul, from); break;
        case 5: concatenation(from); break;
        case 6: same_extents(code::relu6, from, {}); break;
        default: same_extents(code::leaky_relu, from, graph::leaky_relu_options{0.25F}); break;
      }
    }
    std::vector<std::int32_t> outputs{made_.back().index};
    if (made_.size() > 2 && below(3) == 0) outputs.push_back(made_[made_.size() - 2].index);
    graph::model m = maker_.finish({input}, outputs);
    m.name = "random.tflite";
    return m;
  }

 private:
  struct part {
    std::int32_t index;
    shape extents;
  };

  std::int32_t below(std::int32_t count) {
    return static_cast<std::int32_t>(random_() % static_cast<std::uint32_t>(count));
  }
  std::int64_t zero() { return below(256) - 128; }
  float scale() { return 0.01F * static_cast<float>(1 + below(30)); }
  activation fused() { return static_cast<activation>(below(4)); }
  std::int32_t tensor(const shape& extents) {
    const std::int32_t index = maker_.codes(extents, zero(), element_type::int8, scale());
    made_.push_back({index, extents});
    return index;
  }

  void windowed(graph::operator_code op, const part& from) {
    const std::int32_t kernel = 1 + below(3), stride = 1 + below(2), channels = from.extents[3];
    const bool depthwise = op == graph::operator_code::depthwise_conv_2d;
    const std::int32_t outputs = depthwise ? channels : 1 + below(5);
    const std::int32_t weights =
        depthwise ? maker_.weights({1, kernel, kernel, outputs}, below(2) == 0 ? 3 : -1)
                  : maker_.weights({outputs, kernel, kernel, channels}, below(2) == 0 ? 0 : -1);
    std::vector<std::int32_t> inputs{from.index, weights};
    if (below(3) > 0) inputs.push_back(maker_.bias(outputs));
    const std::int32_t to = tensor({1, (from.extents[1] + stride - 1) / stride,
                                    (from.extents[2] + stride - 1) / stride, outputs});
    if (depthwise)
      maker_.apply(op, inputs, {to},
                   graph::depthwise_conv_2d_options{
                       .stride_h = stride, .stride_w = stride, .fused = fused()});
    else
      maker_.apply(
          op, inputs, {to},
          graph::conv_2d_options{.stride_h = stride, .stride_w = stride, .fused = fused()});
  }
  void pool(graph::operator_code op, const part& from) {
    const std::int32_t stride = 1 + below(2);
    const std::int32_t to = tensor({1, (from.extents[1] + stride - 1) / stride,
                                    (from.extents[2] + stride - 1) / stride, from.extents[3]});
    maker_.quantize_as(to, from.index);
    maker_.apply(op, {from.index}, {to},
                 graph::pool_2d_options{.stride_h = stride,
                                        .stride_w = stride,
                                        .filter_h = 1 + below(3),
                                        .filter_w = 1 + below(3)});
  }
  void binary(graph::operator_code op, const part& from) {
    const std::int32_t other =
        below(2) == 0 ? from.index : maker_.weights({1, 1, 1, from.extents[3]});
    maker_.apply(op, {from.index, other}, {tensor(from.extents)}, graph::binary_options{fused()});
  }
  void concatenation(const part& from) {
    shape extents = from.extents;
    extents[3] *= 2;
    const std::int32_t to = tensor(extents);
    maker_.quantize_as(to, from.index);
    maker_.apply(graph::operator_code::concatenation, {from.index, from.index}, {to},
                 graph::concatenation_options{3, activation::none});
  }
  void same_extents(graph::operator_code op, const part& from, graph::operator_options options) {
    maker_.apply(op, {from.index}, {tensor(from.extents)}, std::move(options));
  }

  std::mt19937 random_;
  model_maker maker_;
  std::vector<part> made_;
};

}  // namespace bittwin::test
