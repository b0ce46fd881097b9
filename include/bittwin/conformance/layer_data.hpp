// SPDX-License-Identifier: Apache-2.0
// Weights, bias, scales and input of a case, from its seed alone. Each element depends on its own index, so a
// case with fewer pixels or channels keeps the elements that it still has.
#pragma once

#include <bittwin/conformance/layer_case.hpp>
#include <bittwin/proof/overflow.hpp>
#include <bittwin/types/element_type.hpp>
#include <cmath>
#include <cstdint>

namespace bittwin::conformance::inline v1 {

namespace detail {

/// Steele, Lea and Flood's SplitMix64 finalizer over a seed, a stream and an index.
[[nodiscard]] constexpr std::uint64_t noise(std::uint64_t seed, std::uint64_t stream,
                                            std::uint64_t index) noexcept {
  std::uint64_t x = seed * 0x9E3779B97F4A7C15U + stream * 0xD1B54A32D192ED03U + index;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// uniform in [low, high]
[[nodiscard]] constexpr std::int64_t uniform(std::uint64_t bits, std::int64_t low,
                                             std::int64_t high) noexcept {
  return low + static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(high - low + 1));
}

[[nodiscard]] inline std::int32_t middle(element_type type) noexcept {
  return type == element_type::uint8 ? 128 : 0;
}

[[nodiscard]] inline std::int64_t weight_code(const layer_case& c, std::int64_t i,
                                              std::int32_t zero) {
  const code_range r = range_of(c.type);
  const std::uint64_t bits = noise(c.seed, 1, static_cast<std::uint64_t>(i));
  switch (c.data) {
    case data_kind::extreme: return bits % 8 == 0 ? r.low : bits % 8 < 5 ? r.high : r.low + 1;
    case data_kind::sparse: return bits % 4 == 0 ? uniform(bits >> 8, r.low, r.high) : zero;
    case data_kind::smooth: return clamp_to<std::int64_t>(zero + (i % 17) * 5 - 40, r.low, r.high);
    case data_kind::small: return clamp_to(zero + uniform(bits, -2, 2), r.low, r.high);
    default: return uniform(bits, r.low, r.high);
  }
}

[[nodiscard]] inline std::int64_t input_code(const layer_case& c, std::int64_t i,
                                             std::int32_t zero) {
  const code_range r = range_of(c.type);
  const std::uint64_t bits = noise(c.seed, 2, static_cast<std::uint64_t>(i));
  switch (c.data) {
    case data_kind::extreme: return bits % 2 == 0 ? r.low : r.high;
    case data_kind::sparse: return bits % 4 == 0 ? uniform(bits >> 8, r.low, r.high) : zero;
    case data_kind::smooth:
      return clamp_to<std::int64_t>(zero + (i % 61) * 3 - 90 + uniform(bits, -2, 2), r.low, r.high);
    case data_kind::small: return clamp_to(zero + uniform(bits, -8, 8), r.low, r.high);
    default: return uniform(bits, r.low, r.high);
  }
}

/// A scale such that accumulators of about `reach` fill the type: the multiplier is 96 / reach, or special.
[[nodiscard]] inline float output_scale(const layer_case& c, float input, float filter,
                                        std::int64_t terms) {
  const double root = std::sqrt(static_cast<double>(terms));
  const double reach = c.data == data_kind::small     ? 384.0
                       : c.data == data_kind::extreme ? 25000.0 * root
                                                      : 5000.0 * root;
  double real = 96.0 / reach;
  switch (c.scales) {
    case scale_kind::generic: break;
    case scale_kind::ties:
      real = std::ldexp(1.0, static_cast<int>(std::floor(std::log2(real))));
      break;
    case scale_kind::three_halves:
      real = std::ldexp(1.5, static_cast<int>(std::floor(std::log2(real))));
      break;
    case scale_kind::above_one:
      real = 1.0 + static_cast<double>(noise(c.seed, 5, 0) % 700) / 100.0;
      break;
    case scale_kind::tiny:
      real = 0x1p-22 * (1.0 + static_cast<double>(noise(c.seed, 5, 1) % 97) / 97.0);
      break;
  }
  return static_cast<float>(static_cast<double>(input) * static_cast<double>(filter) / real);
}

}  // namespace detail

template <class T> [[nodiscard]] layer_data<T> make_data(const layer_case& c) {
  layer_data<T> d;
  const std::int32_t middle = detail::middle(c.type);
  const std::int32_t zx = middle + c.input_zero, zw = middle + c.weight_zero;
  const std::int32_t channels = c.output_channels();
  const bool exact = c.scales == scale_kind::ties || c.scales == scale_kind::three_halves;
  const float input_scale = exact ? 0.5F : 0.047F;
  const float filter_scale = exact ? 0.25F : 0.0113F;
  for (std::int32_t oc = 0; oc < (c.per_channel ? channels : 1); ++oc) {
    // Channels differ by powers of two where ties are wanted, else by anything up to 3.
    const std::uint64_t bits = detail::noise(c.seed, 3, static_cast<std::uint64_t>(oc));
    const float factor = exact ? static_cast<float>(1 << bits % 3)
                               : 1.0F + static_cast<float>(bits % 2000) / 1000.0F;
    d.filter_scales.push_back(filter_scale * factor);
  }
  for (std::int64_t i = 0; i < c.weight_count(); ++i)
    d.weights.push_back(static_cast<T>(detail::weight_code(c, i, zw)));
  const std::int64_t terms = terms_of(c);
  if (c.has_bias)
    for (std::int32_t oc = 0; oc < channels; ++oc) {
      const std::int64_t reach = c.scales == scale_kind::tiny ? 400'000'000
                                 : c.data == data_kind::small ? 40
                                                              : 2000 + 100 * terms;
      d.bias.push_back(static_cast<std::int32_t>(detail::uniform(
          detail::noise(c.seed, 4, static_cast<std::uint64_t>(oc)), -reach, reach)));
    }
  for (std::int64_t i = 0; i < c.input().elements(); ++i)
    d.input.push_back(static_cast<T>(detail::input_code(c, i, zx)));
  if (c.data == data_kind::largest && c.kind == layer_kind::fully_connected)
    for (std::int32_t i = 0; i < c.ic; ++i)  // row 0 makes output 0 as large as it can be
      d.input[static_cast<std::size_t>(i)] = static_cast<T>(
          proof::dot_product_terms<T>{d.weights.data(), c.ic, 1, zw, zx, range_of(c.type)}
              .extreme_code(i, true));
  d.quantization = {
      .type = c.type,
      .input = {input_scale, zx},
      .filter_scales = d.filter_scales,
      .filter_zero_point = zw,
      .output = {detail::output_scale(c, input_scale, filter_scale, terms), middle + c.output_zero},
      .fused = c.fused};
  return d;
}

/// The specs of the doors.
[[nodiscard]] inline conv2d_spec conv2d_spec_of(const layer_case& c,
                                                const dot_product_quantization& q) {
  return {.input = c.input(),
          .filter = {c.oc, c.kh, c.kw, c.ic},
          .stride_h = c.sh,
          .stride_w = c.sw,
          .dilation_h = c.dh,
          .dilation_w = c.dw,
          .padding = c.padding,
          .quantization = q};
}

[[nodiscard]] inline depthwise_conv2d_spec depthwise_spec_of(const layer_case& c,
                                                             const dot_product_quantization& q) {
  return {.input = c.input(),
          .filter_h = c.kh,
          .filter_w = c.kw,
          .depth_multiplier = c.depth_multiplier,
          .stride_h = c.sh,
          .stride_w = c.sw,
          .dilation_h = c.dh,
          .dilation_w = c.dw,
          .padding = c.padding,
          .quantization = q};
}

[[nodiscard]] inline fully_connected_spec fully_connected_spec_of(
    const layer_case& c, const dot_product_quantization& q) {
  return {.rows = c.n, .depth = c.ic, .outputs = c.oc, .quantization = q};
}

/// The kernel that a target has for a case.
template <target Target, class T>
[[nodiscard]] result<dot_product_kernel> prepare_case(const layer_case& c, const layer_data<T>& d) {
  const std::span<const T> weights(d.weights);
  const std::span<const std::int32_t> bias(d.bias);
  switch (c.kind) {
    case layer_kind::conv2d:
      return conv2d<Target>::prepare(conv2d_spec_of(c, d.quantization), weights, bias);
    case layer_kind::depthwise_conv2d:
      return depthwise_conv2d<Target>::prepare(depthwise_spec_of(c, d.quantization), weights, bias);
    default:
      return fully_connected<Target>::prepare(fully_connected_spec_of(c, d.quantization), weights,
                                              bias);
  }
}

}  // namespace bittwin::conformance::inline v1
