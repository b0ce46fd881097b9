// SPDX-License-Identifier: Apache-2.0
// How products are summed: width, overflow, and the order of taps where it matters.
//   acc = bias + sum (x - x_zero) * (w - w_zero)
// wrapping<T>     modulo 2^bits(T) after every addition
// exact_within<B> as integers; layers whose sums could leave B bits are refused
// saturating<T>   clamped to T after every addition, in the order (ky, kx, ic)
// saturating_symmetric  the same, to +-(2^31 - 1)
// int16_pairs     raw products of taps 2k and 2k+1 summed modulo 2^16, then in int32; zero points
// folded out
#pragma once

#include <bittwin/types/integers.hpp>
#include <bittwin/types/mutation.hpp>
#include <concepts>
#include <cstdint>
#include <string_view>

namespace bittwin::inline v1 {

/// One product of a dot product, as codes and zero points.
struct term {
  std::int32_t x = 0;
  std::int32_t x_zero = 0;
  std::int32_t w = 0;
  std::int32_t w_zero = 0;

  [[nodiscard]] constexpr std::int64_t product() const noexcept {
    return std::int64_t{x - x_zero} * (w - w_zero);
  }
};

/// The order in which a depthwise kernel walks its window.
enum class tap_order : std::uint8_t { row_major, column_major };

}  // namespace bittwin::inline v1

namespace bittwin::accumulator::inline v1 {

template <std::signed_integral T> class wrapping {
 public:
  static constexpr std::string_view name = sizeof(T) == 2   ? "int16-wrapping"
                                           : sizeof(T) == 4 ? "int32-wrapping"
                                                            : "int64-wrapping";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;

  constexpr explicit wrapping(std::int64_t bias) noexcept : sum_(wrap_cast<T>(bias)) {}
  constexpr void add(term t) noexcept {
    sum_ = BITTWIN_MUTABLE(wrap_cast<T>(wrap_add(sum_, t.product())), wrapping_sum_saturates,
                           saturate_cast<T>(wrap_add(sum_, t.product())));
  }
  [[nodiscard]] constexpr std::int64_t value() const noexcept { return sum_; }

 private:
  T sum_;
};

/// Exact in `Bits` bits; nobody knows what a sum beyond them becomes, so layers that could make one are refused.
template <int Bits> class exact_within {
 public:
  static constexpr std::string_view name = "exact-within";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;
  static constexpr int known_bits = Bits;

  constexpr explicit exact_within(std::int64_t bias) noexcept : sum_(bias) {}
  constexpr void add(term t) noexcept { sum_ = wrap_add(sum_, t.product()); }
  [[nodiscard]] constexpr std::int64_t value() const noexcept { return sum_; }

 private:
  std::int64_t sum_;
};

template <std::signed_integral T> class saturating {
 public:
  static constexpr std::string_view name = sizeof(T) == 2   ? "int16-saturating"
                                           : sizeof(T) == 4 ? "int32-saturating"
                                                            : "int64-saturating";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;

  constexpr explicit saturating(std::int64_t bias) noexcept : sum_(saturate_cast<T>(bias)) {}
  constexpr void add(term t) noexcept {
    sum_ = BITTWIN_MUTABLE(saturate_cast<T>(sum_ + t.product()), saturating_sum_wraps,
                           wrap_cast<T>(sum_ + t.product()));
  }
  [[nodiscard]] constexpr std::int64_t value() const noexcept { return sum_; }

 private:
  T sum_;
};

/// source  XMOS XS3 vector unit (xmos/lib_nn): 32-bit accumulators end at +-(2^31 - 1)
class saturating_symmetric {
 public:
  static constexpr std::string_view name = "int32-saturating-symmetric";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;

  constexpr explicit saturating_symmetric(std::int64_t bias) noexcept : sum_(within(bias)) {}
  constexpr void add(term t) noexcept { sum_ = within(sum_ + t.product()); }
  [[nodiscard]] constexpr std::int64_t value() const noexcept { return sum_; }

