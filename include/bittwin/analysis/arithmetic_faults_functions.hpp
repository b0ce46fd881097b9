// SPDX-License-Identifier: Apache-2.0
// The arithmetic of faulty devices: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/arithmetic_faults.hpp>
#include <bittwin/analysis/faulty_sums.hpp>
#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/kernel/depthwise_conv2d.hpp>
#include <bittwin/kernel/fully_connected.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/policy/stages.hpp>
#include <cmath>
#include <cstdint>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// A dot product by another accumulator; int16 activations keep theirs where `Wide` is false.
template <class Sum, bool Wide = false> void sum_by(dot_product_rule& r, layer_kind kind) {
  using bittwin::detail::run_conv2d, bittwin::detail::run_depthwise_conv2d;
  using bittwin::detail::run_fully_connected;
  const auto put = [&](auto int8, auto uint8) { r.run_int8 = int8, r.run_uint8 = uint8; };
  switch (kind) {
    case layer_kind::conv2d:
      put(&run_conv2d<Sum, std::int8_t>, &run_conv2d<Sum, std::uint8_t>);
      if constexpr (Wide) r.run_int16 = &run_conv2d<Sum, std::int16_t>;
      break;
    case layer_kind::depthwise_conv2d:
      put(&run_depthwise_conv2d<Sum, std::int8_t>, &run_depthwise_conv2d<Sum, std::uint8_t>);
      if constexpr (Wide) r.run_int16 = &run_depthwise_conv2d<Sum, std::int16_t>;
      break;
    case layer_kind::fully_connected:
      put(&run_fully_connected<Sum, std::int8_t>, &run_fully_connected<Sum, std::uint8_t>);
      if constexpr (Wide) r.run_int16 = &run_fully_connected<Sum, std::int16_t>;
      break;
  }
}

template <class Stages, class Narrowing> void stored_by(requantize_rule& r) {
  r.steps.stages = &Stages::apply;
  r.steps.narrow = &Narrowing::apply;
}
template <class Rescale> void rescaled_by(requantize_rule& r) { r.steps.rescale = &Rescale::apply; }

/// The activation's bounds, which hold for codes, are applied before the zero point is added.
struct bounds_then_offset {
  static std::int64_t apply(std::int64_t scaled, std::int64_t zero_point, code_range clamp,
                            code_range) noexcept {
    return clamp_to(scaled, clamp.low, clamp.high) + zero_point;
  }
};
/// The low bits are kept, and only then the activation's bounds are applied.
struct wrap_then_clamp {
  static std::int64_t apply(std::int64_t scaled, std::int64_t zero_point, code_range clamp,
                            code_range type) noexcept {
    return clamp_to(narrowing::wrap::apply(scaled + zero_point, type), clamp.low, clamp.high);
  }
};

[[nodiscard]] inline std::int64_t half_away_of(double value) noexcept {
  return static_cast<std::int64_t>(std::round(std::clamp(value, -0x1p52, 0x1p52)));
}

/// The clamp is applied to the sum, before it is scaled; its bounds with or without the zero point taken off.
template <bool Centred>
std::int64_t clamp_before_scale(std::int64_t acc, const multiplier& m, std::int64_t zero_point,
                                code_range clamp, code_range type) noexcept {
  const std::int64_t off = Centred ? zero_point : 0;
  const std::int64_t sum = clamp_to(acc, clamp.low - off, clamp.high - off);
  return clamp_to(half_away_of(static_cast<double>(sum) * m.real) + zero_point, type.low,
                  type.high);
}

