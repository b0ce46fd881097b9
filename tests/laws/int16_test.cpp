// SPDX-License-Identifier: Apache-2.0
// Laws of int16 layers with int8 weights, under every target and with each width of bias: sums taken another way,
// padding, batches, and that a bias of 64 bits may be larger than any int32. Softmax rows of 16 bits.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bittwin/kernel/softmax.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "laws/layers.hpp"

namespace {

using namespace laws;

/// A layer of the kit's extents with int16 codes.
struct wide_layer {
  layer_case extents;
  std::vector<float> scales;
  std::vector<std::int8_t> weights;
  std::vector<std::int64_t> bias;  ///< handed over as int32 or int64
  bool bias_is_int64 = false;
  std::vector<std::int16_t> x;
  dot_product_quantization quantization;

  wide_layer() = default;
  wide_layer(const wide_layer&) = delete;
  wide_layer& operator=(const wide_layer&) = delete;
};

void draw(wide_layer& l, layer_kind kind) {
  namespace kit = conformance::detail;
  layer_case& c = l.extents;
  c = any_layer(kind, false);
  const auto channels = static_cast<std::size_t>(c.output_channels());
  for (std::size_t oc = 0; oc < (c.per_channel ? channels : 1); ++oc)
    l.scales.push_back(
        std::ldexp(1.0F + static_cast<float>(kit::noise(c.seed, 3, oc) % 256) / 256.0F, -10));
  for (std::int64_t i = 0; i < c.weight_count(); ++i)
    l.weights.push_back(static_cast<std::int8_t>(
        kit::uniform(kit::noise(c.seed, 1, static_cast<std::uint64_t>(i)), -127, 127)));
  for (std::int64_t i = 0; i < c.input().elements(); ++i)
    l.x.push_back(static_cast<std::int16_t>(
        kit::uniform(kit::noise(c.seed, 2, static_cast<std::uint64_t>(i)), -32768, 32767)));
  l.bias_is_int64 = *rc::gen::inRange(0, 2) == 1;
  const std::int64_t reach = l.bias_is_int64 ? std::int64_t{1} << 36 : 1 << 20;
  for (std::size_t oc = 0; c.has_bias && oc < channels; ++oc)
    l.bias.push_back(kit::uniform(kit::noise(c.seed, 4, oc), -reach, reach));
  const double terms = static_cast<double>(conformance::terms_of(c));
  const double real =
      20000.0 / (1.4e6 * std::sqrt(terms) + (c.has_bias ? static_cast<double>(reach) / 2 : 0));
  l.quantization = {.type = element_type::int16,
                    .input = {0x1p-12F, 0},
                    .filter_scales = l.scales,
                    .output = {static_cast<float>(0x1p-12 * 1.5 * 0x1p-10 / real), 0},
                    .fused = c.fused};
}

/// f(weights, bias) with the bias in its own width.
template <class F> auto with_bias(const wide_layer& l, F f) {
  const std::span<const std::int8_t> weights(l.weights);
  if (l.bias_is_int64) return f(weights, std::span<const std::int64_t>(l.bias));
  const std::vector<std::int32_t> narrow(l.bias.begin(), l.bias.end());
  return f(weights, std::span<const std::int32_t>(narrow));
}

template <class Target> result<dot_product_kernel> prepared(const wide_layer& l) {
  return with_bias(l, [&](auto weights, auto bias) -> result<dot_product_kernel> {
    const layer_case& c = l.extents;
    switch (c.kind) {
      case layer_kind::conv2d:
        return conv2d<Target>::prepare(conformance::conv2d_spec_of(c, l.quantization), weights,
                                       bias);
      case layer_kind::depthwise_conv2d:
        return depthwise_conv2d<Target>::prepare(conformance::depthwise_spec_of(c, l.quantization),
                                                 weights, bias);
      default:
        return fully_connected<Target>::prepare(
            conformance::fully_connected_spec_of(c, l.quantization), weights, bias);
    }
  });
}

std::vector<std::int16_t> run(const dot_product_kernel& kernel,
                              const std::vector<std::int16_t>& x) {
  std::vector<std::int16_t> y(static_cast<std::size_t>(kernel.output().elements()));
  kernel(std::span<const std::int16_t>(x), std::span<std::int16_t>(y));
  return y;
}

bool telling_codes(const std::vector<std::int16_t>& y) { return laws::telling(y, -32768, 32767); }

/// The exact accumulators, product by product from the definitions.
std::vector<std::int64_t> exact_sums(const wide_layer& l) {
  const layer_case& c = l.extents;
  const window rows = c.windowed() ? c.rows() : window{},
               columns = c.windowed() ? c.columns() : window{};
  const bool depthwise = c.kind == layer_kind::depthwise_conv2d;
  std::vector<std::int64_t> sums;
  for_each_element(c.output(), [&](auto n, auto oy, auto ox, auto oc) {
    std::int64_t sum = l.bias.empty() ? 0 : l.bias[static_cast<std::size_t>(oc)];
    for_each_element({1, rows.kernel, columns.kernel, depthwise ? 1 : c.ic}, [&](auto, auto ky,
                                                                                 auto kx, auto i) {
      const std::int32_t iy = oy * rows.stride + ky * rows.dilation - rows.before;
      const std::int32_t ix = ox * columns.stride + kx * columns.dilation - columns.before;
      if (iy < 0 || ix < 0 || iy >= rows.input || ix >= columns.input) return;
      const std::int32_t ic = depthwise ? oc / c.depth_multiplier : i;
      const std::size_t weight =
          depthwise ? at({1, rows.kernel, columns.kernel, c.output_channels()}, 0, ky, kx, oc)
                    : at({c.oc, rows.kernel, columns.kernel, c.ic}, oc, ky, kx, i);
      sum += std::int64_t{l.x[at(c.input(), n, iy, ix, ic)]} * l.weights[weight];
    });
    sums.push_back(sum);
  });
  return sums;
}

/// The targets that have such layers: XNNPACK has none.
template <class F> void for_each_int16_target(F f) {
  for_each_target([&]<class Target>(std::type_identity<Target> target) {
    if constexpr (!std::is_same_v<Target, targets::xnnpack>) f(target);
  });
}

RC_GTEST_PROP(int16_laws, codes_are_the_requantized_exact_sums, ()) {
  wide_layer l;
  draw(l, any_kind());
  const layer_case& c = l.extents;
  covered law("int16 sums",
              {"telling conv2d", "telling depthwise_conv2d", "telling fully_connected",
               "beyond 32 bits", "int32 bias", "int64 bias", "no bias", "cut"});
  law.saw("int32 bias", c.has_bias && !l.bias_is_int64);
  law.saw("int64 bias", c.has_bias && l.bias_is_int64);
  law.saw("no bias", !c.has_bias);
  const std::vector<std::int64_t> sums = exact_sums(l);
  for_each_int16_target([&]<class Target>(std::type_identity<Target>) {
    const auto kernel = prepared<Target>(l);
    if (!kernel) return;
    const std::vector<std::int16_t> y = run(*kernel, l.x);
    law.saw(telling_name(c), telling_codes(y));
    const dot_product_plan& plan = kernel->plan();
    // Layers of some targets sum in 32 bits; there sums that fit are compared.
    const bool wide = c.has_bias && l.bias_is_int64;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const bool fits = std::abs(sums[i]) < std::int64_t{1} << 31;
      law.saw("beyond 32 bits", wide && !fits);
      if (!wide && !fits) continue;
      const auto oc = static_cast<std::int64_t>(i % static_cast<std::size_t>(c.output_channels()));
      require<Target>(y[i] == plan.requantize(sums[i], oc), to_line(c));
      require<Target>(plan.requantize.clamp.contains(y[i]), "outside the activation");
      law.saw("cut",
              c.fused != activation::none && y[i] == plan.requantize.clamp.high && y[i] < 32767);
    }
  });
}

