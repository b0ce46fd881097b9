// SPDX-License-Identifier: Apache-2.0
// CONV_2D under a target:  conv2d<Target>::prepare(spec, weights, bias) ->
// result<dot_product_kernel>.
#pragma once

#include <bittwin/kernel/dot_product.hpp>

namespace bittwin::inline v1 {

/// input  NHWC                      filter  OHWI; i divides input.c, and input.c / i groups divide
/// o strides, dilations >= 1          quantization: see dot_product_quantization
struct conv2d_spec {
  nhwc input{};
  ohwi filter{};
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t dilation_h = 1, dilation_w = 1;
  padding_kind padding = padding_kind::same;
  dot_product_quantization quantization{};
};

[[nodiscard]] inline layer_facts facts_of(const conv2d_spec& s) noexcept {
  layer_facts facts = facts_of(s.quantization);
  facts.groups = s.filter.i > 0 ? s.input.c / s.filter.i : 1;
  facts.taps = s.filter.h * s.filter.w;
  facts.square = s.filter.h == s.filter.w;
  facts.depth = s.filter.i;
  facts.one_to_one = s.filter.i == 1 && s.filter.o == s.input.c;
  return facts;
}

namespace detail {

template <class Accumulator, class T>
void run_conv2d(const dot_product_plan& p, const output_box& box, nhwc_view<const T> x,
                nhwc_view<T> y) noexcept {
  convolution_geometry g = rows_of(p.geometry, box);
  g.output_channels = box.end_channel - box.first_channel;
  const nhwc_view<T> to = from_row(y, box.first_image, box.first_row);
  reference::conv2d<Accumulator>(g, p.zero, from_row(x, box.first_image),
                                 p.weights_from<weight_of<T>>(box.first_channel),
                                 p.bias_or_null(box.first_channel),
                                 [&](auto n, auto oy, auto ox, std::int32_t i, std::int64_t acc) {
                                   const std::int32_t oc = box.first_channel + i;
                                   to(n, oy, ox, oc) = static_cast<T>(p.requantize(acc, oc));
                                 });
}

}  // namespace detail

/// What a target's conv2d room says about one layer.
template <target Target>
[[nodiscard]] constexpr dot_product_rule conv2d_rule(const layer_facts& layer) {
  dot_product_rule rule = detail::dot_product_rule_of<Target, room::conv2d>(
      layer, []<class A>(dot_product_rule& r, std::type_identity<A>) {
        r.run_int8 = &detail::run_conv2d<A, std::int8_t>;
        r.run_uint8 = &detail::run_conv2d<A, std::uint8_t>;
        r.run_int16 = &detail::run_conv2d<A, std::int16_t>;
      });
  choose<axis_value<Target, room::conv2d, axis::padding>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.padding_code = &P::code; });
  choose<axis_value<Target, room::conv2d, axis::placement>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.placed = &P::of; });
  return rule;
}

/// weights  OHWI, one byte each     bias  [o] at scale input * filter, or empty
[[nodiscard]] inline result<dot_product_kernel> prepare_conv2d(const dot_product_rule& rule,
                                                               const conv2d_spec& s,
                                                               std::span<const std::byte> weights,
                                                               std::span<const std::int64_t> bias) {
  if (s.input.n < 0 || s.input.c < 1 || s.filter.o < 1 || s.filter.i < 1 ||
      s.input.c % s.filter.i != 0 || s.filter.o % (s.input.c / s.filter.i) != 0)
    return error{
        error_code::bad_shape,
        sentence({"a filter of ", number(s.filter.o), " output and ", number(s.filter.i),
                  " input channels does not fit an input of ", number(s.input.c), " channels"})};
  dot_product_plan plan;
  plan.geometry = {
      .batch = s.input.n,
      .rows = rule.placed(s.padding, s.input.h, s.filter.h, s.stride_h, s.dilation_h),
      .columns = rule.placed(s.padding, s.input.w, s.filter.w, s.stride_w, s.dilation_w),
      .input_channels = s.input.c,
      .output_channels = s.filter.o,
      .groups = s.input.c / s.filter.i};
  if (auto c = check_window(plan.geometry.rows, "rows"); !c) return c.error();
  if (auto c = check_window(plan.geometry.columns, "columns"); !c) return c.error();
  if (static_cast<std::int64_t>(weights.size()) != s.filter.elements())
    return error{error_code::bad_shape,
                 sentence({"the filter's shape asks for ", number(s.filter.elements()),
                           " weights, there are ", number(weights.size())})};
  if (auto c = plan_dot_product(plan, rule, s.quantization, bias); !c) return c.error();
  plan.weights.assign(weights.begin(), weights.end());
  if (auto c = check_sums(plan, s.quantization.input); !c) return c.error();
  plan.pack(&pack_conv2d);
  return dot_product_kernel(std::move(plan));
}

/// The door. Checks once; the kernel that it returns cannot fail.
template <target Target> struct conv2d {
  static_assert(check_room<Target, room::conv2d>());
  /// weights  OHWI    bias  [filter.o], int32 at scale input * filter, for int16 layers int32 or
  ///                         int64; empty: none
  /// errors   extents, strides, scales, zero points, lengths; the sentence says which
  template <class W>
  [[nodiscard]] static result<dot_product_kernel> prepare(const conv2d_spec& spec,
                                                          std::span<const W> weights,
                                                          std::span<const std::int32_t> bias = {}) {
    return prepare_bytes(spec, std::as_bytes(weights), bias);
  }
  template <class W>
  [[nodiscard]] static result<dot_product_kernel> prepare(const conv2d_spec& spec,
                                                          std::span<const W> weights,
                                                          std::span<const std::int64_t> bias) {
    return prepare_bytes(spec, std::as_bytes(weights), bias);
  }

 private:
  template <class B>
  [[nodiscard]] static result<dot_product_kernel> prepare_bytes(conv2d_spec spec,
                                                                std::span<const std::byte> weights,
                                                                std::span<const B> bias) {
    spec.quantization = detail::with_bias(spec.quantization, bias);
    return prepare_conv2d(conv2d_rule<Target>(facts_of(spec)), spec, weights,
                          detail::widened(bias));
  }
};

}  // namespace bittwin::inline v1