/// Ratios of a sum's scales, the nearest powers of two where wanted: false where they are powers of two already.
template <bool PowerOfTwo> bool prepare_ratios(addition_constants& c) noexcept {
  const auto ratio = [&](float scale) {
    const double r = double{scale} / double{c.out.scale};
    return PowerOfTwo ? std::exp2(std::round(std::log2(r))) : r;
  };
  c.first.real = ratio(c.a.scale);
  c.second.real = ratio(c.b.scale);
  return !PowerOfTwo || c.first.real != double{c.a.scale} / double{c.out.scale} ||
         c.second.real != double{c.b.scale} / double{c.out.scale};
}
/// Each operand is rounded on the output's grid before they are added, or the sum once. ties  away from zero
template <bool EachOperand>
std::int64_t add_ratios(const addition_constants& c, std::int64_t a, std::int64_t b) noexcept {
  const double first = static_cast<double>(a - c.a.zero_point) * c.first.real;
  const double second = c.sign * static_cast<double>(b - c.b.zero_point) * c.second.real;
  const std::int64_t sum =
      EachOperand ? half_away_of(first) + half_away_of(second) : half_away_of(first + second);
  return sum + c.out.zero_point;
}
template <bool PowerOfTwo, bool EachOperand> void sum_of_ratios(addition_rule& r) {
  r.prepare = &prepare_ratios<PowerOfTwo>;
  r.apply = &add_ratios<EachOperand>;
}
template <class Rule> void sum_by_rule(addition_rule& r) {
  r.prepare = &Rule::prepare;
  r.apply = &Rule::apply;
}
/// Nothing is clamped and the low bits are stored.
inline void wrap_sum(addition_rule& r) {
  r.bounds = [](activation, affine, code_range) noexcept {
    return code_range{INT32_MIN, INT32_MAX};
  };
  r.narrow = &narrowing::wrap::apply;
}

template <class R> void divide_by(pool_rule& r) {
  r.divide = &pool_division::of_raw_codes<R>::apply;
}

[[nodiscard]] inline rule_change layers(void (*f)(dot_product_rule&, layer_kind)) {
  return {f, nullptr, nullptr, nullptr};
}
[[nodiscard]] inline rule_change rescales(void (*f)(requantize_rule&)) {
  return {nullptr, f, nullptr, nullptr};
}
[[nodiscard]] inline rule_change sums(void (*f)(addition_rule&)) {
  return {nullptr, nullptr, f, nullptr};
}
[[nodiscard]] inline rule_change pools(void (*f)(pool_rule&)) {
  return {nullptr, nullptr, nullptr, f};
}

}  // namespace detail

bool arithmetic_fault::concerns(const graph::operation& op) const {
  using code = graph::operator_code;
  switch (op.code) {
    case code::conv_2d:
    case code::depthwise_conv_2d:
    case code::fully_connected: return change.layer != nullptr || change.requantize != nullptr;
    case code::transpose_conv:
    case code::mul:
    case code::quantize:
    case code::relu:
    case code::relu6:
    case code::relu_n1_to_1: return change.requantize != nullptr;
    case code::add:
    case code::sub: return change.sum != nullptr;
    case code::average_pool_2d: return change.pool != nullptr;
    default: return false;
  }
}