RC_GTEST_PROP(int16_laws, codes_are_within_a_unit_of_the_real_result, ()) {
  wide_layer l;
  draw(l, any_kind());
  const layer_case& c = l.extents;
  covered law("int16 reals", {"telling", "per channel", "relu"});
  law.saw("per channel", c.per_channel && c.output_channels() > 1);
  law.saw("relu", c.fused == activation::relu);
  const std::vector<std::int64_t> sums = exact_sums(l);
  for_each_int16_target([&]<class Target>(std::type_identity<Target>) {
    const auto kernel = prepared<Target>(l);
    if (!kernel) return;
    const std::vector<std::int16_t> y = run(*kernel, l.x);
    law.saw("telling", telling_codes(y));
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (std::abs(sums[i]) >= std::int64_t{1} << 31 && !(c.has_bias && l.bias_is_int64)) continue;
      const std::size_t oc = i % static_cast<std::size_t>(c.output_channels());
      const double real = static_cast<double>(l.quantization.input.scale) *
                          static_cast<double>(l.scales[l.scales.size() == 1 ? 0 : oc]) /
                          static_cast<double>(l.quantization.output.scale);
      const double value = static_cast<double>(sums[i]) * real;
      const code_range clamp = kernel->plan().requantize.clamp;
      const double want =
          std::clamp(value, static_cast<double>(clamp.low), static_cast<double>(clamp.high));
      // Multipliers have 16 bits at least: 2^-16 of the value, and a unit for the roundings.
      require<Target>(std::abs(y[i] - want) <= 1 + std::abs(want) * 0x1p-15, to_line(c));
    }
  });
}

