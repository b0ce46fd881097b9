// SPDX-License-Identifier: Apache-2.0
// What must hold of a layer before its integers may be computed another way, asked of types here and carried as
// functions from then on.
//   order of summation: no partial sum, in any order, leaves the accumulator
//   monotone pipeline:  a <= b implies code(a) <= code(b), on all accumulators that the layer can reach
#pragma once

#include <bittwin/policy/accumulator.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/policy/stages.hpp>
#include <bittwin/proof/monotone_interval.hpp>
#include <bittwin/proof/overflow.hpp>
#include <cstdint>
#include <type_traits>

namespace bittwin::proof::inline v1 {

/// When an accumulator gives the sum that integers give.
struct summation {
  int bits = 0;            ///< it must hold every partial sum; 0: nothing is known of it
  bool raw_pairs = false;  ///< and int16 the products of two neighbouring codes
};

/// A user's accumulator states it as  static constexpr proof::summation exact_within
template <class Accumulator>
inline constexpr summation summation_of = [] {
  if constexpr (requires { Accumulator::exact_within; })
    return Accumulator::exact_within;
  else
    return summation{};
}();
template <class T>
inline constexpr summation summation_of<accumulator::wrapping<T>>{static_cast<int>(8 * sizeof(T))};
template <class T>
inline constexpr summation summation_of<accumulator::saturating<T>>{
    static_cast<int>(8 * sizeof(T))};
template <int Bits> inline constexpr summation summation_of<accumulator::exact_within<Bits>>{Bits};
/// -2^31 fits 32 bits and is not among its sums: 31 bits are asked for.
template <> inline constexpr summation summation_of<accumulator::saturating_symmetric>{31};
template <> inline constexpr summation summation_of<accumulator::int16_pairs>{32, true};

/// Whether the stages behind a rescale keep its order while nothing leaves 31 bits.
template <class Stages, class Narrowing>
inline constexpr bool keeps_order =
    (std::is_same_v<Stages, stages::offset_then_clamp> ||
     std::is_same_v<Stages, stages::clamp_then_offset> ||
     std::is_same_v<Stages, stages::type_clamp_then_offset> ||
     std::is_same_v<Stages,
                    stages::offset_only>)&&(std::is_same_v<Narrowing, narrowing::saturate> ||
                                            std::is_same_v<Narrowing, narrowing::symmetric>);

/// Whether the pipeline of these policies is monotone on all of [within.low, within.high].
using monotone_function = bool (*)(code_range within, const multiplier& m) noexcept;

namespace detail {

template <class Rescale>
concept states_where_monotone = requires(multiplier m) {
  Rescale::monotone_interval(m);
}
|| requires(multiplier m) { interval_of<Rescale>::of(m); };

template <class Rescale> bool monotone_on(code_range within, const multiplier& m) noexcept {
  const code_range interval = monotone_interval<Rescale>(m);
  constexpr std::int64_t limit = std::int64_t{1} << 30, all = std::int64_t{1} << 32;
  return interval.low <= within.low && within.high <= interval.high && -all < within.low &&
         within.high < all && -limit < Rescale::apply(within.low, m) &&
         Rescale::apply(within.high, m) < limit;
}

}  // namespace detail

/// Null where nothing is known.
template <class Rescale, class Stages, class Narrowing>
[[nodiscard]] constexpr monotone_function monotone_pipeline() noexcept {
  if constexpr (keeps_order<Stages, Narrowing> && detail::states_where_monotone<Rescale>)
    return &detail::monotone_on<Rescale>;
  else
    return nullptr;
}

/// The product that a rescale rounds half up, where the stages behind it are a clamp of the sum with the zero point.
using product_function = rescale::half_up_product (*)(const multiplier& m) noexcept;

/// Null where the rescale states none.
template <class Rescale, class Stages, class Narrowing>
[[nodiscard]] constexpr product_function product_pipeline() noexcept {
  constexpr bool clamps = std::is_same_v<Stages, stages::offset_then_clamp> ||
                          std::is_same_v<Stages, stages::clamp_then_offset>;
  if constexpr (clamps && std::is_same_v<Narrowing, narrowing::saturate> &&
                requires(multiplier m) { Rescale::product(m); })
    return &Rescale::product;
  else
    return nullptr;
}

}  // namespace bittwin::proof::inline v1
