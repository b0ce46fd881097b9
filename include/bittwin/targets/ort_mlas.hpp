// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's MLAS on QLinearConv, QGemm and QLinearAdd: float32 rescales, ties to even. Additions differ between
// processors: float32 on x86, integers of 22 bits on NEON. It has no fused activations but the type's range. Sources
//   microsoft/onnxruntime@0465fe91: onnxruntime/core/mlas/lib/quantize.cpp, onnxruntime/core/mlas/lib/qladd.cpp.
// x86 with VNNI, or without pairs that saturate; the addition is that of the SSE2 kernel, its AVX2 twin may contract.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct mlas_dot_product : int32_sums, clamp_then_offset, type_bounds, float32_rounding {
  using layers = bittwin::layers<layer_is::of_8_bits, layer_is::clamped_by_its_type>;
};

struct mlas_max_pool : type_bounds {
  using layers = bittwin::layers<layer_is::of_8_bits, layer_is::clamped_by_its_type>;
  using placement = bittwin::placement::as_stated;
};

template <class Addition> struct mlas_addition : offset_then_clamp, type_bounds {
  using layers = bittwin::layers<layer_is::of_8_bits, layer_is::clamped_by_its_type>;
  using addition = Addition;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct ort_mlas_x86 {
  static constexpr std::string_view name = "ort-mlas-x86";
  static constexpr std::string_view version = "onnxruntime 0465fe91";

  struct conv2d : arithmetic::mlas_dot_product {};
  struct depthwise_conv2d : arithmetic::mlas_dot_product {};
  struct fully_connected : arithmetic::mlas_dot_product {};
  struct add : arithmetic::mlas_addition<addition::in_float32<arithmetic::half_even>> {};
  struct max_pool2d : arithmetic::mlas_max_pool {};
};

struct ort_mlas_arm {
  static constexpr std::string_view name = "ort-mlas-arm";
  static constexpr std::string_view version = "onnxruntime 0465fe91";

  struct conv2d : arithmetic::mlas_dot_product {};
  struct depthwise_conv2d : arithmetic::mlas_dot_product {};
  struct fully_connected : arithmetic::mlas_dot_product {};
  struct add : arithmetic::mlas_addition<addition::products_of_22_bits<arithmetic::half_away>> {};
  struct max_pool2d : arithmetic::mlas_max_pool {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::ort_mlas_x86>{
    .formula = "half_even( clamp(float32(acc) float32(si sw / so), min - zo, max - zo) ) + zo",
    .known_faults = "without VNNI, pairs of u8 s8 products saturate at 16 bits"};

template <>
inline constexpr target_notes notes<targets::ort_mlas_arm>{
    .formula = "half_even( clamp(float32(acc) float32(si sw / so), min - zo, max - zo) ) + zo"};

/// One of the two targets.
template <class T>
concept mlas_target =
    std::is_same_v<T, targets::ort_mlas_x86> || std::is_same_v<T, targets::ort_mlas_arm>;

template <mlas_target T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::published_code, "microsoft/onnxruntime@0465fe91 mlas/lib/quantize.cpp"};
template <mlas_target T, class Axis>
inline constexpr provenance_record provenance<T, room::add, Axis>{
    confidence::published_code, "microsoft/onnxruntime@0465fe91 mlas/lib/qladd.cpp"};
template <mlas_target T, class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
