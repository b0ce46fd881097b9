// SPDX-License-Identifier: Apache-2.0
// On which accumulators a rescale is monotone: a <= b implies apply(a) <= apply(b). Rules that shift or store
// modulo 2^32 wrap outside. A user's rule states it as  static constexpr code_range monotone_interval(multiplier).
#pragma once

#include <bittwin/policy/rescale.hpp>
#include <bittwin/types/element_type.hpp>
#include <cstdint>

namespace bittwin::proof::inline v1 {

namespace detail {

inline constexpr code_range every_int32 = range_of(element_type::int32);

/// Accumulators up to `most`, and down to -most, within `all`.
[[nodiscard]] constexpr code_range around_zero(std::int64_t most, code_range all) noexcept {
  return {-most > all.low ? -most : all.low, most < all.high ? most : all.high};
}

/// Accumulators with |acc| * factor / 2^right at most 2^31 - 1.  factor in [0, 2^31), right in [-48, 62]
[[nodiscard]] constexpr code_range of_int32_results(std::int64_t factor, int right,
                                                    code_range all) noexcept {
  if (factor == 0 || right >= 31) return all;
  if (right < 0) return {0, 0};
  return around_zero((highest<std::int32_t> << right) / factor, all);
}

template <class Rescale> struct interval_of;

template <rounding::policy First, rounding::policy Second>
struct interval_of<rescale::q31_two_step<First, Second>> {
  static constexpr code_range of(const multiplier& m) noexcept {
    if (m.exponent > 31) return {0, 0};
    const int left = m.exponent > 0 ? m.exponent : 0;
    return {every_int32.low >> left, every_int32.high >> left};
  }
};

template <rounding::policy R> struct interval_of<rescale::q31_one_step<R>> {
  static constexpr code_range of(const multiplier& m) noexcept {
    return of_int32_results(m.mantissa, 31 - m.exponent, every_int32);
  }
};

template <> struct interval_of<rescale::q31_one_step_int32> {
  static constexpr code_range of(const multiplier& m) noexcept {
    return of_int32_results(m.mantissa, 30 - m.exponent, every_int32);
  }
};

template <rounding::policy R> struct interval_of<rescale::q15_reduced<R>> {
  static constexpr code_range of(const multiplier& m) noexcept {
    constexpr std::int64_t limit = std::int64_t{1} << 47;
    const std::int64_t q15 = rescale::detail::q15_of(m);
    if (q15 == 0) return {-limit, limit - 1};
    if (m.exponent > 15)
      return around_zero((highest<std::int32_t> >> (m.exponent - 15)) / q15, {-limit, limit - 1});
    return of_int32_results(q15, 15 - m.exponent, {-limit, limit - 1});
  }
};

/// A multiplier whose sign wraps turns the order around.
template <rounding::policy R> struct interval_of<rescale::q15_wrapping<R>> {
  static constexpr code_range of(const multiplier& m) noexcept {
    if (m.mantissa >= 0x7FFF8000) return {0, 0};
    return interval_of<rescale::q15_reduced<R>>::of(m);
  }
};

template <int Bits, rounding::policy R> struct interval_of<rescale::fixed_one_step<Bits, R>> {
  static constexpr code_range of(const multiplier&) noexcept { return every_int32; }
};

inline constexpr code_range within_2_to_62{-rounding::beyond, rounding::beyond};

template <rounding::policy R> struct interval_of<rescale::float32_multiply<R>> {
  static constexpr code_range of(const multiplier&) noexcept { return within_2_to_62; }
};
template <rounding::policy R> struct interval_of<rescale::float64_multiply<R>> {
  static constexpr code_range of(const multiplier&) noexcept { return within_2_to_62; }
};
template <> struct interval_of<rescale::none> {
  static constexpr code_range of(const multiplier&) noexcept { return within_2_to_62; }
};

}  // namespace detail

/// The accumulators, as a closed interval around 0, on which Rescale with `m` is monotone.
/// m  as the target's construction makes it
template <class Rescale>
[[nodiscard]] constexpr code_range monotone_interval(const multiplier& m) noexcept {
  if constexpr (requires { Rescale::monotone_interval(m); })
    return Rescale::monotone_interval(m);
  else
    return detail::interval_of<Rescale>::of(m);
}

}  // namespace bittwin::proof::inline v1
