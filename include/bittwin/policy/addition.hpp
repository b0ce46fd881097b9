// SPDX-License-Identifier: Apache-2.0
// Sum and difference of two quantized operands:  code = (a_real + sign * b_real) / scale +
// zero_point.
//   left_shifted<B>  R( R((a - za) << B * ma) + sign * R((b - zb) << B * mb) ) * mo + zo,
//                    ma, mb = scale / (2 max scale), mo = 2 max scale / (2^B scale_out)
//   single_shift     (bias + a * ma + b * mb) >> shift + zo, ma, mb of at most 21 bits, ties up
// Results are codes before the clamp. prepare() is false where a layer lies outside what the rule
// represents.
#pragma once

#include <bit>
#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/quantization.hpp>
#include <string_view>

namespace bittwin::inline v1 {

/// Constants of one layer; a rule fills those that it uses.
struct addition_constants {
  affine a, b, out;
  std::int32_t sign = 1;  ///< -1 for a difference
  multiplier first, second, sum;
  std::int64_t bias = 0;
  std::int32_t shift = 0;
};

}  // namespace bittwin::inline v1

namespace bittwin::addition::inline v1 {

/// Output codes per code of each operand, about: where a search for a faster formula begins.
struct slopes {
  double a = 0, b = 0;
};

/// Double-precision scale ratios.
struct ratios_in_float64 {
  static constexpr std::string_view name = "float64";
  template <int LeftShift>
  static constexpr double output_ratio(float twice_largest, float out) noexcept {
    using ieee::convert;
    return ieee::divide(convert<double>(twice_largest),
                        ieee::multiply(static_cast<double>(1 << LeftShift), convert<double>(out)));
  }
  static constexpr double input_ratio(float scale, float twice_largest) noexcept {
    return ieee::divide(ieee::convert<double>(scale), ieee::convert<double>(twice_largest));
  }
};

/// Single-precision scale ratios.  source  TensorFlow Lite Micro sub_common.cc
struct ratios_in_float32 {
  static constexpr std::string_view name = "float32";
  template <int LeftShift>
  static constexpr double output_ratio(float twice_largest, float out) noexcept {
    return ieee::convert<double>(
        ieee::divide(twice_largest, ieee::multiply(static_cast<float>(1 << LeftShift), out)));
  }
  static constexpr double input_ratio(float scale, float twice_largest) noexcept {
    return ieee::convert<double>(ieee::divide(scale, twice_largest));
  }
};

/// source  TFLite reference/add.h (LeftShift 20 for 8 bits, 15 for 16 bits). A float32 doubles
/// exactly.
template <int LeftShift, class Multiplier, class Rescale, class Ratios = ratios_in_float64>
struct left_shifted {
  static constexpr std::string_view name = "left-shifted";
  using ratios = Ratios;
  using rescale = Rescale;

  static constexpr bool prepare(addition_constants& c) noexcept {
    const float largest = BITTWIN_MUTABLE(ieee::less(c.a.scale, c.b.scale), sum_smaller_scale,
                                          ieee::less(c.b.scale, c.a.scale))
                              ? c.b.scale
                              : c.a.scale;
    const float twice = ieee::multiply(2.0F, largest);
    c.first = Multiplier::of(Ratios::input_ratio(c.a.scale, twice));
    c.second = Multiplier::of(Ratios::input_ratio(c.b.scale, twice));
    c.sum = Multiplier::of(Ratios::template output_ratio<LeftShift>(twice, c.out.scale));
    return true;
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const std::int64_t unit = std::int64_t{1} << LeftShift;
    const std::int64_t first = Rescale::apply((a - c.a.zero_point) * unit, c.first);
    const std::int64_t second =
        Rescale::apply(BITTWIN_MUTABLE((b - c.b.zero_point) * unit, sum_headroom,
                                       (b - c.b.zero_point) * (unit / 2)),
                       c.second);
    return Rescale::apply(first + c.sign * second, c.sum) + c.out.zero_point;
  }
  static constexpr slopes slopes_of(const addition_constants& c) noexcept {
    return {c.first.real * c.sum.real * (1 << LeftShift),
            c.second.real * c.sum.real * c.sign * (1 << LeftShift)};
  }
};

namespace detail {

/// ratio * 2^shift, ties to even. The scaling is by a power of two, hence exact.
[[nodiscard]] constexpr std::int32_t fixed_point(float ratio, int shift) noexcept {
  const ieee::parts p = ieee::split(ratio);
  const int exponent = p.exponent + shift;
  const auto significand = static_cast<std::int64_t>(p.significand);
  return static_cast<std::int32_t>(exponent >= 0
                                       ? significand << exponent
                                       : rounding::shift_right<rounding::half_even>(
                                             significand, -exponent > 60 ? 60 : -exponent));
}

/// floor(log2(x)) of the larger of two.
[[nodiscard]] constexpr int exponent_of_largest(float a, float b) noexcept {
  const ieee::parts largest = ieee::split(ieee::less(a, b) ? b : a);
  return largest.exponent + 63 - std::countl_zero(largest.significand);
}

}  // namespace detail

/// source  XNNPACK microparams-init.c xnn_init_qs8_add_minmax_params; shift in [12, 30]
struct single_shift {
  static constexpr std::string_view name = "single-shift";

