// SPDX-License-Identifier: Apache-2.0
// What CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED have in common behind prepare(): a rule, a
// plan of plain data, and one function that runs it. No target type appears from here on.
//   code = requantize( bias + sum (x - x_zero) * (w - w_zero), output channel )
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/kernel/dot_product_plan.hpp>
#include <bittwin/kernel/dot_product_quantization.hpp>
#include <bittwin/kernel/output_box.hpp>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/kernel/represented.hpp>
#include <bittwin/reference/convolution.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/types/expects.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/parallel_for.hpp>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace bittwin::inline v1 {

/// For rescales that read the scales; those that add the bias themselves get it as float32(bias * input scale * filter
/// scale), out of the sums.
inline void hand_scales(dot_product_plan& plan, const dot_product_quantization& q) {
  auto& all = plan.requantize.multipliers;
  all.resize(static_cast<std::size_t>(plan.geometry.output_channels), all[0]);
  for (std::size_t c = 0; c < all.size(); ++c) {
    const float filter = q.filter_scales[q.filter_scales.size() > 1 ? c : 0];
    const double unit =
        ieee::multiply(ieee::convert<double>(q.input.scale), ieee::convert<double>(filter));
    const std::int64_t bias = plan.bias.empty() ? 0 : plan.bias[c];
    all[c].scales = {q.input.scale, filter, q.output.scale,
                     ieee::convert<float>(ieee::multiply(ieee::from_integer<double>(bias), unit)),
                     q.output.zero_point};
  }
  if (!plan.rule.requantize.keeps_bias) plan.bias.clear();
}

/// Checks the quantization and fills in all of the plan but its weights.
[[nodiscard]] inline status plan_dot_product(dot_product_plan& plan, const dot_product_rule& rule,
                                             const dot_product_quantization& q,
                                             std::span<const std::int64_t> bias) {
  const std::int64_t channels = plan.geometry.output_channels;
  if (q.type != element_type::int8 && q.type != element_type::uint8 &&
      q.type != element_type::int16)
    return error{error_code::unsupported, sentence({"the element type ", name_of(q.type),
                                                    " has no kernel; use int8, uint8 or int16"})};
  const element_type weight = q.type == element_type::int16 ? element_type::int8 : q.type;
  if (auto c = check_rule(rule.requantize); !c) return c;
  if (auto s = check_affine(q.input, q.type, "the input"); !s) return s;
  if (auto s = check_affine(q.output, q.type, "the output"); !s) return s;
  const auto scales = static_cast<std::int64_t>(q.filter_scales.size());
  if (scales != 1 && BITTWIN_MUTABLE(scales != channels, scale_count, false))
    return error{error_code::bad_shape,
                 sentence({"the filter has ", number(scales), " scales for ", number(channels),
                           " output channels; give one, or one a channel"})};
  for (const float scale : q.filter_scales)
    if (auto s = check_scale(scale, "the filter"); !s) return s;
  if (auto s = check_zero_point(q.filter_zero_point, weight, "the filter"); !s) return s;
  if (auto s = check_symmetric(q); !s) return s;
  if (BITTWIN_MUTABLE(!bias.empty(), bias_length, false) &&
      static_cast<std::int64_t>(bias.size()) != channels)
    return error{error_code::bad_shape,
                 sentence({"the bias has ", number(bias.size()), " elements for ", number(channels),
                           " output channels"})};

  for (const float scale : q.filter_scales)
    if (auto s = check_multiplier(rule.requantize, q.input.scale, scale, q.output.scale); !s)
      return s;

  plan.type = q.type;
  plan.rule = rule;
  plan.zero = {q.input.zero_point, rule.weight_zero(q.filter_zero_point),
               rule.padding_code(q.input.zero_point)};
  plan.bias.assign(bias.begin(), bias.end());
  plan.requantize =
      bind(rule.requantize, q.input.scale, q.filter_scales[0], q.output, q.fused, q.type);
  if (scales > 1) {
    plan.requantize.multipliers.clear();
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      const float scale =
          q.filter_scales[static_cast<std::size_t>(rule.scale_channel(channel, scales))];
      plan.requantize.multipliers.push_back(rule.requantize.construct(
          rule.requantize.scale_product(q.input.scale, scale, q.output.scale)));
    }
  }
  if (rule.requantize.takes_scales) hand_scales(plan, q);
  return ok();
}

/// The sums that a target's arithmetic is known for; asked when the plan has its weights.
[[nodiscard]] inline status check_sums(const dot_product_plan& plan, affine input) {
  const int bits = plan.rule.known_bits;
  if (bits == 0) return ok();
  const convolution_geometry& g = plan.geometry;
  const bool depthwise = plan.rule.input_channel != nullptr;
  const std::int64_t depth = depthwise ? 1 : g.input_channels / g.groups;
  const std::int64_t count = g.taps() * depth;
  const std::int64_t step = depthwise ? g.output_channels : 1, stride = depthwise ? 1 : count;
  const auto check = [&](const auto* weights) {
    return check_known_sums(bits, weights, g.output_channels, count, step, stride, plan.zero.weight,
                            input, plan.type, plan.bias_or_null());
  };
  return plan.type == element_type::uint8 ? check(plan.weights_as<std::uint8_t>())
                                          : check(plan.weights_as<std::int8_t>());
}

