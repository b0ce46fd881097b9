// SPDX-License-Identifier: Apache-2.0
// Named faults with which the tests are tested:
//   BITTWIN_MUTABLE(value <= limit, limit_lost, value < limit)   is   value <= limit
// A program that defines BITTWIN_MUTANTS (tests/mutants, nobody else) may choose one name at run time; there, and
// only there, the last argument stands in the place of the first. Constant expressions keep the first.
#pragma once

#ifndef BITTWIN_MUTANTS
#define BITTWIN_MUTABLE(original, name, mutated) (original)
#else
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bittwin::mutation {

/// FNV-1a, so that a name needs no list in the headers; tests/mutants keeps the list.
[[nodiscard]] constexpr std::uint64_t number_of(std::string_view name) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char letter : name)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  return hash;
}

inline constinit std::uint64_t chosen = 0;

[[nodiscard]] constexpr bool is(std::uint64_t number) noexcept {
  return !std::is_constant_evaluated() && number == chosen;
}

}  // namespace bittwin::mutation

#define BITTWIN_MUTABLE(original, name, mutated)                                            \
  (::bittwin::mutation::is(                                                                 \
       std::integral_constant<std::uint64_t, ::bittwin::mutation::number_of(#name)>::value) \
       ? (mutated)                                                                          \
       : (original))
#endif
