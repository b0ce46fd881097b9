// SPDX-License-Identifier: Apache-2.0
// The element types that tensors of a quantized model hold, with their names, sizes and code
// ranges.
#pragma once

#include <bittwin/types/integers.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::inline v1 {

enum class element_type : std::uint8_t {
  float32,
  float16,
  float64,
  int4,
  int8,
  uint8,
  int16,
  int32,
  int64,
  boolean
};

/// The lowest and highest code of an integer type; a clamp is a pair of this kind too.
struct code_range {
  std::int64_t low = 0;
  std::int64_t high = 0;

  [[nodiscard]] constexpr bool contains(std::int64_t code) const noexcept {
    return low <= code && code <= high;
  }
  friend constexpr bool operator==(const code_range&, const code_range&) = default;
};

[[nodiscard]] constexpr std::string_view name_of(element_type type) noexcept {
  switch (type) {
    case element_type::float32: return "float32";
    case element_type::float16: return "float16";
    case element_type::float64: return "float64";
    case element_type::int4: return "int4";
    case element_type::int8: return "int8";
    case element_type::uint8: return "uint8";
    case element_type::int16: return "int16";
    case element_type::int32: return "int32";
    case element_type::int64: return "int64";
    case element_type::boolean: return "bool";
  }
  return "?";
}

/// Bytes of one element as the executor stores it (int4 is unpacked to one byte).
[[nodiscard]] constexpr int bytes_of(element_type type) noexcept {
  switch (type) {
    case element_type::int4:
    case element_type::int8:
    case element_type::uint8:
    case element_type::boolean: return 1;
    case element_type::float16:
    case element_type::int16: return 2;
    case element_type::float32:
    case element_type::int32: return 4;
    case element_type::float64:
    case element_type::int64: return 8;
  }
  return 0;
}

[[nodiscard]] constexpr bool is_integer(element_type type) noexcept {
  return type != element_type::float32 && type != element_type::float16 &&
         type != element_type::float64;
}

/// float32 and float64, the types that operators compute reals in.
[[nodiscard]] constexpr bool is_floating(element_type type) noexcept {
  return type == element_type::float32 || type == element_type::float64;
}

/// The codes an integer type can hold; {0, 0} for floating point.
[[nodiscard]] constexpr code_range range_of(element_type type) noexcept {
  switch (type) {
    case element_type::int4: return {-8, 7};
    case element_type::int8: return {lowest<std::int8_t>, highest<std::int8_t>};
    case element_type::uint8: return {lowest<std::uint8_t>, highest<std::uint8_t>};
    case element_type::int16: return {lowest<std::int16_t>, highest<std::int16_t>};
    case element_type::int32: return {lowest<std::int32_t>, highest<std::int32_t>};
    case element_type::int64: return {lowest<std::int64_t>, highest<std::int64_t>};
    case element_type::boolean: return {0, 1};
    default: return {0, 0};
  }
}

template <class T> inline constexpr element_type element_type_of = element_type::int8;
template <> inline constexpr element_type element_type_of<float> = element_type::float32;
template <> inline constexpr element_type element_type_of<double> = element_type::float64;
template <> inline constexpr element_type element_type_of<std::uint8_t> = element_type::uint8;
template <> inline constexpr element_type element_type_of<std::int16_t> = element_type::int16;
template <> inline constexpr element_type element_type_of<std::int32_t> = element_type::int32;
template <> inline constexpr element_type element_type_of<std::int64_t> = element_type::int64;
template <> inline constexpr element_type element_type_of<bool> = element_type::boolean;

/// Whether kernels may be handed codes of `type` as T: its own C++ type, or int64 for codes of any type.
template <class T> [[nodiscard]] constexpr bool holds_codes(element_type type) noexcept {
  return element_type_of<T> == type || element_type_of<T> == element_type::int64;
}

}  // namespace bittwin::inline v1
