// SPDX-License-Identifier: Apache-2.0
// CONCATENATION, PAD and SPACE_TO_BATCH_ND under a target: the rules for codes that only move.
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

/// The code that PAD and SPACE_TO_BATCH_ND fill with, from the input's zero point.
using padding_function = std::int32_t (*)(std::int32_t) noexcept;

template <target Target, class Room>
[[nodiscard]] constexpr padding_function padding_rule_of(const layer_facts& layer) {
  static_assert(check_room<Target, Room>());
  padding_function rule = nullptr;
  choose<axis_value<Target, Room, axis::padding>>(
      layer, [&]<class P>(std::type_identity<P>) { rule = &P::code; });
  return rule;
}

}  // namespace bittwin::inline v1
