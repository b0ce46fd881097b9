// SPDX-License-Identifier: Apache-2.0
// TOSA on int8: convolutions and pools of the specification with the RESCALE behind them, single or double rounding.
// Sums that leave int32 are undefined there, so layers which could make one are refused. How a real multiplier becomes
// integers is no part of it: here as MLIR does. Sources
//   arm/tosa-specification@cd5acdd: pseudocode/library/scale_helpers, pseudocode/operators/{RESCALE,AVG_POOL2D};
//   llvm/llvm-project mlir/lib/Dialect/Tosa/Utils/QuantUtils.cpp for multipliers.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

template <class Rescale>
struct tosa_dot_product : sums_known_in_32_bits, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::tosa_32;
  using rescale = Rescale;
};

template <class Rescale> struct tosa_requantize : offset_then_clamp, type_bounds {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::tosa_32;
  using rescale = Rescale;
};

struct tosa_pool : tflite_pool {
  using layers = bittwin::layers<layer_is::int8_as_modelled>;
  using pool_division = bittwin::pool_division::by_reciprocal;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct tosa {
  static constexpr std::string_view name = "tosa";
  static constexpr std::string_view version = "cd5acdd, SINGLE_ROUND";

  struct conv2d : arithmetic::tosa_dot_product<rescale::tosa_half_up> {};
  struct depthwise_conv2d : arithmetic::tosa_dot_product<rescale::tosa_half_up> {};
  struct fully_connected : arithmetic::tosa_dot_product<rescale::tosa_half_up> {};
  struct transpose_conv : arithmetic::tosa_dot_product<rescale::tosa_half_up> {};
  struct requantize : arithmetic::tosa_requantize<rescale::tosa_half_up> {};
  struct average_pool2d : arithmetic::tosa_pool {};
  struct max_pool2d : arithmetic::tosa_pool {};
};

struct tosa_double {
  static constexpr std::string_view name = "tosa-double";
  static constexpr std::string_view version = "cd5acdd, DOUBLE_ROUND";

  struct conv2d : arithmetic::tosa_dot_product<rescale::tosa_double_half_away> {};
  struct depthwise_conv2d : arithmetic::tosa_dot_product<rescale::tosa_double_half_away> {};
  struct fully_connected : arithmetic::tosa_dot_product<rescale::tosa_double_half_away> {};
  struct transpose_conv : arithmetic::tosa_dot_product<rescale::tosa_double_half_away> {};
  struct requantize : arithmetic::tosa_requantize<rescale::tosa_double_half_away> {};
  struct average_pool2d : arithmetic::tosa_pool {};
  struct max_pool2d : arithmetic::tosa_pool {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::tosa>{
    .formula = "clamp( half_up(acc m / 2^s) + zo ), s in [2, 62]"};

template <>
inline constexpr target_notes notes<targets::tosa_double>{
    .formula =
        "clamp( ((acc m + 2^(s-1) +- 2^30) >> s) + zo ), 2^30 with the sign of acc where s > 31"};

/// One of the two targets.
template <class T>
concept tosa_target = std::is_same_v<T, targets::tosa> || std::is_same_v<T, targets::tosa_double>;

template <tosa_target T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::documented, "arm/tosa-specification@cd5acdd pseudocode"};
template <tosa_target T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::multiplier>{
    confidence::inferred, "llvm-project mlir/lib/Dialect/Tosa/Utils/QuantUtils.cpp"};
template <tosa_target T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::scale_product>{
    confidence::inferred, "llvm-project mlir/lib/Dialect/Tosa/Utils/QuantUtils.cpp"};
template <tosa_target T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::activation_bounds>{
    confidence::inferred, "a CLAMP behind; its codes are the converter's, here as TFLite's"};

}  // namespace bittwin::inline v1
