// SPDX-License-Identifier: Apache-2.0
// A template: STMicroelectronics STM32N6 Neural-ART on int8. Reports say that ADD with unequal scales diverges; nothing
// bit-exact is public.
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::targets::inline v1 {

struct stm32_neural_art : arithmetic::nothing_published {
  static constexpr std::string_view name = "stm32-neural-art";
  static constexpr std::string_view version = "nothing published";
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::stm32_neural_art>{
    .to_measure = "ADD with unequal scales, ties, multiplier width, accumulator, pools"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::stm32_neural_art, Room, Axis>{
    arithmetic::template_confidence<targets::stm32_neural_art, Room, Axis>,
    "community reports only"};

}  // namespace bittwin::inline v1
