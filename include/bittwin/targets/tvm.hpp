// SPDX-License-Identifier: Apache-2.0
// Apache TVM's QNN requantize on q31: one rounding of the 64-bit product, ties up (UPWARD) or away (TONEAREST). Sources
//   apache/tvm@5d4dc872: src/target/intrin_rule.cc; older src/relay/qnn/utils.cc and op/requantize.cc.
// ARM's vector lowering rounds twice (pull request 11155) and is not modelled.
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

template <rounding::policy R>
struct tvm_dot_product : int32_sums, offset_then_clamp, tflite_bounds {
  using layers = bittwin::layers<layer_is::of_8_bits>;
  using scale_product = bittwin::scale_product::in_float64;
  using multiplier = multipliers::q31<half_away>;
  using rescale = bittwin::rescale::q31_one_step<R>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct tvm {
  static constexpr std::string_view name = "tvm";
  static constexpr std::string_view version = "5d4dc872, UPWARD";

  struct conv2d : arithmetic::tvm_dot_product<arithmetic::half_up> {};
  struct depthwise_conv2d : arithmetic::tvm_dot_product<arithmetic::half_up> {};
  struct fully_connected : arithmetic::tvm_dot_product<arithmetic::half_up> {};
};

struct tvm_to_nearest {
  static constexpr std::string_view name = "tvm-to-nearest";
  static constexpr std::string_view version = "5d4dc872, TONEAREST";

  struct conv2d : arithmetic::tvm_dot_product<arithmetic::half_away> {};
  struct depthwise_conv2d : arithmetic::tvm_dot_product<arithmetic::half_away> {};
  struct fully_connected : arithmetic::tvm_dot_product<arithmetic::half_away> {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::tvm>{.formula =
                                                      "clamp( half_up(acc m / 2^(31-e)) + zo )"};

template <>
inline constexpr target_notes notes<targets::tvm_to_nearest>{
    .formula = "clamp( half_away(acc m / 2^(31-e)) + zo )"};

template <arithmetic::one_of<targets::tvm, targets::tvm_to_nearest> T, class Room, class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::published_code, "apache/tvm@5d4dc872 src/target/intrin_rule.cc"};
template <arithmetic::one_of<targets::tvm, targets::tvm_to_nearest> T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::scale_product>{
    confidence::inferred, "float64, as Relay folds it"};
template <arithmetic::one_of<targets::tvm, targets::tvm_to_nearest> T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::activation_bounds>{
    confidence::inferred, "a clip behind; its codes are the importer's"};
template <arithmetic::one_of<targets::tvm, targets::tvm_to_nearest> T, class Room,
          arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
