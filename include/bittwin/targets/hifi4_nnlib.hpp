// SPDX-License-Identifier: Apache-2.0
// Cadence HiFi4 nnlib on TFLite's parameters, built for one rounding or for two. Left shifts come in a saturating and in a
// wrapping form, so multipliers from 1 on are refused. Sources
//   foss-xtensa/nnlib-hifi4@6a9ea45.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

template <class Rescale> struct hifi4_dot_product : int32_sums, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::q31_up_to<0, half_away>;
  using rescale = Rescale;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct hifi4_nnlib {
  static constexpr std::string_view name = "hifi4-nnlib";
  static constexpr std::string_view version = "6a9ea45, double rounding";

  struct conv2d : arithmetic::hifi4_dot_product<arithmetic::q31_double_rounding::rescale> {};
  struct depthwise_conv2d
      : arithmetic::hifi4_dot_product<arithmetic::q31_double_rounding::rescale> {};
  struct fully_connected : arithmetic::hifi4_dot_product<arithmetic::q31_double_rounding::rescale> {
  };
};

struct hifi4_nnlib_single {
  static constexpr std::string_view name = "hifi4-nnlib-single";
  static constexpr std::string_view version = "6a9ea45, single rounding";

  struct conv2d : arithmetic::hifi4_dot_product<arithmetic::q31_single_rounding::rescale> {};
  struct depthwise_conv2d
      : arithmetic::hifi4_dot_product<arithmetic::q31_single_rounding::rescale> {};
  struct fully_connected : arithmetic::hifi4_dot_product<arithmetic::q31_single_rounding::rescale> {
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::hifi4_nnlib>{
    .formula = "clamp( half_away( half_up(acc m / 2^31) / 2^right ) + zo )"};

template <>
inline constexpr target_notes notes<targets::hifi4_nnlib_single>{
    .formula = "clamp( half_up(acc m / 2^(31-e)) + zo )"};

template <arithmetic::one_of<targets::hifi4_nnlib, targets::hifi4_nnlib_single> T, class Room,
          class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{confidence::published_code,
                                                             "foss-xtensa/nnlib-hifi4@6a9ea45"};
template <arithmetic::one_of<targets::hifi4_nnlib, targets::hifi4_nnlib_single> T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::multiplier>{
    confidence::inferred, "made by the caller; as TFLite makes it"};
template <arithmetic::one_of<targets::hifi4_nnlib, targets::hifi4_nnlib_single> T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::scale_product>{
    confidence::inferred, "made by the caller; as TFLite makes it"};
template <arithmetic::one_of<targets::hifi4_nnlib, targets::hifi4_nnlib_single> T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::activation_bounds>{
    confidence::inferred, "made by the caller; as TFLite makes it"};
template <arithmetic::one_of<targets::hifi4_nnlib, targets::hifi4_nnlib_single> T, class Room,
          arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
