// SPDX-License-Identifier: Apache-2.0
// A monotone function from float32 to 8-bit codes as the list of the smallest floats of each code, so that a rule whose
// arithmetic is computed on integers costs a comparison or two an element. Floats are ordered as integers, so no
// compiler flag and no float environment changes an integer: a product only says where to look.
#pragma once

#include <algorithm>
#include <bit>
#include <bittwin/proof/thresholds.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <limits>
#include <vector>

namespace bittwin::inline v1 {

/// An integer for every float, in their order; -0 comes before +0.
[[nodiscard]] constexpr std::int32_t order_of(float x) noexcept {
  const auto bits = std::bit_cast<std::int32_t>(x);
  return bits < 0 ? bits ^ std::numeric_limits<std::int32_t>::max() : bits;
}
[[nodiscard]] constexpr float float_at(std::int32_t order) noexcept {
  return std::bit_cast<float>(order < 0 ? order ^ std::numeric_limits<std::int32_t>::max() : order);
}

class float_steps {
 public:
  float_steps() = default;

  /// of  float -> code of 8 bits, monotone where |x / scale| <= 2^30    grid  about one code a scale, zero_point at 0
  /// Of scales beyond 2^+-60 nothing is listed.
  template <class Code> float_steps(const Code& of, affine grid) {
    if (!(grid.scale > 0x1p-60F && grid.scale < 0x1p60F)) return;
    const std::int32_t last = order_of(ieee::multiply(grid.scale, 0x1p30F));
    within_ = {order_of(-float_at(last)), last};
    inverse_ = 1 / grid.scale;
    const auto code_at = [&](std::int64_t order) {
      return static_cast<std::int32_t>(of(float_at(static_cast<std::int32_t>(order))));
    };
    const std::int32_t code_at_high = code_at(within_.high);
    codes_.push_back(code_at(within_.low));
    while (codes_.back() < code_at_high) {
      const double middle = (codes_.back() + 0.5 - grid.zero_point) * double{grid.scale};
      const proof::threshold t = proof::detail::smallest_above(
          code_at, codes_.back(), code_at_high, order_of(static_cast<float>(middle)), within_);
      at_.push_back(static_cast<std::int32_t>(t.at));
      codes_.push_back(t.from);
    }
    place_of_zero_ = static_cast<std::ptrdiff_t>(place(order_of(0.0F), 0));
  }

  /// Whether the list speaks of it: not of NaN, not of quotients beyond 2^30.
  [[nodiscard]] bool holds(float x) const noexcept {
    return !codes_.empty() && within_.contains(order_of(x));
  }
  /// x  held
  [[nodiscard]] std::int32_t operator()(float x) const noexcept {
    return codes_[place(order_of(x), place_of_zero_ + static_cast<std::ptrdiff_t>(x * inverse_))];
  }

 private:
  /// The number of steps up to `order`, looked for from `guess` on.
  [[nodiscard]] std::size_t place(std::int32_t order, std::ptrdiff_t guess) const noexcept {
    const auto count = static_cast<std::ptrdiff_t>(at_.size());
    auto i = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(guess, 0, count));
    while (i < at_.size() && order >= at_[i]) ++i;
    while (i > 0 && order < at_[i - 1]) --i;
    return i;
  }

  code_range within_{};
  float inverse_ = 0;
  std::ptrdiff_t place_of_zero_ = 0;
  std::vector<std::int32_t> at_;     ///< the smallest float of codes_[i + 1]
  std::vector<std::int32_t> codes_;  ///< ascending
};

}  // namespace bittwin::inline v1
