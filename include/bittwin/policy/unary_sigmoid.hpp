// SPDX-License-Identifier: Apache-2.0
// LOGISTIC and TANH on integers.
//   fixed_logistic, fixed_tanh   int8 through Q4.27 and gemmlowp's functions
//   interpolated<F>              int16 by a table of 256 values of the logistic function, 1/24 apart
//   fixed_16_or<F, Otherwise>    int16 at an input scale of 2^-12 by gemmlowp's 16-bit functions
#pragma once

#include <bittwin/policy/fixed_point_sigmoid.hpp>
#include <bittwin/policy/unary.hpp>
#include <bittwin/types/elementary_log.hpp>
#include <bittwin/types/elementary_tanh.hpp>

namespace bittwin::sigmoid::inline v1 {

/// F of the rules below. 8-bit results: Q0.31 -> code steps of 2^-output_bits, from output_zero up;
/// interpolation: 2^table_bits steps between table entries.
struct logistic {
  static constexpr std::string_view name = "logistic";
  static constexpr int output_bits = 8;
  static constexpr int table_bits = 9;
  static constexpr int largest_shift = 0;  ///< of an int16 input scale above 2^-12
  static constexpr std::int64_t output_zero(code_range type) noexcept { return type.low; }
  template <int Bits, int IntegerBits> static constexpr std::int32_t of(std::int32_t x) noexcept {
    return fixed_point::logistic<Bits, IntegerBits>(x);
  }
  static constexpr std::string_view refuses(affine out, code_range type) noexcept {
    return out.zero_point == type.low ? std::string_view{}
                                      : "the output's zero point must be the lowest code";
  }
  /// magnitude: 2^25 stands for 1
  static constexpr std::int64_t code(bool negative, std::int64_t magnitude) noexcept {
    return ((negative ? (std::int64_t{1} << 25) - magnitude - 1 : magnitude) + 512) >> 10;
  }
  static constexpr std::int64_t saturated = std::int64_t{0x7FFF} << 10;
};

/// tanh(x) = 2 logistic(2x) - 1
struct tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr int output_bits = 7;
  static constexpr int table_bits = 8;
  static constexpr int largest_shift = 1;
  static constexpr std::int64_t output_zero(code_range type) noexcept {
    return (type.low + type.high + 1) / 2;
  }
  template <int Bits, int IntegerBits> static constexpr std::int32_t of(std::int32_t x) noexcept {
    return fixed_point::tanh<Bits, IntegerBits>(x);
  }
  /// The source does not look at the output's grid.
  static constexpr std::string_view refuses(affine, code_range) noexcept { return {}; }
  /// magnitude: 2^24 stands for 1
  static constexpr std::int64_t code(bool negative, std::int64_t magnitude) noexcept {
    const std::int64_t above = magnitude - (std::int64_t{1} << 23);
    return ((negative ? -above - 1 : above) + 128) >> 8;
  }
  static constexpr std::int64_t saturated = std::int64_t{0xFFFF} << 8;
};

namespace detail {

/// logistic(n / 48) in Q46, n >= 0, below 2^-44 off.
[[nodiscard]] constexpr std::int64_t q46_logistic_of_48ths(std::uint64_t n) noexcept {
  std::uint64_t whole = n / 48;
  // fraction = (n mod 48) / 48 in Q64
  std::uint64_t fraction = (n % 48) * (0xFFFFFFFFFFFFFFFFU / 48) + (n % 48) / 3;
  int k = 0;
  while (whole > 0 || fraction >= elementary::detail::q64_ln2) {
    if (fraction < elementary::detail::q64_ln2) --whole;
    fraction -= elementary::detail::q64_ln2;
    ++k;
  }
  const auto power = elementary::detail::normalised(elementary::detail::q62_exp(fraction), k - 62);
  const int down = power.exponent + 62;
  const auto sum = elementary::detail::normalised(
      power.mantissa + (down >= 63 ? 0 : (std::uint64_t{1} << 62) >> down), power.exponent);
  const auto ratio = elementary::detail::quotient(power, sum);  // in [1/2, 1)
  return static_cast<std::int64_t>(ratio.mantissa >> (-46 - ratio.exponent));
}

}  // namespace detail

/// Entry i is logistic(i / 24) * 2^16, moved by half of what a straight line to entry i + 1 is off in the
/// middle; the last one is 2^16 - 1.
/// source  TFLite common.h sigmoid_table_uint16, whose 256 values this formula gives
[[nodiscard]] inline std::vector<std::int32_t> table() {
  std::vector<std::int32_t> entries(256);
  for (std::uint64_t i = 0; i < 255; ++i) {
    const std::int64_t here = detail::q46_logistic_of_48ths(2 * i);
    const std::int64_t middle = detail::q46_logistic_of_48ths(2 * i + 1);
    const std::int64_t next = detail::q46_logistic_of_48ths(2 * i + 2);
    const std::int64_t four_times = 3 * here + 2 * middle - next;  // Q48
    entries[i] = static_cast<std::int32_t>((four_times + (std::int64_t{1} << 31)) >> 32);
  }
  entries[255] = 65535;
  return entries;
}

/// log2 of a scale, rounded, and whether it lies within 1/1000 of an integer; in float32.
/// source  TFLite quantization_util.cc CheckedLog2
struct power_of_two {
  int exponent = 0;
  bool near = false;
};

