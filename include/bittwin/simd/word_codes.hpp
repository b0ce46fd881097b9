// SPDX-License-Identifier: Apache-2.0
// How accumulators of 16 channels become int16 codes: in float64, whose 53 bits hold the products exactly.
//   code = clamp( half_even( fma(acc, scale64, offset64) ) )
#pragma once

#include <bittwin/simd/channel_form.hpp>
#include <cstdint>

namespace bittwin::simd::inline v1 {

/// Accumulators of some pixels, and where their codes go. Forms are float64 or scalar; those of scalar form are left.
struct word_tile {
  const std::int32_t* acc = nullptr;  ///< [pixel, vector, 16]
  std::int32_t pixels = 0;
  std::int32_t vectors = 0;
  std::int32_t channels = 0;            ///< at most 16 * vectors; no code is stored beyond them
  const channel_form* forms = nullptr;  ///< [vector]
  std::uint8_t* codes = nullptr;        ///< of the first pixel and channel, two bytes each
  std::int64_t pixel_step = 0;          ///< in bytes
  std::int16_t low = -32768, high = 32767;
};
using word_function = void (*)(const word_tile&) noexcept;

/// The same for accumulators of more than 32 bits, as float64, which has 53. No form is scalar.
struct wide_word_tile {
  const double* acc = nullptr;  ///< [pixel, vector, 16]
  std::int32_t pixels = 0;
  std::int32_t vectors = 0;
  std::int32_t channels = 0;
  const channel_form* forms = nullptr;
  std::uint8_t* codes = nullptr;
  std::int64_t pixel_step = 0;
  std::int16_t low = -32768, high = 32767;
};
using wide_word_function = void (*)(const wide_word_tile&) noexcept;

}  // namespace bittwin::simd::inline v1
