// SPDX-License-Identifier: Apache-2.0
// HARD_SWISH, LEAKY_RELU, RSQRT, ABS and NEG on integers.
#pragma once

#include <bittwin/policy/fixed_point_root.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/policy/scale_product.hpp>
#include <bittwin/policy/unary.hpp>
#include <bittwin/types/elementary_sqrt.hpp>

namespace bittwin::unary_rules::inline v1 {

namespace detail {

/// scaled + zero point in int32, modulo 2^32, then clamped to the type.
constexpr std::int64_t offset_and_clamp(const unary_constants& c, std::int64_t scaled) noexcept {
  const auto code = wrap_cast<std::int32_t>(scaled + c.out.zero_point);
  const code_range type = range_of(c.type);
  return clamp_to<std::int64_t>(code, type.low, type.high);
}

/// The low bits of a plain integer.
constexpr std::int64_t wrapped(element_type type, std::int64_t value) noexcept {
  switch (type) {
    case element_type::int8: return wrap_cast<std::int8_t>(value);
    case element_type::uint8: return wrap_cast<std::uint8_t>(value);
    case element_type::int16: return wrap_cast<std::int16_t>(value);
    case element_type::int32: return wrap_cast<std::int32_t>(value);
    default: return value;
  }
}

/// The upper half of a mantissa, rounded half up, at most 2^15 - 1.
/// source  TFLite common.h DownScaleInt32ToInt16Multiplier
constexpr multiplier upper_half(multiplier m) noexcept {
  const std::int64_t half = (std::int64_t{m.mantissa} + (1 << 15)) >> 16;
  m.mantissa = saturate_cast<std::int16_t>(half);
  return m;
}

}  // namespace detail

/// x relu6(x + 3) / 6 in 16 bits:  p = R(128 x m_out),  r = clamp(x / 3, -1, 1) / 2 + 1/2,
/// code = R(T(p r) / 2^shift) + zero_point, R half up then half away, T toward zero.
/// errors  a scale ratio above 128
/// source  TFLite reference/hard_swish.h
template <class Multiplier> struct hard_swish {
  static constexpr std::string_view name = "hard-swish-16";

  static std::string_view prepare(unary_constants& c) {
    const float fine = ieee::multiply(0x1p-7F, c.in.scale);
    const auto make = [fine](float scale) {
      return detail::upper_half(Multiplier::of(ieee::convert<double>(ieee::divide(fine, scale))));
    };
    c.first = make(c.out.scale);
    c.second = make(ieee::divide(3.0F, 32768.0F));
    return c.first.exponent > 0 ? "the input scale must be below 128 times the output's"
                                : std::string_view{};
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    using fixed_point::divide_by_power;
    using fixed_point::multiply;
    const std::int32_t fine =
        wrap_cast<std::int16_t>((code - c.in.zero_point) * (std::int64_t{1} << 7));
    const std::int32_t p = multiply<16>(fine, c.first.mantissa);
    // The last bit of a left shift comes after the multiplication, so that saturation happens there.
    const int left = c.second.exponent > 0 ? c.second.exponent : 0;
    std::int32_t r = fine;
    if (left > 0) r = fixed_point::multiply_by_power<16>(r, left > 31 ? 30 : left - 1);
    r = multiply<16>(r, c.second.mantissa);
    if (left > 0) r = fixed_point::multiply_by_power<16>(r, 1);
    if (c.second.exponent < 0) r = divide_by_power(r, -c.second.exponent);
    r = (r + (1 << 15)) >> 1;
    const std::int32_t product = r * p / (1 << 15);
    return detail::offset_and_clamp(c, divide_by_power(product, -c.first.exponent));
  }
};

/// How a negative slope is applied: -(R(|alpha| x)), as TFLM since 2025.
struct slope_sign_behind {
  static constexpr std::string_view name = "slope-sign-behind";
  template <class Rescale>
  static constexpr std::int64_t apply(std::int64_t x, const multiplier& m, bool negative) noexcept {
    const std::int64_t y = Rescale::apply(x, m);
    return negative ? -y : y;
  }
};

/// R(alpha x), so that ties fall as for -x.
struct slope_sign_before {
  static constexpr std::string_view name = "slope-sign-before";
  template <class Rescale>
  static constexpr std::int64_t apply(std::int64_t x, const multiplier& m, bool negative) noexcept {
    return Rescale::apply(negative ? -x : x, m);
  }
};

/// x m1 for x >= 0, x m2 below; m1 = float32(si / so), m2 = float32(float32(si alpha) / so).
/// source  TFLite reference/leaky_relu.h
template <class Multiplier, class Rescale, class Sign> struct leaky_relu {
  static constexpr std::string_view name = "leaky-relu";
  using rescale = Rescale;
  using sign = Sign;

  static std::string_view prepare(unary_constants& c) {
    const float slope = ieee::divide(ieee::multiply(c.in.scale, c.alpha), c.out.scale);
    c.first = Multiplier::of(scale_product::in_float32::of(c.in.scale, 1.0F, c.out.scale));
    c.second = Multiplier::of(ieee::convert<double>(ieee::magnitude(slope)));
    return {};
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    const std::int64_t x = code - c.in.zero_point;
    return detail::offset_and_clamp(
        c, x >= 0 ? Rescale::apply(x, c.first)
                  : Sign::template apply<Rescale>(x, c.second, ieee::is_negative(c.alpha)));
  }
};

/// (x m + 128) >> 8 with one of two multipliers of 8 fractional bits, ties to even.
/// source  XNNPACK microparams-init.c, leaky ReLU on qs8 and qu8
struct leaky_relu_q8 {
  static constexpr std::string_view name = "leaky-relu-q8";

