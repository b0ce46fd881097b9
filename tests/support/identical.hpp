// SPDX-License-Identifier: Apache-2.0
// Equality of value and of type, for static_assert: a result of the wrong width is a wrong result.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace bittwin::test {

/// Floating-point values are compared as codes, so -0 is not 0 and a NaN is itself.
template <class A, class B> [[nodiscard]] constexpr bool identical(const A& a, const B& b) {
  if constexpr (!std::is_same_v<A, B>)
    return false;
  else if constexpr (std::same_as<A, float>)
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  else if constexpr (std::same_as<A, double>)
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  else
    return a == b;
}

static_assert(identical(1, 1) && !identical(1, 2) && !identical(1, 1L) && !identical(0.0, -0.0));

}  // namespace bittwin::test
