// SPDX-License-Identifier: Apache-2.0
// The affine map between codes and reals:  real = scale[c] * (code - zero_point[c]).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace bittwin::inline v1 {

/// scales       one (per tensor) or one a channel, each finite and > 0; empty: not quantized
/// zero_points  same length as scales
/// axis         the axis that channels run along, where there is more than one scale
struct quantization {
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;
  int axis = 0;

  [[nodiscard]] bool present() const noexcept { return !scales.empty(); }
  [[nodiscard]] bool per_channel() const noexcept { return scales.size() > 1; }
  [[nodiscard]] float scale(std::size_t channel = 0) const noexcept {
    return scales[per_channel() ? channel : 0];
  }
  [[nodiscard]] std::int64_t zero_point(std::size_t channel = 0) const noexcept {
    if (zero_points.empty()) return 0;
    return zero_points[zero_points.size() > 1 ? channel : 0];
  }

  friend bool operator==(const quantization&, const quantization&) = default;
};

/// The map of one tensor with a single scale, as kernels take it.
struct affine {
  float scale = 1.0F;
  std::int32_t zero_point = 0;

  /// By the codes of the scales: flags that flush subnormals to zero cannot make two of them equal.
  friend constexpr bool operator==(const affine& a, const affine& b) noexcept {
    return std::bit_cast<std::uint32_t>(a.scale) == std::bit_cast<std::uint32_t>(b.scale) &&
           a.zero_point == b.zero_point;
  }
};

}  // namespace bittwin::inline v1
