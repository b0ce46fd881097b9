// SPDX-License-Identifier: Apache-2.0
// Which verdicts count as found: the levels of --fail-on.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bittwin::analysis::inline v1 {

/// any       everything that is not the same
/// rounding  other roundings, and what no rounding and no input explains
/// named     the latter alone
enum class fail_level : std::uint8_t { any, rounding, named };

[[nodiscard]] constexpr std::optional<fail_level> fail_level_named(std::string_view name) noexcept {
  if (name == "any") return fail_level::any;
  if (name == "rounding") return fail_level::rounding;
  if (name == "named") return fail_level::named;
  return std::nullopt;
}

[[nodiscard]] constexpr bool counts(verdict v, fail_level level) noexcept {
  if (level == fail_level::any) return v != verdict::exact && v != verdict::not_observed;
  return is_unexplained(v) || (level == fail_level::rounding && v == verdict::rounding);
}
static_assert(counts(verdict::named, fail_level::named));
static_assert(!counts(verdict::rounding, fail_level::named));

}  // namespace bittwin::analysis::inline v1
