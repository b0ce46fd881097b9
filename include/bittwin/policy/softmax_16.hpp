// SPDX-License-Identifier: Apache-2.0
// SOFTMAX from int16 to int16 by two tables of 513 values, 128 steps apart, with linear interpolation.
//   e[c] = exp_table(x[c] - max),  r = reciprocal_table(sum e),  code = (e[c] r + half) >> shift
// source  TFLite reference/softmax.h SoftmaxInt16; common.h LUTPopulate, LUTLookup, gen_lut before 2022
#pragma once

#include <bittwin/policy/scale_product.hpp>
#include <bittwin/policy/softmax.hpp>
#include <bittwin/types/mutation.hpp>
#include <concepts>

namespace bittwin::softmax_rules::inline v1 {

/// f in the precision of a table.
struct table_exp {
  template <std::floating_point F> static constexpr F of(F x) noexcept {
    return elementary::exp(x);
  }
};
struct table_reciprocal {
  template <std::floating_point F> static constexpr F of(F x) noexcept {
    return ieee::divide(F{1}, ieee::add(F{1}, x));
  }
};

namespace detail {

template <std::floating_point F> constexpr F rounded(F x) noexcept {
  return ieee::from_integer<F>(rounding::to_integer<rounding::half_away>(x));
}

/// Entry i is f(low + i step) * unit, moved by half of what a straight line to entry i + 1 is off in the
/// middle; the last one is f(high) * unit.
template <class Function, std::floating_point F>
void fill_table(F low, F high, F step, F unit, std::span<std::int16_t, 513> table) noexcept {
  using ieee::add;
  using ieee::multiply;
  using ieee::subtract;
  const auto store = [](F value) {
    return saturate_cast<std::int16_t>(rounding::to_integer<rounding::half_away>(value));
  };
  const F half_step = ieee::divide(step, F{2});
  for (int i = 0; i < 512; ++i) {
    const F x = add(low, multiply(ieee::from_integer<F>(i), step));
    const F next = add(low, multiply(ieee::from_integer<F>(i + 1), step));
    const F sample = rounded(multiply(Function::of(x), unit));
    const F middle = rounded(multiply(Function::of(add(x, half_step)), unit));
    const F line = rounded(ieee::divide(add(multiply(Function::of(next), unit), sample), F{2}));
    const F bias = rounded(ieee::divide(subtract(line, middle), F{2}));
    table[static_cast<std::size_t>(i)] = store(subtract(sample, bias));
  }
  table[512] = store(rounded(multiply(Function::of(high), unit)));
}

/// value in [-2^15, 2^15)
[[nodiscard]] constexpr std::int32_t look_up(std::span<const std::int16_t, 513> table,
                                             std::int32_t value) noexcept {
  const auto index = static_cast<std::size_t>(256 + (value >> 7));
  const std::int32_t base = table[index];
  const std::int32_t slope = wrap_cast<std::int16_t>(table[index + 1] - base);
  return wrap_cast<std::int16_t>(
      base + ((slope * (value & 0x7F) + BITTWIN_MUTABLE(64, softmax_16_interpolation, 0)) >> 7));
}

}  // namespace detail

/// Tables from float32 arithmetic on the affine grids of an int16 function.  source  LUTPopulate
struct tables_in_float32 {
  static constexpr std::string_view name = "float32";
  static void fill(softmax_constants& c) noexcept {
    using ieee::divide;
    using ieee::multiply;
    constexpr float range = 65535.0F;
    // Input codes end at 32767 = zero point of e^x, and begin at -32768 = zero point of 1 / (1 + x).
    const float exp_scale = divide(10.0F, range), other_scale = divide(1.0F, range);
    const float output = divide(2.0F, range);
    const float span = ieee::subtract(multiply(output, 32767.0F), multiply(output, -32768.0F));
    const float unit = divide(65536.0F, span);
    const float low = multiply(exp_scale, -range), high = multiply(other_scale, range);
    detail::fill_table<table_exp>(low, 0.0F, divide(ieee::negate(low), 512.0F), unit,
                                  std::span<std::int16_t, 513>(c.exp_table_16));
    detail::fill_table<table_reciprocal>(0.0F, high, divide(high, 512.0F), unit,
                                         std::span<std::int16_t, 513>(c.reciprocal_table_16));
  }
};

/// Tables from float64 arithmetic on [-10, 0] and [0, 1] with 2^15 for 1.  source  gen_lut
struct tables_in_float64 {
  static constexpr std::string_view name = "float64";
  static void fill(softmax_constants& c) noexcept {
    detail::fill_table<table_exp>(-10.0, 0.0, 10.0 / 512, 32768.0,
                                  std::span<std::int16_t, 513>(c.exp_table_16));
    detail::fill_table<table_reciprocal>(0.0, 1.0, 1.0 / 512, 32768.0,
                                         std::span<std::int16_t, 513>(c.reciprocal_table_16));
  }
};

/// ScaleProduct says in which precision scale * beta is formed.
template <class Multiplier, class Rescale, class ScaleProduct, class Tables> struct table_16 {
  static constexpr std::string_view name = "table-16";
  using rescale = Rescale;
  using scale_product = ScaleProduct;
  using tables = Tables;

  static void prepare(softmax_constants& c) noexcept {
    Tables::fill(c);
    const double unit = ScaleProduct::of(c.in.scale, c.beta, 1.0F);
    c.scale = Multiplier::of(ieee::divide(unit, ieee::divide(10.0, 65535.0)));
  }

  template <class In, class Sink>
  static constexpr void row(const softmax_constants& c, const In* x, std::int64_t depth,
                            Sink store) noexcept {
    std::int64_t largest = x[0];
    for (std::int64_t i = 1; i < depth; ++i) largest = x[i] > largest ? x[i] : largest;
    const auto exp_of = [&](std::int64_t i) {
      const std::int64_t scaled = Rescale::apply(x[i] - largest, c.scale);
      return detail::look_up(c.exp_table_16, saturate_cast<std::int16_t>(scaled + 32767));
    };
    std::int32_t sum = 0;  // Q16.15
    for (std::int64_t i = 0; i < depth; ++i) sum = bittwin::fixed_point::sum(sum, exp_of(i));
    const int zeros = std::countl_zero(static_cast<std::uint32_t>(sum));
    const int left = zeros > 0 ? zeros - 1 : 0;
    const std::int64_t q16 = ((std::int64_t{sum} << left) + (1 << 13)) >> 14;
    const std::int64_t index = saturate_cast<std::int16_t>(q16 - (1 << 15) - (1 << 16));
    const std::int64_t reciprocal =
        detail::look_up(c.reciprocal_table_16, static_cast<std::int32_t>(index));
    const int right = 31 - zeros > 0 ? 31 - zeros : 1;
    for (std::int64_t i = 0; i < depth; ++i) {
      const std::int64_t product =
          exp_of(i) * reciprocal +
          BITTWIN_MUTABLE((std::int64_t{1} << (right - 1)), softmax_16_half, 0);
      store(i, clamp_to<std::int64_t>(product >> right, 0, 32767));
    }
  }
};

}  // namespace bittwin::softmax_rules::inline v1
