// SPDX-License-Identifier: Apache-2.0
// CAST from float32 to an integer type: toward zero, and what a value outside the type becomes.
//   through_int32  int32, INT32_MIN where it does not fit, then the low bits; int64 likewise with INT64_MIN
//   uint8_through_uint32  the same, except that uint8 goes through uint32, 0 where that does not fit
#pragma once

#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/integers.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::float_cast::inline v1 {

namespace detail {

/// Toward zero; `otherwise` outside [low, high], for infinities and for NaN.
constexpr std::int64_t truncated(float x, std::int64_t low, std::int64_t high,
                                 std::int64_t otherwise) noexcept {
  if (ieee::kind_of(x) != ieee::kind::finite) return otherwise;
  const ieee::parts p = ieee::split(x);
  const int length = 64 - std::countl_zero(p.significand) + p.exponent;
  if (length > 63) return otherwise;  // -2^63 too gives the lowest int64, which callers pass
  const auto magnitude = static_cast<std::int64_t>(p.exponent >= 0    ? p.significand << p.exponent
                                                   : p.exponent > -64 ? p.significand >> -p.exponent
                                                                      : 0);
  const std::int64_t value = p.negative ? -magnitude : magnitude;
  return low <= value && value <= high ? value : otherwise;
}

}  // namespace detail

/// source  what C++ compilers make of static_cast on x86: cvttss2si, then the low bits
struct through_int32 {
  static constexpr std::string_view name = "through-int32";
  static constexpr std::int64_t of(float x, element_type to) noexcept {
    if (to == element_type::boolean) return ieee::equal(x, 0.0F) ? 0 : 1;
    if (to == element_type::int64)
      return detail::truncated(x, lowest<std::int64_t>, highest<std::int64_t>,
                               lowest<std::int64_t>);
    const std::int64_t wide =
        detail::truncated(x, lowest<std::int32_t>, highest<std::int32_t>, lowest<std::int32_t>);
    switch (to) {
      case element_type::int8: return wrap_cast<std::int8_t>(wide);
      case element_type::uint8: return wrap_cast<std::uint8_t>(wide);
      case element_type::int16: return wrap_cast<std::int16_t>(wide);
      default: return wide;
    }
  }
};

/// source  the WebAssembly build of TFLite cast.cc
struct uint8_through_uint32 {
  static constexpr std::string_view name = "uint8-through-uint32";
  static constexpr std::int64_t of(float x, element_type to) noexcept {
    if (to == element_type::uint8)
      return wrap_cast<std::uint8_t>(detail::truncated(x, 0, highest<std::uint32_t>, 0));
    return through_int32::of(x, to);
  }
};

}  // namespace bittwin::float_cast::inline v1
