// SPDX-License-Identifier: Apache-2.0
// A recorded tensor: little-endian elements in C order, with their type and extents.
#pragma once

#include <bittwin/types/element_type.hpp>
#include <bittwin/types/shape.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// data.size() == extents.elements() * bytes_of(type); int4 is unpacked, one element a byte.
struct array {
  element_type type = element_type::int8;
  shape extents;
  std::vector<std::byte> data;
};

/// An array that somebody else owns.
struct array_view {
  element_type type = element_type::int8;
  shape extents;
  std::span<const std::byte> data;

  array_view() = default;
  array_view(element_type t, const shape& s, std::span<const std::byte> d)
      : type(t), extents(s), data(d) {}
  array_view(const array& a) : array_view(a.type, a.extents, a.data) {}

  [[nodiscard]] std::int64_t elements() const noexcept { return extents.elements(); }
};

/// Element `i` at any alignment.
template <class T>
[[nodiscard]] T element_at(std::span<const std::byte> data, std::int64_t i) noexcept {
  T value;
  std::memcpy(&value, data.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
  return value;
}

/// Calls f(T{}) with the C++ type that holds the elements; float16 as std::uint16_t, its bits.
template <class F> decltype(auto) with_element(element_type type, F&& f) {
  switch (type) {
    case element_type::float32: return f(float{});
    case element_type::float64: return f(double{});
    case element_type::float16: return f(std::uint16_t{});
    case element_type::int16: return f(std::int16_t{});
    case element_type::int32: return f(std::int32_t{});
    case element_type::int64: return f(std::int64_t{});
    case element_type::uint8:
    case element_type::boolean: return f(std::uint8_t{});
    case element_type::int4:
    case element_type::int8: break;
  }
  return f(std::int8_t{});
}

}  // namespace bittwin::analysis::inline v1
