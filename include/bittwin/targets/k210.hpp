// SPDX-License-Identifier: Apache-2.0
// Kendryte K210's KPU as its compiler's simulator computes it: uint8 codes and weights, sums of 36 bits, and an activation of
// linear segments whose rounding is a carry (rescale::carry_shift). Represented are layers of zero points of 0: one segment
// from 0, slope mantissa / 2^shift, and nothing below. Where other zero points put the segments, and which slopes stand for
// multipliers of more than 15 bits, is the compiler's choice. Filters of 1x1 and 3x3; its pools are not modelled. Sources
//   kendryte/nncase@99431d9: modules/k210/include/nncase/kernels/k210/k210_kernels.h, .../runtime/k210/runtime_types.h;
//   src/Native/include/nncase/runtime/runtime_op_utility.h carry_shift. Whether silicon does the same is not published.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct k210_dot_product : plain_operands, offset_then_clamp, type_bounds {
  using layers = bittwin::layers<layer_is::of_uint8, layer_is::per_tensor, layer_is::symmetric,
                                 layer_is::of_1x1_or_3x3, layer_is::clamped_by_its_type>;
  using accumulator = bittwin::accumulator::exact_within<36>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::shifted_at_most<43, multipliers::of_bits<15>>;
  using rescale = bittwin::rescale::carry_shift;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct k210 {
  static constexpr std::string_view name = "k210";
  static constexpr std::string_view version = "nncase 99431d9, simulator";

  struct conv2d : arithmetic::k210_dot_product {};
  struct depthwise_conv2d : arithmetic::k210_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::k210>{
    .formula = "clamp( carry(acc m15, s) ), half_even where acc > 0",
    .known_faults = "segments of negative slope round up to 2 too low",
    .to_measure = "whether silicon carries as the simulator; segments of other zero points"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::k210, Room, Axis>{
    confidence::published_code, "kendryte/nncase@99431d9 kernels/k210/k210_kernels.h"};
template <class Room>
inline constexpr provenance_record provenance<targets::k210, Room, axis::multiplier>{
    confidence::inferred, "exact slopes of 15 bits in one segment; the compiler chooses others"};
template <class Room>
inline constexpr provenance_record provenance<targets::k210, Room, axis::scale_product>{
    confidence::inferred, "the slope is the compiler's"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::k210, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
