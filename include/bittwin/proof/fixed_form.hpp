// SPDX-License-Identifier: Apache-2.0
// The second proof for a form on integers, whose 31 bits of multiplier are those that most targets have themselves:
//   code = ( floor(acc m / 2^30) + (acc < 0 ? add_below : add) ) >> shift
// Rounding of one step, half_up, is add = 2^(shift-1); the double rounding of gemmlowp adds one unit more for its first
// step and takes two away below 0. Bounds of the two constants follow from thresholds, in integers, so there is
// nothing to guess:
//   code 2^shift - floor(t m / 2^30)  <=  add  <  code 2^shift - floor((t - 1) m / 2^30)
#pragma once

#include <algorithm>
#include <bittwin/proof/linear_form.hpp>
#include <bittwin/simd/channel_form.hpp>
#include <cmath>
#include <cstdint>

namespace bittwin::proof::inline v1 {

namespace detail {

struct add_bounds {
  static constexpr std::int64_t none = std::int64_t{1} << 40;
  std::int64_t low = -none, high = none;

  [[nodiscard]] bool possible() const noexcept { return low <= high; }
  [[nodiscard]] std::int64_t middle(std::int64_t otherwise) const noexcept {
    if (low == -none) return std::min(otherwise, high);
    return high == none ? std::max(otherwise, low) : low + (high - low) / 2;
  }
};

/// Fills in lane `i` for multiplier m = real 2^(30 + shift).
[[nodiscard]] inline bool propose_fixed(const channel_claim& c, double real, simd::form_kind kind,
                                        simd::channel_form& form, int i) {
  constexpr int most_shift = 20;  // codes times 2^shift stay below 2^30
  int exponent = 0;
  std::frexp(real, &exponent);
  int shift = std::min(1 - exponent, most_shift);
  auto m = static_cast<std::int64_t>(std::llround(std::ldexp(real, 30 + shift)));
  if (m == std::int64_t{1} << 31) m /= 2, --shift;
  if (shift < 0 || m <= 0) return false;
  const auto high_of = [m](std::int64_t acc) { return (acc * m) >> 30; };
  add_bounds above, below;
  for (int k = 0; k < c.rule->count; ++k) {
    const threshold& t = c.rule->list[k];
    if (t.at <= c.reachable.low || t.at > c.reachable.high) continue;
    add_bounds& reaches = t.at >= 0 ? above : below;
    add_bounds& stays = t.at - 1 >= 0 ? above : below;
    const std::int64_t unit = std::int64_t{1} << shift;
    reaches.low = std::max(reaches.low, (t.from - c.signed_shift) * unit - high_of(t.at));
    stays.high =
        std::min(stays.high, (t.before + 1 - c.signed_shift) * unit - 1 - high_of(t.at - 1));
  }
  if (!is_two_sided(kind))
    above = below = {std::max(above.low, below.low), std::min(above.high, below.high)};
  if (!above.possible() || !below.possible()) return false;
  const std::int64_t unit = std::int64_t{1} << shift;
  const std::int64_t usual = (c.zero_point - c.signed_shift) * unit + unit / 2;
  const std::int64_t add = above.middle(usual), add_below = below.middle(usual);
  constexpr std::int64_t most = (std::int64_t{1} << 30) - 1;
  if (std::abs(add) > most || std::abs(add_below) > most) return false;
  form.multiplier[i] = static_cast<std::int32_t>(m);
  form.shift[i] = shift;
  form.add[i] = static_cast<std::int32_t>(add);
  form.add_below[i] = static_cast<std::int32_t>(add_below);
  return true;
}

}  // namespace detail

/// Fills in lane `i` for a fixed form; false where there are no such constants, or accumulators of 30 bits or more.
[[nodiscard]] inline bool propose_fixed(const channel_claim& c, simd::form_kind kind,
                                        simd::channel_form& form, int i) {
  constexpr std::int64_t most = (std::int64_t{1} << 29) - 1;
  if (c.reachable.low < -most || c.reachable.high > most) return false;
  // Some rules have a multiplier of float32.
  return detail::propose_fixed(c, c.real, kind, form, i) ||
         detail::propose_fixed(c, double{static_cast<float>(c.real)}, kind, form, i);
}

}  // namespace bittwin::proof::inline v1