const std::vector<arithmetic_fault>& arithmetic_faults() {
  using namespace detail;
  using namespace faulty_sums;
  using accumulator::saturating, accumulator::wrapping;
  using q31 = multipliers::q31<rounding::half_away>;
  using twice = rescale::q31_two_step<rounding::half_up, rounding::half_away>;
  static const std::vector<arithmetic_fault> all = {
      {"ACCUMULATOR_16", "ACCUMULATOR_WRAP", "sums wrap at 16 bits",
       layers(&sum_by<wrapping<std::int16_t>>)},
      {"ACCUMULATOR_16", "ACCUMULATOR_WRAP", "products are summed in 16 bits and wrap there",
       layers(&sum_by<bias_behind<wrapping<std::int16_t>>>)},
      {"ACCUMULATOR_16", "ACCUMULATOR_SATURATE", "sums saturate at 16 bits",
       layers(&sum_by<saturating<std::int16_t>>)},
      {"ACCUMULATOR_16", "ACCUMULATOR_SATURATE",
       "products are summed in 16 bits and saturate there",
       layers(&sum_by<bias_behind<saturating<std::int16_t>>>)},
      {"ACCUMULATOR_WRAP", "", "sums wrap at 32 bits",
       layers(&sum_by<wrapping<std::int32_t>, true>)},
      {"ACCUMULATOR_SATURATE", "", "sums saturate at 32 bits",
       layers(&sum_by<saturating<std::int32_t>, true>)},
      {"PAIR_SATURATION", "", "products of neighbours are summed with saturation at 16 bits",
       layers(&sum_by<pairs<centred, saturated>>)},
      {"PAIR_SATURATION", "",
       "products of neighbours, of codes as stored, are summed with saturation at 16 bits",
       layers(&sum_by<pairs<stored, saturated>>)},
      {"PAIR_SATURATION", "",
       "products of neighbours, of codes with 128 added, are summed with saturation at 16 bits",
       layers(&sum_by<pairs<raised, saturated>>)},
      {"ACCUMULATOR_16", "ACCUMULATOR_WRAP", "products of neighbours share 16 bits, which wrap",
       layers(&sum_by<pairs<centred, wrapped>>)},
      {"ACCUMULATOR_16", "ACCUMULATOR_WRAP",
       "products of neighbours, of codes as stored, share 16 bits, which wrap",
       layers(&sum_by<pairs<stored, wrapped>>)},
      {"WEIGHTS_AS_U8", "", "the bits of negative weights are read as uint8",
       layers(&sum_by<misread<unsigned_weights>>)},
      {"WEIGHTS_AS_U8", "", "negative weights were saturated to 0, as uint8 has none",
       layers(&sum_by<misread<no_negative_weights>>)},
      {"INPUT_ZERO_POINT", "", "the input's zero point is subtracted in 8 bits, which wrap",
       layers(&sum_by<misread<narrow_difference>>)},
      {"CLAMP_BEFORE_ZERO_POINT", "", "results saturate before the zero point is added",
       rescales(&stored_by<stages::type_clamp_then_offset, narrowing::saturate>)},
      {"CLAMP_BEFORE_ZERO_POINT", "",
       "results saturate before the zero point is added, and wrap behind it",
       rescales(&stored_by<stages::type_clamp_then_offset, narrowing::wrap>)},
      {"CLAMP_BEFORE_ZERO_POINT", "",
       "the activation's bounds are applied before the zero point is added",
       rescales(&stored_by<bounds_then_offset, narrowing::saturate>)},
      {"CLAMP_BEFORE_SCALE", "", "the clamp is applied to sums before they are scaled",
       rescales([](requantize_rule& r) { r.apply = &clamp_before_scale<true>; }), true},
      {"CLAMP_BEFORE_SCALE", "",
       "the clamp is applied to sums before they are scaled, its bounds as codes",
       rescales([](requantize_rule& r) { r.apply = &clamp_before_scale<false>; }), true},
      {"OUTPUT_WRAP", "", "results beyond the type wrap instead of saturating",
       rescales(&stored_by<stages::offset_only, narrowing::wrap>)},
      {"OUTPUT_WRAP", "", "results beyond the type wrap before the activation's clamp",
       rescales(&stored_by<wrap_then_clamp, narrowing::saturate>)},
      {"OUTPUT_WRAP", "", "sums beyond the type wrap instead of saturating", sums(&wrap_sum)},
      {"ACCUMULATOR_WRAP", "", "the doubled product of sum and multiplier is cut to 32 bits",
       rescales(&rescaled_by<rescale::q31_one_step_int32>), true},
      {"MULTIPLIER_16BIT", "", "multipliers of 16 bits just below a power of two turn negative",
       rescales(&rescaled_by<rescale::q15_wrapping<rounding::half_up>>), true},
      {"ADD_NO_HEADROOM", "", "each operand is rounded on the output's grid before they are added",
       sums(&sum_by_rule<addition::per_operand<q31, twice>>), true},
      {"ADD_NO_HEADROOM", "",
       "each operand is rounded on the output's grid, ties away from zero, before they are added",
       sums(&sum_of_ratios<false, true>), true},
      {"POWER_OF_TWO_SCALE", "", "the ratios of a sum's scales are rounded to powers of two",
       sums(&sum_of_ratios<true, false>), true},
      {"POWER_OF_TWO_SCALE", "",
       "the ratios of a sum's scales are rounded to powers of two, and each operand is rounded",
       sums(&sum_of_ratios<true, true>), true},
      {"POOL_ROUNDING", "", "averages are rounded down", pools(&divide_by<rounding::floor>), true},
      {"POOL_ROUNDING", "", "averages are cut toward zero",
       pools(&divide_by<rounding::toward_zero>), true},
      {"POOL_ROUNDING", "", "averages are rounded with ties up",
       pools(&divide_by<rounding::half_up>), true},
      {"POOL_ROUNDING", "", "averages are rounded with ties to even",
       pools(&divide_by<rounding::half_even>), true},
  };
  return all;
}

}  // namespace bittwin::analysis::inline v1
