// SPDX-License-Identifier: Apache-2.0
// How accumulators of 16 channels become codes: one of a closed set of forms, its constants found and proved by
// prepare() (proof/linear_form.hpp).
//   float32, float64   code = clamp( narrow( half_even( fma(F(acc), scale, acc < seam ? offset_below : offset) ) ) )
//   float32_product    code = clamp( narrow( half_even( F(acc) * scale ) + zero_point ) )
// The accumulator is centred: the sum that a kernel starts from holds bias, zero points and the centre.
#pragma once

#include <bittwin/simd/tile.hpp>
#include <cstdint>

namespace bittwin::simd::inline v1 {

enum class form_kind : std::uint8_t {
  float32,          ///< one offset for all accumulators
  float32_product,  ///< the product rounded to float32, as float rules have it
  float32_two_sided,
  float64,
  float64_two_sided,
  scalar,  ///< no form was proved: the target's own function, one accumulator at a time
};

struct alignas(64) channel_form {
  float scale[lanes];
  float offset[lanes];
  float offset_below[lanes];
  std::int32_t seam[lanes];  ///< of a product: the zero point
  double scale64[lanes];
  double offset64[lanes];
  double offset64_below[lanes];
  double seam64[lanes];
  std::int32_t centre[lanes];  ///< what was taken from the accumulator; 0 for scalar forms
  form_kind kind = form_kind::scalar;
};

/// Accumulators of some pixels, and where their codes go.
struct code_tile {
  const std::int32_t* acc = nullptr;  ///< [pixel, vector, 16]
  std::int32_t pixels = 0;
  std::int32_t vectors = 0;
  std::int32_t channels = 0;            ///< at most 16 * vectors; no code is stored beyond them
  const channel_form* forms = nullptr;  ///< [vector]
  std::uint8_t* codes = nullptr;        ///< of the first pixel and channel
  std::int64_t pixel_step = 0;          ///< in bytes
  std::int8_t low = -128;               ///< clamp, of signed codes
  std::int8_t high = 127;
  std::uint8_t flip = 0;  ///< 0x80 makes them unsigned codes
};

/// Leaves out the vectors of scalar form.
using requantize_function = void (*)(const code_tile&) noexcept;

}  // namespace bittwin::simd::inline v1
