// SPDX-License-Identifier: Apache-2.0
// ruy's reference path: one rounding, ties up. ruy says of it that it is not bit-exact-normative, and its ARM kernels
// may differ by 1 (SQRDMULH and a rounding shift). Only FULLY_CONNECTED: convolutions are their caller's. Sources
//   google/ruy@2af8886: ruy/apply_multiplier.cc, ruy/reference_mul.h, ruy/mul_params.h;
//   multipliers and clamps are made by callers: here as TensorFlow Lite makes them.
// Compared once with apply_multiplier.cc: 4.9 million products, 0 differ.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::targets::inline v1 {

struct ruy {
  static constexpr std::string_view name = "ruy";
  static constexpr std::string_view version = "2af8886";

  struct fully_connected : arithmetic::int32_sums,
                           arithmetic::offset_then_clamp,
                           arithmetic::tflite_bounds {
    using layers = bittwin::layers<layer_is::of_8_bits>;
    using scale_product = bittwin::scale_product::in_float64;
    using multiplier = multipliers::q31_up_to<7, arithmetic::half_away>;
    using rescale = bittwin::rescale::q31_one_step<arithmetic::half_up>;
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::ruy>{
    .formula = "clamp( half_up(acc m / 2^(31-e)) + zo )",
    .known_faults = "ARM kernels may differ by 1; ruy promises no exact integers"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::ruy, Room, Axis>{
    confidence::published_code, "google/ruy@2af8886 ruy/apply_multiplier.cc, ruy/reference_mul.h"};
template <class Room>
inline constexpr provenance_record provenance<targets::ruy, Room, axis::multiplier>{
    confidence::inferred, "made by the caller; as TFLite quantization_util.cc"};
template <class Room>
inline constexpr provenance_record provenance<targets::ruy, Room, axis::scale_product>{
    confidence::inferred, "made by the caller; as TFLite kernel_util.cc"};
template <class Room>
inline constexpr provenance_record provenance<targets::ruy, Room, axis::activation_bounds>{
    confidence::inferred, "made by the caller; as TFLite kernel_util.cc"};

}  // namespace bittwin::inline v1
