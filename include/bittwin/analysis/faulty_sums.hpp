// SPDX-License-Identifier: Apache-2.0
// How devices sum products when they do it wrong, as accumulators (policy/accumulator.hpp) that no target has: sums
// of too few bits, products of neighbours in one int16 lane, codes of another type.
#pragma once

#include <algorithm>
#include <bittwin/policy/accumulator.hpp>
#include <bittwin/types/integers.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::analysis::faulty_sums::inline v1 {

/// The products alone in `Sum`; the bias is added behind it, in 32 bits.
template <class Sum> class bias_behind {
 public:
  static constexpr std::string_view name = "bias-behind";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;

  constexpr explicit bias_behind(std::int64_t bias) noexcept : bias_(bias) {}
  constexpr void add(term t) noexcept { products_.add(t); }
  [[nodiscard]] constexpr std::int64_t value() const noexcept {
    return wrap_cast<std::int32_t>(products_.value() + bias_);
  }

 private:
  Sum products_{0};
  std::int64_t bias_;
};

struct saturated {
  static constexpr std::int64_t of(std::int64_t sum) noexcept {
    return saturate_cast<std::int16_t>(sum);
  }
};
struct wrapped {
  static constexpr std::int64_t of(std::int64_t sum) noexcept {
    return wrap_cast<std::int16_t>(sum);
  }
};

/// What enters the int16 lane: codes less their zero points, codes as stored, or int8 codes with 128 added, as
/// instructions of unsigned times signed bytes want them.
struct centred {
  static constexpr term of(term t) noexcept { return t; }
};
struct stored {
  static constexpr term of(term t) noexcept { return {t.x, 0, t.w, t.w_zero}; }
};
struct raised {
  static constexpr term of(term t) noexcept { return {t.x + 128, 0, t.w, t.w_zero}; }
};

/// Products 2k and 2k + 1 share an int16 lane; what their codes lack is added apart, in 32 bits.
template <class Enters, class Lane> class pairs {
 public:
  static constexpr std::string_view name = "pairs";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;

  constexpr explicit pairs(std::int64_t bias) noexcept : sum_(bias) {}
  constexpr void add(term t) noexcept {
    const std::int64_t product = Enters::of(t).product();
    sum_ += t.product() - product;
    if (has_first_) sum_ += Lane::of(first_ + product);
    first_ = product;
    has_first_ = !has_first_;
  }
  [[nodiscard]] constexpr std::int64_t value() const noexcept {
    return wrap_cast<std::int32_t>(sum_ + (has_first_ ? Lane::of(first_) : 0));
  }

 private:
  std::int64_t sum_, first_ = 0;
  bool has_first_ = false;
};

/// int8 weights whose bits are read as uint8.
struct unsigned_weights {
  static constexpr term of(term t) noexcept { return {t.x, t.x_zero, t.w & 0xFF, t.w_zero}; }
};
/// int8 weights that were saturated to uint8.
struct no_negative_weights {
  static constexpr term of(term t) noexcept { return {t.x, t.x_zero, std::max(t.w, 0), t.w_zero}; }
};
/// The zero point is subtracted in 8 bits.
struct narrow_difference {
  static constexpr term of(term t) noexcept {
    return {wrap_cast<std::int8_t>(std::int64_t{t.x} - t.x_zero), 0, t.w, t.w_zero};
  }
};

/// Sums in int32 of products that are read otherwise.
template <class Reads> class misread {
 public:
  static constexpr std::string_view name = "misread";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;

  constexpr explicit misread(std::int64_t bias) noexcept : sum_(bias) {}
  constexpr void add(term t) noexcept { sum_.add(Reads::of(t)); }
  [[nodiscard]] constexpr std::int64_t value() const noexcept { return sum_.value(); }

 private:
  accumulator::wrapping<std::int32_t> sum_;
};

}  // namespace bittwin::analysis::faulty_sums::inline v1
