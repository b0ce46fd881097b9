// SPDX-License-Identifier: Apache-2.0
// How two recordings of one tensor differ: exact counts on codes, and the usual measures on reals.
//   d[i] = test[i] - reference[i] in codes,   real = scale * (code - zero_point)
//   sqnr = 10 log10(sum real(reference)^2 / sum (real(test) - real(reference))^2)
//   cosine = a.b / (|a| |b|), 1 where both are zero and 0 where one is;   rmse / scale = sqrt(mean
//   d^2)
#pragma once

#include <algorithm>
#include <bit>
#include <bittwin/analysis/array.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/quantization.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace bittwin::analysis::inline v1 {

struct difference {
  static constexpr std::int64_t far = 256;  ///< off_by counts everything beyond under +-far

  std::int64_t elements = 0;
  std::int64_t mismatches = 0;                  ///< differing codes; of floats, differing bits
  std::int64_t max_codes = 0;                   ///< largest |d|; 0 for floats
  double max_abs = 0;                           ///< largest difference of reals
  std::map<std::int64_t, std::int64_t> off_by;  ///< d -> count, without 0; empty for floats
  std::optional<std::int64_t> first;            ///< flat index of the first mismatch
  std::vector<std::int64_t> by_channel;         ///< mismatches along the innermost axis
  std::optional<double> sqnr_db;                ///< absent: infinite or undefined
  std::optional<double> cosine;
  std::optional<double> rmse_over_scale;  ///< absent for floats of no single scale
  double constant_share = 0;              ///< of the reference: its commonest value
  double saturated_share = 0;             ///< of the reference: at the ends of its type

  [[nodiscard]] bool equal() const noexcept { return mismatches == 0; }
  /// A comparison of elements that are nearly all the same shows nothing.
  [[nodiscard]] bool vacuous() const noexcept {
    return elements > 1 && std::max(constant_share, saturated_share) > 0.9;
  }
};

/// Two arrays of the same type and extents (precondition). `map` may be absent: reals are the
/// codes.
[[nodiscard]] difference compare(const array_view& reference, const array_view& test,
                                 const quantization& map = {});

namespace detail {

/// The real value of a float16, from its bits.
[[nodiscard]] inline double half_to_double(std::uint16_t bits) noexcept {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double magnitude = exponent == 31  ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Sums over pairs of reals.
class real_measures {
 public:
  void add(double a, double b) noexcept {
    signal_ += a * a;
    other_ += b * b;
    product_ += a * b;
    noise_ += (b - a) * (b - a);
    largest_ = std::max(largest_, std::fabs(b - a));
  }
  /// scale  that rmse is divided by; absent where codes gave it already
  void write(difference& to, std::optional<double> scale) const {
    to.max_abs = largest_;
    if (scale && to.elements > 0)
      to.rmse_over_scale = finite(std::sqrt(noise_ / static_cast<double>(to.elements)) / *scale);
    if (noise_ > 0 && signal_ > 0) to.sqnr_db = finite(10 * std::log10(signal_ / noise_));
    to.cosine = signal_ == 0 && other_ == 0   ? 1.0
                : signal_ == 0 || other_ == 0 ? 0.0
                                              : finite(product_ / std::sqrt(signal_ * other_));
  }

 private:
  static std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }
  double signal_ = 0, other_ = 0, product_ = 0, noise_ = 0, largest_ = 0;
};

/// Where an element's channel starts to matter: its scale, and the innermost axis.
struct channel_walk {
  std::int64_t inner = 1, channels = 1;

