// SPDX-License-Identifier: Apache-2.0
// One function for all lanes: the cheapest form whose kernel gives its codes, for operators that have no channels of
// their own (requantization of a stream, averages).
#pragma once

#include <array>
#include <bittwin/proof/proved_form.hpp>
#include <bittwin/simd/channel_form.hpp>
#include <bittwin/simd/float_environment.hpp>
#include <cstdint>

namespace bittwin::proof::inline v1 {

/// Whether a form is the function of the claim; then `form` holds it in all 16 lanes.
/// tile  clamp and flip
[[nodiscard]] inline bool prove_one(const channel_claim& claim, const simd::code_tile& tile,
                                    simd::requantize_function requantize,
                                    simd::channel_form& form) {
  const simd::float_environment environment;
  std::array<channel_claim, simd::lanes> claims;
  claims.fill(claim);
  form_scratch scratch;
  for (const simd::form_kind kind : simd::every_form)
    if (prove(kind, claims, tile, requantize, form, scratch)) return true;
  return false;
}

}  // namespace bittwin::proof::inline v1
