// SPDX-License-Identifier: Apache-2.0
// The constitution, second part: the axes of operators other than dot products.
#pragma once

#include <bittwin/policy/addition.hpp>
#include <bittwin/policy/averaging.hpp>
#include <bittwin/policy/class_order.hpp>
#include <bittwin/policy/concepts.hpp>
#include <bittwin/policy/float_cast.hpp>
#include <bittwin/policy/float_code.hpp>
#include <bittwin/policy/interpolation.hpp>
#include <bittwin/policy/l2_normalization.hpp>
#include <bittwin/policy/log_softmax.hpp>
#include <bittwin/policy/lstm.hpp>
#include <bittwin/policy/pairing.hpp>
#include <bittwin/policy/power_of_two_addition.hpp>
#include <bittwin/policy/recode.hpp>
#include <bittwin/policy/softmax.hpp>
#include <bittwin/policy/softmax_16.hpp>
#include <bittwin/policy/summation.hpp>
#include <bittwin/policy/unary_fixed.hpp>
#include <bittwin/policy/unary_float.hpp>
#include <bittwin/policy/unary_sigmoid.hpp>
#include <bittwin/types/activation.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/quantization.hpp>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

namespace bittwin::inline v1 {

/// Adds or subtracts two operands.
template <class P>
concept addition_policy = named<P> &&
    requires(addition_constants& c, const addition_constants& k, std::int64_t v) {
  { P::prepare(c) }
  noexcept;
  { P::apply(k, v, v) }
  noexcept->std::same_as<std::int64_t>;
};

/// Combines two operands otherwise: squared difference, quotient.
template <class P>
concept pair_rule_policy = addition_policy<P>;

/// Makes the numbers that a comparison compares.
template <class P>
concept comparison_key_policy = named<P> && requires(float s, std::int64_t v, const multiplier& m) {
  { P::prepare(s) }
  noexcept->std::same_as<multiplier>;
  { P::key(v, m) }
  noexcept->std::same_as<std::int64_t>;
};

/// Divides the sum of a pooling window.
template <class P>
concept pool_division_policy = named<P> && requires(std::int64_t v, std::int32_t z) {
  { P::apply(v, v, z) }
  noexcept->std::same_as<std::int64_t>;
};

/// Says whether padding counts in a pooling window.
template <class P>
concept pool_count_policy = named<P> && requires {
  { P::counts_padding } -> std::convertible_to<bool>;
};

/// Turns a sum over n elements into the code of their mean.
template <class P>
concept mean_rule_policy = named<P> &&
    requires(mean_constants& c, const mean_constants& k, std::int64_t v) {
  { P::prepare(c) }
  noexcept;
  { P::apply(k, v) }
  noexcept->std::same_as<std::int64_t>;
};

/// Turns a sum of codes into the code of the sum.
template <class P>
concept sum_rule_policy = mean_rule_policy<P>;

/// Orders detections with one score.
template <class P>
concept class_order_policy = named<P> && requires {
  { P::is_stable } -> std::convertible_to<bool>;
};

/// Blends four neighbours.
template <class P>
concept interpolation_policy = named<P> &&
    requires(std::int32_t o, const resize_axis& a, const interpolation_corners& c,
             const interpolation_tap& t) {
  { P::at(o, a) }
  noexcept->std::same_as<interpolation_tap>;
  { P::blend(c, t, t) }
  noexcept->std::same_as<std::int64_t>;
};

/// Computes the softmax of one row.
template <class P>
concept softmax_rule_policy = named<P> && requires(softmax_constants& c, const softmax_constants& k,
                                                   const std::int8_t* x, std::int64_t n) {
  { P::prepare(c) }
  noexcept;
  P::row(k, x, n, [](std::int64_t, std::int64_t) noexcept {});
};

/// Names the grid on which a standalone activation works.
template <class P>
concept grid_policy = named<P> && requires(affine a) {
  { P::of(a, a) }
  noexcept->std::same_as<affine>;
};

/// Brings a code of one operand to the grid of a concatenation.
template <class P>
concept recode_policy = named<P> && requires(std::int64_t code, affine a, code_range t) {
  { P::apply(code, a, a, t) }
  noexcept->std::same_as<std::int64_t>;
};

/// Computes the stages of an integer LSTM.
template <class P>
concept lstm_rule_policy = named<P> &&
    requires(lstm_constants& c, const lstm_constants& k, std::int64_t v) {
  P::prepare(c);
  { P::sum(v, v) }
  noexcept->std::same_as<std::int64_t>;
  { P::logistic(k, v) }
  noexcept->std::same_as<std::int64_t>;
  { P::tanh(k, v) }
  noexcept->std::same_as<std::int64_t>;
  { P::tanh_of_cell(k, v) }
  noexcept->std::same_as<std::int64_t>;
  { P::kept(k, v, v) }
  noexcept->std::same_as<std::int64_t>;
  { P::written(k, v, v) }
  noexcept->std::same_as<std::int64_t>;
  { P::shown(k, v, v) }
  noexcept->std::same_as<std::int64_t>;
};

/// Turns a float32 value into a code.
template <class P>
concept float_code_policy = named<P> && requires(float x, affine out, code_range t) {
  { P::of(x, out, t) }
  noexcept->std::same_as<std::int64_t>;
};

/// Computes one code from another, by constants that it prepares, or says why it cannot.
template <class P>
concept unary_rule_policy = named<P> &&
    requires(unary_constants& c, const unary_constants& k, std::int64_t code) {
  { P::prepare(c) } -> std::same_as<std::string_view>;
  { P::apply(k, code) }
  noexcept->std::same_as<std::int64_t>;
};

/// Divides the codes of one row by their Euclidean norm.
template <class P>
concept l2_rule_policy = named<P> && requires(std::span<const std::int64_t> x, std::int32_t z,
                                              code_range t, std::span<std::int64_t> y) {
  { P::row(x, z, t, y) }
  noexcept;
};

/// Turns a float32 value into a plain integer.
template <class P>
concept float_cast_policy = named<P> && requires(float x, element_type to) {
  { P::of(x, to) }
  noexcept->std::same_as<std::int64_t>;
};

}  // namespace bittwin::inline v1
