// SPDX-License-Identifier: Apache-2.0
// The second proof, first half: a monotone pipeline from accumulator to code is the list of the smallest
// accumulators that reach each code.
//   code(acc) = first_code + number of thresholds <= acc      for acc in [low, high]
// Two such pipelines agree on all of [low, high] if and only if they agree at low, high, each threshold and its
// predecessor.
#pragma once

#include <bittwin/requantize/requantizer.hpp>
#include <cstdint>

namespace bittwin::proof::inline v1 {

/// Where one code ends. Several codes may begin at once where multipliers are above 1.
struct threshold {
  std::int64_t at = 0;  ///< the smallest accumulator of the codes `from` and up
  std::int32_t before = 0;
  std::int32_t from = 0;
};

struct thresholds {
  static constexpr int most = 256;
  threshold list[most];
  int count = 0;
  code_range interval;  ///< of accumulators
  std::int32_t code_at_low = 0, code_at_high = 0;

  /// acc  in the interval    near  a threshold that is not far from it
  [[nodiscard]] std::int32_t code_at(std::int64_t acc, int near = 0) const noexcept {
    int below = near < count ? near : count - 1;
    while (below >= 0 && list[below].at > acc) --below;
    while (below + 1 < count && list[below + 1].at <= acc) ++below;
    return below < 0 ? code_at_low : list[below].from;
  }
};

namespace detail {

/// The smallest accumulator in (low, high] whose code is above `code`, of a pipeline with code(low) <= code <
/// code(high). Starts at `guess` and doubles its steps: two calls where the guess is right.
template <class Code>
[[nodiscard]] threshold smallest_above(const Code& code_of, std::int32_t code,
                                       std::int32_t code_at_high, std::int64_t guess,
                                       code_range within) {
  std::int64_t below = within.low, at = within.high;  // code(below) <= code < code(at)
  std::int32_t from = code_at_high;                   // code(at)
  std::int64_t step = 1;
  std::int64_t probe = clamp_to(guess, below + 1, at);
  bool first = true, reached = false;
  while (at - below > 1) {
    const std::int32_t probed = code_of(probe);
    const bool reaches = probed > code;
    if (reaches)
      at = probe, from = probed;
    else
      below = probe;
    if (!first && reaches != reached) step = 0;  // both sides are known: halve from here
    first = false, reached = reaches;
    if (at - below <= 1) break;
    if (step > 0) {
      probe = reaches ? probe - step : probe + step;
      step *= 4;
      if (probe <= below || probe >= at) step = 0;
    }
    if (step == 0) probe = below + (at - below) / 2;
  }
  return {at, code, from};
}

}  // namespace detail

/// code_of     accumulator -> code, monotone within `within`
/// real        about one code a 1 / real accumulators, `zero_point` at 0; only speed depends on them
template <class Code>
[[nodiscard]] thresholds thresholds_of(const Code& code_of, double real, std::int32_t zero_point,
                                       code_range within) {
  thresholds all;
  all.interval = within;
  all.code_at_low = code_of(within.low);
  all.code_at_high = code_of(within.high);
  for (std::int32_t code = all.code_at_low; code < all.code_at_high;) {
    const double guess = (code + 0.5 - zero_point) / real;
    const bool fits = -4e9 < guess && guess < 4e9;
    const threshold t =
        detail::smallest_above(code_of, code, all.code_at_high,
                               fits ? static_cast<std::int64_t>(guess) + (guess > 0 ? 1 : 0)
                                    : (within.low + within.high) / 2,
                               within);
    all.list[all.count++] = t;
    code = t.from;
  }
  return all;
}

/// Of a channel.
[[nodiscard]] inline thresholds thresholds_of(const requantizer& r, std::int64_t channel,
                                              double real, code_range within) {
  return thresholds_of([&](std::int64_t acc) { return static_cast<std::int32_t>(r(acc, channel)); },
                       real, r.zero_point, within);
}

}  // namespace bittwin::proof::inline v1
