// SPDX-License-Identifier: Apache-2.0
// Averages of codes: the division of a pooling window, and the mean over axes.
//   pool:  R(sum of raw codes / count)
//   mean:  see each rule; n elements, scales si and so, zero points zi and zo
#pragma once

#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/policy/scale_product.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::inline v1 {

/// Constants of one mean; a rule fills those that it uses.
struct mean_constants {
  affine in, out;
  std::int64_t count = 1;
  multiplier scale;
  std::int64_t bias = 0;
};

}  // namespace bittwin::inline v1

namespace bittwin::pool_division::inline v1 {

/// Raw codes are divided, the zero point stays in.  source  TFLite integer_ops/pooling.h (R =
/// half_away)
template <rounding::policy R> struct of_raw_codes {
  static constexpr std::string_view name = "of-raw-codes";
  static constexpr std::int64_t apply(std::int64_t sum, std::int64_t count, std::int32_t) noexcept {
    return rounding::divide<R>(sum, BITTWIN_MUTABLE(count, pool_divisor, count + 1));
  }
};

/// The zero point is subtracted before the division and added after it.  source  TOSA AVG_POOL2D
template <rounding::policy R> struct of_centred_codes {
  static constexpr std::string_view name = "of-centred-codes";
  static constexpr std::int64_t apply(std::int64_t sum, std::int64_t count,
                                      std::int32_t zero_point) noexcept {
    return rounding::divide<R>(sum - count * zero_point, count) + zero_point;
  }
};

/// R(R(sum * a / 2^16) * b / 2^16): one reciprocal an axis.  a, b  registers, about 2^16 / extent
/// source  nvdla/hw cmod/pdp (R = half_away)
template <rounding::policy R> struct two_reciprocals {
  static constexpr std::string_view name = "two-reciprocals";
  static constexpr std::int64_t apply(std::int64_t sum, std::int64_t a, std::int64_t b) noexcept {
    return rounding::shift_right<R>(rounding::shift_right<R>(sum * a, 16) * b, 16);
  }
};

/// R(sum * factor / 2^shift): 1/4, 7/64, 10/256, 7/256, 21/1024, 21/4096 for 2x2, 3x3, 5x5, 6x6, 7x7, 14x14.
/// Nothing for other windows: their factors come from a search that is not modelled.
/// source  Vitis-AI cpu_task pool-fix (R = half_up)
struct window_fraction {
  std::int64_t factor = 0;
  int shift = 0;
};
[[nodiscard]] constexpr window_fraction fraction_of_square(std::int64_t side) noexcept {
  switch (side) {
    case 1: return {1, 0};
    case 2: return {1, 2};
    case 3: return {7, 6};
    case 4: return {1, 4};
    case 5: return {10, 8};
    case 6: return {7, 8};
    case 7: return {21, 10};
    case 8: return {1, 6};
    case 14: return {21, 12};
    default: return {};
  }
}
template <rounding::policy R> struct by_fraction {
  static constexpr std::string_view name = "by-fraction";
  static constexpr std::int64_t apply(std::int64_t sum, window_fraction f) noexcept {
    return rounding::shift_right<R>(sum * f.factor, f.shift);
  }
};

}  // namespace bittwin::pool_division::inline v1

namespace bittwin::pool_count::inline v1 {

/// Taps inside the input.
struct inside {
  static constexpr std::string_view name = "inside";
  static constexpr bool counts_padding = false;
};

/// Fault POOL_INCLUDES_PAD: every tap of the window, padding read as padding::code.
struct whole_window {
  static constexpr std::string_view name = "whole-window";
  static constexpr bool counts_padding = true;
};

}  // namespace bittwin::pool_count::inline v1

