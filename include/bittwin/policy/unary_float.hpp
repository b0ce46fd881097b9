// SPDX-License-Identifier: Apache-2.0
// Rules that go through float32:  code = R( f(scale (code - zero_point)) * (1 / out scale) ) + out zero_point
// The functions f are composed as the sources compose them, each step rounded to float32.
#pragma once

#include <bittwin/policy/float_code.hpp>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/policy/unary.hpp>
#include <bittwin/types/elementary_log.hpp>
#include <bittwin/types/elementary_sqrt.hpp>
#include <bittwin/types/elementary_tanh.hpp>

namespace bittwin::float_functions::inline v1 {

/// 1 / (1 + e^-x)
struct logistic {
  static constexpr std::string_view name = "logistic";
  static constexpr float of(float x) noexcept {
    return ieee::divide(1.0F, ieee::add(1.0F, elementary::exp(ieee::negate(x))));
  }
};

struct tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr float of(float x) noexcept { return elementary::tanh(x); }
};

/// e^x - 1 below zero, x above
struct elu {
  static constexpr std::string_view name = "elu";
  static constexpr float of(float x) noexcept {
    return ieee::less(x, 0.0F) ? elementary::expm1(x) : x;
  }
};

/// The same with e^x rounded before 1 is subtracted.  source  TFLM elu.cc
struct elu_through_exp {
  static constexpr std::string_view name = "elu-through-exp";
  static constexpr float of(float x) noexcept {
    return ieee::less(x, 0.0F) ? ieee::subtract(elementary::exp(x), 1.0F) : x;
  }
};

struct exp {
  static constexpr std::string_view name = "exp";
  static constexpr float of(float x) noexcept { return elementary::exp(x); }
};

/// Values below zero count as zero.
struct sqrt {
  static constexpr std::string_view name = "sqrt";
  static constexpr float of(float x) noexcept {
    return ieee::less(x, 0.0F) ? 0.0F : elementary::sqrt(x);
  }
};

}  // namespace bittwin::float_functions::inline v1

namespace bittwin::unary_rules::inline v1 {

/// Any output grid.
struct any_grid {
  static constexpr std::string_view name = "any-grid";
  static constexpr std::string_view refuses(const unary_constants&) noexcept { return {}; }
};

/// LOGISTIC: 8-bit results have scale 1/256.  source  TFLite activations.cc SigmoidPrepare
struct of_256ths {
  static constexpr std::string_view name = "of-256ths";
  static constexpr std::string_view refuses(const unary_constants& c) noexcept {
    return bittwin::detail::is_power(c.out.scale, 8) ? std::string_view{}
                                                     : "the output scale must be 1/256";
  }
};

/// source  TFLite activations.cc PopulateLookupTable (R = half_away); XNNPACK lut-elementwise-nc.c (R = half_even)
template <class Function, rounding::policy R, class Grid = any_grid> struct through_float {
  static constexpr std::string_view name = "through-float32";
  using function = Function;
  using grid = Grid;

  static std::string_view prepare(unary_constants& c) {
    c.reciprocal = ieee::divide(1.0F, c.out.scale);
    return Grid::refuses(c);
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    const float y = Function::of(float_code::real_of(code, c.in));
    const std::int64_t scaled = rounding::to_integer<R>(ieee::multiply(y, c.reciprocal));
    const code_range type = range_of(c.type);
    return clamp_to(scaled + c.out.zero_point, type.low, type.high);
  }
};

}  // namespace bittwin::unary_rules::inline v1
