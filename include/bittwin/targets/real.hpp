// SPDX-License-Identifier: Apache-2.0
// The ideal: weights and inputs dequantized, sums in float64, nothing rounded to a grid. Needs no
// float model. A quantized target's error is measured against it. Sources
//   the definitions of the operators; real = scale * (code - zero_point)
#pragma once

#include <bittwin/policy/provenance.hpp>
#include <string_view>

namespace bittwin::targets::inline v1 {

struct real {
  static constexpr std::string_view name = "real";
  static constexpr std::string_view version = "1";
  static constexpr bool is_real = true;
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::real>{
    .formula = "si (x - zx) sw (w - zw), summed in float64; nothing is rounded"};

}  // namespace bittwin::inline v1