 private:
  static constexpr std::int64_t within(std::int64_t sum) noexcept {
    constexpr std::int64_t limit = highest<std::int32_t>;
    return clamp_to<std::int64_t>(sum, BITTWIN_MUTABLE(-limit, symmetric_sum, -limit - 1), limit);
  }
  std::int64_t sum_;
};

/// Two products of -128 * -128 in one pair wrap to -32768; every other pair of int8 products fits.
/// source  XNNPACK wasmsimd depthwise kernels with i16 products, taps walked by columns
class int16_pairs {
 public:
  static constexpr std::string_view name = "int16-pairs";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::column_major;

  constexpr explicit int16_pairs(std::int64_t bias) noexcept
      : sum_(wrap_cast<std::int32_t>(bias)) {}

  constexpr void add(term t) noexcept {
    const std::int32_t raw = t.x * t.w;
    if (has_first_) {
      sum_ = wrap_cast<std::int32_t>(
          std::int64_t{sum_} +
          BITTWIN_MUTABLE(wrap_cast<std::int16_t>(first_ + raw), pairs_width, first_ + raw));
    } else {
      first_ = raw;
    }
    has_first_ = !has_first_;
    // (x - zx)(w - zw) = xw - zx w - zw x + zx zw
    folded_ += t.product() - raw;
  }
  [[nodiscard]] constexpr std::int64_t value() const noexcept {
    const std::int32_t last =
        BITTWIN_MUTABLE(has_first_, pairs_last_tap, false) ? wrap_cast<std::int16_t>(first_) : 0;
    return wrap_cast<std::int32_t>(sum_ + folded_ + last);
  }

 private:
  std::int32_t sum_;
  std::int32_t first_ = 0;
  bool has_first_ = false;
  std::int64_t folded_ = 0;
};

/// Reals: nothing is rounded beyond float64's own sums. For the ideal that targets are measured
/// against.
class real {
 public:
  static constexpr std::string_view name = "float64";
  using code = double;
  static constexpr tap_order order = tap_order::row_major;

  struct term {
    double x, x_zero, w, w_zero;
  };

  constexpr explicit real(double bias) noexcept : sum_(bias) {}
  constexpr void add(term t) noexcept { sum_ += (t.x - t.x_zero) * (t.w - t.w_zero); }
  [[nodiscard]] constexpr double value() const noexcept { return sum_; }

 private:
  double sum_;
};

/// Products of neighbouring taps are summed with saturation to int16 before they enter the int32
/// sum. source  the x86 instruction pmaddubsw; pytorch issue 44939
class int16_saturating_pairs {
 public:
  static constexpr std::string_view name = "int16-saturating-pairs";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;

  constexpr explicit int16_saturating_pairs(std::int64_t bias) noexcept
      : sum_(wrap_cast<std::int32_t>(bias)) {}
  constexpr void add(term t) noexcept {
    if (has_first_) {
      sum_ = wrap_cast<std::int32_t>(
          sum_ + BITTWIN_MUTABLE(saturate_cast<std::int16_t>(first_ + t.product()),
                                 saturating_pairs_width, first_ + t.product()));
    } else {
      first_ = t.product();
    }
    has_first_ = !has_first_;
  }
  [[nodiscard]] constexpr std::int64_t value() const noexcept {
    return wrap_cast<std::int32_t>(sum_ + (has_first_ ? saturate_cast<std::int16_t>(first_) : 0));
  }

 private:
  std::int64_t sum_;
  std::int64_t first_ = 0;
  bool has_first_ = false;
};

/// Codes as stored times weights less their zero point: neighbours are summed with saturation to int16, and the input's
/// zero point is taken off the whole. Pairs are neighbouring input channels: an even number of them is taken for granted.
/// source  oneDNN doc/advanced_topics/int8_computations.md, u8 sources before VNNI
class uint8_saturating_pairs {
 public:
  static constexpr std::string_view name = "uint8-saturating-pairs";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;

  constexpr explicit uint8_saturating_pairs(std::int64_t bias) noexcept : pairs_(bias) {}
  constexpr void add(term t) noexcept {
    pairs_.add({t.x, 0, t.w, t.w_zero});
    folded_ += BITTWIN_MUTABLE(t.x_zero, pairs_zero_point, 0) * (t.w - t.w_zero);
  }
  [[nodiscard]] constexpr std::int64_t value() const noexcept {
    return wrap_cast<std::int32_t>(pairs_.value() - folded_);
  }

 private:
  int16_saturating_pairs pairs_;
  std::int64_t folded_ = 0;
};

}  // namespace bittwin::accumulator::inline v1
