// SPDX-License-Identifier: Apache-2.0
// What a target may ask of a layer's grids and activation before it says that it represents the layer
// (policy/layers.hpp), and the sums whose overflow nobody knows.
#pragma once

#include <bit>
#include <bittwin/policy/activation_bounds.hpp>
#include <bittwin/policy/choice.hpp>
#include <bittwin/proof/overflow.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/quantization.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstdint>
#include <initializer_list>

namespace bittwin::inline v1 {

[[nodiscard]] constexpr bool is_power_of_two(float scale) noexcept {
  return std::has_single_bit(ieee::split(scale).significand);
}

/// Scales and zero points of the activations of a layer.
constexpr void state_grids(layer_facts& facts, std::initializer_list<affine> grids) noexcept {
  for (const affine& grid : grids) {
    facts.symmetric = facts.symmetric && grid.zero_point == 0;
    facts.on_powers_of_two = facts.on_powers_of_two && is_power_of_two(grid.scale);
  }
}

constexpr void state_activation(layer_facts& facts, activation fused, affine output,
                                element_type type) noexcept {
  facts.fused = fused;
  const code_range all = range_of(type);
  const code_range codes =
      activation_bounds::round_then_offset<rounding::half_away>::codes(fused, output, all);
  facts.clamps_inside = codes.low != all.low || codes.high != all.high;
}

/// Refuses a layer some of whose sums could leave `bits` bits, on a target of which nobody knows what it does then.
/// weights: `count` a channel, `step` apart, channels `stride` apart
template <class W>
[[nodiscard]] status check_known_sums(int bits, const W* weights, std::int64_t channels,
                                      std::int64_t count, std::int64_t step, std::int64_t stride,
                                      std::int32_t weight_zero, affine input, element_type type,
                                      const std::int64_t* bias) {
  for (std::int64_t channel = 0; channel < channels; ++channel) {
    const proof::dot_product_terms<W> terms{
        weights + channel * stride, count, step, weight_zero, input.zero_point, range_of(type)};
    const auto bounds = proof::bounds_of(terms, bias == nullptr ? 0 : bias[channel]);
    if (BITTWIN_MUTABLE(!bounds.fits(bits), unknown_sums_run, false))
      return error{
          error_code::unsupported,
          sentence({"sums of output channel ", number(channel), " can reach [", number(bounds.low),
                    ", ", number(bounds.high), "], and what the target", " does beyond ",
                    number(bits), " bits is unknown"})};
  }
  return ok();
}

}  // namespace bittwin::inline v1
