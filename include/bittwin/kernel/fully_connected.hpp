// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED under a target:  fully_connected<Target>::prepare(spec, weights, bias).
#pragma once

#include <bittwin/kernel/dot_product.hpp>

namespace bittwin::inline v1 {

/// x [rows, depth] -> y [rows, outputs];  weights [outputs, depth]
struct fully_connected_spec {
  std::int32_t rows = 1;
  std::int32_t depth = 1;
  std::int32_t outputs = 1;
  dot_product_quantization quantization{};
};

[[nodiscard]] inline layer_facts facts_of(const fully_connected_spec& s) noexcept {
  layer_facts facts = facts_of(s.quantization);
  facts.depth = s.depth;
  return facts;
}

namespace detail {

/// Rows are images of one pixel, so that a fully connected layer has the interface of a
/// convolution.
template <class Accumulator, class T>
void run_fully_connected(const dot_product_plan& p, const output_box& box, nhwc_view<const T> x,
                         nhwc_view<T> y) noexcept {
  for (std::int32_t n = box.first_image; n < box.end_image; ++n)
    reference::fully_connected<Accumulator>(
        1, p.geometry.input_channels, box.end_channel - box.first_channel, p.zero, &x(n, 0, 0, 0),
        p.weights_from<weight_of<T>>(box.first_channel), p.bias_or_null(box.first_channel),
        [&](auto, auto i, std::int64_t acc) {
          const std::int32_t o = box.first_channel + static_cast<std::int32_t>(i);
          y(n, 0, 0, o) = static_cast<T>(p.requantize(acc, o));
        });
}

}  // namespace detail

/// What a target's fully_connected room says about one layer.
template <target Target>
[[nodiscard]] constexpr dot_product_rule fully_connected_rule(const layer_facts& layer) {
  dot_product_rule rule = detail::dot_product_rule_of<Target, room::fully_connected>(
      layer, []<class A>(dot_product_rule& r, std::type_identity<A>) {
        r.run_int8 = &detail::run_fully_connected<A, std::int8_t>;
        r.run_uint8 = &detail::run_fully_connected<A, std::uint8_t>;
        r.run_int16 = &detail::run_fully_connected<A, std::int16_t>;
      });
  rule.padding_code = &padding::zero_point::code;  // there is no padding
  return rule;
}

/// weights  [outputs, depth], one byte each    bias  [outputs], or empty
[[nodiscard]] inline result<dot_product_kernel> prepare_fully_connected(
    const dot_product_rule& rule, const fully_connected_spec& s, std::span<const std::byte> weights,
    std::span<const std::int64_t> bias) {
  if (s.rows < 0 || s.depth < 1 || s.outputs < 1)
    return error{error_code::bad_shape,
                 "a fully connected layer needs at least one input and one output"};
  const std::int64_t expected = std::int64_t{s.outputs} * s.depth;
  if (static_cast<std::int64_t>(weights.size()) != expected)
    return error{error_code::bad_shape, sentence({"the filter's shape asks for ", number(expected),
                                                  " weights, there are ", number(weights.size())})};
  dot_product_plan plan;
  plan.geometry = {.batch = s.rows,
                   .rows = {},
                   .columns = {},
                   .input_channels = s.depth,
                   .output_channels = s.outputs,
                   .groups = 1};
  if (auto c = plan_dot_product(plan, rule, s.quantization, bias); !c) return c.error();
  plan.weights.assign(weights.begin(), weights.end());
  if (auto c = check_sums(plan, s.quantization.input); !c) return c.error();
  plan.pack(&pack_conv2d);
  return dot_product_kernel(std::move(plan));
}

/// The door. Checks once; the kernel that it returns cannot fail.
template <target Target> struct fully_connected {
  static_assert(check_room<Target, room::fully_connected>());
  /// bias  int32, for int16 layers int32 or int64; empty: none
  template <class W>
  [[nodiscard]] static result<dot_product_kernel> prepare(const fully_connected_spec& spec,
                                                          std::span<const W> weights,
                                                          std::span<const std::int32_t> bias = {}) {
    return prepare_bytes(spec, std::as_bytes(weights), bias);
  }
  template <class W>
  [[nodiscard]] static result<dot_product_kernel> prepare(const fully_connected_spec& spec,
                                                          std::span<const W> weights,
                                                          std::span<const std::int64_t> bias) {
    return prepare_bytes(spec, std::as_bytes(weights), bias);
  }

 private:
  template <class B>
  [[nodiscard]] static result<dot_product_kernel> prepare_bytes(fully_connected_spec spec,
                                                                std::span<const std::byte> weights,
                                                                std::span<const B> bias) {
    spec.quantization = detail::with_bias(spec.quantization, bias);
    return prepare_fully_connected(fully_connected_rule<Target>(facts_of(spec)), spec, weights,
                                   detail::widened(bias));
  }
};

}  // namespace bittwin::inline v1
