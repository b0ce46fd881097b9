// SPDX-License-Identifier: Apache-2.0
// Faults that show in a result alone: right numbers in wrong places, or a few that are dead.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/shape.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// expected, got  codes of all samples; extents of one sample; type of both
struct output_pair {
  const std::vector<std::int64_t>& expected;
  const std::vector<std::int64_t>& got;
  const shape& extents;
  element_type type;

  [[nodiscard]] std::size_t channels() const {
    return static_cast<std::size_t>(std::max(extents.from_end(1), 1));
  }
  [[nodiscard]] std::vector<std::int64_t> channel(const std::vector<std::int64_t>& codes,
                                                  std::size_t c) const {
    std::vector<std::int64_t> column;
    for (std::size_t i = c; i < codes.size(); i += channels()) column.push_back(codes[i]);
    return column;
  }
};

namespace detail {

[[nodiscard]] inline bool is_constant(const std::vector<std::int64_t>& codes) {
  return std::all_of(codes.begin(), codes.end(), [&](std::int64_t c) { return c == codes[0]; });
}

/// Each sample of `codes` with its axes in another order, written one behind the other.
[[nodiscard]] inline std::vector<std::int64_t> permuted(const std::vector<std::int64_t>& codes,
                                                        const shape& extents,
                                                        const std::vector<int>& order) {
  std::vector<std::size_t> steps(order.size(), 1), sizes(order.size());
  const auto extent = [&](int axis) { return static_cast<std::size_t>(extents[axis]); };
  for (std::size_t to = 0; to < order.size(); ++to) {
    sizes[to] = extent(order[to]);
    for (int axis = order[to] + 1; axis < extents.rank(); ++axis) steps[to] *= extent(axis);
  }
  const std::size_t elements = static_cast<std::size_t>(extents.elements());
  std::vector<std::int64_t> out;
  out.reserve(codes.size());
  for (std::size_t sample = 0; sample + elements <= codes.size(); sample += elements) {
    std::vector<std::size_t> at(order.size(), 0);
    for (std::size_t i = 0; i < elements; ++i) {
      out.push_back(codes[std::inner_product(at.begin(), at.end(), steps.begin(), sample)]);
      for (std::size_t axis = order.size(); axis-- > 0 && ++at[axis] == sizes[axis];) at[axis] = 0;
    }
  }
  return out;
}

[[nodiscard]] inline std::optional<finding> find_layout(const output_pair& p) {
  if (p.extents.rank() != 4 || is_constant(p.expected)) return std::nullopt;
  const struct {
    std::vector<int> order;
    const char* text;
  } tried[] = {{{0, 3, 1, 2}, "the result lies in memory as NCHW"},
               {{0, 2, 3, 1}, "the result was turned from NCHW to NHWC once too often"},
               {{0, 2, 1, 3}, "rows and columns are swapped"}};
  for (const auto& t : tried)
    if (permuted(p.expected, p.extents, t.order) == p.got) return finding{"LAYOUT", t.text};
  return std::nullopt;
}

/// A permutation of channels; only where it is the one that fits.
[[nodiscard]] inline std::optional<finding> find_channel_order(const output_pair& p) {
  std::map<std::vector<std::int64_t>, std::size_t> places;
  for (std::size_t c = 0; c < p.channels(); ++c)
    if (!places.emplace(p.channel(p.expected, c), c).second) return std::nullopt;
  std::string text = "channels are in another order:";
  for (std::size_t c = 0; c < p.channels(); ++c) {
    const auto at = places.find(p.channel(p.got, c));
    if (at == places.end()) return std::nullopt;
    if (at->second == c) continue;
    if (text.size() < 80)
      text += " " + std::to_string(c) + " holds " + std::to_string(at->second) + ",";
  }
  text.back() = text.back() == ',' ? '.' : text.back();
  return finding{"CHANNEL_ORDER", text};
}

/// Channels that hold one value throughout and should not; all others are right.
[[nodiscard]] inline std::optional<finding> find_dead_channels(const output_pair& p) {
  std::string text;
  for (std::size_t c = 0; c < p.channels(); ++c) {
    const auto expected = p.channel(p.expected, c), got = p.channel(p.got, c);
    if (expected == got) continue;
    if (got.size() < 2 || !is_constant(got) || is_constant(expected)) return std::nullopt;
    if (text.size() < 80)
      text += (text.empty() ? "channel " : ", channel ") + std::to_string(c) + " is " +
              std::to_string(got[0]) + " everywhere";
  }
  return text.empty() ? std::nullopt : std::optional(finding{"DEAD_CHANNEL", text});
}

/// Differences behind the last whole group of channels only, and in more than one place there.
[[nodiscard]] inline std::optional<finding> find_tail(const output_pair& p) {
  for (const std::size_t lanes : {64U, 32U, 16U, 8U}) {
    const std::size_t whole = p.channels() / lanes * lanes;
    if (whole == 0 || whole == p.channels()) continue;
    bool inside = true;
    std::size_t wrong = 0, places = 0;
    for (std::size_t i = 0; i < p.got.size() && inside; ++i) {
      const bool tail = i % p.channels() >= whole;
      places += tail;
      if (p.got[i] == p.expected[i]) continue;
      inside = tail;
      ++wrong;
    }
    if (inside && wrong > 1 && 2 * wrong > places)
      return finding{"TAIL", "only channels from " + std::to_string(whole) +
                                 " on differ, which are behind the last whole group of " +
                                 std::to_string(lanes)};
  }
  return std::nullopt;
}

/// A map of codes that explains every element.
template <class Map> [[nodiscard]] bool maps_to(const output_pair& p, Map map) {
  for (std::size_t i = 0; i < p.got.size(); ++i)
    if (map(p.expected[i]) != p.got[i]) return false;
  return true;
}

}  // namespace detail

/// The first that explains the result. Precondition: the two differ.
[[nodiscard]] inline std::optional<finding> find_output_fault(const output_pair& p) {
  if (p.type == element_type::int8 &&
      detail::maps_to(p, [](std::int64_t c) { return std::max<std::int64_t>(c, -127); }))
    return finding{"SYMMETRIC_LIMIT", "codes end at -127 instead of -128"};
  const std::int64_t half = p.type == element_type::uint8 ? 128 : -128;
  if ((p.type == element_type::int8 || p.type == element_type::uint8) &&
      detail::maps_to(p, [&](std::int64_t c) {
        const std::int64_t moved = (c ^ 0x80) & 0xFF;
        return half < 0 ? static_cast<std::int64_t>(static_cast<std::int8_t>(moved)) : moved;
      }))
    return finding{"U8_AS_I8", "codes are those of the other signedness: 128 apart"};
  if (auto f = detail::find_layout(p)) return f;
  if (auto f = detail::find_channel_order(p)) return f;
  if (auto f = detail::find_dead_channels(p)) return f;
  return detail::find_tail(p);
}

}  // namespace bittwin::analysis::inline v1
