// SPDX-License-Identifier: Apache-2.0
// CONCATENATION and PAD under a target: the rules for codes that only move.
#pragma once

#include <bittwin/policy/room.hpp>
#include <type_traits>

namespace bittwin::inline v1 {

/// Brings a code of one operand to the output's grid.
using recode_function = std::int64_t (*)(std::int64_t, affine, affine, code_range) noexcept;

template <target Target>
[[nodiscard]] constexpr recode_function concatenation_rule(const layer_facts& layer) {
  static_assert(check_room<Target, room::concatenation>());
  recode_function rule = nullptr;
  choose<axis_value<Target, room::concatenation, axis::recode>>(
      layer, [&]<class P>(std::type_identity<P>) { rule = &P::apply; });
  return rule;
}

/// The code that PAD fills with, from the input's zero point.
using padding_function = std::int32_t (*)(std::int32_t) noexcept;

template <target Target>
[[nodiscard]] constexpr padding_function pad_rule(const layer_facts& layer) {
  static_assert(check_room<Target, room::pad>());
  padding_function rule = nullptr;
  choose<axis_value<Target, room::pad, axis::padding>>(
      layer, [&]<class P>(std::type_identity<P>) { rule = &P::code; });
  return rule;
}

}  // namespace bittwin::inline v1
