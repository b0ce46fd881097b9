// SPDX-License-Identifier: Apache-2.0
// Chips whose layers rescale by a shift alone: int8, zero points of 0, scales that are powers of two, ties up. Their bias
// has 8 bits and a scale of its own, so layers with a TFLite bias are refused.
//   max78000     Analog Devices MAX78000: analogdevicesinc/ai8x-synthesis@ab4f4c0 izer/{simulate,compute}.py
//   vitis_dpu    AMD DPU by its CPU emulation: Xilinx/Vitis-AI@b2b22792 nndct_fix_kernels_cpu.h, cpu_task/ops (silicon inferred)
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct shift_alone : plain_operands, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::per_tensor, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::on_powers_of_two,
                                 layer_is::of_relu_alone, layer_is::without_bias>;
  using accumulator = bittwin::accumulator::wrapping<std::int64_t>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::exponent_alone;
  using rescale = bittwin::rescale::power_of_two<half_up>;
};

/// Shifts of 0 to 16, known in 32 bits.
struct dpu_shift : shift_alone {
  using accumulator = bittwin::accumulator::exact_within<32>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct max78000 {
  static constexpr std::string_view name = "max78000";
  static constexpr std::string_view version = "ai8x-synthesis ab4f4c0";

  struct conv2d : arithmetic::shift_alone {};
  struct depthwise_conv2d : arithmetic::shift_alone {};
  struct fully_connected : arithmetic::shift_alone {};
};

struct vitis_dpu {
  static constexpr std::string_view name = "vitis-dpu";
  static constexpr std::string_view version = "Vitis-AI b2b22792, CPU emulation";

  struct conv2d : arithmetic::dpu_shift {};
  struct depthwise_conv2d : arithmetic::dpu_shift {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::max78000>{
    .formula = "clip8( floor(0.5 + acc 2^(shift - 7)) )",
    .known_faults = "document and simulator disagree on negative ties of average pools",
    .to_measure = "8-bit biases"};

template <>
inline constexpr target_notes notes<targets::vitis_dpu>{
    .formula = "sat8( half_up(acc / 2^cut) )",
    .to_measure = "sums beyond 32 bits; 8-bit biases; pools of odd windows"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::max78000, Room, Axis>{
    confidence::published_code, "analogdevicesinc/ai8x-synthesis@ab4f4c0 izer/simulate.py"};
template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::vitis_dpu, Room, Axis>{
    confidence::inferred, "Xilinx/Vitis-AI@b2b22792, the vendor's CPU emulation"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::max78000, Room, Axis> =
    arithmetic::operator_definition;
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::vitis_dpu, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
