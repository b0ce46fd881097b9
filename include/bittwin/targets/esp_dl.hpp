// SPDX-License-Identifier: Apache-2.0
// Espressif's ESP-DL on int8: scales that are powers of two, zero points of 0, one shift. Ties to even on the ESP32-P4,
// up on the ESP32-S3. Per-channel layers and average pools go other ways and are not modelled. Sources
//   espressif/esp-dl@983be722: esp-dl/dl/base/dl_base_activate_buffer.hpp, dl_tool, dl_define (C++ reference; the S3's
//   vector unit sums in 20 bits and what it does beyond is not published).
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

template <rounding::policy R, int Bits>
struct esp_dl_dot_product : plain_operands, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::per_tensor, layer_is::symmetric,
                                 layer_is::of_symmetric_weights, layer_is::on_powers_of_two,
                                 layer_is::of_relu_alone>;
  using accumulator = bittwin::accumulator::exact_within<Bits>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::exponent_alone;
  using rescale = bittwin::rescale::power_of_two<R>;
};

struct esp_dl_addition : offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8, layer_is::symmetric, layer_is::on_powers_of_two,
                                 layer_is::of_relu_alone>;
  using addition = bittwin::addition::saturating_sum;
};

struct esp_dl_max_pool : tflite_pool {
  using layers = bittwin::layers<layer_is::int8, layer_is::symmetric, layer_is::of_relu_alone>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct esp_dl_p4 {
  static constexpr std::string_view name = "esp-dl-p4";
  static constexpr std::string_view version = "esp-dl 983be722, ESP32-P4";

  struct conv2d : arithmetic::esp_dl_dot_product<arithmetic::half_even, 32> {};
  struct depthwise_conv2d : arithmetic::esp_dl_dot_product<arithmetic::half_even, 32> {};
  struct fully_connected : arithmetic::esp_dl_dot_product<arithmetic::half_even, 32> {};
  struct add : arithmetic::esp_dl_addition {};
  struct max_pool2d : arithmetic::esp_dl_max_pool {};
};

struct esp_dl_s3 {
  static constexpr std::string_view name = "esp-dl-s3";
  static constexpr std::string_view version = "esp-dl 983be722, ESP32-S3";

  struct conv2d : arithmetic::esp_dl_dot_product<arithmetic::half_up, 20> {};
  struct depthwise_conv2d : arithmetic::esp_dl_dot_product<arithmetic::half_up, 20> {};
  struct fully_connected : arithmetic::esp_dl_dot_product<arithmetic::half_up, 20> {};
  struct add : arithmetic::esp_dl_addition {};
  struct max_pool2d : arithmetic::esp_dl_max_pool {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::esp_dl_p4>{
    .formula = "sat8( half_even(acc 2^(ei + ew - eo)) )"};

template <>
inline constexpr target_notes notes<targets::esp_dl_s3>{
    .formula = "sat8( half_up(acc 2^(ei + ew - eo)) )", .to_measure = "sums beyond 20 bits"};

/// One of the two targets.
template <class T>
concept esp_dl_target =
    std::is_same_v<T, targets::esp_dl_p4> || std::is_same_v<T, targets::esp_dl_s3>;

template <esp_dl_target T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::published_code, "espressif/esp-dl@983be722 dl_base_activate_buffer.hpp, dl_tool"};
template <esp_dl_target T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::accumulator>{
    confidence::inferred, "the C++ reference sums in int32; vector units are narrower"};
template <esp_dl_target T, class Room, arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
