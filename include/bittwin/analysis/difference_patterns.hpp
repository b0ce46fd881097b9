// SPDX-License-Identifier: Apache-2.0
// What a difference looks like where no replay explains it: where it lies, how large it is, and for which values. A
// pattern is a fact about the numbers, not a fault.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/shape.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// expected, got  codes of all samples     extents  of one sample     zero_point  of the result's grid
/// input_sums     by element: sum of (x - zero point) over what the operator reads for it; or empty
struct seen_difference {
  const std::vector<std::int64_t>& expected;
  const std::vector<std::int64_t>& got;
  const shape& extents;
  element_type type;
  std::int64_t zero_point = 0;
  std::span<const double> input_sums = {};
};

namespace detail {

class pattern_search {
 public:
  explicit pattern_search(const seen_difference& d) : d_(d), range_(range_of(d.type)) {
    for (std::size_t i = 0; i < d.got.size(); ++i)
      if (d.got[i] != d.expected[i]) wrong_.push_back(i);
  }

  [[nodiscard]] std::vector<finding> find() const {
    std::vector<finding> found;
    if (wrong_.size() < 4) return found;
    add_place(found);
    add_size(found);
    add_values(found);
    return found;
  }

 private:
  using test = std::function<bool(std::size_t)>;
  [[nodiscard]] bool all_wrong(const test& is) const {
    return std::all_of(wrong_.begin(), wrong_.end(), is);
  }
  [[nodiscard]] std::int64_t step(std::size_t i) const { return d_.got[i] - d_.expected[i]; }
  [[nodiscard]] bool is_saturated(std::size_t i) const {
    return d_.got[i] == range_.low || d_.got[i] == range_.high || d_.expected[i] == range_.low ||
           d_.expected[i] == range_.high;
  }

  void add_place(std::vector<finding>& found) const {
    const std::size_t channels =
        static_cast<std::size_t>(std::max<std::int32_t>(d_.extents.from_end(1), 1));
    const std::size_t channel = wrong_[0] % channels;
    if (channels > 1 && all_wrong([&](std::size_t i) { return i % channels == channel; }))
      found.push_back({"ONE_CHANNEL", "only channel " + std::to_string(channel) + " differs"});
    if (d_.extents.rank() != 4) return;
    const auto height = static_cast<std::size_t>(d_.extents[1]);
    const auto width = static_cast<std::size_t>(d_.extents[2]);
    if (height < 3 || width < 3) return;
    const auto row = [&](std::size_t i) { return i / channels / width % height; };
    const auto column = [&](std::size_t i) { return i / channels % width; };
    const auto say = [&](const char* code, const char* text) { found.push_back({code, text}); };
    if (all_wrong([&](std::size_t i) { return row(i) == height - 1; }))
      say("LAST_ROW", "only the last row differs");
    else if (all_wrong([&](std::size_t i) { return column(i) == width - 1; }))
      say("LAST_COLUMN", "only the last column differs");
    else if (all_wrong([&](std::size_t i) { return row(i) == 0; }))
      say("FIRST_ROW", "only the first row differs");
    else if (all_wrong([&](std::size_t i) { return column(i) == 0; }))
      say("FIRST_COLUMN", "only the first column differs");
    else if (all_wrong([&](std::size_t i) {
               return row(i) == 0 || row(i) == height - 1 || column(i) == 0 ||
                      column(i) == width - 1;
             }))
      say("EDGES_ONLY", "only the edges differ: look at the padding");
  }

