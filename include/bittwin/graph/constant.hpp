// SPDX-License-Identifier: Apache-2.0
// Elements of a constant tensor, copied out of the file's bytes, which may lie at any alignment.
#pragma once

#include <bit>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace bittwin::graph::inline v1 {

static_assert(std::endian::native == std::endian::little,
              "model files are little-endian, and so must the machine be");

/// All elements. T has the size of the tensor's element type; int32 reads int64 tensors by value.
template <class T> [[nodiscard]] std::vector<T> constant_as(const tensor& t) {
  if (t.type == element_type::int64 && sizeof(T) == 4) {
    std::vector<T> narrow;
    for (const std::int64_t value : constant_as<std::int64_t>(t))
      narrow.push_back(static_cast<T>(value));
    return narrow;
  }
  std::vector<T> elements(t.constant.size() / sizeof(T));
  if (!elements.empty())
    std::memcpy(elements.data(), t.constant.data(), elements.size() * sizeof(T));
  return elements;
}

/// int4 codes, two to a byte with the even one in the low half, as one byte each.
[[nodiscard, gnu::noinline]] inline std::vector<std::byte> unpacked_int4(
    std::span<const std::byte> packed, std::int64_t count) {
  std::vector<std::byte> codes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto pair = std::to_integer<std::uint32_t>(packed[i / 2]);
    const auto nibble = static_cast<std::int32_t>(
        pair >> (BITTWIN_MUTABLE(i % 2, int4_order, (i + 1) % 2) * 4) & 15U);
    codes[i] = static_cast<std::byte>(
        BITTWIN_MUTABLE(nibble < 8, int4_sign, nibble <= 8) ? nibble : nibble - 16);
  }
  return codes;
}

/// The bytes of a constant as the executor stores them: int4 one to a byte.
[[nodiscard]] inline std::vector<std::byte> stored_constant(const tensor& t) {
  if (t.type == element_type::int4) return unpacked_int4(t.constant, t.extents.elements());
  return {t.constant.begin(), t.constant.end()};
}

}  // namespace bittwin::graph::inline v1
