// SPDX-License-Identifier: Apache-2.0
// NVDLA on int8 with zero points of 0: int16 scale, shift with ties away from zero, 17 bits, then 8. Which int16 stands for a
// real multiplier is the compiler's choice: multipliers of more than 15 bits are refused. Sources
//   nvdla/hw@8e06b1b: cmod/hls/sdp/sdp_c.cpp, cmod/hls/include/nvdla_int.h, cmod/cacc (48-bit sums, which 8-bit layers do not leave).
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct nvdla_dot_product : plain_operands, offset_then_clamp, type_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::per_tensor, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::clamped_by_its_type>;
  using accumulator = bittwin::accumulator::exact_within<32>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::of_bits<15>;
  using rescale = bittwin::rescale::shifted_product<half_away>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct nvdla {
  static constexpr std::string_view name = "nvdla";
  static constexpr std::string_view version = "hw 8e06b1b";

  struct conv2d : arithmetic::nvdla_dot_product {};
  struct fully_connected : arithmetic::nvdla_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::nvdla>{
    .formula = "sat8( sat17( half_away(acc m16 / 2^s) ) )",
    .to_measure = "what delivery saturates beyond int32"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::nvdla, Room, Axis>{
    confidence::published_code, "nvdla/hw@8e06b1b cmod/hls/sdp/sdp_c.cpp"};
template <class Room>
inline constexpr provenance_record provenance<targets::nvdla, Room, axis::multiplier>{
    confidence::inferred, "exact multipliers of 15 bits; the compiler chooses others"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::nvdla, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