namespace bittwin::mean_rules::inline v1 {

/// R((sum - n zi) * m) + zo, m = QM(si / so) with 1/n cut into its mantissa, rounded toward zero.
/// source  TFLM reference/reduce.h QuantizedMeanOrSum
template <class Multiplier, class Rescale> struct count_in_multiplier {
  static constexpr std::string_view name = "count-in-multiplier";
  using rescale = Rescale;

  static constexpr void prepare(mean_constants& c) noexcept {
    c.scale = Multiplier::of(scale_product::in_float64::of(c.in.scale, 1.0F, c.out.scale));
    int shift = BITTWIN_MUTABLE(63, mean_count_shift, 62) -
                std::countl_zero(static_cast<std::uint64_t>(c.count));
    if (shift > 32) shift = 32;
    if (shift > 31 + c.scale.exponent) shift = 31 + c.scale.exponent;
    c.scale.mantissa =
        static_cast<std::int32_t>((std::int64_t{c.scale.mantissa} << shift) / c.count);
    c.scale.exponent -= shift;
  }
  static constexpr std::int64_t apply(const mean_constants& c, std::int64_t sum) noexcept {
    return Rescale::apply(sum - c.in.zero_point * BITTWIN_MUTABLE(c.count, mean_zero_point_once, 1),
                          c.scale) +
           c.out.zero_point;
  }
};

/// R(sum * m) + zo - B(zi si / so), m = QM(float32(si / (so n))): the zero points fold into one bias.
/// source  TFLite optimized_ops.h Mean, integer_ops/mean.h (B = half_away)
template <class Multiplier, class Rescale, rounding::policy B> struct folded_zero_points {
  static constexpr std::string_view name = "folded-zero-points";
  using rescale = Rescale;

  static constexpr void prepare(mean_constants& c) noexcept {
    const float zero = ieee::divide(
        ieee::multiply(ieee::from_integer<float>(c.in.zero_point), c.in.scale), c.out.scale);
    c.bias = c.out.zero_point - BITTWIN_MUTABLE(rounding::to_integer<B>(zero), mean_folded_rounding,
                                                rounding::to_integer<rounding::toward_zero>(zero));
    const float per_element =
        ieee::divide(c.in.scale, ieee::multiply(ieee::from_integer<float>(c.count), c.out.scale));
    c.scale = Multiplier::of(ieee::convert<double>(per_element));
  }
  static constexpr std::int64_t apply(const mean_constants& c, std::int64_t sum) noexcept {
    return Rescale::apply(sum, c.scale) + c.bias;
  }
};

/// R(sum of raw codes / n): for equal quantization of input and output.
template <rounding::policy R> struct of_raw_codes {
  static constexpr std::string_view name = "of-raw-codes";
  static constexpr void prepare(mean_constants&) noexcept {}
  static constexpr std::int64_t apply(const mean_constants& c, std::int64_t sum) noexcept {
    return rounding::divide<R>(sum, BITTWIN_MUTABLE(c.count, mean_raw_count, c.count + 1));
  }
};

/// R(sum / n * (si / so) - zi * (si / so)) + zo, every step in float32.
/// source  TFLite reference/reduce.h QuantizedMeanOrSum before 2023 (R = half_away)
template <rounding::policy R> struct in_float32 {
  static constexpr std::string_view name = "float32";
  static constexpr void prepare(mean_constants& c) noexcept {
    c.scale.real = ieee::convert<double>(ieee::divide(c.in.scale, c.out.scale));
  }
  static constexpr std::int64_t apply(const mean_constants& c, std::int64_t sum) noexcept {
    const float ratio = ieee::convert<float>(c.scale.real);
    const float bias =
        ieee::negate(ieee::multiply(ieee::from_integer<float>(c.in.zero_point), ratio));
    const float mean =
        ieee::divide(ieee::from_integer<float>(sum), ieee::from_integer<float>(c.count));
    return rounding::to_integer<R>(ieee::add(ieee::multiply(mean, ratio), bias)) + c.out.zero_point;
  }
};

/// R(float32(sum - n zi) * float32(si / (so n))) + zo.
/// source  XNNPACK global average pooling, fp32 (R = half_even)
template <rounding::policy R> struct float32_multiply {
  static constexpr std::string_view name = "float32-multiply";
  static constexpr void prepare(mean_constants& c) noexcept {
    c.scale.real = ieee::convert<double>(
        ieee::divide(c.in.scale, ieee::multiply(c.out.scale, ieee::from_integer<float>(c.count))));
  }
  static constexpr std::int64_t apply(const mean_constants& c, std::int64_t sum) noexcept {
    return rescale::float32_multiply<R>::apply(sum - c.in.zero_point * c.count, c.scale) +
           c.out.zero_point;
  }
};

/// Fault INPUT_ZERO_POINT: the input's zero point is taken as 0.
template <class Base> struct input_zero_point_ignored {
  static constexpr std::string_view name = "input-zero-point-ignored";
  static constexpr void prepare(mean_constants& c) noexcept {
    c.in.zero_point = 0;
    Base::prepare(c);
  }
  static constexpr std::int64_t apply(const mean_constants& c, std::int64_t sum) noexcept {
    return Base::apply(c, sum);
  }
};

/// Fault MEAN_SCALE: the input is read with the output's scale.
template <class Base> struct scales_ignored {
  static constexpr std::string_view name = "scales-ignored";
  static constexpr void prepare(mean_constants& c) noexcept {
    c.in.scale = c.out.scale;
    Base::prepare(c);
  }
  static constexpr std::int64_t apply(const mean_constants& c, std::int64_t sum) noexcept {
    return Base::apply(c, sum);
  }
};

}  // namespace bittwin::mean_rules::inline v1
