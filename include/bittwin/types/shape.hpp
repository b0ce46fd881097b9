// SPDX-License-Identifier: Apache-2.0
// Extents of a tensor, at most eight, and the two orders in which kernels name them:
// activations NHWC, filters OHWI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace bittwin::inline v1 {

/// Extents, outermost first. Rank 0 is a scalar of one element.
class shape {
 public:
  static constexpr int max_rank = 8;

  constexpr shape() = default;
  constexpr shape(std::initializer_list<std::int32_t> extents) noexcept {
    for (const std::int32_t extent : extents) push_back(extent);
  }
  constexpr explicit shape(std::span<const std::int32_t> extents) noexcept {
    for (const std::int32_t extent : extents) push_back(extent);
  }

  [[nodiscard]] constexpr int rank() const noexcept { return rank_; }
  [[nodiscard]] constexpr std::int32_t operator[](int axis) const noexcept {
    return extents_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] constexpr std::int32_t& operator[](int axis) noexcept {
    return extents_[static_cast<std::size_t>(axis)];
  }
  /// The extent of `axis` counted from the end (1 = innermost), 1 where the rank is too small.
  [[nodiscard]] constexpr std::int32_t from_end(int axis) const noexcept {
    return axis <= rank_ ? (*this)[rank_ - axis] : 1;
  }
  [[nodiscard]] constexpr std::span<const std::int32_t> extents() const noexcept {
    return {extents_.data(), static_cast<std::size_t>(rank_)};
  }

  /// Precondition: rank() < max_rank.
  constexpr void push_back(std::int32_t extent) noexcept {
    extents_[static_cast<std::size_t>(rank_)] = extent;
    ++rank_;
  }

  /// Number of elements. Precondition: checked_elements() has a value.
  [[nodiscard]] constexpr std::int64_t elements() const noexcept {
    std::int64_t product = 1;
    for (int axis = 0; axis < rank_; ++axis) product *= (*this)[axis];
    return product;
  }

  /// Number of elements, or nothing where an extent is negative or the product passes 2^40.
  [[nodiscard]] constexpr std::optional<std::int64_t> checked_elements() const noexcept {
    constexpr std::int64_t limit = std::int64_t{1} << 40;
    std::int64_t product = 1;
    for (int axis = 0; axis < rank_; ++axis) {
      const std::int64_t extent = (*this)[axis];
      if (extent < 0) return std::nullopt;
      if (extent > 0 && product > limit / extent) return std::nullopt;
      product *= extent;
    }
    return product;
  }

  friend constexpr bool operator==(const shape& a, const shape& b) noexcept {
    if (a.rank_ != b.rank_) return false;
    for (int axis = 0; axis < a.rank_; ++axis)
      if (a[axis] != b[axis]) return false;
    return true;
  }

 private:
  std::array<std::int32_t, max_rank> extents_{};
  int rank_ = 0;
};

/// "[1,56,56,64]", as error sentences and dumps print it.
[[nodiscard]] inline std::string to_string(const shape& s) {
  std::string text = "[";
  for (int axis = 0; axis < s.rank(); ++axis) {
    if (axis > 0) text += ",";
    text += std::to_string(s[axis]);
  }
  return text + "]";
}

/// Activations: batch, rows, columns, channels.
struct nhwc {
  std::int32_t n = 1, h = 1, w = 1, c = 1;

  [[nodiscard]] constexpr std::int64_t elements() const noexcept {
    return std::int64_t{n} * h * w * c;
  }
  friend constexpr bool operator==(const nhwc&, const nhwc&) = default;
};

/// Filters: output channels, rows, columns, input channels of one group.
/// Depthwise filters are [1, h, w, input channels * depth multiplier].
struct ohwi {
  std::int32_t o = 1, h = 1, w = 1, i = 1;

  [[nodiscard]] constexpr std::int64_t elements() const noexcept {
    return std::int64_t{o} * h * w * i;
  }
  friend constexpr bool operator==(const ohwi&, const ohwi&) = default;
};

}  // namespace bittwin::inline v1
