// SPDX-License-Identifier: Apache-2.0
// IEEE 754 binary16, as the values it holds:  sign, 5 bits of exponent, 10 of fraction.
#pragma once

#include <bittwin/types/ieee_format.hpp>
#include <cstdint>

namespace bittwin::ieee::inline v1 {

/// The float32 of the same value; every one exists.
[[nodiscard]] constexpr float from_half(std::uint16_t half) noexcept {
  const bool negative = (half & 0x8000) != 0;
  const int exponent = (half >> 10) & 0x1F;
  const std::uint64_t fraction = half & 0x3FF;
  if (exponent == 0x1F) return fraction == 0 ? infinity<float>(negative) : quiet_nan<float>;
  if (exponent == 0) return nearest<float>(negative, {fraction, false, -24});
  return nearest<float>(negative, {fraction | 0x400, false, exponent - 25});
}

}  // namespace bittwin::ieee::inline v1
