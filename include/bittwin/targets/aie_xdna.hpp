// SPDX-License-Identifier: Apache-2.0
// AMD AI Engine (Versal, XDNA, Ryzen AI): what its shift-round-saturate gives on int8 layers that rescale by a shift alone,
// in two of its modes. Which mode, and which lowering of other layers, is up to each kernel: other modes are a target's
// conv2d with another rounding (floor, ceil, toward_zero, away_from_zero, half_up, half_down, half_away, half_toward_zero,
// half_even, half_odd) and narrowing (wrap, saturate, symmetric). Sources
//   AMD UG1079, UG1603, UG1583: aie::set_rounding, aie::set_saturation, srs.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct aie_shift : sums_known_in_32_bits, type_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::per_tensor, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::on_powers_of_two,
                                 layer_is::clamped_by_its_type>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::right_shift_alone;
  using stages = bittwin::stages::offset_only;
};

/// As the unit starts: floor, and no saturation.
struct aie_at_reset : aie_shift {
  using rescale = bittwin::rescale::power_of_two<rounding::floor>;
  using narrowing = bittwin::narrowing::wrap;
};

/// conv_even and saturate.
struct aie_conv_even : aie_shift {
  using rescale = bittwin::rescale::power_of_two<half_even>;
  using narrowing = bittwin::narrowing::saturate;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct aie_xdna {
  static constexpr std::string_view name = "aie-xdna";
  static constexpr std::string_view version = "srs at reset: floor, no saturation";

  struct conv2d : arithmetic::aie_at_reset {};
  struct depthwise_conv2d : arithmetic::aie_at_reset {};
  struct fully_connected : arithmetic::aie_at_reset {};
};

struct aie_xdna_even {
  static constexpr std::string_view name = "aie-xdna-even";
  static constexpr std::string_view version = "srs with conv_even, saturate";

  struct conv2d : arithmetic::aie_conv_even {};
  struct depthwise_conv2d : arithmetic::aie_conv_even {};
  struct fully_connected : arithmetic::aie_conv_even {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::aie_xdna>{
    .formula = "wrap8( floor(acc / 2^s) )",
    .known_faults = "a kernel that forgets set_saturation wraps",
    .to_measure = "the mode and lowering of a kernel library; sums beyond int32"};
template <>
inline constexpr target_notes notes<targets::aie_xdna_even>{
    .formula = "sat8( half_even(acc / 2^s) )",
    .to_measure = "the mode and lowering of a kernel library; sums beyond int32"};

template <arithmetic::one_of<targets::aie_xdna, targets::aie_xdna_even> T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{confidence::documented,
                                                             "AMD UG1079, UG1603: srs"};
template <arithmetic::one_of<targets::aie_xdna, targets::aie_xdna_even> T, class Room,
          arithmetic::one_of<axis::scale_product, axis::multiplier, axis::accumulator,
                             axis::activation_bounds, axis::weight_zero_point, axis::stages>
              Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::inferred, "the kernel's; srs offers a shift alone"};
template <arithmetic::one_of<targets::aie_xdna, targets::aie_xdna_even> T, class Room,
          arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
