// SPDX-License-Identifier: Apache-2.0
// How pictures of tensors are counted: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/difference.hpp>
#include <bittwin/analysis/tensor_picture.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// Element i as a double: codes beyond 2^53 lose their last bits, which no picture shows.
class number_view {
 public:
  explicit number_view(const array_view& of) : of_(of) {}

  [[nodiscard]] double operator[](std::int64_t i) const noexcept {
    if (of_.type == element_type::float16)
      return half_to_double(element_at<std::uint16_t>(of_.data, i));
    return with_element(of_.type, [&]<class T>(T) -> double {
      return static_cast<double>(element_at<T>(of_.data, i));
    });
  }

 private:
  array_view of_;
};

/// The lowest and highest of what it was shown.
struct extremes {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double v) noexcept {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  [[nodiscard]] bool empty() const noexcept { return low > high; }
};

[[nodiscard]] inline binning binning_of(const extremes& range, bool codes, int most) {
  if (range.empty()) return {};
  if (codes) {
    const double values = range.high - range.low + 1;
    const double width = std::ceil(values / most);
    return {range.low, width, static_cast<int>(std::ceil(values / width))};
  }
  // Each end apart: the distance of two large doubles is beyond what a double holds.
  const double width = range.high / most - range.low / most;
  if (!(width > 0)) return {range.low, 1, 1};
  return {range.low, width, most};
}

[[nodiscard]] inline std::size_t bin_of(double value, const binning& by) noexcept {
  const double bin = std::floor((value - by.low) / by.width);
  // Compared before it is cut to an integer: it may be infinite.
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(by.bins - 1)));
}

/// Both sides of a pair, or one recording twice.
class picture_counter {
 public:
  picture_counter(const array_view& reference, const array_view& test, bool pair, bool codes)
      : a_(reference),
        b_(test),
        channels_(std::max<std::int64_t>(reference.extents.from_end(1), 1)) {
    to_.pair = pair;
    to_.codes = codes;
    to_.elements = reference.elements();
    to_.channel_group =
        (channels_ + tensor_picture::most_channels - 1) / tensor_picture::most_channels;
  }

  [[nodiscard]] tensor_picture run() {
    measure_ranges();
    for (std::int64_t i = 0; i < to_.elements; ++i) count(i, a_[i], b_[i]);
    return std::move(to_);
  }

 private:
  void measure_ranges() {
    extremes reference, test, both;
    double largest = 0;
    for (std::int64_t i = 0; i < to_.elements; ++i) {
      const double a = a_[i], b = b_[i];
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      reference.add(a);
      test.add(b);
      both.add(a);
      both.add(b);
      largest = std::max(largest, std::fabs(b - a));
    }
    const auto bars =
        static_cast<std::size_t>((channels_ + to_.channel_group - 1) / to_.channel_group);
    to_.values = binning_of(both, to_.codes, tensor_picture::most_values);
    if (both.empty()) return;
    const auto side = [&](const extremes& range) {
      return tensor_picture::side{
          range.low, range.high,
          std::vector<std::int64_t>(static_cast<std::size_t>(to_.values.bins))};
    };
    to_.reference = side(reference);
    if (!to_.pair) {
      to_.channel_low.assign(bars, std::numeric_limits<double>::infinity());
      to_.channel_high.assign(bars, -std::numeric_limits<double>::infinity());
      return;
    }
    to_.test = side(test);
    to_.cells = binning_of(both, to_.codes, tensor_picture::most_cells);
    to_.scatter.resize(static_cast<std::size_t>(to_.cells.bins) *
                       static_cast<std::size_t>(to_.cells.bins));
    // The distance of two finite doubles can be infinite.
    to_.step_width =
        std::min(largest, std::numeric_limits<double>::max()) / tensor_picture::most_steps;
    if (to_.codes) to_.step_width = std::ceil(to_.step_width);
    if (!(to_.step_width > 0)) to_.step_width = 1;
    to_.steps.resize(2 * tensor_picture::most_steps + 1);
    to_.channel_mismatches.resize(bars);
    to_.channel_largest.resize(bars);
  }

  void count(std::int64_t i, double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return void(++to_.skipped);
    const auto bar = static_cast<std::size_t>(i % channels_ / to_.channel_group);
    const std::size_t value = bin_of(a, to_.values);
    ++to_.reference.counts[value];
    if (!to_.pair) {
      to_.channel_low[bar] = std::min(to_.channel_low[bar], a);
      to_.channel_high[bar] = std::max(to_.channel_high[bar], a);
      return;
    }
    ++to_.test.counts[bin_of(b, to_.values)];
    ++to_.scatter[bin_of(b, to_.cells) * static_cast<std::size_t>(to_.cells.bins) +
                  bin_of(a, to_.cells)];
    const double d = b - a;
    constexpr auto zero = static_cast<std::ptrdiff_t>(tensor_picture::most_steps);
    const double steps = std::ceil(std::fabs(d) / to_.step_width);
    const auto bin = static_cast<std::ptrdiff_t>(
        std::min(steps, static_cast<double>(tensor_picture::most_steps)));
    ++to_.steps[static_cast<std::size_t>(d < 0 ? zero - bin : zero + bin)];
    if (d == 0) return;
    ++to_.channel_mismatches[bar];
    to_.channel_largest[bar] = std::max(to_.channel_largest[bar], std::fabs(d));
  }

  number_view a_, b_;
  std::int64_t channels_;
  tensor_picture to_;
};

}  // namespace detail

tensor_picture picture_of(const recording& reference, const quantization& reference_map,
                          const recording& test, const quantization& test_map) {
  if (share_codes(reference, reference_map, test, test_map))
    return detail::picture_counter(reference.all(), test.all(), true,
                                   is_integer(reference.values.type))
        .run();
  const array a = detail::reals_of(reference, reference_map);
  const array b = detail::reals_of(test, test_map);
  return detail::picture_counter(a, b, true, false).run();
}

tensor_picture picture_of(const array_view& values) {
  return detail::picture_counter(values, values, false, is_integer(values.type)).run();
}

}  // namespace bittwin::analysis::inline v1
