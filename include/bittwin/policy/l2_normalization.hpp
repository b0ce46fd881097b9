// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION of one row of codes:  code = R( x 2^7 / sqrt(sum x^2) ) + zero_point,  x = code - zi
// Results have scale 1/128 and the zero point in the middle of their type.
//   root_of_row   2^7 in the exponent of the multiplier
//   scaled_codes  2^7 in the operand
// source  TFLite reference/integer_ops/l2normalization.h, reference/l2normalization.h
#pragma once

#include <bittwin/policy/fixed_point_root.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/types/element_type.hpp>
#include <cstdint>
#include <span>
#include <string_view>

namespace bittwin::l2_rules::inline v1 {

namespace detail {

/// Sums in int32, modulo 2^32; negative ones are taken as 0.
[[nodiscard]] constexpr multiplier inverse_norm(std::span<const std::int64_t> x,
                                                std::int32_t zero_point) noexcept {
  std::int32_t squares = 0;
  for (const std::int64_t code : x)
    squares = wrap_cast<std::int32_t>(squares + (code - zero_point) * (code - zero_point));
  return fixed_point::inverse_root(squares);
}

}  // namespace detail

template <class Rescale> struct root_of_row {
  static constexpr std::string_view name = "root-of-row";
  using rescale = Rescale;
  static constexpr void row(std::span<const std::int64_t> x, std::int32_t zero_point,
                            code_range type, std::span<std::int64_t> y) noexcept {
    multiplier m = detail::inverse_norm(x, zero_point);
    m.exponent += 7;
    const std::int64_t middle = (type.low + type.high + 1) / 2;
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] = clamp_to(Rescale::apply(x[i] - zero_point, m) + middle, type.low, type.high);
  }
};

template <class Rescale> struct scaled_codes {
  static constexpr std::string_view name = "scaled-codes";
  using rescale = Rescale;
  static constexpr void row(std::span<const std::int64_t> x, std::int32_t zero_point,
                            code_range type, std::span<std::int64_t> y) noexcept {
    const multiplier m = detail::inverse_norm(x, zero_point);
    const std::int64_t middle = (type.low + type.high + 1) / 2;
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] = clamp_to(Rescale::apply((x[i] - zero_point) * 128, m) + middle, type.low, type.high);
  }
};

}  // namespace bittwin::l2_rules::inline v1
