// SPDX-License-Identifier: Apache-2.0
// The constitution: what a value of each axis must offer. One concept an axis, one sentence a
// concept.
#pragma once

#include <bittwin/policy/accumulator.hpp>
#include <bittwin/policy/activation_bounds.hpp>
#include <bittwin/policy/choice.hpp>
#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/operand.hpp>
#include <bittwin/policy/placement.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/policy/scale_product.hpp>
#include <bittwin/policy/stages.hpp>
#include <bittwin/types/activation.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/quantization.hpp>
#include <concepts>
#include <cstdint>
#include <string_view>

namespace bittwin::inline v1 {

/// A policy has a name that reports print.
template <class P>
concept named = requires {
  { P::name } -> std::convertible_to<std::string_view>;
};

/// Forms the real multiplier of a layer from the scales of two operands and the output.
template <class P>
concept scale_product_policy = named<P> && requires(float s) {
  { P::of(s, s, s) }
  noexcept->std::same_as<double>;
};

/// Constructs a representation of a real multiplier.
template <class P>
concept multiplier_policy = named<P> && requires(double real) {
  { P::form } -> std::convertible_to<representation>;
  { P::of(real) }
  noexcept->std::same_as<multiplier>;
};

/// Applies such a representation to an accumulator.
template <class P>
concept rescale_policy = named<P> && requires(std::int64_t acc, const multiplier& m) {
  { P::form } -> std::convertible_to<representation>;
  { P::apply(acc, m) }
  noexcept->std::same_as<std::int64_t>;
};

/// A rescale that forms the product of scales itself (concepts, so that no lambda asks: clang 19 cannot).
template <class P>
concept takes_scales = requires {
  requires P::takes_scales;
};

/// One of those that leaves the bias in the sum.
template <class P>
concept keeps_bias = requires {
  requires P::keeps_bias;
};

/// Sums products, starting from a bias.
template <class P>
concept accumulator_policy = named<P> && std::constructible_from<P, std::int64_t> &&
    requires(P acc, const P& done, term t) {
  { P::order } -> std::convertible_to<tap_order>;
  { acc.add(t) }
  noexcept;
  { done.value() }
  noexcept->std::same_as<std::int64_t>;
};

/// Turns the real bounds of an activation into codes.
template <class P>
concept activation_bounds_policy = named<P> && requires(activation a, affine out, code_range t) {
  { P::codes(a, out, t) }
  noexcept->std::same_as<code_range>;
};

/// Orders zero point and clamp behind the rescale.
template <class P>
concept stages_policy = named<P> && requires(std::int64_t v, code_range r) {
  { P::apply(v, v, r, r) }
  noexcept->std::same_as<std::int64_t>;
};

/// Brings a code into the range of its type.
template <class P>
concept narrowing_policy = named<P> && requires(std::int64_t v, code_range r) {
  { P::apply(v, r) }
  noexcept->std::same_as<std::int64_t>;
};

/// Names the code that stands in the padding.
template <class P>
concept padding_policy = named<P> && requires(std::int32_t z) {
  { P::code(z) }
  noexcept->std::same_as<std::int32_t>;
};

/// Places the windows of one spatial axis.
template <class P>
concept placement_policy = named<P> && requires(padding_kind padding, std::int32_t extent) {
  { P::of(padding, extent, extent, extent, extent) }
  noexcept->std::same_as<window>;
};

/// Names the weight zero point that is subtracted.
template <class P>
concept weight_zero_point_policy = named<P> && requires(std::int32_t z) {
  { P::of(z) }
  noexcept->std::same_as<std::int32_t>;
};

/// Names the filter scale that an output channel uses.
template <class P>
concept scale_channel_policy = named<P> && requires(std::int64_t c) {
  { P::of(c, c) }
  noexcept->std::same_as<std::int64_t>;
};

/// Maps an output channel of a depthwise convolution to its input channel.
template <class P>
concept channel_order_policy = named<P> && requires(std::int32_t c) {
  { P::input_of(c, c, c) }
  noexcept->std::same_as<std::int32_t>;
};

}  // namespace bittwin::inline v1
