// SPDX-License-Identifier: Apache-2.0
// ESP-NN with CONFIG_NN_SKIP_NUDGE: TFLite's parameters, two roundings whose second sum is int32. Without that option it is
// tflite-reference. Sources
//   espressif/esp-nn@d45b843: src/common/common_functions.h.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct esp_nn_dot_product : int32_sums, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::q31<half_away>;
  using rescale = bittwin::rescale::q31_two_step_int32_sum;
};

struct esp_nn_pool : tflite_pool {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct esp_nn {
  static constexpr std::string_view name = "esp-nn";
  static constexpr std::string_view version = "d45b843, CONFIG_NN_SKIP_NUDGE";

  struct conv2d : arithmetic::esp_nn_dot_product {};
  struct depthwise_conv2d : arithmetic::esp_nn_dot_product {};
  struct fully_connected : arithmetic::esp_nn_dot_product {};
  struct average_pool2d : arithmetic::esp_nn_pool {};
  struct max_pool2d : arithmetic::esp_nn_pool {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::esp_nn>{
    .formula = "clamp( (h + 2^(s-1) - [h < 0]) >> s + zo ), h = half_up(acc m / 2^31), in int32",
    .known_faults = "near INT32_MAX the second sum wraps; issue 31: the odd row of SAME padding"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::esp_nn, Room, Axis>{
    confidence::published_code, "espressif/esp-nn@d45b843 common_functions.h"};
template <class Room>
inline constexpr provenance_record provenance<targets::esp_nn, Room, axis::multiplier>{
    confidence::inferred, "made by the caller; as TFLite makes it"};
template <class Room>
inline constexpr provenance_record provenance<targets::esp_nn, Room, axis::scale_product>{
    confidence::inferred, "made by the caller; as TFLite makes it"};
template <class Room>
inline constexpr provenance_record provenance<targets::esp_nn, Room, axis::activation_bounds>{
    confidence::inferred, "made by the caller; as TFLite makes it"};
template <class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<targets::esp_nn, Room, Axis> =
    arithmetic::operator_definition;

}  // namespace bittwin::inline v1
