// SPDX-License-Identifier: Apache-2.0
// Random fully connected layers for targets given by their tables, so that a target costs no instantiation here.
#pragma once

#include <bittwin/graph/target_rules.hpp>
#include <bittwin/targets/all.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace bittwin::test {

template <class... Targets>
std::vector<const graph::target_rules*> rules_of_each(targets::list<Targets...>) {
  return {&graph::rules_of<Targets>()...};
}

/// Tables of all shipped targets, in their order.
inline const std::vector<const graph::target_rules*>& all_targets() {
  static const auto all = rules_of_each(targets::all{});
  return all;
}

/// One layer of `outputs` outputs; operands as wide integers.
struct dense_layer {
  fully_connected_spec spec;
  std::vector<float> scales;
  std::vector<std::int32_t> x, w;
  std::vector<std::int64_t> bias;

  [[nodiscard]] std::int64_t accumulator(std::size_t output) const {
    std::int64_t acc = bias.empty() ? 0 : bias[output];
    const auto depth = static_cast<std::size_t>(spec.depth);
    for (std::size_t i = 0; i < depth; ++i)
      acc += std::int64_t{x[i] - spec.quantization.input.zero_point} *
             (w[output * depth + i] - spec.quantization.filter_zero_point);
    return acc;
  }
};

struct dense_options {
  element_type type = element_type::int8;
  bool symmetric = false;  ///< zero points of 0
  bool weights_symmetric = true;
  bool signed_weights = false;  ///< uint8 weights around 128
  bool powers_of_two = false;
  bool few_bits = false;  ///< scales of 7 bits over powers of two: multipliers of at most 14
  bool per_channel = false;
  bool without_bias = false;
  double least = 1e-4, most = 0.9;  ///< of the multiplier
  std::int32_t depth = 12;
  activation fused = activation::none;
};

class dense_layers {
 public:
  explicit dense_layers(unsigned seed) : random_(seed) {}

  dense_layer operator()(const dense_options& o) {
    dense_layer l;
    const code_range type = range_of(o.type);
    constexpr std::int32_t outputs = 24;
    auto& q = l.spec.quantization;
    q.type = o.type;
    q.fused = o.fused;
    q.input = {scale(o), o.symmetric ? 0 : code(type)};
    q.output = {1.0F, o.symmetric ? 0 : code(type)};
    q.filter_zero_point = o.signed_weights ? 128 : o.weights_symmetric ? 0 : code(type);
    l.spec.rows = 1;
    l.spec.depth = o.depth;
    l.spec.outputs = outputs;
    const double multiplier = std::exp(uniform(std::log(o.least), std::log(o.most)));
    for (std::int32_t c = 0; c < (o.per_channel ? outputs : 1); ++c) l.scales.push_back(scale(o));
    const double first = static_cast<double>(q.input.scale) * static_cast<double>(l.scales[0]);
    q.output.scale = static_cast<float>(first / multiplier);
    if (o.powers_of_two || o.few_bits)
      q.output.scale = std::ldexp(1.0F, std::ilogb(q.output.scale));
    // Other channels' multipliers stay below `most` with the first's.
    for (float& s : l.scales)
      if (s > l.scales[0]) s = l.scales[0];
    for (std::int32_t i = 0; i < o.depth; ++i) l.x.push_back(code(type));
    for (std::int32_t i = 0; i < o.depth * outputs; ++i) l.w.push_back(code(type));
    // A bias brings most outputs into the type's range.
    for (std::int32_t c = 0; c < outputs; ++c) {
      const double unit = first / static_cast<double>(q.output.scale);
      const std::int64_t wanted = static_cast<std::int64_t>(uniform(-150, 150) / unit);
      l.bias.push_back(0);
      l.bias.back() = wanted - l.accumulator(static_cast<std::size_t>(c));
    }
    if (o.without_bias) l.bias.clear();
    q.has_bias = !o.without_bias;
    q.filter_scales = l.scales;
    return l;
  }

 private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::int32_t code(code_range type) {
    return static_cast<std::int32_t>(
        std::uniform_int_distribution<std::int64_t>(type.low, type.high)(random_));
  }
  float scale(const dense_options& o) {
    if (o.powers_of_two)
      return std::ldexp(1.0F, std::uniform_int_distribution<int>(-9, -1)(random_));
    if (o.few_bits)
      return std::ldexp(static_cast<float>(std::uniform_int_distribution<int>(64, 127)(random_)),
                        std::uniform_int_distribution<int>(-15, -8)(random_));
    return static_cast<float>(std::exp(uniform(std::log(1e-3), std::log(0.5))));
  }
  std::mt19937_64 random_;
};

/// The rule that a table has for the layer's FULLY_CONNECTED.
inline result<dot_product_kernel> prepare(const graph::target_rules& rules, const dense_layer& l) {
  fully_connected_spec spec = l.spec;
  spec.quantization.filter_scales = l.scales;
  std::vector<std::byte> bytes;
  for (const std::int32_t w : l.w) bytes.push_back(static_cast<std::byte>(w));
  return prepare_fully_connected(rules.fully_connected(facts_of(spec)), spec, bytes, l.bias);
}

/// The codes of the layer's outputs.
inline std::vector<std::int32_t> run(const dot_product_kernel& kernel, const dense_layer& l) {
  const auto as = [&]<class T>(T) {
    const std::vector<T> x(l.x.begin(), l.x.end());
    std::vector<T> y(static_cast<std::size_t>(l.spec.outputs));
    kernel(std::span<const T>(x), std::span<T>(y));
    return std::vector<std::int32_t>(y.begin(), y.end());
  };
  return l.spec.quantization.type == element_type::uint8 ? as(std::uint8_t{}) : as(std::int8_t{});
}

}  // namespace bittwin::test
