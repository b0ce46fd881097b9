// SPDX-License-Identifier: Apache-2.0
// The second proof, second half: constants for a linear form with the same thresholds, and the check that the very
// instructions of an architecture give the same codes with them.
//   half_even( fma(F(acc - centre), scale, offset) )
// For a given scale every threshold bounds the offset from below, and its predecessor from above:
//   code - 1/2 - scale (t - centre)  <=  offset  <  code - 1/2 - scale (t - 1 - centre)
// Rounding of the multiply-add makes each such pair a guess, right about half of the time in float32; so there is a
// list of them, and nothing is believed before the check.
#pragma once

#include <algorithm>
#include <bit>
#include <bittwin/proof/thresholds.hpp>
#include <bittwin/simd/channel_form.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

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
  /// A share of the way from low to high, or at `otherwise` where there is no bound.
  [[nodiscard]] double at(double share, double otherwise) const noexcept {
    if (low < -1e29) return high > 1e29 ? otherwise : std::min(otherwise, high);
    return high > 1e29 ? std::max(otherwise, low) : low + (high - low) * share;
  }
};

/// Bounds of the offsets for accumulators below 0 and from 0 on.
struct two_sides {
  offset_bounds below, above;

  [[nodiscard]] offset_bounds both() const noexcept {
    return {std::max(below.low, above.low), std::min(below.high, above.high)};
  }
};

/// What thresholds say of the offset, as lines over the scale: a bound is code - scale * at.
class bound_lines {
 public:
  bound_lines(const channel_claim& c, std::int64_t centre) noexcept {
    for (int i = 0; i < c.rule->count; ++i) {
      const threshold& t = c.rule->list[i];
      if (t.at <= c.reachable.low || t.at > c.reachable.high) continue;
      const double at = static_cast<double>(t.at - centre);
      // Of the codes that begin here, the last one bounds from below, the first one from above.
      (t.at >= 0 ? above_ : below_).low.put({t.from - c.signed_shift - 0.5, at});
      (t.at - 1 >= 0 ? above_ : below_).high.put({t.before + 1 - c.signed_shift - 0.5, at - 1});
    }
  }

  [[nodiscard]] two_sides at(double scale) const noexcept {
    return {below_.at(scale), above_.at(scale)};
  }

  /// Leaves out the lines that are no bound for any scale in [scale - spread, scale + spread]: there a bound moves by
  /// at most spread * |at|, so that the nearest lines alone can be the bound. They are few.
  void keep_near(double scale, double spread) noexcept {
    below_.keep_near(scale, spread);
    above_.keep_near(scale, spread);
  }

 private:
  struct line {
    double code, at;
    [[nodiscard]] double bound(double scale) const noexcept { return code - scale * at; }
  };
  struct lines {
    int count = 0;
    double farthest = 0;  ///< |at|
    line list[thresholds::most];

    void put(line l) noexcept {
      list[count++] = l;
      farthest = std::max(farthest, std::fabs(l.at));
    }
    template <class Holds> void keep(Holds holds) noexcept {
      count = static_cast<int>(
          std::remove_if(list, list + count, [&](const line& l) { return !holds(l); }) - list);
    }
  };
  struct side {
    lines low, high;

    [[nodiscard]] offset_bounds at(double scale) const noexcept {
      offset_bounds b;
      for (int k = 0; k < low.count; ++k) b.low = std::max(b.low, low.list[k].bound(scale));
      for (int k = 0; k < high.count; ++k) b.high = std::min(b.high, high.list[k].bound(scale));
      return b;
    }
    void keep_near(double scale, double spread) noexcept {
      constexpr double rounding = 1e-6;  // of the bounds themselves, were they as large as 1e9
      const offset_bounds b = at(scale);
      const double lowest = b.low - 2 * spread * low.farthest - rounding;
      const double highest = b.high + 2 * spread * high.farthest + rounding;
      low.keep([&](const line& l) { return l.bound(scale) >= lowest; });
      high.keep([&](const line& l) { return l.bound(scale) <= highest; });
    }
  };
  side below_, above_;
};

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

