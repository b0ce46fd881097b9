// SPDX-License-Identifier: Apache-2.0
// oneDNN's int8 convolutions and inner products by its reference: scales one after the other in float32, the bias a
// float32 behind them, ties to even after the zero point. With VNNI sums are exact; before it, pairs of u8 s8 products
// saturate at 16 bits (modelled for u8 sources; for s8 sources it halves weights, which is not: targets/onednn_2.hpp is
// what a version does there). Its JIT kernels may fold scales. Sources
//   uxlfoundation/oneDNN@00b78794: src/cpu/ref_convolution_int8.cpp; doc/advanced_topics/int8_computations.md.
// A .tflite bias becomes float32(bias si sw).
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct onednn_dot_product : int32_sums, offset_then_clamp, tflite_bounds {
  using layers =
      bittwin::layers<layer_is::int8, layer_is::of_symmetric_weights, layer_is::of_relu_alone>;
  using scale_product = bittwin::scale_product::in_float32;
  using multiplier = multipliers::float32;
  using rescale = bittwin::rescale::by_parts<half_even>;
};

struct onednn_pairs : onednn_dot_product {
  using layers =
      bittwin::layers<layer_is::of_uint8, layer_is::of_signed_weights, layer_is::of_relu_alone,
                      layer_is::of_even_depth, layer_is::of_padding_within_pairs>;
  using accumulator = bittwin::accumulator::uint8_saturating_pairs;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct onednn_vnni {
  static constexpr std::string_view name = "onednn-vnni";
  static constexpr std::string_view version = "00b78794, reference formula";

  struct conv2d : arithmetic::onednn_dot_product {};
  struct depthwise_conv2d : arithmetic::onednn_dot_product {};
  struct fully_connected : arithmetic::onednn_dot_product {};
};

struct onednn_avx2 {
  static constexpr std::string_view name = "onednn-avx2";
  static constexpr std::string_view version = "00b78794, u8 sources before VNNI";

  struct conv2d : arithmetic::onednn_pairs {};
  struct fully_connected : arithmetic::onednn_pairs {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::onednn_vnni>{
    .formula = "sat( half_even(float32(acc) si sw + b) / so + zo )",
    .to_measure = "which scales a JIT kernel folds before it multiplies"};
template <>
inline constexpr target_notes notes<targets::onednn_avx2>{
    .formula = "as onednn-vnni on acc = sum sat16(x0 w0 + x1 w1) - zx sum w",
    .known_faults = "PAIR_SATURATION",
    .to_measure = "s8 sources, whose weights are halved; which scales a JIT kernel folds"};

/// One of the two targets.
template <class T>
concept onednn_target =
    std::is_same_v<T, targets::onednn_vnni> || std::is_same_v<T, targets::onednn_avx2>;

template <onednn_target T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::published_code, "uxlfoundation/oneDNN@00b78794 src/cpu/ref_convolution_int8.cpp"};
template <onednn_target T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::accumulator>{
    confidence::documented, "oneDNN doc/advanced_topics/int8_computations.md"};
template <onednn_target T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::activation_bounds>{
    confidence::inferred, "an eltwise post-op in reals, which ends at the code of 0"};
template <onednn_target T, class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
