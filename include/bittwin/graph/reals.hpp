// SPDX-License-Identifier: Apache-2.0
// The elements of a tensor as reals:  real = scale * (code - zero_point); floats are reals already.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/types/half.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace bittwin::graph::inline v1 {

namespace detail {

template <class T>
void append_reals(const tensor& t, std::span<const std::byte> bytes, std::vector<double>& out) {
  const int axis = t.quantization.axis;
  std::size_t inner = 1, channels = 1;
  if (t.quantization.per_channel()) {
    for (int i = axis + 1; i < t.extents.rank(); ++i)
      inner *= static_cast<std::size_t>(t.extents[i]);
    channels = static_cast<std::size_t>(t.extents[axis]);
  }
  for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    T code;
    std::memcpy(&code, bytes.data() + i * sizeof(T), sizeof(T));
    double value = static_cast<double>(code);
    if (t.quantization.present()) {
      const std::size_t channel = i / inner % channels;
      value = (value - static_cast<double>(t.quantization.zero_point(channel))) *
              static_cast<double>(t.quantization.scale(channel));
    }
    out.push_back(value);
  }
}

}  // namespace detail

/// Codes, floats or integers of a tensor as reals.
[[nodiscard]] inline std::vector<double> reals_of(const tensor& t,
                                                  std::span<const std::byte> bytes) {
  std::vector<double> reals;
  switch (t.type) {
    case element_type::int4:  // one to a byte, as the executor stores them
    case element_type::int8: detail::append_reals<std::int8_t>(t, bytes, reals); break;
    case element_type::boolean:
    case element_type::uint8: detail::append_reals<std::uint8_t>(t, bytes, reals); break;
    case element_type::int16: detail::append_reals<std::int16_t>(t, bytes, reals); break;
    case element_type::int32: detail::append_reals<std::int32_t>(t, bytes, reals); break;
    case element_type::int64: detail::append_reals<std::int64_t>(t, bytes, reals); break;
    case element_type::float32: detail::append_reals<float>(t, bytes, reals); break;
    case element_type::float16:
      for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        std::uint16_t half;
        std::memcpy(&half, bytes.data() + i, sizeof half);
        reals.push_back(static_cast<double>(ieee::from_half(half)));
      }
      break;
    case element_type::float64: detail::append_reals<double>(t, bytes, reals); break;
    default: break;
  }
  return reals;
}

}  // namespace bittwin::graph::inline v1