/// Constants of one lane in float32.
struct lane_guess {
  double slack = 0;  ///< of the offsets, were multiply-adds exact
  float scale = 0, offset = 0, offset_below = 0;
};

namespace detail {

inline constexpr int most_steps = 3;  ///< floats on each side of the multiplier

/// Neighbours of the multiplier in float32: positive floats of neighbouring bits.
[[nodiscard]] inline float scale_beside(double real, int step) noexcept {
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(static_cast<float>(real)) + step);
}

/// The most promising scale first; for each the middle of its offsets, then places beside it.
inline void guess_lanes(const channel_claim& c, simd::form_kind kind, std::int64_t centre,
                        std::vector<lane_guess>& guesses) {
  static constexpr double places[] = {0.5, 0.3, 0.7, 0.4, 0.6, 0.15, 0.85};
  const double usual = c.zero_point - c.signed_shift + c.real * static_cast<double>(centre);
  const bool one = !is_two_sided(kind);
  guesses.clear();
  double spread = 0;
  for (int step = -most_steps; step <= most_steps; ++step)
    spread = std::max(spread, std::fabs(double{scale_beside(c.real, step)} - c.real));
  bound_lines lines(c, centre);
  lines.keep_near(c.real, spread);
  for (int step = -most_steps; step <= most_steps; ++step) {
    lane_guess g;
    g.scale = scale_beside(c.real, step);
    const two_sides sides = lines.at(double{g.scale});
    const offset_bounds above = one ? sides.both() : sides.above, below = one ? above : sides.below;
    const double slack = std::min(above.slack(), below.slack());
    if (!(slack > 0)) continue;
    for (const double place : places) {
      const double offset = above.at(place, usual), under = below.at(place, usual);
      if (!usable(offset) || !usable(under)) continue;
      g.slack = slack * (1 - std::fabs(place - 0.5));
      g.offset = static_cast<float>(offset);
      g.offset_below = static_cast<float>(under);
      guesses.push_back(g);
    }
  }
  std::stable_sort(guesses.begin(), guesses.end(),
                   [](const lane_guess& a, const lane_guess& b) { return a.slack > b.slack; });
  constexpr std::size_t most_guesses =
      40;  // what later ones prove is not worth the time of prepare()
  if (guesses.size() > most_guesses) guesses.resize(most_guesses);
}

}  // namespace detail

/// Fills in lane `i` for a form of that kind, all but what `guesses` offers for float32; false where none has a chance.
[[nodiscard]] inline bool propose(const channel_claim& c, simd::form_kind kind,
                                  simd::channel_form& form, int i,
                                  std::vector<lane_guess>& guesses) {
  const std::int64_t centre = kind == simd::form_kind::float32_product ? 0 : detail::centre_of(c);
  const double usual = c.zero_point - c.signed_shift + c.real * static_cast<double>(centre);
  guesses.clear();
  form.centre[i] = static_cast<std::int32_t>(centre);
  form.seam[i] = static_cast<std::int32_t>(-centre);
  if (is_float64(kind)) {
    const detail::two_sides sides = detail::bound_lines(c, centre).at(c.real);
    const bool one = kind == simd::form_kind::float64;
    form.scale64[i] = c.real;
    form.offset64[i] = (one ? sides.both() : sides.above).at(0.5, usual);
    form.offset64_below[i] = sides.below.at(0.5, usual);
    form.seam64[i] = static_cast<double>(-centre);
    return detail::usable(form.offset64[i]) && detail::usable(form.offset64_below[i]) &&
           (!one || sides.both().slack() > 0);
  }
  if (kind == simd::form_kind::float32_product) {
    form.scale[i] = static_cast<float>(c.real);
    form.seam[i] = c.zero_point - c.signed_shift;
    return true;
  }
  detail::guess_lanes(c, kind, centre, guesses);
  return !guesses.empty();
}

/// Takes a guess for lane `i`.
inline void take(const lane_guess& g, simd::channel_form& form, int i) noexcept {
  form.scale[i] = g.scale;
  form.offset[i] = g.offset;
  form.offset_below[i] = g.offset_below;
}

}  // namespace bittwin::proof::inline v1
