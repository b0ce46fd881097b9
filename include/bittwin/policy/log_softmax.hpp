// SPDX-License-Identifier: Apache-2.0
// LOG_SOFTMAX of one row of 8-bit codes:  code = (x[c] - max - log sum e^(x[k] - max)) * 16 + highest code
//   fixed_log     Q5.26 differences, Q12.19 sum, fixed-point logarithm
//   float_log     a float32 table of e^-d, float32 sum in row order, float32 logarithm
// Differences that fall below the 8-bit range give the lowest code.
#pragma once

#include <bittwin/policy/fixed_point_log.hpp>
#include <bittwin/policy/softmax.hpp>
#include <bittwin/types/elementary_log.hpp>

namespace bittwin::softmax_rules::inline v1 {

/// source  TFLite reference/log_softmax.h LogSoftmaxQuantized
template <class Multiplier, class Rescale> struct fixed_log {
  static constexpr std::string_view name = "fixed-point-log";
  using rescale = Rescale;

  static constexpr void prepare(softmax_constants& c) noexcept {
    fixed_point<Multiplier, Rescale>::prepare(c);
    if (c.scale.mantissa == 0) return;  // a scale below 2^-57
    // 2^(31 - exponent) / mantissa, what brings Q5.26 back to differences of codes
    const int up = 31 - c.scale.exponent;
    const double power = up >= 0 && up < 63 ? ieee::from_integer<double>(std::int64_t{1} << up)
                                            : ieee::from_integer<double>(1);
    c.back = Multiplier::of(ieee::divide(power, ieee::from_integer<double>(c.scale.mantissa)));
  }

  template <class In, class Sink>
  static constexpr void row(const softmax_constants& c, const In* x, std::int64_t depth,
                            Sink store) noexcept {
    namespace fixed = bittwin::fixed_point;
    const auto at = [x](std::int64_t i) { return static_cast<std::int32_t>(x[i]); };
    std::int32_t largest = at(0);
    for (std::int64_t i = 1; i < depth; ++i) largest = at(i) > largest ? at(i) : largest;
    const auto q5 = [&](std::int64_t i) {
      return wrap_cast<std::int32_t>(Rescale::apply(at(i) - largest, c.scale));
    };
    std::int32_t sum = 0;  // Q12.19
    for (std::int64_t i = 0; i < depth; ++i)
      sum = fixed::sum(sum, fixed::divide_by_power(c.exp_table_q31[largest - at(i)], 12));
    const std::int32_t log = fixed::log_q12(sum);
    const std::int64_t reachable = wrap_cast<std::int32_t>(
        Rescale::apply(fixed::sum(log, std::numeric_limits<std::int32_t>::min()), c.back));
    const std::int64_t below = c.lowest_difference - 1;
    const std::int64_t excluded = reachable > below ? reachable : below;
    for (std::int64_t i = 0; i < depth; ++i) {
      std::int64_t code = c.output_type.low;
      if (at(i) - largest > excluded)
        code = fixed::divide_by_power(fixed::sum(q5(i), -log), 22) + c.output_type.high;
      store(i, clamp_to(code, c.output_type.low, c.output_type.high));
    }
  }
};

/// R( x (si / so) - (si max + log(sum)) / so ) + zo, in float32.
/// source  TFLite optimized_ops.h LogSoftmax (R = half_even)
template <rounding::policy R> struct float_log {
  static constexpr std::string_view name = "float-log";

  static constexpr void prepare(softmax_constants& c) noexcept { float_table<R>::prepare(c); }

  template <class In, class Sink>
  static constexpr void row(const softmax_constants& c, const In* x, std::int64_t depth,
                            Sink store) noexcept {
    using ieee::multiply;
    const auto at = [x](std::int64_t i) { return static_cast<std::int32_t>(x[i]); };
    std::int32_t largest = at(0);
    for (std::int64_t i = 1; i < depth; ++i) largest = at(i) > largest ? at(i) : largest;
    float sum = 0.0F;
    for (std::int64_t i = 0; i < depth; ++i) sum = ieee::add(sum, c.exp_table[largest - at(i)]);
    const float scale = ieee::divide(c.in.scale, c.out.scale);
    const float subtracted = ieee::divide(
        ieee::add(multiply(c.in.scale, ieee::from_integer<float>(largest)), elementary::log(sum)),
        c.out.scale);
    for (std::int64_t i = 0; i < depth; ++i) {
      const float value =
          ieee::subtract(multiply(ieee::from_integer<float>(at(i)), scale), subtracted);
      store(i, clamp_to(rounding::to_integer<R>(value) + c.out.zero_point, c.output_type.low,
                        c.output_type.high));
    }
  }
};

}  // namespace bittwin::softmax_rules::inline v1
