// SPDX-License-Identifier: Apache-2.0
// The rules of all rooms at once, filled in axis by axis: what a target that is a value is composed of.
//   into<axis::rescale, rescale::q31_one_step<half_up>>(any_rule&)   sets what that value decides, wherever it counts
#pragma once

#include <bittwin/graph/target_rules.hpp>
#include <type_traits>

namespace bittwin::graph::inline v1 {

struct any_rule {
  requantize_rule requantize;
  representation made{}, taken{};  ///< by the multiplier, by the rescale
  bool order_kept = true;          ///< by stages and narrowing
  bool (*monotone)(code_range, const multiplier&) noexcept = nullptr;
  dot_product_rule dots;  ///< what all dot products share
  dot_product_rule conv2d, depthwise_conv2d, fully_connected, transpose_conv;  ///< their loops
  batch_matmul_rule batch_matmul;
  lstm_rule lstm;
  addition_rule addition;
  comparison_rule comparison;
  pool_rule pool;
  mean_rule mean;
  interpolation_rule interpolation;
  softmax_rule softmax;
  float_code_rule float_code;
  affine (*grid)(affine, affine) noexcept = nullptr;
  recode_function recode = nullptr;
  padding_function padding = nullptr;
  bool stable_detection = true;
  unary_rule unary;
  l2_row_function l2 = nullptr;
  float_cast_function cast = nullptr;
};

namespace detail {

template <class A> void loops_into(any_rule& r) {
  using bittwin::detail::run_conv2d, bittwin::detail::run_depthwise_conv2d;
  using bittwin::detail::run_fully_connected, bittwin::detail::run_transpose_conv;
  r.conv2d.run_int8 = &run_conv2d<A, std::int8_t>;
  r.conv2d.run_uint8 = &run_conv2d<A, std::uint8_t>;
  r.conv2d.run_int16 = &run_conv2d<A, std::int16_t>;
  r.depthwise_conv2d.run_int8 = &run_depthwise_conv2d<A, std::int8_t>;
  r.depthwise_conv2d.run_uint8 = &run_depthwise_conv2d<A, std::uint8_t>;
  r.depthwise_conv2d.run_int16 = &run_depthwise_conv2d<A, std::int16_t>;
  r.fully_connected.run_int8 = &run_fully_connected<A, std::int8_t>;
  r.fully_connected.run_uint8 = &run_fully_connected<A, std::uint8_t>;
  r.fully_connected.run_int16 = &run_fully_connected<A, std::int16_t>;
  r.transpose_conv.run_int8 = &run_transpose_conv<A, std::int8_t>;
  r.transpose_conv.run_uint8 = &run_transpose_conv<A, std::uint8_t>;
  r.transpose_conv.run_int16 = &run_transpose_conv<A, std::int16_t>;
  r.batch_matmul.run_int8 = &bittwin::detail::run_batch_matmul<A, std::int8_t>;
  r.batch_matmul.run_int16 = &bittwin::detail::run_batch_matmul<A, std::int16_t>;
  r.dots.summation = proof::summation_of<A>;
  r.dots.known_bits = 0;
  if constexpr (requires { A::known_bits; }) r.dots.known_bits = A::known_bits;
}

template <class P> void lstm_into(any_rule& r) {
  r.lstm.prepare = &P::prepare;
  r.lstm.shown_on = &P::shown_on;
  r.lstm.sum = &P::sum;
  r.lstm.logistic = &P::logistic;
  r.lstm.tanh = &P::tanh;
  r.lstm.tanh_of_cell = &P::tanh_of_cell;
  r.lstm.kept = &P::kept;
  r.lstm.written = &P::written;
  r.lstm.shown = &P::shown;
}

template <class P> void multiplier_into(any_rule& r) {
  r.requantize.construct = r.lstm.construct = &P::of;
  r.requantize.accepts = nullptr;
  if constexpr (requires { P::accepts(1.0); }) r.requantize.accepts = &P::accepts;
  r.made = P::form;
}

template <class P> void rescale_into(any_rule& r) {
  r.requantize.steps.rescale = r.lstm.rescale = &P::apply;
  r.requantize.takes_scales = takes_scales<P>;
  r.requantize.keeps_bias = keeps_bias<P>;
  r.taken = P::form;
  if constexpr (proof::detail::states_where_monotone<P>)
    r.monotone = &proof::detail::monotone_on<P>;
}

/// A room of one axis, and the rule that its target makes.
template <class P> struct softmax_target {
  static constexpr std::string_view name = "", version = "";
  struct softmax {
    using softmax_rule = P;
  };
};

}  // namespace detail

/// Sets all that the value P of an axis decides.
template <class Axis, class P> void into(any_rule& r) {
  constexpr auto is = []<class Other>(std::type_identity<Other>) {
    return std::is_same_v<Axis, Other>;
  };
#define BITTWIN_IS(AXIS) constexpr(is(std::type_identity<axis::AXIS>{}))
  if BITTWIN_IS (scale_product) {
    r.requantize.scale_product = r.lstm.scale_product = &P::of;
  } else if BITTWIN_IS (multiplier) {
    detail::multiplier_into<P>(r);
  } else if BITTWIN_IS (rescale) {
    detail::rescale_into<P>(r);
  } else if BITTWIN_IS (accumulator) {
    detail::loops_into<P>(r);
  } else if BITTWIN_IS (activation_bounds) {
    r.requantize.bounds = r.addition.bounds = r.pool.bounds = &P::codes;
  } else if BITTWIN_IS (stages) {
    r.requantize.steps.stages = &P::apply;
    r.order_kept = r.order_kept && proof::keeps_order<P, narrowing::saturate>;
  } else if BITTWIN_IS (narrowing) {
    r.requantize.steps.narrow = r.addition.narrow = r.mean.narrow = &P::apply;
    r.order_kept = r.order_kept && proof::keeps_order<stages::offset_then_clamp, P>;
  } else if BITTWIN_IS (padding) {
    r.dots.padding_code = r.pool.padding_code = r.padding = &P::code;
  } else if BITTWIN_IS (placement) {
    r.dots.placed = r.pool.placed = &P::of;
  } else if BITTWIN_IS (weight_zero_point) {
    r.dots.weight_zero = &P::of;
  } else if BITTWIN_IS (scale_channel) {
    r.dots.scale_channel = &P::of;
  } else if BITTWIN_IS (channel_order) {
    r.dots.input_channel = &P::input_of;
  } else if constexpr (is(std::type_identity<axis::addition>{}) ||
                       is(std::type_identity<axis::pair_rule>{})) {
    r.addition.prepare = &P::prepare;
    r.addition.apply = &P::apply;
    r.addition.slopes = nullptr;
    if constexpr (requires { &P::slopes_of; }) r.addition.slopes = &P::slopes_of;
  } else if BITTWIN_IS (comparison_key) {
    r.comparison = {&P::prepare, &P::key};
  } else if BITTWIN_IS (pool_division) {
    r.pool.divide = &P::apply;
  } else if BITTWIN_IS (pool_count) {
    r.pool.counts_padding = P::counts_padding;
  } else if constexpr (is(std::type_identity<axis::mean_rule>{}) ||
                       is(std::type_identity<axis::sum_rule>{})) {
    r.mean.prepare = &P::prepare;
    r.mean.apply = &P::apply;
  } else if BITTWIN_IS (interpolation) {
    r.interpolation = {&P::at, &P::blend};
  } else if BITTWIN_IS (class_order) {
    r.stable_detection = P::is_stable;
  } else if BITTWIN_IS (softmax_rule) {
    r.softmax = softmax_rule_of<detail::softmax_target<P>, room::softmax>({});
  } else if BITTWIN_IS (lstm_rule) {
    detail::lstm_into<P>(r);
  } else if BITTWIN_IS (float_code) {
    r.float_code = float_code_rule::from<P>();
  } else if BITTWIN_IS (grid) {
    r.grid = &P::of;
  } else if BITTWIN_IS (recode) {
    r.recode = &P::apply;
  } else if BITTWIN_IS (unary_rule) {
    r.unary = {&P::prepare, &P::apply};
  } else if BITTWIN_IS (l2_rule) {
    r.l2 = &P::row;
  } else {
    static_assert(std::is_same_v<Axis, axis::float_cast>, "an axis that nothing composes");
    r.cast = &P::of;
  }
#undef BITTWIN_IS
}

}  // namespace bittwin::graph::inline v1
