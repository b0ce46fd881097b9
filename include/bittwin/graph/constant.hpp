// SPDX-License-Identifier: Apache-2.0
// Elements of a constant tensor, copied out of the file's bytes, which may lie at any alignment.
#pragma once

#include <bit>
#include <bittwin/graph/model.hpp>
#include <cstdint>
#include <cstring>
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

}  // namespace bittwin::graph::inline v1