RC_GTEST_PROP(int16_laws, the_place_in_a_batch_does_not_matter, ()) {
  wide_layer l;
  draw(l, any_kind());
  const layer_case& c = l.extents;
  covered law("int16 batches", {"telling", "several"});
  law.saw("several", c.n > 1);
  wide_layer single;
  single.extents = c;
  single.extents.n = 1;
  single.scales = l.scales;
  single.weights = l.weights;
  single.bias = l.bias;
  single.bias_is_int64 = l.bias_is_int64;
  single.quantization = l.quantization;
  single.quantization.filter_scales = single.scales;
  for_each_int16_target([&]<class Target>(std::type_identity<Target>) {
    const auto whole = prepared<Target>(l), one = prepared<Target>(single);
    RC_ASSERT(whole.has_value() == one.has_value());
    if (!whole) return;
    const auto y = run(*whole, l.x);
    law.saw("telling", telling_codes(y));
    const auto from = single.extents.input().elements(), to = single.extents.output().elements();
    for (std::int64_t n = 0; n < c.n; ++n) {
      const auto part = run(*one, {l.x.begin() + n * from, l.x.begin() + (n + 1) * from});
      require<Target>(std::equal(part.begin(), part.end(), y.begin() + n * to), to_line(c));
    }
  });
}

RC_GTEST_PROP(int16_laws, a_softmax_row_sums_to_1_and_keeps_its_order, ()) {
  const auto depth = static_cast<std::size_t>(*rc::gen::inRange(1, 60));
  const auto seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 20));
  const softmax_spec s{.type = element_type::int16,
                       .output = element_type::int16,
                       .depth = static_cast<std::int64_t>(depth),
                       .in = {std::ldexp(1.0F, *rc::gen::inRange(-14, -9)), 0},
                       .out = {0x1p-15F, 0}};
  covered law("softmax rows of 16 bits", {"several codes", "one code takes all"});
  std::vector<std::int64_t> x(depth), y(depth);
  for (std::size_t i = 0; i < depth; ++i)
    x[i] = conformance::detail::uniform(conformance::detail::noise(seed, 2, i), -32768, 32767);
  double total = 0;
  const std::int64_t largest = *std::max_element(x.begin(), x.end());
  for (const std::int64_t code : x)
    total += std::exp(static_cast<double>(code - largest) * static_cast<double>(s.in.scale));
  for_each_int16_target([&]<class Target>(std::type_identity<Target>) {
    if constexpr (room::softmax::in<Target>) {
      const auto kernel = softmax<Target>::prepare(s);
      if (!kernel) return;
      (*kernel)(std::span<const std::int64_t>(x), std::span<std::int64_t>(y));
      law.saw("several codes",
              std::count(y.begin(), y.end(), y[0]) < static_cast<std::ptrdiff_t>(depth));
      law.saw("one code takes all", *std::max_element(y.begin(), y.end()) > 32000);
      for (std::size_t i = 0; i < depth; ++i) {
        const double share =
            std::exp(static_cast<double>(x[i] - largest) * static_cast<double>(s.in.scale)) / total;
        // Two tables with straight lines between 513 values each; and they end at e^-10, a unit and a half that every
        // term has at least.
        require<Target>(std::abs(static_cast<double>(y[i]) - std::min(share * 32768, 32767.0)) <=
                            12 + 2 * static_cast<double>(depth),
                        sentence({"share ", number(y[i])}));
        for (std::size_t k = 0; k < depth; ++k)
          require<Target>(x[i] > x[k] || y[i] <= y[k], "a smaller input has a larger share");
      }
    }
  });
}

}  // namespace
