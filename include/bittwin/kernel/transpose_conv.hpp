// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV under a target:  transpose_conv<Target>::prepare(spec, weights, bias).
//   y(oy, ox, oc) = requantize( bias(oc) + sum over the inputs whose window covers (oy, ox) )
#pragma once

#include <bittwin/kernel/dot_product.hpp>

namespace bittwin::inline v1 {

/// input  NHWC    filter  OHWI, i = input.c    output_h, output_w  as the model states them; the windows are
/// those of a convolution from the output to the input
struct transpose_conv_spec {
  nhwc input{};
  ohwi filter{};
  std::int32_t output_h = 1, output_w = 1;
  std::int32_t stride_h = 1, stride_w = 1;
  padding_kind padding = padding_kind::same;
  dot_product_quantization quantization{};
};

[[nodiscard]] inline layer_facts facts_of(const transpose_conv_spec& s) noexcept {
  layer_facts facts = facts_of(s.quantization);
  facts.taps = s.filter.h * s.filter.w;
  return facts;
}

/// The window of one axis of a transposed convolution: input extent x, output extent y.
/// placed  the rule for a convolution that leads from y to x
[[nodiscard]] inline window transposed_window(placement_function placed, padding_kind padding,
                                              std::int32_t x, std::int32_t y, std::int32_t kernel,
                                              std::int32_t stride) noexcept {
  window w = placed(padding, y, kernel, stride, 1);
  w.input = x;
  w.output = y;
  return w;
}

namespace detail {

template <class Accumulator, class T>
void run_transpose_conv(const dot_product_plan& p, const output_box& box, nhwc_view<const T> x,
                        nhwc_view<T> y) noexcept {
  convolution_geometry g = p.geometry;
  g.batch = box.end_image - box.first_image;
  g.rows.before += box.first_row;  // here windows stand in the output
  g.rows.output = box.end_row - box.first_row;
  g.output_channels = box.end_channel - box.first_channel;
  const nhwc_view<T> to = from_row(y, box.first_image, box.first_row);
  reference::transpose_conv<Accumulator>(
      g, p.zero, from_row(x, box.first_image), p.weights_from<weight_of<T>>(box.first_channel),
      p.bias_or_null(box.first_channel),
      [&](auto n, auto oy, auto ox, std::int32_t i, std::int64_t acc) {
        const std::int32_t oc = box.first_channel + i;
        to(n, oy, ox, oc) = static_cast<T>(p.requantize(acc, oc));
      });
}

}  // namespace detail

/// What a target's transpose_conv room says about one layer.
template <target Target>
[[nodiscard]] constexpr dot_product_rule transpose_conv_rule(const layer_facts& layer) {
  dot_product_rule rule = detail::dot_product_rule_of<Target, room::transpose_conv>(
      layer, []<class A>(dot_product_rule& r, std::type_identity<A>) {
        r.run_int8 = &detail::run_transpose_conv<A, std::int8_t>;
        r.run_uint8 = &detail::run_transpose_conv<A, std::uint8_t>;
        r.run_int16 = &detail::run_transpose_conv<A, std::int16_t>;
      });
  rule.padding_code = &padding::zero_point::code;  // nothing is read outside the input
  choose<axis_value<Target, room::transpose_conv, axis::placement>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.placed = &P::of; });
  return rule;
}

/// weights  OHWI, one byte each     bias  [o] at scale input * filter, or empty
[[nodiscard]] inline result<dot_product_kernel> prepare_transpose_conv(
    const dot_product_rule& rule, const transpose_conv_spec& s, std::span<const std::byte> weights,
    std::span<const std::int64_t> bias) {
  if (s.input.n < 0 || s.filter.o < 1 || s.filter.i < 1 || s.input.c != s.filter.i)
    return error{
        error_code::bad_shape,
        sentence({"a filter of ", number(s.filter.o), " output and ", number(s.filter.i),
                  " input channels does not fit an input of ", number(s.input.c), " channels"})};
  dot_product_plan plan;
  plan.geometry = {.batch = s.input.n,
                   .rows = transposed_window(rule.placed, s.padding, s.input.h, s.output_h,
                                             s.filter.h, s.stride_h),
                   .columns = transposed_window(rule.placed, s.padding, s.input.w, s.output_w,
                                                s.filter.w, s.stride_w),
                   .input_channels = s.input.c,
                   .output_channels = s.filter.o,
                   .groups = 1};
  if (auto c = check_window(plan.geometry.rows, "rows"); !c) return c.error();
  if (auto c = check_window(plan.geometry.columns, "columns"); !c) return c.error();
  if (static_cast<std::int64_t>(weights.size()) != s.filter.elements())
    return error{error_code::bad_shape,
                 sentence({"the filter's shape asks for ", number(s.filter.elements()),
                           " weights, there are ", number(weights.size())})};
  if (auto c = plan_dot_product(plan, rule, s.quantization, bias); !c) return c.error();
  plan.weights.assign(weights.begin(), weights.end());
  if (auto c = check_sums(plan, s.quantization.input); !c) return c.error();
  return dot_product_kernel(std::move(plan));
}

/// The door. Checks once; the kernel that it returns cannot fail.
template <target Target> struct transpose_conv {
  static_assert(check_room<Target, room::transpose_conv>());
  /// bias  int32, for int16 layers int32 or int64; empty: none
  template <class W>
  [[nodiscard]] static result<dot_product_kernel> prepare(const transpose_conv_spec& spec,
                                                          std::span<const W> weights,
                                                          std::span<const std::int32_t> bias = {}) {
    return prepare_bytes(spec, std::as_bytes(weights), bias);
  }
  template <class W>
  [[nodiscard]] static result<dot_product_kernel> prepare(const transpose_conv_spec& spec,
                                                          std::span<const W> weights,
                                                          std::span<const std::int64_t> bias) {
    return prepare_bytes(spec, std::as_bytes(weights), bias);
  }

 private:
  template <class B>
  [[nodiscard]] static result<dot_product_kernel> prepare_bytes(transpose_conv_spec spec,
                                                                std::span<const std::byte> weights,
                                                                std::span<const B> bias) {
    spec.quantization = detail::with_bias(spec.quantization, bias);
    return prepare_transpose_conv(transpose_conv_rule<Target>(facts_of(spec)), spec, weights,
                                  detail::widened(bias));
  }
};

}  // namespace bittwin::inline v1
