// SPDX-License-Identifier: Apache-2.0
// LiteRT's reference kernels at head: int8 FULLY_CONNECTED is rescaled in float64, ties away from zero; the rest is
// taken over from tflite-reference, unchecked. Sources
//   google-ai-edge/LiteRT@13eade63 tflite/kernels/internal/reference/integer_ops/fully_connected.h;
//   reports: tensorflow/tensorflow#119412, ARM-software/CMSIS-NN#214.
#pragma once

#include <bittwin/policy/layers.hpp>
#include <bittwin/targets/tflite_reference.hpp>

namespace bittwin::targets::inline v1 {

struct litert_head : tflite_reference {
  static constexpr std::string_view name = "litert-head";
  static constexpr std::string_view version = "LiteRT 13eade63";

  struct fully_connected : tflite_reference::fully_connected {
    using scale_product = when<layer_is::int8, bittwin::scale_product::in_float64,
                               arithmetic::per_tensor_product_in_float32>;
    using multiplier =
        when<layer_is::int8, multipliers::float64, arithmetic::double_rounding_of_sums::multiplier>;
    using rescale = when<layer_is::int8, bittwin::rescale::float64_multiply<arithmetic::half_away>,
                         arithmetic::double_rounding_of_sums::rescale>;
  };
};
static_assert(overrides<litert_head, tflite_reference>("fully_connected.scale_product",
                                                       "fully_connected.multiplier",
                                                       "fully_connected.rescale"));

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::litert_head>{
    .formula =
        "FULLY_CONNECTED: clamp( half_away(float64(acc) (si sw / so)) + zo ); others as "
        "tflite-reference"};

template <class Axis>
inline constexpr provenance_record provenance<targets::litert_head, room::fully_connected, Axis>{
    confidence::published_code, "google-ai-edge/LiteRT@13eade63 integer_ops/fully_connected.h"};

}  // namespace bittwin::inline v1
