// SPDX-License-Identifier: Apache-2.0
// The two ways an integer is brought into a narrower type, as functions without undefined
// behaviour.
//   wrap_cast<T>(v)     = v modulo 2^bits(T)
//   saturate_cast<T>(v) = min(max(v, lowest(T)), highest(T))
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

namespace bittwin::inline v1 {

template <std::integral T>
inline constexpr std::int64_t lowest = static_cast<std::int64_t>(std::numeric_limits<T>::min());

template <std::integral T>
inline constexpr std::int64_t highest = static_cast<std::int64_t>(std::numeric_limits<T>::max());

/// Keeps the low bits. C++20 defines the conversion as modulo 2^bits, so this is only a name for
/// it.
template <std::integral To, std::integral From>
[[nodiscard]] constexpr To wrap_cast(From value) noexcept {
  return static_cast<To>(value);
}

/// Clamps to the range of To (at most 64 bits signed).
template <std::integral To> [[nodiscard]] constexpr To saturate_cast(std::int64_t value) noexcept {
  if (value < lowest<To>) return std::numeric_limits<To>::min();
  if (value > highest<To>) return std::numeric_limits<To>::max();
  return static_cast<To>(value);
}

/// min(max(value, low), high), for low <= high.
template <class T> [[nodiscard]] constexpr T clamp_to(T value, T low, T high) noexcept {
  return value < low ? low : value > high ? high : value;
}

/// a + b modulo 2^64.
[[nodiscard]] constexpr std::int64_t wrap_add(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// a * b modulo 2^64.
[[nodiscard]] constexpr std::int64_t wrap_multiply(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// value * 2^count modulo 2^64, 0 <= count <= 63.
[[nodiscard]] constexpr std::int64_t wrap_shift_left(std::int64_t value, int count) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << count);
}

}  // namespace bittwin::inline v1
