// SPDX-License-Identifier: Apache-2.0
// The second proof, second half: constants for a linear form with the same thresholds, and the check that the very
// instructions of an architecture give the same codes with them.
//   half_even( fma(F(acc - centre), scale, offset) )
// For a given scale every threshold bounds the offset from below, and its predecessor from above:
//   code - 1/2 - scale (t - centre)  <=  offset  <  code - 1/2 - scale (t - 1 - centre)
// Rounding of the multiply-add makes this a guess, so nothing is believed before the check.
#pragma once

#include <algorithm>
#include <bit>
#include <bittwin/proof/thresholds.hpp>
#include <bittwin/simd/channel_form.hpp>
#include <cstdint>

namespace bittwin::proof::inline v1 {

/// One channel: its thresholds, the accumulators it can reach, and codes as the form makes them.
struct channel_claim {
  const thresholds* rule = nullptr;
  code_range reachable;           ///< within rule->interval
  std::int32_t zero_point = 0;    ///< of the output
  std::int32_t signed_shift = 0;  ///< what is taken from codes so that they are int8: 0 or 128
  double real = 0;                ///< the multiplier
};

namespace detail {

struct offset_bounds {
  double low = -1e30, high = 1e30;

  [[nodiscard]] double slack() const noexcept { return high - low; }
  /// In the middle, or at `otherwise` where there is no bound.
  [[nodiscard]] double middle(double otherwise) const noexcept {
    if (low < -1e29) return high > 1e29 ? otherwise : std::min(otherwise, high);
    return high > 1e29 ? std::max(otherwise, low) : low + (high - low) / 2;
  }
};

/// Bounds of the offsets for accumulators below 0 and from 0 on, by reachable thresholds alone.
struct two_sides {
  offset_bounds below, above;

  [[nodiscard]] offset_bounds both() const noexcept {
    return {std::max(below.low, above.low), std::min(below.high, above.high)};
  }
};

[[nodiscard]] inline two_sides bounds_for(const channel_claim& c, double scale,
                                          std::int64_t centre) {
  two_sides sides;
  for (int i = 0; i < c.rule->count; ++i) {
    const threshold& t = c.rule->list[i];
    if (t.at <= c.reachable.low || t.at > c.reachable.high) continue;
    const double at = static_cast<double>(t.at - centre);
    offset_bounds& reaching = t.at >= 0 ? sides.above : sides.below;
    offset_bounds& preceding = t.at - 1 >= 0 ? sides.above : sides.below;
    // Of the codes that begin here, the last one bounds from below, the first one from above.
    reaching.low = std::max(reaching.low, t.from - c.signed_shift - 0.5 - scale * at);
    preceding.high =
        std::min(preceding.high, t.before + 1 - c.signed_shift - 0.5 - scale * (at - 1));
  }
  return sides;
}

[[nodiscard]] inline std::int64_t centre_of(const channel_claim& c) noexcept {
  const double at = -(c.zero_point - c.signed_shift) / c.real;
  if (!(at > -1e9 && at < 1e9)) return 0;
  const auto centre = static_cast<std::int64_t>(at);
  // Where the subtraction could overflow, codes of an unreachable middle are of no use.
  return c.reachable.low - centre < -2147483647 || c.reachable.high - centre > 2147483647 ? 0
                                                                                          : centre;
}

/// Offsets this large come of a rule whose slope is not the multiplier; a form could leave int32 with them.
[[nodiscard]] inline bool usable(double offset) noexcept { return -1e9 < offset && offset < 1e9; }

}  // namespace detail

/// Fills in lane `i` for a form of that kind; false where none has a chance.
[[nodiscard]] inline bool propose(const channel_claim& c, simd::form_kind kind,
                                  simd::channel_form& form, int i) {
  const std::int64_t centre = kind == simd::form_kind::float32_product ? 0 : detail::centre_of(c);
  const double usual = c.zero_point - c.signed_shift + c.real * static_cast<double>(centre);
  form.centre[i] = static_cast<std::int32_t>(centre);
  form.seam[i] = static_cast<std::int32_t>(-centre);
  if (kind == simd::form_kind::float64 || kind == simd::form_kind::float64_two_sided) {
    const detail::two_sides sides = detail::bounds_for(c, c.real, centre);
    const bool one = kind == simd::form_kind::float64;
    form.scale64[i] = c.real;
    form.offset64[i] = (one ? sides.both() : sides.above).middle(usual);
    form.offset64_below[i] = sides.below.middle(usual);
    form.seam64[i] = static_cast<double>(-centre);
    return detail::usable(form.offset64[i]) && detail::usable(form.offset64_below[i]) &&
           (!one || sides.both().slack() > 0);
  }
  if (kind == simd::form_kind::float32_product) {
    form.scale[i] = static_cast<float>(c.real);
    form.seam[i] = c.zero_point - c.signed_shift;
    return true;
  }
  const bool one = kind == simd::form_kind::float32;
  double best = 0;
  for (int step = -3; step <= 3; ++step) {
    // Neighbours of a positive float have neighbouring bits.
    const auto scale =
        std::bit_cast<float>(std::bit_cast<std::int32_t>(static_cast<float>(c.real)) + step);
    const detail::two_sides sides = detail::bounds_for(c, static_cast<double>(scale), centre);
    const double slack =
        one ? sides.both().slack() : std::min(sides.above.slack(), sides.below.slack());
    if (slack <= best) continue;
    best = slack;
    form.scale[i] = scale;
    form.offset[i] = static_cast<float>((one ? sides.both() : sides.above).middle(usual));
    form.offset_below[i] = static_cast<float>(sides.below.middle(usual));
  }
  return best > 0 && detail::usable(static_cast<double>(form.offset[i])) &&
         detail::usable(static_cast<double>(form.offset_below[i]));
}

}  // namespace bittwin::proof::inline v1
