// SPDX-License-Identifier: Apache-2.0
// Intel NPU 37XX and 40XX as its compiler programs it: 15 significant bits, cut; ties to even; zero point, then clamp. What the
// unit does inside is inferred. Sources
//   openvinotoolkit/npu_compiler@150e2025: src/vpux_compiler quantization.cpp, expand_dpu_config_invariant_ppe.cpp.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct intel_npu_dot_product : sums_known_in_32_bits, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::of_8_bits>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::in_registers<mantissas::truncated<15>>;
  using rescale = bittwin::rescale::shifted_product<half_even>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct intel_npu {
  static constexpr std::string_view name = "intel-npu";
  static constexpr std::string_view version = "npu_compiler 150e2025";

  struct conv2d : arithmetic::intel_npu_dot_product {};
  struct fully_connected : arithmetic::intel_npu_dot_product {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::intel_npu>{
    .formula = "clamp( half_even(acc m15 / 2^s) + zo )",
    .to_measure = "rounding inside the unit; sums beyond int32; element-wise operators; pools"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::intel_npu, Room, Axis>{
    confidence::inferred, "openvinotoolkit/npu_compiler@150e2025 quantization.cpp"};

}  // namespace bittwin::inline v1
