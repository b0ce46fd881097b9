// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D under a target:  depthwise_conv2d<Target>::prepare(spec, weights, bias).
#pragma once

#include <bittwin/kernel/dot_product.hpp>

namespace bittwin::inline v1 {

/// input  NHWC    filter  [h, w] taps; weights are [h, w, input.c * depth_multiplier]
struct depthwise_conv2d_spec {
  nhwc input{};
  std::int32_t filter_h = 1, filter_w = 1;
  std::int32_t depth_multiplier = 1;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t dilation_h = 1, dilation_w = 1;
  padding_kind padding = padding_kind::same;
  dot_product_quantization quantization{};
};

[[nodiscard]] inline layer_facts facts_of(const depthwise_conv2d_spec& s) noexcept {
  layer_facts facts = facts_of(s.quantization);
  facts.groups = s.input.c;
  facts.depth = 1;
  facts.taps = s.filter_h * s.filter_w;
  facts.square = s.filter_h == s.filter_w;
  facts.one_to_one = s.depth_multiplier == 1;
  return facts;
}

namespace detail {

template <class Accumulator, class T>
void run_depthwise_conv2d(const dot_product_plan& p, const output_box& box, nhwc_view<const T> x,
                          nhwc_view<T> y) noexcept {
  const nhwc_view<T> to = from_row(y, box.first_image, box.first_row);
  reference::depthwise_conv2d<Accumulator>(
      rows_of(p.geometry, box), p.zero, from_row(x, box.first_image), p.weights_as<weight_of<T>>(),
      p.bias_or_null(),
      [&](std::int32_t oc) {
        return p.rule.input_channel(oc, p.depth_multiplier, p.geometry.input_channels);
      },
      [&](auto n, auto oy, auto ox, auto oc, std::int64_t acc) {
        to(n, oy, ox, oc) = static_cast<T>(p.requantize(acc, oc));
      });
}

}  // namespace detail

/// What a target's depthwise_conv2d room says about one layer.
template <target Target>
[[nodiscard]] constexpr dot_product_rule depthwise_conv2d_rule(const layer_facts& layer) {
  dot_product_rule rule = detail::dot_product_rule_of<Target, room::depthwise_conv2d>(
      layer, []<class A>(dot_product_rule& r, std::type_identity<A>) {
        r.run_int8 = &detail::run_depthwise_conv2d<A, std::int8_t>;
        r.run_uint8 = &detail::run_depthwise_conv2d<A, std::uint8_t>;
        r.run_int16 = &detail::run_depthwise_conv2d<A, std::int16_t>;
      });
  choose<axis_value<Target, room::depthwise_conv2d, axis::padding>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.padding_code = &P::code; });
  choose<axis_value<Target, room::depthwise_conv2d, axis::placement>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.placed = &P::of; });
  choose<axis_value<Target, room::depthwise_conv2d, axis::channel_order>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.input_channel = &P::input_of; });
  return rule;
}

/// weights  [h, w, c * depth_multiplier], one byte each    bias  [c * depth_multiplier], or empty
[[nodiscard]] inline result<dot_product_kernel> prepare_depthwise_conv2d(
    const dot_product_rule& rule, const depthwise_conv2d_spec& s,
    std::span<const std::byte> weights, std::span<const std::int64_t> bias) {
  const std::int64_t channels = std::int64_t{s.input.c} * s.depth_multiplier;
  if (s.input.n < 0 || s.input.c < 1 || s.depth_multiplier < 1 || channels > (1 << 30))
    return error{error_code::bad_shape,
                 sentence({"a depth multiplier of ", number(s.depth_multiplier), " on ",
                           number(s.input.c), " channels is not usable"})};
  dot_product_plan plan;
  plan.depth_multiplier = s.depth_multiplier;
  plan.geometry = {
      .batch = s.input.n,
      .rows = rule.placed(s.padding, s.input.h, s.filter_h, s.stride_h, s.dilation_h),
      .columns = rule.placed(s.padding, s.input.w, s.filter_w, s.stride_w, s.dilation_w),
      .input_channels = s.input.c,
      .output_channels = static_cast<std::int32_t>(channels),
      .groups = s.input.c};
  if (auto c = check_window(plan.geometry.rows, "rows"); !c) return c.error();
  if (auto c = check_window(plan.geometry.columns, "columns"); !c) return c.error();
  const std::int64_t expected = channels * s.filter_h * s.filter_w;
  if (static_cast<std::int64_t>(weights.size()) != expected)
    return error{error_code::bad_shape, sentence({"the filter's shape asks for ", number(expected),
                                                  " weights, there are ", number(weights.size())})};
  if (auto c = plan_dot_product(plan, rule, s.quantization, bias); !c) return c.error();
  plan.weights.assign(weights.begin(), weights.end());
  if (auto c = check_sums(plan, s.quantization.input); !c) return c.error();
  bool own_channel = s.depth_multiplier == 1;
  for (std::int32_t c = 0; own_channel && c < s.input.c; ++c)
    own_channel = rule.input_channel(c, 1, s.input.c) == c;
  if (own_channel) plan.pack(&pack_depthwise);
  return dot_product_kernel(std::move(plan));
}

/// The door. Checks once; the kernel that it returns cannot fail.
template <target Target> struct depthwise_conv2d {
  static_assert(check_room<Target, room::depthwise_conv2d>());
  /// bias  int32, for int16 layers int32 or int64; empty: none
  template <class W>
  [[nodiscard]] static result<dot_product_kernel> prepare(const depthwise_conv2d_spec& spec,
                                                          std::span<const W> weights,
                                                          std::span<const std::int32_t> bias = {}) {
    return prepare_bytes(spec, std::as_bytes(weights), bias);
  }
  template <class W>
  [[nodiscard]] static result<dot_product_kernel> prepare(const depthwise_conv2d_spec& spec,
                                                          std::span<const W> weights,
                                                          std::span<const std::int64_t> bias) {
    return prepare_bytes(spec, std::as_bytes(weights), bias);
  }

 private:
  template <class B>
  [[nodiscard]] static result<dot_product_kernel> prepare_bytes(depthwise_conv2d_spec spec,
                                                                std::span<const std::byte> weights,
                                                                std::span<const B> bias) {
    spec.quantization = detail::with_bias(spec.quantization, bias);
    return prepare_depthwise_conv2d(depthwise_conv2d_rule<Target>(facts_of(spec)), spec, weights,
                                    detail::widened(bias));
  }
};

}  // namespace bittwin::inline v1
