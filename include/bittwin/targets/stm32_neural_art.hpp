// SPDX-License-Identifier: Apache-2.0
// A template: STMicroelectronics STM32N6 Neural-ART on int8. Reports say that ADD with unequal scales diverges; nothing
// bit-exact is public.
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::targets::inline v1 {

struct stm32_neural_art {
  static constexpr std::string_view name = "stm32-neural-art";
  static constexpr std::string_view version = "nothing published";

  struct conv2d : arithmetic::unknown_dot_product {};
  struct depthwise_conv2d : arithmetic::unknown_dot_product {};
  struct fully_connected : arithmetic::unknown_dot_product {};
  struct add : arithmetic::unknown_addition {};
  struct average_pool2d : arithmetic::unknown_average {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::stm32_neural_art>{
    .to_measure = "ADD with unequal scales, ties, multiplier width, accumulator, pools"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::stm32_neural_art, Room, Axis>{
    is_unknown<typename Axis::template of<typename Room::template of<targets::stm32_neural_art>>>
        ? confidence::unknown
        : confidence::inferred,
    "community reports only"};

}  // namespace bittwin::inline v1
