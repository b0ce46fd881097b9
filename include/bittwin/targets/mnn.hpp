// SPDX-License-Identifier: Apache-2.0
// MNN's int8 layers on arm64: bias in the int32 sum, float32 scale, ties away from zero (FCVTAS). x86 adds 0.5 and cuts,
// which differs beside a tie, and is not modelled. Zero points of 0. Sources
//   alibaba/MNN@4d40bdbd: source/backend/cpu.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct mnn_dot_product : int32_sums, clamp_then_offset, type_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::clamped_by_its_type>;
  using scale_product = bittwin::scale_product::in_float32;
  using multiplier = multipliers::float32;
  using rescale = bittwin::rescale::float32_multiply<half_away>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct mnn_arm64 {
  static constexpr std::string_view name = "mnn-arm64";
  static constexpr std::string_view version = "4d40bdbd";

  struct conv2d : arithmetic::mnn_dot_product {};
  struct depthwise_conv2d : arithmetic::mnn_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::mnn_arm64>{
    .formula = "half_away( clamp(float32(acc) float32(si sw / so)) )"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::mnn_arm64, Room, Axis>{
    confidence::published_code, "alibaba/MNN@4d40bdbd source/backend/cpu"};
template <class Room>
inline constexpr provenance_record provenance<targets::mnn_arm64, Room, axis::scale_product>{
    confidence::inferred, "float32"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::mnn_arm64, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