/// A prepared layer. Const, usable from many threads, allocates nothing, cannot fail.
/// Input and output must not overlap.
class dot_product_kernel {
 public:
  explicit dot_product_kernel(dot_product_plan plan) noexcept : plan_(std::move(plan)) {}

  [[nodiscard]] const dot_product_plan& plan() const noexcept { return plan_; }
  [[nodiscard]] nhwc input() const noexcept { return plan_.geometry.input(); }
  [[nodiscard]] nhwc output() const noexcept { return plan_.geometry.output(); }

  /// Strided activations; extents as input() and output() say. parallel: threads of the caller.
  void operator()(nhwc_view<const std::int8_t> x, nhwc_view<std::int8_t> y,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(plan_.type == element_type::int8);
    if (!runs_packed(x, y, parallel)) runs_rule(plan_.rule.run_int8, x, y, parallel);
  }
  void operator()(nhwc_view<const std::uint8_t> x, nhwc_view<std::uint8_t> y,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(plan_.type == element_type::uint8);
    if (!runs_packed(x, y, parallel)) runs_rule(plan_.rule.run_uint8, x, y, parallel);
  }
  void operator()(nhwc_view<const std::int16_t> x, nhwc_view<std::int16_t> y,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(plan_.type == element_type::int16);
    if (!runs_packed(x, y, parallel)) runs_rule(plan_.rule.run_int16, x, y, parallel);
  }

  /// Dense activations.
  template <class T>
  void operator()(std::span<const T> x, std::span<T> y,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(static_cast<std::int64_t>(x.size()) == input().elements());
    BITTWIN_EXPECTS(static_cast<std::int64_t>(y.size()) == output().elements());
    (*this)(nhwc_view<const T>(x.data(), input()), nhwc_view<T>(y.data(), output()), parallel);
  }

  /// What was proved, and the shares of channels by form.
  [[nodiscard]] explanation explain() const {
    return bittwin::explain(plan_.packed, plan_.geometry.output_channels);
  }
  /// The architecture of the packed kernel, or scalar for the target's own rule.
  [[nodiscard]] simd::arch runs_on() const noexcept { return arch_of(plan_.packed); }

 private:
  template <class T>
  [[nodiscard]] bool runs_packed(nhwc_view<const T> x, nhwc_view<T> y,
                                 const parallel_for& parallel) const noexcept {
    const bool packed = plan_.packed && run_packed(*plan_.packed, plan_.requantize, input_images(x),
                                                   output_images(y), parallel);
    simd::detail::count_run(packed ? runs_on() : simd::arch::scalar);
    return packed;
  }
  /// The target's own rule, box by box.
  template <class T, class Rule>
  void runs_rule(Rule rule, nhwc_view<const T> x, nhwc_view<T> y,
                 const parallel_for& parallel) const noexcept {
    const convolution_geometry& g = plan_.geometry;
    const bool depthwise = plan_.rule.input_channel != nullptr;
    const std::int64_t depth = depthwise ? 1 : g.input_channels / g.groups;
    constexpr std::int64_t of_product = 2, of_code = 5;  // about, in nanoseconds
    const std::int64_t nanoseconds =
        output().elements() * (g.taps() * depth * of_product + of_code);
    const bool divides = !depthwise && g.groups == 1;  // weights of a channel lie together
    output_boxes(g, 1, divides ? 1 : g.output_channels)
        .each(parallel, nanoseconds,
              [&](const output_box& box) noexcept { rule(plan_, box, x, y); });
  }

  dot_product_plan plan_;
};

namespace detail {

/// Bias codes of any width as prepare() takes them.
template <class B> [[nodiscard]] std::vector<std::int64_t> widened(std::span<const B> bias) {
  return {bias.begin(), bias.end()};
}

/// What a door learns from the bias it is handed: its presence, and for int16 layers its width.
template <class B>
[[nodiscard]] dot_product_quantization with_bias(dot_product_quantization q,
                                                 std::span<const B> bias) {
  q.has_bias = !bias.empty();
  if (q.has_bias) q.bias_type = element_type_of<B>;
  return q;
}

template <class Target, class Room, class Runner>
[[nodiscard]] constexpr dot_product_rule dot_product_rule_of(const layer_facts& layer,
                                                             Runner runner) {
  dot_product_rule rule;
  rule.requantize = requantizer_of<Target, Room>(layer);
  choose<axis_value<Target, Room, axis::weight_zero_point>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.weight_zero = &P::of; });
  choose<axis_value<Target, Room, axis::scale_channel>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.scale_channel = &P::of; });
  choose<axis_value<Target, Room, axis::accumulator>>(
      layer, [&]<class P>(std::type_identity<P> accumulator) {
        runner(rule, accumulator);
        rule.summation = proof::summation_of<P>;
        if constexpr (requires { P::known_bits; }) rule.known_bits = P::known_bits;
      });
  choose_pipeline<Target, Room>(layer, [&]<class Rescale, class Stages, class Narrowing>(
                                           pipeline<Rescale, Stages, Narrowing>) {
    rule.monotone = proof::monotone_pipeline<Rescale, Stages, Narrowing>();
    rule.product = proof::product_pipeline<Rescale, Stages, Narrowing>();
  });
  return rule;
}

}  // namespace detail

}  // namespace bittwin::inline v1
