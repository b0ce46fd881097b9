// SPDX-License-Identifier: Apache-2.0
// Rockchip RK3588's output converter as the vendor's software leaves it: int16 scale of 15 bits, ties to even, the
// offset behind the shift. One scale a filter; its per-channel stage is another and not modelled. Sources (inferred,
// to be verified on silicon)
//   community register notes on the DPU's OUT_CVT; Mesa src/gallium/drivers/rocket/rkt_regcmd.c for the registers
//   (that driver forgets the carry to 2^15, the vendor's does not).
#pragma once

#include <bittwin/policy/unknown.hpp>
#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct rk3588_dot_product : sums_known_in_32_bits, offset_then_clamp, type_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::per_tensor,
                                 layer_is::of_symmetric_weights, layer_is::clamped_by_its_type>;
  using scale_product = bittwin::scale_product::in_float32;
  using multiplier = multipliers::in_registers<mantissas::fifteen_bits_plus_one>;
  using rescale = bittwin::rescale::shifted_product<half_even>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct rk3588 {
  static constexpr std::string_view name = "rk3588";
  static constexpr std::string_view version = "OUT_CVT, CVT_ROUND = 0";

  struct conv2d : arithmetic::rk3588_dot_product {};
  struct depthwise_conv2d : arithmetic::rk3588_dot_product {};
  struct add : arithmetic::offset_then_clamp, arithmetic::type_bounds {
    using addition = unknown;
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::rk3588>{
    .formula = "sat8( half_even(acc m15 / 2^s) + zo )",
    .to_measure = "sums beyond int32; per-channel scales; ADD; pools; activations"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::rk3588, Room, Axis>{
    confidence::inferred, "community register notes; Mesa rocket rkt_regcmd.c"};
template <>
inline constexpr provenance_record provenance<targets::rk3588, room::add, axis::addition>{
    confidence::unknown, "nothing published"};

}  // namespace bittwin::inline v1
