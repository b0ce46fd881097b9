// SPDX-License-Identifier: Apache-2.0
// The third proof: a function of two bytes has 65 536 values, so the kernel itself is run on every pair before it is
// believed. For multipliers ma, mb of 2^-shift codes every pair bounds what is added before the shift:
//   code * 2^shift  <=  t + offset  <  (code + 1) * 2^shift,   t = (a - za) ma + (b - zb) mb
// with one offset, or one for each sign of t; neighbouring multipliers are tried in turn. Where no line is the rule,
// the table of all pairs is.
#pragma once

#include <algorithm>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/simd/kernels.hpp>
#include <bittwin/types/element_type.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace bittwin::inline v1 {

struct packed_pairs {
  const simd::kernel_set* kernels = nullptr;
  bool is_line = false;
  simd::pair_line line;
  std::vector<std::uint8_t> table;  ///< [256 a + b]; empty where the line is proved

  [[nodiscard]] bool packed() const noexcept { return kernels != nullptr; }
};

namespace detail {

inline void run_pairs(const packed_pairs& p, const simd::pair_stream& s) noexcept {
  if (p.is_line) return p.kernels->pairs(p.line, s);
  const std::uint8_t* const table = p.table.data();
  for (std::int64_t i = 0; i < s.count; ++i) s.codes[i] = table[s.a[i] << 8 | s.b[i]];
}

/// What the search for a line knows of the rule, in signed codes.
struct line_search {
  const pair_request& q;
  int flip;  ///< between stored bytes and signed codes
  int low, high;
  std::int32_t zero_a, zero_b, zero;

  explicit line_search(const pair_request& request) : q(request) {
    const std::int32_t middle = q.type == element_type::uint8 ? 128 : 0;
    flip = middle;
    zero_a = q.zero_a - middle, zero_b = q.zero_b - middle, zero = q.zero - middle;
    low = 127, high = -128;
    for (const std::uint8_t byte : q.codes) {
      const int code = static_cast<std::int8_t>(byte ^ flip);
      low = std::min(low, code), high = std::max(high, code);
    }
  }
  [[nodiscard]] int code(int a, int b) const noexcept {
    const auto byte = [&](int c) { return static_cast<std::size_t>((c & 0xFF) ^ flip); };
    return static_cast<std::int8_t>(q.codes[byte(a) << 8 | byte(b)] ^ flip);
  }
  /// Multipliers, shift and clamp of a line; false where its sums could leave int32.
  [[nodiscard]] bool start(simd::pair_line& l, int step_a, int step_b) const {
    const double span = 256 * (std::fabs(q.slope_a) + std::fabs(q.slope_b)) + 512;
    if (!(span < 1e8)) return false;
    l.shift = std::min(static_cast<int>(std::floor(31 - std::log2(span))), 24);
    const auto scaled = [&](double slope) {
      return static_cast<std::int64_t>(std::llround(std::ldexp(slope, l.shift)));
    };
    const std::int64_t a = scaled(q.slope_a) + step_a, b = scaled(q.slope_b) + step_b;
    constexpr std::int64_t most = simd::pair_line::most_multiplier;
    if (a < -most || a > most || b < -most || b > most) return false;
    l.multiplier_a = static_cast<std::int32_t>(a);
    l.multiplier_b = static_cast<std::int32_t>(b);
    l.first = wrap_cast<std::int32_t>(-a * zero_a - b * zero_b);
    l.low = static_cast<std::int8_t>(low), l.high = static_cast<std::int8_t>(high);
    l.flip = static_cast<std::uint8_t>(flip);
    return true;
  }
};

/// The kernel on every pair.
[[nodiscard]] inline bool is_the_rule(const pair_request& q, const simd::pair_line& line,
                                      simd::pair_function pairs) {
  std::uint8_t a[256], b[256], made[256];
  for (int i = 0; i < 256; ++i) b[i] = static_cast<std::uint8_t>(i);
  for (std::size_t row = 0; row < 256; ++row) {
    std::memset(a, static_cast<int>(row), sizeof a);
    pairs(line, {a, b, made, 256});
    if (std::memcmp(made, q.codes.data() + 256 * row, sizeof made) != 0) return false;
  }
  return true;
}

struct offset_interval {
  std::int64_t low = -(std::int64_t{1} << 40), high = std::int64_t{1} << 40;

