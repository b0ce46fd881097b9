// SPDX-License-Identifier: Apache-2.0
// Arm Compute Library on QASYMM8 and QASYMM8_SIGNED (NEON): a saturating doubling high product, ties up, then a shift with
// ties away from zero. Sources
//   ARM-software/ComputeLibrary@04c0db9d: src/core/NEON/NEAsymm.h.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct arm_compute_dot_product : int32_sums, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::of_8_bits>;
  using scale_product = bittwin::scale_product::in_float32;
  using multiplier = multipliers::q31<half_away>;
  using rescale = q31_double_rounding::rescale;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct arm_compute {
  static constexpr std::string_view name = "arm-compute";
  static constexpr std::string_view version = "04c0db9d";

  struct conv2d : arithmetic::arm_compute_dot_product {};
  struct depthwise_conv2d : arithmetic::arm_compute_dot_product {};
  struct fully_connected : arithmetic::arm_compute_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::arm_compute>{
    .formula = "clamp( half_away( half_up(acc 2^left m / 2^31) / 2^right ) + zo )",
    .known_faults = "AArch32 quantizes floats toward zero"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::arm_compute, Room, Axis>{
    confidence::published_code, "ARM-software/ComputeLibrary@04c0db9d src/core/NEON/NEAsymm.h"};
template <class Room>
inline constexpr provenance_record provenance<targets::arm_compute, Room, axis::multiplier>{
    confidence::inferred, "as TFLite; calculate_quantized_multiplier was not read"};
template <class Room>
inline constexpr provenance_record provenance<targets::arm_compute, Room, axis::scale_product>{
    confidence::inferred, "float32, as its quantization infos hold scales"};
template <class Room>
inline constexpr provenance_record provenance<targets::arm_compute, Room, axis::activation_bounds>{
    confidence::inferred, "codes of bounded RELU given by the caller"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::arm_compute, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