  channel_walk(const shape& extents, const quantization& map) {
    if (!map.per_channel() || map.axis >= extents.rank()) return;
    for (int axis = map.axis + 1; axis < extents.rank(); ++axis) inner *= extents[axis];
    channels = extents[map.axis];
    if (channels != static_cast<std::int64_t>(map.scales.size())) channels = 1;
  }
  [[nodiscard]] std::size_t channel(std::int64_t i) const noexcept {
    return static_cast<std::size_t>(i / inner % channels);
  }
};

template <class T>
void count_codes(const array_view& reference, const array_view& test, const quantization& map,
                 difference& to, real_measures& reals) {
  const channel_walk walk(reference.extents, map);
  double squares = 0;
  for (std::int64_t i = 0; i < to.elements; ++i) {
    const std::int64_t a = element_at<T>(reference.data, i);
    const std::int64_t b = element_at<T>(test.data, i);
    const std::size_t channel = walk.channel(i);
    const double scale = map.present() ? static_cast<double>(map.scale(channel)) : 1.0;
    const auto zero = static_cast<double>(map.zero_point(channel));
    reals.add(scale * (static_cast<double>(a) - zero), scale * (static_cast<double>(b) - zero));
    if (a == b) continue;
    // Codes of 64 bits can be further apart than 64 bits hold: the magnitude saturates.
    const auto magnitude = static_cast<std::int64_t>(std::min<std::uint64_t>(
        a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
              : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b),
        INT64_MAX));
    to.max_codes = std::max(to.max_codes, magnitude);
    const std::int64_t near = std::min(magnitude, difference::far);
    ++to.off_by[a < b ? near : -near];
    squares += static_cast<double>(magnitude) * static_cast<double>(magnitude);
  }
  if (to.elements > 0) to.rmse_over_scale = std::sqrt(squares / static_cast<double>(to.elements));
}

}  // namespace detail

inline difference compare(const array_view& reference, const array_view& test,
                          const quantization& map) {
  difference to;
  to.elements = reference.elements();
  to.by_channel.resize(static_cast<std::size_t>(reference.extents.from_end(1)));
  detail::real_measures reals;
  const code_range codes = range_of(reference.type);
  const std::int64_t width = std::max<std::int64_t>(reference.extents.from_end(1), 1);
  with_element(reference.type, [&]<class T>(T) {
    using bits = std::conditional_t<
        sizeof(T) == 1, std::uint8_t,
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
    std::unordered_map<bits, std::int64_t> seen;
    std::int64_t commonest = 0, saturated = 0;
    for (std::int64_t i = 0; i < to.elements; ++i) {
      const auto a = element_at<bits>(reference.data, i);
      commonest = std::max(commonest, ++seen[a]);
      if constexpr (std::is_integral_v<T>) {
        const auto code = static_cast<std::int64_t>(std::bit_cast<T>(a));
        if (is_integer(reference.type)) saturated += code == codes.low || code == codes.high;
      }
      if (a == element_at<bits>(test.data, i)) continue;
      ++to.mismatches;
      ++to.by_channel[static_cast<std::size_t>(i % width)];
      if (!to.first) to.first = i;
    }
    if (to.elements > 0) {
      to.constant_share = static_cast<double>(commonest) / static_cast<double>(to.elements);
      to.saturated_share = static_cast<double>(saturated) / static_cast<double>(to.elements);
    }
    if (reference.type == element_type::float16) {
      for (std::int64_t i = 0; i < to.elements; ++i)
        reals.add(detail::half_to_double(element_at<std::uint16_t>(reference.data, i)),
                  detail::half_to_double(element_at<std::uint16_t>(test.data, i)));
    } else if constexpr (std::is_floating_point_v<T>) {
      for (std::int64_t i = 0; i < to.elements; ++i)
        reals.add(static_cast<double>(element_at<T>(reference.data, i)),
                  static_cast<double>(element_at<T>(test.data, i)));
    } else {
      detail::count_codes<T>(reference, test, map, to, reals);
    }
  });
  // Reals that stand for codes of one scale are measured in its steps.
  const bool steps = !is_integer(reference.type) && map.scales.size() == 1;
  reals.write(to, steps ? std::optional(static_cast<double>(map.scales[0])) : std::nullopt);
  return to;
}

}  // namespace bittwin::analysis::inline v1
