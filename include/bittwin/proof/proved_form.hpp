// SPDX-License-Identifier: Apache-2.0
// Whether 16 channels may make their codes by a form: its own kernel, run on every accumulator that can tell two
// monotone functions apart, must give the codes of the target's rule.
#pragma once

#include <algorithm>
#include <bittwin/proof/fixed_form.hpp>
#include <bittwin/proof/linear_form.hpp>
#include <bittwin/simd/channel_form.hpp>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <vector>

namespace bittwin::proof::inline v1 {

/// Accumulators and codes of a check, kept from one to the next so that prepare() allocates once.
struct form_scratch {
  struct alignas(64) row {
    std::int32_t acc[simd::lanes];
  };
  struct code_row {
    std::uint8_t code[simd::lanes];
  };
  std::vector<row> accumulators;
  std::vector<code_row> expected, made;
  std::vector<lane_guess> guesses[simd::lanes];
};

namespace detail {

/// Whether sums, products and conversions stay inside int32, where the form is monotone.
[[nodiscard]] inline bool stays_in_range(const channel_claim& c, const simd::channel_form& form,
                                         int i) {
  const auto magnitude = [&](std::int64_t acc) {
    const double centred = static_cast<double>(acc - form.centre[i]);
    const double size = centred < 0 ? -centred : centred;
    return size < 2147483000.0 ? size * c.real : 1e30;
  };
  return magnitude(c.reachable.low) < 1e9 && magnitude(c.reachable.high) < 1e9 && c.real > 1e-30;
}

/// Rows that one lane fills.
[[nodiscard]] constexpr std::size_t rows_of(const channel_claim& c) {
  return static_cast<std::size_t>((c.rule->count + 2) * 2);
}

inline void fill_rows(const channel_claim& c, const simd::channel_form& form, int i,
                      form_scratch& scratch) {
  std::size_t row = 0;
  const auto put = [&](std::int64_t acc, int near) {
    if (acc < c.reachable.low || acc > c.reachable.high) return;
    scratch.accumulators[row].acc[i] = static_cast<std::int32_t>(acc - form.centre[i]);
    scratch.expected[row++].code[i] = static_cast<std::uint8_t>(c.rule->code_at(acc, near));
  };
  const auto put_both = [&](std::int64_t at, int near) { put(at - 1, near), put(at, near); };
  for (int k = 0; k < c.rule->count; ++k) put_both(c.rule->list[k].at, k);
  put_both(0, c.rule->count / 2);
  put(c.reachable.low, 0), put(c.reachable.high, c.rule->count - 1);
  const auto code_at_low = static_cast<std::uint8_t>(c.rule->code_at(c.reachable.low));
  for (; row < scratch.accumulators.size(); ++row) {  // other lanes may have more
    scratch.accumulators[row].acc[i] = static_cast<std::int32_t>(c.reachable.low - form.centre[i]);
    scratch.expected[row].code[i] = code_at_low;
  }
}

}  // namespace detail

namespace detail {

/// How many of the rows each lane has wrong.
inline void count_wrong(const form_scratch& scratch, int (&wrong)[simd::lanes]) {
  std::fill(std::begin(wrong), std::end(wrong), 0);
  for (std::size_t row = 0; row < scratch.made.size(); ++row) {
    if (std::memcmp(scratch.made[row].code, scratch.expected[row].code, simd::lanes) == 0) continue;
    for (int i = 0; i < simd::lanes; ++i)
      wrong[i] += scratch.made[row].code[i] != scratch.expected[row].code[i] ? 1 : 0;
  }
}

/// A lane is given up whose first guess is far off, or whose first ones never came near.
[[nodiscard]] constexpr bool hopeless(std::size_t guesses, int fewest_wrong) noexcept {
  return fewest_wrong > 20 || (guesses >= 3 && fewest_wrong > 10) ||
         (guesses >= 10 && fewest_wrong > 6);
}

}  // namespace detail

/// Whether the form of that kind gives the codes of the rule; then `form` holds its constants. Lanes whose guess was
/// wrong take their next one.
/// claims  of the channels that exist, at most 16    tile  clamp and flip of the layer
/// A claim without a rule is one that cannot be monotone.
[[nodiscard]] inline bool prove(simd::form_kind kind, std::span<const channel_claim> claims,
                                simd::code_tile tile, simd::requantize_function requantize,
                                simd::channel_form& form, form_scratch& scratch) {
  form = {};
  if (kind == simd::form_kind::scalar) return true;
  std::size_t rows = 0;
  for (const channel_claim& c : claims) {
    if (c.rule == nullptr) return false;
    rows = std::max(rows, detail::rows_of(c));
  }
  scratch.accumulators.assign(rows, {});
  scratch.expected.assign(rows, {});
  scratch.made.assign(rows, {});
  const int lanes = static_cast<int>(claims.size());
  for (int i = 0; i < lanes; ++i) {
    const channel_claim& c = claims[static_cast<std::size_t>(i)];
    scratch.guesses[i].clear();
    const bool proposed = is_fixed(kind) ? propose_fixed(c, kind, form, i)
                                         : propose(c, kind, form, i, scratch.guesses[i]);
    if (proposed && detail::stays_in_range(c, form, i))
      detail::fill_rows(c, form, i, scratch);
    else
      return false;
  }
  form.kind = kind;
  tile.acc = scratch.accumulators[0].acc;
  tile.pixels = static_cast<std::int32_t>(rows);
  tile.vectors = 1;
  tile.channels = lanes;
  tile.forms = &form;
  tile.codes = scratch.made[0].code;
  tile.pixel_step = simd::lanes;
  std::size_t next[simd::lanes] = {};
  int wrong[simd::lanes], fewest[simd::lanes];
  std::fill(std::begin(fewest), std::end(fewest), static_cast<int>(rows));
  const auto guess = [&](int i) {
    if (next[i] < scratch.guesses[i].size()) take(scratch.guesses[i][next[i]], form, i);
  };
  for (int i = 0; i < lanes; ++i) guess(i);
  for (;;) {
    requantize(tile);
    detail::count_wrong(scratch, wrong);
    bool proved = true;
    for (int i = 0; i < lanes; ++i) {
      if (wrong[i] == 0) continue;
      proved = false;
      fewest[i] = std::min(fewest[i], wrong[i]);
      if (detail::hopeless(next[i] + 1, fewest[i]) || next[i] + 1 >= scratch.guesses[i].size())
        return false;
      ++next[i];
      guess(i);
    }
    if (proved) return true;
  }
}

}  // namespace bittwin::proof::inline v1
