// SPDX-License-Identifier: Apache-2.0
// The fused activations that have real bounds:  relu [0, inf), relu6 [0, 6], relu_n1_to_1 [-1, 1].
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bittwin::inline v1 {

enum class activation : std::uint8_t { none, relu, relu_n1_to_1, relu6 };

/// Real bounds of an activation; an absent side is unbounded.
struct real_bounds {
  std::optional<float> low;
  std::optional<float> high;
};

[[nodiscard]] constexpr real_bounds bounds_of(activation kind) noexcept {
  switch (kind) {
    case activation::none: return {};
    case activation::relu: return {0.0F, std::nullopt};
    case activation::relu_n1_to_1: return {-1.0F, 1.0F};
    case activation::relu6: return {0.0F, 6.0F};
  }
  return {};
}

[[nodiscard]] constexpr std::string_view name_of(activation kind) noexcept {
  switch (kind) {
    case activation::none: return "none";
    case activation::relu: return "relu";
    case activation::relu_n1_to_1: return "relu_n1_to_1";
    case activation::relu6: return "relu6";
  }
  return "?";
}

}  // namespace bittwin::inline v1
