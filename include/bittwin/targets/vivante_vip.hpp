// SPDX-License-Identifier: Apache-2.0
// A template: VeriSilicon Vivante VIP (NXP i.MX8MP, Amlogic, ST MP2). etnaviv programs the upper 15 bits of the float32
// multiplier; the unit rounds to nearest, the tie is not public. Additions become 2x2 convolutions. Sources (inferred)
//   Mesa src/gallium/drivers/etnaviv/etnaviv_ml_nn.c; VeriSilicon/TIM-VX issues 210 and 630.
#pragma once

#include <bittwin/targets/unknown_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct vivante_dot_product : unknown_dot_product {
  using layers = bittwin::layers<layer_is::of_8_bits>;
  using scale_product = bittwin::scale_product::in_float32;
  using multiplier = multipliers::in_registers<mantissas::truncated<15>>;
  using narrowing = bittwin::narrowing::saturate;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct vivante_vip {
  static constexpr std::string_view name = "vivante-vip";
  static constexpr std::string_view version = "nothing published";

  struct conv2d : arithmetic::vivante_dot_product {};
  struct depthwise_conv2d : arithmetic::vivante_dot_product {};
  struct fully_connected : arithmetic::vivante_dot_product {};
  struct add : arithmetic::unknown_addition {};
  struct average_pool2d : arithmetic::unknown_average {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::vivante_vip>{
    .to_measure = "the tie of the rescale, accumulator width, additions, pools"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::vivante_vip, Room, Axis>{
    arithmetic::template_confidence<targets::vivante_vip, Room, Axis>,
    "Mesa etnaviv_ml_nn.c; VeriSilicon/TIM-VX#210, #630"};

}  // namespace bittwin::inline v1