[[nodiscard]] constexpr power_of_two nearest_power(float scale) noexcept {
  const float log2 =
      ieee::multiply(elementary::log(scale), ieee::divide(1.0F, elementary::log(2.0F)));
  const auto rounded = static_cast<int>(rounding::to_integer<rounding::half_away>(log2));
  const float off = ieee::magnitude(ieee::subtract(log2, ieee::from_integer<float>(rounded)));
  return {rounded, ieee::less(off, 1e-3F)};
}

}  // namespace bittwin::sigmoid::inline v1

namespace bittwin::unary_rules::inline v1 {

/// Inputs past the radius saturate. The output's grid is taken to be that of the function's range.
/// source  TFLM reference/integer_ops/logistic.h, tanh.h
template <class Function, class Multiplier, class Rescale> struct fixed_sigmoid {
  static constexpr std::string_view name = "fixed-point";
  using function = Function;
  using rescale = Rescale;

  static std::string_view prepare(unary_constants& c) {
    c.first = Multiplier::of(
        ieee::multiply(ieee::convert<double>(c.in.scale), static_cast<double>(1 << 27)));
    const std::int64_t radius = std::int64_t{15} << 27;
    c.limit =
        c.first.exponent >= 0
            ? static_cast<std::int32_t>(c.first.exponent > 31 ? 0 : radius >> c.first.exponent)
            : saturate_cast<std::int32_t>(radius << -c.first.exponent);
    return Function::refuses(c.out, range_of(c.type));
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    const code_range type = range_of(c.type);
    const std::int64_t x = code - c.in.zero_point;
    if (x <= -c.limit) return type.low;
    if (x >= c.limit) return type.high;
    const auto q4 = wrap_cast<std::int32_t>(Rescale::apply(x, c.first));
    const std::int32_t y = Function::template of<32, 4>(q4);
    return clamp_to(
        fixed_point::divide_by_power(y, 31 - Function::output_bits) + Function::output_zero(type),
        type.low, type.high);
  }
};

namespace detail {

[[nodiscard]] constexpr std::string_view refuses_int16_sigmoid(const unary_constants& c) noexcept {
  if (c.in.zero_point != 0 || c.out.zero_point != 0) return "int16 zero points must be 0";
  const sigmoid::power_of_two out = sigmoid::nearest_power(c.out.scale);
  return out.near && out.exponent == -15 ? std::string_view{} : "the output scale must be 2^-15";
}

}  // namespace detail

/// x is brought to steps of 1/12288, 3/4 of 2^-12, so that the table reaches to 10.7.
/// source  TFLM reference/integer_ops/logistic.h, tanh.h, int16
template <class Function> struct interpolated {
  static constexpr std::string_view name = "interpolated";
  using function = Function;

  static std::string_view prepare(unary_constants& c) {
    c.table = sigmoid::table();
    const sigmoid::power_of_two in = sigmoid::nearest_power(c.in.scale);
    const int left = 12 + in.exponent;
    if (in.near && left >= 0 && left <= Function::largest_shift) {
      c.first.mantissa = 3 << left;
      c.shift = 0;
    } else {
      double real = ieee::multiply(ieee::convert<double>(c.in.scale), 12288.0);
      for (c.shift = 0; !ieee::less(16383.5, real) && c.shift <= 30; ++c.shift)
        real = ieee::multiply(real, 2.0);
      c.first.mantissa =
          saturate_cast<std::int32_t>(rounding::to_integer<rounding::toward_zero>(real));
    }
    return detail::refuses_int16_sigmoid(c);
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    const std::int64_t round = c.shift > 0 ? std::int64_t{1} << (c.shift - 1) : 0;
    const auto x = wrap_cast<std::int32_t>(
        std::int64_t{wrap_cast<std::int32_t>(code * c.first.mantissa + round)} >> c.shift);
    const std::int64_t magnitude = x < 0 ? -std::int64_t{x} : x;
    const std::int64_t entry = magnitude >> Function::table_bits;
    std::int64_t y = Function::saturated;
    if (entry < 255) {
      const auto i = static_cast<std::size_t>(entry);
      const std::int64_t low = c.table[i], high = c.table[i + 1];
      const std::int64_t between = magnitude & ((1 << Function::table_bits) - 1);
      y = (low << Function::table_bits) + between * (high - low);
    }
    return wrap_cast<std::int16_t>(Function::code(x < 0, y));
  }
};

/// source  TFLite activations.cc, optimized_ops.h Logistic, Tanh on int16
template <class Function, class Otherwise> struct fixed_16_or {
  static constexpr std::string_view name = "fixed-point-16";
  using function = Function;
  using otherwise = Otherwise;

  static std::string_view prepare(unary_constants& c) {
    const std::string_view reason = Otherwise::prepare(c);
    const sigmoid::power_of_two in = sigmoid::nearest_power(c.in.scale);
    const int left = 12 + in.exponent;
    c.limit = in.near && left >= 0 && left <= Function::largest_shift ? left : -1;
    return reason;
  }
  static std::int64_t apply(const unary_constants& c, std::int64_t code) noexcept {
    if (c.limit < 0) return Otherwise::apply(c, code);
    const auto x = saturate_cast<std::int16_t>(code << c.limit);
    return Function::template of<16, 3>(x);
  }
};

}  // namespace bittwin::unary_rules::inline v1