  static constexpr bool prepare(addition_constants& c) noexcept {
    const float a = ieee::divide(c.a.scale, c.out.scale);
    const float b = ieee::divide(c.b.scale, c.out.scale);
    const int exponent = detail::exponent_of_largest(a, b);
    c.shift = BITTWIN_MUTABLE(20 - exponent, single_shift_precision, 19 - exponent);
    if (BITTWIN_MUTABLE(c.shift < 12, single_shift_least, c.shift < 11) ||
        BITTWIN_MUTABLE(c.shift > 30, single_shift_most, c.shift > 29))
      return false;
    c.first.mantissa = detail::fixed_point(a, c.shift);
    c.second.mantissa = c.sign * detail::fixed_point(b, c.shift);
    c.bias = BITTWIN_MUTABLE((std::int64_t{1} << (c.shift - 1)), single_shift_half, 0) -
             std::int64_t{c.first.mantissa} * c.a.zero_point -
             std::int64_t{c.second.mantissa} * c.b.zero_point;
    return true;
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const std::int64_t sum = c.bias + a * c.first.mantissa + b * c.second.mantissa;
    return (sum >> c.shift) + c.out.zero_point;
  }
  static constexpr slopes slopes_of(const addition_constants& c) noexcept {
    const double unit = static_cast<double>(std::int64_t{1} << c.shift);
    return {c.first.mantissa / unit, c.second.mantissa / unit};
  }
};

/// Fault ADD_NO_HEADROOM: each operand is rounded on the output grid before the sum.
template <class Multiplier, class Rescale> struct per_operand {
  static constexpr std::string_view name = "per-operand";

  static constexpr bool prepare(addition_constants& c) noexcept {
    c.first = Multiplier::of(ratios_in_float64::input_ratio(c.a.scale, c.out.scale));
    c.second = Multiplier::of(ratios_in_float64::input_ratio(c.b.scale, c.out.scale));
    return true;
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    return Rescale::apply(a - c.a.zero_point, c.first) +
           c.sign * Rescale::apply(b - c.b.zero_point, c.second) + c.out.zero_point;
  }
};

/// Fault ADD_SCALE_IGNORED: both operands are read with the first one's scale.
template <class Base> struct first_scale_for_both {
  static constexpr std::string_view name = "first-scale-for-both";
  static constexpr bool prepare(addition_constants& c) noexcept {
    c.b.scale = c.a.scale;
    return Base::prepare(c);
  }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    return Base::apply(c, a, b);
  }
};

/// Fault ADD_OPERAND_LOST: the second operand contributes nothing.
template <class Base> struct second_operand_lost {
  static constexpr std::string_view name = "second-operand-lost";
  static constexpr bool prepare(addition_constants& c) noexcept { return Base::prepare(c); }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t) noexcept {
    return Base::apply(c, a, c.b.zero_point);
  }
};

/// Fault ADD_OPERAND_LOST, only where both operands share a scale that is no power of two: the
/// second one's register overflows to 0. source  pytorch/executorch issue 21151
template <class Base> struct second_lost_at_equal_scales {
  static constexpr std::string_view name = "second-lost-at-equal-scales";
  static constexpr bool prepare(addition_constants& c) noexcept { return Base::prepare(c); }
  static constexpr std::int64_t apply(const addition_constants& c, std::int64_t a,
                                      std::int64_t b) noexcept {
    const bool lost = ieee::equal(c.a.scale, c.b.scale) &&
                      !std::has_single_bit(ieee::split(c.a.scale).significand);
    return Base::apply(c, a, lost ? c.b.zero_point : b);
  }
};

}  // namespace bittwin::addition::inline v1
