// SPDX-License-Identifier: Apache-2.0
// From the sum of n raw codes to the code of the sum of their reals; scales si and so, zero points zi, zo.
//   rescaled      R( (sum - n zi) * QM(si / so) ) + zo
//   of_raw_codes  sum, zero points and all: for equal quantization of input and output
//   in_float32    R( sum * (si / so) - (zi * (si / so)) * n ) + zo, every step in float32
#pragma once

#include <bittwin/policy/averaging.hpp>

namespace bittwin::sum_rules::inline v1 {

/// source  TFLM reference/reduce.h QuantizedMeanOrSum
template <class Multiplier, class Rescale> struct rescaled {
  static constexpr std::string_view name = "rescaled";
  using rescale = Rescale;

  static constexpr void prepare(mean_constants& c) noexcept {
    c.scale = Multiplier::of(scale_product::in_float64::of(c.in.scale, 1.0F, c.out.scale));
  }
  static constexpr std::int64_t apply(const mean_constants& c, std::int64_t sum) noexcept {
    return Rescale::apply(sum - c.in.zero_point * c.count, c.scale) + c.out.zero_point;
  }
};

/// source  TFLite reduce.cc EvalSum, equal scales
struct of_raw_codes {
  static constexpr std::string_view name = "of-raw-codes";
  static constexpr void prepare(mean_constants&) noexcept {}
  static constexpr std::int64_t apply(const mean_constants&, std::int64_t sum) noexcept {
    return sum;
  }
};

/// source  TFLite reference/reduce.h QuantizedMeanOrSum before 2023 (R = half_away)
template <rounding::policy R> struct in_float32 {
  static constexpr std::string_view name = "float32";
  static constexpr void prepare(mean_constants& c) noexcept {
    c.scale.real = ieee::convert<double>(ieee::divide(c.in.scale, c.out.scale));
  }
  static constexpr std::int64_t apply(const mean_constants& c, std::int64_t sum) noexcept {
    const float ratio = ieee::convert<float>(c.scale.real);
    const float zero = ieee::multiply(ieee::from_integer<float>(-c.in.zero_point), ratio);
    const float bias = ieee::multiply(zero, ieee::from_integer<float>(c.count));
    const float scaled = ieee::multiply(ieee::from_integer<float>(sum), ratio);
    return rounding::to_integer<R>(ieee::add(scaled, bias)) + c.out.zero_point;
  }
};

}  // namespace bittwin::sum_rules::inline v1