  void add_size(std::vector<finding>& found) const {
    for (const std::int64_t unit : {256, 128})
      if (all_wrong([&](std::size_t i) { return step(i) % unit == 0; })) {
        found.push_back({"MULTIPLES_OF_" + std::to_string(unit),
                         "every difference is a multiple of " + std::to_string(unit) +
                             " codes: look for a type or a width that is not the right one"});
        break;
      }
    const std::int64_t offset = step(wrong_[0]);
    const auto is_offset = [&](std::size_t i) { return is_saturated(i) || step(i) == offset; };
    if (every_element(is_offset))
      found.push_back(
          {"CONSTANT_OFFSET", "every result is " + std::to_string(offset) +
                                  " codes from the right one: look at the zero points"});
    else if (const auto ratio = find_ratio())
      found.push_back({"CONSTANT_RATIO", "every result is about " + std::to_string(*ratio) +
                                             " times the right one: look at the scales"});
    if (const auto factor = find_input_factor())
      found.push_back({"PROPORTIONAL_TO_INPUT_SUM",
                       "every difference is about " + std::to_string(*factor) +
                           " codes times the sum of the inputs: look at the weights' zero point"});
  }
  [[nodiscard]] bool every_element(const test& is) const {
    for (std::size_t i = 0; i < d_.got.size(); ++i)
      if (!is(i)) return false;
    return true;
  }
  /// Both codes may be rounded: half a code each.
  [[nodiscard]] std::optional<double> find_ratio() const {
    double products = 0, squares = 0;
    const auto from_zero = [&](std::int64_t code) {
      return static_cast<double>(code - d_.zero_point);
    };
    for (std::size_t i = 0; i < d_.got.size(); ++i) {
      if (is_saturated(i)) continue;
      products += from_zero(d_.got[i]) * from_zero(d_.expected[i]);
      squares += from_zero(d_.expected[i]) * from_zero(d_.expected[i]);
    }
    if (squares < 64) return std::nullopt;
    const double ratio = products / squares;
    const bool all = every_element([&](std::size_t i) {
      return is_saturated(i) ||
             std::fabs(from_zero(d_.got[i]) - ratio * from_zero(d_.expected[i])) <=
                 0.51 * (1 + std::fabs(ratio));
    });
    return all ? std::optional(ratio) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> find_input_factor() const {
    if (d_.input_sums.size() != d_.got.size()) return std::nullopt;
    double products = 0, squares = 0;
    for (std::size_t i = 0; i < d_.got.size(); ++i) {
      if (is_saturated(i)) continue;
      products += static_cast<double>(step(i)) * d_.input_sums[i];
      squares += d_.input_sums[i] * d_.input_sums[i];
    }
    if (squares <= 0) return std::nullopt;
    const double factor = products / squares;
    const bool all = every_element([&](std::size_t i) {
      return is_saturated(i) ||
             std::fabs(static_cast<double>(step(i)) - factor * d_.input_sums[i]) <= 1.01;
    });
    return all && factor != 0 ? std::optional(factor) : std::nullopt;
  }

  void add_values(std::vector<finding>& found) const {
    std::int64_t lowest_wrong = d_.expected[wrong_[0]], highest_right = range_.low - 1;
    std::size_t next = 0;
    bool any_right = false;
    for (std::size_t i = 0; i < d_.got.size(); ++i) {
      if (next < wrong_.size() && wrong_[next] == i) {
        ++next;
        lowest_wrong = std::min(lowest_wrong, d_.expected[i]);
      } else {
        any_right = true;
        highest_right = std::max(highest_right, d_.expected[i]);
      }
    }
    if (any_right && lowest_wrong > highest_right)
      found.push_back({"ABOVE_A_BOUND", "all results above code " + std::to_string(highest_right) +
                                            " differ, and none up to it"});
    if (all_wrong([&](std::size_t i) { return d_.expected[i] < d_.zero_point; }))
      found.push_back({"BELOW_ZERO_ONLY", "only results below zero differ"});
    if (all_wrong([&](std::size_t i) {
          const std::int64_t right = d_.expected[i] - d_.zero_point,
                             seen = d_.got[i] - d_.zero_point;
          return std::abs(seen) < std::abs(right) && (seen == 0 || (seen < 0) == (right < 0));
        }))
      found.push_back({"TOWARD_ZERO",
                       "every difference is toward zero: look for a saturation or a "
                       "cut inside the sum"});
  }

  const seen_difference& d_;
  code_range range_;
  std::vector<std::size_t> wrong_;
};

}  // namespace detail

/// Codes of patterns: ONE_CHANNEL, LAST_ROW, LAST_COLUMN, FIRST_ROW, FIRST_COLUMN, EDGES_ONLY, MULTIPLES_OF_256,
/// MULTIPLES_OF_128, CONSTANT_OFFSET, CONSTANT_RATIO, PROPORTIONAL_TO_INPUT_SUM, ABOVE_A_BOUND, BELOW_ZERO_ONLY,
/// TOWARD_ZERO. None for fewer than four differing elements.
[[nodiscard]] inline std::vector<finding> patterns_of(const seen_difference& d) {
  if (d.expected.size() != d.got.size()) return {};
  return detail::pattern_search(d).find();
}

}  // namespace bittwin::analysis::inline v1
