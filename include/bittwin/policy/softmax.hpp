// SPDX-License-Identifier: Apache-2.0
// Softmax of one row of 8-bit codes:  p[c] = e^(beta s x[c]) / sum of e^(beta s x[k]),  code = p /
// scale + zero_point.
//   fixed_point  a Q0.31 table of e^(beta s d), d in Q5.26, Q12.19 sum, Q0.31 reciprocal
//   table_16     int16: two tables of 513 values with interpolation, e^x on [-10, 0] and 1 / (1 + x) on [0, 1]
//   float_table  a float32 table of e^(-beta s d), float32 sum in row order, one product a code
#pragma once

#include <array>
#include <bittwin/policy/fixed_point_exp.hpp>
#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/elementary.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <span>
#include <string_view>

namespace bittwin::inline v1 {

/// Constants of one layer; a rule fills those that it uses.
struct softmax_constants {
  affine in, out;
  float beta = 1.0F;
  code_range output_type;
  int output_bits = 8;
  multiplier scale;
  std::int32_t lowest_difference = 0;
  multiplier back;
  std::int32_t exp_table_q31[256] = {};  ///< of the differences 0, -1, -2 ...
  float exp_table[256] = {};
  std::array<std::int16_t, 513> exp_table_16{}, reciprocal_table_16{};
};

}  // namespace bittwin::inline v1

namespace bittwin::softmax_rules::inline v1 {

/// Differences below -31 / (beta s) contribute nothing and give the lowest code.
/// source  TFLite reference/softmax.h, quantization_util.cc PreprocessSoftmaxScaling,
/// CalculateInputRadius
template <class Multiplier, class Rescale> struct fixed_point {
  static constexpr std::string_view name = "fixed-point";
  using rescale = Rescale;

  static constexpr void prepare(softmax_constants& c) noexcept {
    const double unit =
        ieee::multiply(ieee::convert<double>(c.beta), ieee::convert<double>(c.in.scale));
    const double real = ieee::multiply(unit, static_cast<double>(1 << 26));
    constexpr double greatest = Multiplier::greatest_real;
    c.scale = Multiplier::of(ieee::less(greatest, real) ? greatest : real);
    const std::int64_t radius =
        (BITTWIN_MUTABLE(std::int64_t{31}, softmax_radius, 3) << 26) >> (c.scale.exponent & 63);
    c.lowest_difference = -static_cast<std::int32_t>(radius);
    for (std::int32_t d = 0; d < 256; ++d)
      c.exp_table_q31[d] = d <= radius ? bittwin::fixed_point::exp_of_negative(
                                             wrap_cast<std::int32_t>(Rescale::apply(-d, c.scale)))
                                       : 0;
  }

  template <class In, class Sink>
  static constexpr void row(const softmax_constants& c, const In* x, std::int64_t depth,
                            Sink store) noexcept {
    const auto at = [x](std::int64_t i) { return static_cast<std::int32_t>(x[i]); };
    std::int32_t largest = at(0);
    for (std::int64_t i = 1; i < depth; ++i) largest = at(i) > largest ? at(i) : largest;
    std::int32_t sum = 0;  // Q12.19
    for (std::int64_t i = 0; i < depth; ++i)
      sum = bittwin::fixed_point::sum(
          sum, bittwin::fixed_point::divide_by_power(c.exp_table_q31[largest - at(i)],
                                                     BITTWIN_MUTABLE(12, softmax_sum_bits, 11)));
    const int headroom = std::countl_zero(static_cast<std::uint32_t>(sum));
    const auto mantissa =
        wrap_cast<std::int32_t>((std::int64_t{sum} << headroom) - (std::int64_t{1} << 31));
    const std::int32_t reciprocal = bittwin::fixed_point::one_over_one_plus(mantissa);
    const int shift = 12 - headroom + 31 - c.output_bits;
    for (std::int64_t i = 0; i < depth; ++i) {
      const std::int64_t code =
          c.output_type.low +
          bittwin::fixed_point::divide_by_power(
              bittwin::fixed_point::multiply(reciprocal, c.exp_table_q31[largest - at(i)]), shift);
      store(i, clamp_to(code, c.output_type.low, c.output_type.high));
    }
  }
};

/// source  TFLite optimized_ops.h Softmax, PopulateSoftmaxLookupTable (R = half_away)
template <rounding::policy R> struct float_table {
  static constexpr std::string_view name = "float-table";

  static constexpr void prepare(softmax_constants& c) noexcept {
    const float unit = ieee::multiply(ieee::negate(c.in.scale), c.beta);
    for (int d = 0; d < 256; ++d)
      c.exp_table[d] = elementary::exp(ieee::multiply(unit, static_cast<float>(d)));
  }

  template <class In, class Sink>
  static constexpr void row(const softmax_constants& c, const In* x, std::int64_t depth,
                            Sink store) noexcept {
    const auto at = [x](std::int64_t i) { return static_cast<std::int32_t>(x[i]); };
    std::int32_t largest = at(0);
    for (std::int64_t i = 1; BITTWIN_MUTABLE(i < depth, softmax_row_end, i < depth - 1); ++i)
      largest = at(i) > largest ? at(i) : largest;
    float sum = 0.0F;
    for (std::int64_t i = 0; i < depth; ++i) sum = ieee::add(sum, c.exp_table[largest - at(i)]);
    const float reciprocal = ieee::divide(1.0F, ieee::multiply(sum, c.out.scale));
    for (std::int64_t i = 0; i < depth; ++i) {
      const float p = ieee::multiply(c.exp_table[largest - at(i)], reciprocal);
      store(i, clamp_to(rounding::to_integer<R>(p) +
                            BITTWIN_MUTABLE(c.out.zero_point, softmax_zero_point, 0),
                        c.output_type.low, c.output_type.high));
    }
  }
};

}  // namespace bittwin::softmax_rules::inline v1
