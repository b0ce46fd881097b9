// SPDX-License-Identifier: Apache-2.0
// Puts the sentence of an error together from pieces. Out of line and cold: hundreds of places refuse
// something, and none of them should cost compile time or room in a hot function.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>

namespace bittwin::inline v1 {

[[nodiscard, gnu::noinline, gnu::cold]] inline std::string sentence(
    std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

template <std::integral T> [[nodiscard, gnu::noinline, gnu::cold]] std::string number(T value) {
  return std::to_string(value);
}

/// As %g prints it: nine digits tell every float32 apart.
[[nodiscard, gnu::noinline, gnu::cold]] inline std::string decimal(float value) {
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace bittwin::inline v1
