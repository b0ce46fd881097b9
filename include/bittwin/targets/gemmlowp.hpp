// SPDX-License-Identifier: Apache-2.0
// gemmlowp: a matrix product of uint8 and its output pipeline, two roundings. Only FULLY_CONNECTED: convolutions are
// their caller's. Sources
//   google/gemmlowp@16e8662: public/output_stages.h, internal/output.h, fixedpoint/fixedpoint.h for the pipeline;
//   doc/quantization_example.cc for how a caller makes multiplier and shift (float32, below 1).
#pragma once

#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::targets::inline v1 {

struct gemmlowp {
  static constexpr std::string_view name = "gemmlowp";
  static constexpr std::string_view version = "16e8662";

  struct fully_connected : arithmetic::int32_sums,
                           arithmetic::offset_then_clamp,
                           arithmetic::type_bounds {
    using layers =
        bittwin::layers<layer_is::of_uint8, layer_is::per_tensor, layer_is::clamped_by_its_type>;
    using scale_product = bittwin::scale_product::in_float32;
    using multiplier = multipliers::in_q31_registers<mantissas::q31_of_float32>;
    using rescale = arithmetic::q31_double_rounding::rescale;
  };
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::gemmlowp>{
    .formula = "clamp( half_away( half_up(acc m / 2^31) / 2^s ) + zo ), m 24 significant bits"};

template <class Room, class Axis>
inline constexpr provenance_record provenance<targets::gemmlowp, Room, Axis>{
    confidence::published_code, "google/gemmlowp@16e8662 public/output_stages.h"};
template <class Room>
inline constexpr provenance_record provenance<targets::gemmlowp, Room, axis::multiplier>{
    confidence::published_code, "google/gemmlowp@16e8662 doc/quantization_example.cc"};
template <class Room>
inline constexpr provenance_record provenance<targets::gemmlowp, Room, axis::scale_product>{
    confidence::published_code, "google/gemmlowp@16e8662 doc/quantization_example.cc"};

}  // namespace bittwin::inline v1
