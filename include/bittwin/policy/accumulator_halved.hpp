// SPDX-License-Identifier: Apache-2.0
// Sums of halved weights: what keeps two products of a byte and a weight within 16 bits costs the weight's last bit.
//   acc = bias + 2 sum (x - zx) half_even((w - zw) / 2)
#pragma once

#include <bittwin/policy/accumulator.hpp>
#include <bittwin/policy/rounding.hpp>

namespace bittwin::accumulator::inline v1 {

/// No pair can saturate: 255 (64 + 64) < 2^15. Sums are int32, modulo 2^32.
/// source  oneDNN doc/advanced_topics/int8_computations.md, s8 sources before VNNI; the tie is that of oneDNN 2.6.3's
///         reorder of weights, compared with the library (tests/originals)
class halved_weights {
 public:
  static constexpr std::string_view name = "halved-weights";
  using code = std::int32_t;
  static constexpr tap_order order = tap_order::row_major;

  constexpr explicit halved_weights(std::int64_t bias) noexcept : bias_(bias) {}
  constexpr void add(term t) noexcept {
    sum_ +=
        std::int64_t{t.x - t.x_zero} * rounding::shift_right<rounding::half_even>(
                                           t.w - t.w_zero, BITTWIN_MUTABLE(1, weights_halved, 0));
  }
  [[nodiscard]] constexpr std::int64_t value() const noexcept {
    return wrap_cast<std::int32_t>(bias_ + 2 * sum_);
  }

 private:
  std::int64_t bias_;
  std::int64_t sum_ = 0;
};

}  // namespace bittwin::accumulator::inline v1