  [[nodiscard]] bool empty() const noexcept { return low > high; }
  [[nodiscard]] std::int64_t middle(std::int64_t otherwise) const noexcept {
    return low < -(std::int64_t{1} << 39) || high > std::int64_t{1} << 39
               ? clamp_to(otherwise, low, high)
               : low + (high - low) / 2;
  }
};

/// Offsets that every pair allows, for t below 0 and from 0 on.
struct offset_intervals {
  offset_interval below, above;

  offset_intervals(const line_search& s, const simd::pair_line& l) {
    for (int a = -128; a < 128; ++a)
      for (int b = -128; b < 128; ++b) {
        const std::int64_t t =
            l.first + std::int64_t{a} * l.multiplier_a + std::int64_t{b} * l.multiplier_b;
        const std::int64_t code = s.code(a, b);
        offset_interval& side = t < 0 ? below : above;
        if (code > s.low) side.low = std::max(side.low, (code << l.shift) - t);
        if (code < s.high) side.high = std::min(side.high, ((code + 1) << l.shift) - 1 - t);
      }
  }
};

/// Adds the offset to what sums start from, where it is one for both sides.
inline void set_offsets(simd::pair_line& l, std::int64_t below, std::int64_t above) noexcept {
  if (below == above) {
    l.first = wrap_cast<std::int32_t>(l.first + above);
    l.below = l.above = 0;
    return;
  }
  l.below = wrap_cast<std::int32_t>(below);
  l.above = wrap_cast<std::int32_t>(above);
}

/// Whether some line is the rule; then `line` is it.
[[nodiscard]] inline bool find_line(const pair_request& q, simd::pair_function pairs,
                                    simd::pair_line& line) {
  if (!(q.slope_a != 0 && q.slope_b != 0)) return false;
  const line_search search(q);
  static constexpr int steps[][2] = {{0, 0}, {1, 0},   {-1, 0}, {0, 1}, {0, -1},
                                     {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
  for (const auto& step : steps) {
    simd::pair_line l;
    if (!search.start(l, step[0], step[1])) return false;
    const std::int64_t usual =
        (std::int64_t{search.zero} << l.shift) + (std::int64_t{1} << (l.shift - 1));
    if (step[0] == 0 && step[1] == 0) {
      line = l;
      set_offsets(line, usual, usual);
      if (is_the_rule(q, line, pairs)) return true;
    }
    const offset_intervals offsets(search, l);
    if (offsets.below.empty() || offsets.above.empty()) continue;
    const offset_interval both{std::max(offsets.below.low, offsets.above.low),
                               std::min(offsets.below.high, offsets.above.high)};
    line = l;
    if (both.empty())
      set_offsets(line, offsets.below.middle(usual), offsets.above.middle(usual));
    else
      set_offsets(line, both.middle(usual), both.middle(usual));
    if (is_the_rule(q, line, pairs)) return true;
  }
  return false;
}

[[nodiscard]] inline packed_pairs packed_pairs_of(const pair_request& q) {
  packed_pairs p;
  const simd::kernel_set* const kernels = simd::kernels_of(simd::which_arch());
  if (kernels == nullptr || q.codes.size() != pair_request::all) return p;
  p.kernels = kernels;
  p.is_line = find_line(q, kernels->pairs, p.line);
  if (!p.is_line) p.table.assign(q.codes.begin(), q.codes.end());
  return p;
}

}  // namespace detail

}  // namespace bittwin::inline v1