  static std::string_view prepare(unary_constants& c) {
    const float ratio = ieee::divide(c.in.scale, c.out.scale);
    using fixed = multipliers::fixed<8, rounding::half_even>;
    c.first = fixed::of(ieee::convert<double>(ratio));
    c.second = fixed::of(ieee::convert<double>(ieee::multiply(ratio, c.alpha)));
    return {};
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    const std::int64_t x = code - c.in.zero_point;
    const multiplier& m = x >= 0 ? c.first : c.second;
    return detail::offset_and_clamp(c, rescale::fixed_one_step<8, rounding::half_up>::apply(x, m));
  }
};

/// R(R(2^20 / sqrt(x)) * m / 2^20), m = 1 / float32(sqrt(si) so); x = 0 gives the highest code, x < 0,
/// which the source refuses at run time, what x = 1 gives.
/// source  TFLite elementwise.cc RsqrtEvalQuantized
template <class Multiplier, class Rescale> struct inverse_root {
  static constexpr std::string_view name = "inverse-root";
  using rescale = Rescale;

  static std::string_view prepare(unary_constants& c) {
    const float unit = ieee::multiply(elementary::sqrt(c.in.scale), c.out.scale);
    c.first = Multiplier::of(ieee::divide(1.0, ieee::convert<double>(unit)));
    c.first.exponent -= 20;
    if (c.first.exponent < -31) c.first = {};
    return {};
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    const std::int64_t x = code - c.in.zero_point;
    if (x == 0) return range_of(c.type).high;
    multiplier root = fixed_point::inverse_root(saturate_cast<std::int32_t>(x));
    root.exponent += 20;
    return detail::offset_and_clamp(c, Rescale::apply(Rescale::apply(1, root), c.first));
  }
};

/// |x| m, m = float32(si / so); plain integers: |x| modulo the type.
/// source  TFLite elementwise.cc AbsEvalQuantized
template <class Multiplier, class Rescale> struct magnitude {
  static constexpr std::string_view name = "magnitude";
  using rescale = Rescale;

  static std::string_view prepare(unary_constants& c) {
    c.first = Multiplier::of(scale_product::in_float32::of(c.in.scale, 1.0F, c.out.scale));
    if (c.type == element_type::int16 && c.quantized &&
        (c.in.zero_point != 0 || c.out.zero_point != 0))
      return "int16 zero points must be 0";
    return {};
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    if (!c.quantized) return detail::wrapped(c.type, code < 0 ? wrap_multiply(code, -1) : code);
    const std::int64_t x = code - c.in.zero_point;
    return detail::offset_and_clamp(c, Rescale::apply(x < 0 ? -x : x, c.first));
  }
};

/// -x modulo the type; on a grid, zo - (x - zi), clamped, both scales equal.
/// source  TFLite reference/neg.h for plain integers; the quantized form is the definition
struct negation {
  static constexpr std::string_view name = "negation";
  static std::string_view prepare(unary_constants& c) {
    return !c.quantized || ieee::equal(c.in.scale, c.out.scale)
               ? std::string_view{}
               : "input and output must have one scale";
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    if (c.quantized) return detail::offset_and_clamp(c, c.in.zero_point - code);
    return detail::wrapped(c.type, wrap_multiply(code, -1));
  }
};

}  // namespace bittwin::unary_rules::inline v1
