// SPDX-License-Identifier: Apache-2.0
// Laws of the way from an accumulator to a code: order, distance to the exact value, symmetry, and that two
// representations of one power of two are one function.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bittwin/policy/room.hpp>
#include <bittwin/proof/monotone_interval.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "laws/coverage.hpp"
#include "laws/targets.hpp"

namespace {

using namespace bittwin;
using laws::covered;
using wide = __int128;

template <class... T> struct types {};

template <class... T, class F> void for_each_type(types<T...>, F f) {
  (f(std::type_identity<T>{}), ...);
}

using nearest = types<rounding::half_up, rounding::half_down, rounding::half_away,
                      rounding::half_toward_zero, rounding::half_even, rounding::half_odd>;
using odd = types<rounding::half_away, rounding::half_toward_zero, rounding::half_even,
                  rounding::half_odd, rounding::toward_zero, rounding::away_from_zero>;
using not_odd = types<rounding::half_up, rounding::half_down, rounding::floor, rounding::ceil>;

/// A real multiplier from 2^-20 to 2^9: any, or one of few bits (which makes ties).
double any_multiplier() {
  const std::int64_t mantissa =
      *rc::gen::weightedOneOf<std::int64_t>({{1, rc::gen::element<std::int64_t>(1, 1, 3, 5)},
                                             {1, rc::gen::inRange<std::int64_t>(1, 1LL << 53)}});
  int exponent = 0;
  const double unit = std::frexp(static_cast<double>(mantissa), &exponent);
  const int power =
      *rc::gen::weightedOneOf<int>({{2, rc::gen::inRange(-19, 1)}, {1, rc::gen::inRange(1, 9)}});
  return std::ldexp(unit, power);
}

/// An accumulator of any length within `range`; its ends and 0 often.
std::int64_t any_within(code_range range) {
  const int bits = *rc::gen::inRange(1, 48);
  const std::int64_t size = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << bits);
  const std::int64_t value = *rc::gen::weightedElement<std::int64_t>(
      {{8, size}, {8, -size}, {1, range.low}, {1, range.high}, {1, range.high - 1}, {1, 0}});
  return clamp_to(value, range.low, range.high);
}

/// Any accumulator, or one next to a middle between two results.
std::int64_t any_or_near_a_tie(code_range range, double real) {
  const std::int64_t any = any_within(range);
  const auto tie = static_cast<std::int64_t>((*rc::gen::inRange(-300, 300) + 0.5) / real);
  return *rc::gen::inRange(0, 2) == 0 ? any : clamp_to(tie, range.low, range.high);
}

constexpr code_range all_int32{lowest<std::int32_t>, highest<std::int32_t>};

wide magnitude(wide value) { return value < 0 ? -value : value; }

/// acc * mantissa against a result scaled by 2^right: twice the distance, in units of 2^-right.
wide twice_distance(std::int64_t result, int right, wide product) {
  return 2 * magnitude(wide{result} * (wide{1} << right) - product);
}

using shipped_rescales =
    types<rescale::q31_two_step<rounding::half_up, rounding::half_away>,
          rescale::q31_two_step<rounding::half_up, rounding::toward_zero>,
          rescale::q31_one_step<rounding::half_up>, rescale::q31_one_step<rounding::half_even>,
          rescale::q15_reduced<rounding::half_up>, rescale::fixed_one_step<8, rounding::half_up>,
          rescale::float32_multiply<rounding::half_even>,
          rescale::float64_multiply<rounding::half_away>, rescale::none>;

template <class Rescale> multiplier constructed(double real) {
  if constexpr (Rescale::form == representation::q31)
    return multipliers::q31_capped<rounding::half_away>::of(real);
  else if constexpr (Rescale::form == representation::fixed)
    return multipliers::fixed<8, rounding::half_even>::of(real);
  else if constexpr (Rescale::form == representation::float32)
    return multipliers::float32::of(real);
  else
    return multipliers::float64::of(real);
}

RC_GTEST_PROP(rescale_laws, a_rule_is_monotone_on_the_interval_that_it_declares, ()) {
  const double real = any_multiplier();
  covered law("monotone rescale", {"wraps outside", "neighbours", "whole int32", "above 1"});
  law.saw("above 1", real > 1);
  for_each_type(shipped_rescales{}, [&]<class Rescale>(std::type_identity<Rescale>) {
    const multiplier m = constructed<Rescale>(real);
    const code_range on = proof::monotone_interval<Rescale>(m);
    std::int64_t a = any_or_near_a_tie(on, real), b = any_within(on);
    if (*rc::gen::inRange(0, 3) == 0) b = clamp_to(a + 1, on.low, on.high);
    if (b < a) std::swap(a, b);
    law.saw("neighbours", b == a + 1);
    law.saw("whole int32", on.high >= all_int32.high);
    law.saw("wraps outside", on.high < all_int32.high &&
                                 Rescale::apply(on.high + 2, m) < Rescale::apply(on.high, m));
    if (Rescale::apply(a, m) > Rescale::apply(b, m))
      RC_FAIL(sentence({Rescale::name, " of ", number(a), " and ", number(b)}));
  });
}

RC_GTEST_PROP(rescale_laws, the_interval_of_two_steps_cannot_be_longer, ()) {
  using rule = rescale::q31_two_step<rounding::half_up, rounding::half_away>;
  const multiplier m = multipliers::q31<rounding::half_away>::of(
      std::ldexp(1.0 + *rc::gen::inRange(0, 1000) / 1000.0, *rc::gen::inRange(0, 20)));
  const code_range on = proof::monotone_interval<rule>(m);
  RC_ASSERT(rule::apply(on.high + 1, m) < rule::apply(on.high, m));
  RC_ASSERT(rule::apply(on.low - 1, m) > rule::apply(on.low, m));
}

RC_GTEST_PROP(rescale_laws, one_rounding_to_nearest_is_within_half_a_unit_of_the_exact_value, ()) {
  const double real = any_multiplier();
  const multiplier m = multipliers::q31<rounding::half_away>::of(real);
  covered law("one step within half a unit", {"tie", "negative", "not a tie"});
  for_each_type(nearest{}, [&]<class R>(std::type_identity<R>) {
    using rule = rescale::q31_one_step<R>;
    const std::int64_t acc = any_or_near_a_tie(proof::monotone_interval<rule>(m), real);
    const int right = 31 - m.exponent;
    const wide twice = twice_distance(rule::apply(acc, m), right, wide{acc} * m.mantissa);
    law.saw("tie", twice == wide{1} << right);
    law.saw("not a tie", twice != 0 && twice < wide{1} << right);
    law.saw("negative", acc < 0);
    if (twice > wide{1} << right) RC_FAIL(sentence({R::name, " of ", number(acc)}));
  });
}

RC_GTEST_PROP(rescale_laws, a_directed_rounding_is_within_one_unit_on_its_side, ()) {
  const multiplier m = multipliers::q31<rounding::half_away>::of(any_multiplier());
  covered law("directed rounding", {"not exact", "negative"});
  const int right = 31 - m.exponent;
  const std::int64_t acc =
      any_within(proof::monotone_interval<rescale::q31_one_step<rounding::floor>>(m));
  const wide product = wide{acc} * m.mantissa, unit = wide{1} << right;
  const wide below = product - wide{rescale::q31_one_step<rounding::floor>::apply(acc, m)} * unit;
  const wide above = wide{rescale::q31_one_step<rounding::ceil>::apply(acc, m)} * unit - product;
  law.saw("not exact", below != 0);
  law.saw("negative", acc < 0);
  RC_ASSERT(below >= 0 && below < unit);
  RC_ASSERT(above >= 0 && above < unit);
}

RC_GTEST_PROP(rescale_laws, two_roundings_are_within_half_a_unit_and_half_of_the_first_step, ()) {
  // The first step is half a unit of 2^-right away at most, the second half a unit.
  using rule = rescale::q31_two_step<rounding::half_up, rounding::half_away>;
  const double real = any_multiplier();
  const multiplier m = multipliers::q31<rounding::half_away>::of(real);
  covered law("two steps within their bound",
              {"farther than half a unit", "shifted left", "negative"});
  const int left = m.exponent > 0 ? m.exponent : 0, right = m.exponent > 0 ? 0 : -m.exponent;
  const std::int64_t acc = any_or_near_a_tie(proof::monotone_interval<rule>(m), real);
  const wide product = wide{acc} * (wide{1} << left) * m.mantissa;
  const std::int64_t result = rule::apply(acc, m);
  const wide twice = twice_distance(result, 31 + right, product);
  law.saw("farther than half a unit", twice > wide{1} << (31 + right));
  law.saw("shifted left", left > 0);
  law.saw("negative", acc < 0);
  const wide first_step = right > 0 ? wide{1} << 31 : wide{0};
  RC_ASSERT(twice <= (wide{1} << (31 + right)) + first_step);
}

RC_GTEST_PROP(rescale_laws, a_float_rule_is_within_half_a_unit_and_the_error_of_its_product, ()) {
  const double real = any_multiplier();
  const multiplier single = multipliers::float32::of(real);
  const std::int64_t acc = any_within({-(1 << 24), 1 << 24});   // float32 holds it
  const double exact = static_cast<double>(acc) * single.real;  // 25 + 24 bits
  const auto f32 = rescale::float32_multiply<rounding::half_even>::apply(acc, single);
  RC_ASSERT(std::abs(static_cast<double>(f32) - exact) <= 0.5 + std::abs(exact) * 0x1p-24);
  const long double exact_64 = static_cast<long double>(acc) * static_cast<long double>(real);
  const auto f64 = rescale::float64_multiply<rounding::half_away>::apply(acc, {0, 0, real});
  RC_ASSERT(std::abs(static_cast<long double>(f64) - exact_64) <=
            0.5L + std::abs(exact_64) * 0x1p-52L);
}

RC_GTEST_PROP(rescale_laws, odd_roundings_negate_with_their_argument, ()) {
  const double real = any_multiplier();
  const multiplier m = multipliers::q31<rounding::half_away>::of(real);
  covered law("odd symmetry", {"tie"});
  for_each_type(odd{}, [&]<class R>(std::type_identity<R>) {
    using one = rescale::q31_one_step<R>;
    using two = rescale::q31_two_step<R, R>;
    const std::int64_t acc = any_or_near_a_tie({0, proof::monotone_interval<one>(m).high}, real);
    law.saw("tie", twice_distance(one::apply(acc, m), 31 - m.exponent, wide{acc} * m.mantissa) ==
                       wide{1} << (31 - m.exponent));
    if (one::apply(-acc, m) != -one::apply(acc, m))
      RC_FAIL(sentence({"one step, ", R::name, " of ", number(acc)}));
    const std::int64_t within =
        clamp_to<std::int64_t>(acc, 0, proof::monotone_interval<two>(m).high);
    if (two::apply(-within, m) != -two::apply(within, m))
      RC_FAIL(sentence({"two steps, ", R::name, " of ", number(within)}));
  });
}

TEST(rescale_laws, other_roundings_do_not_negate_and_one_half_shows_it) {
  const multiplier half = multipliers::q31<rounding::half_away>::of(0.5);
  for_each_type(not_odd{}, [&]<class R>(std::type_identity<R>) {
    EXPECT_NE(rescale::q31_one_step<R>::apply(-1, half), -rescale::q31_one_step<R>::apply(1, half))
        << R::name;
  });
  // TFLite's two steps: up in the first, so not odd although the second is.
  using tflite = rescale::q31_two_step<rounding::half_up, rounding::half_away>;
  EXPECT_NE(tflite::apply(-1, half), -tflite::apply(1, half));
}

RC_GTEST_PROP(rescale_laws, a_multiplier_of_1_is_the_identity, ()) {
  covered law("identity", {"negative", "large"});
  for_each_type(shipped_rescales{}, [&]<class Rescale>(std::type_identity<Rescale>) {
    const multiplier one = constructed<Rescale>(1.0);
    code_range on = proof::monotone_interval<Rescale>(one);
    if (Rescale::form == representation::float32) on = {-(1 << 24), 1 << 24};
    if (Rescale::form == representation::float64) on = all_int32;
    const std::int64_t acc = any_within(on);
    law.saw("negative", acc < 0);
    law.saw("large", acc > 1 << 20);
    if (Rescale::apply(acc, one) != acc) RC_FAIL(sentence({Rescale::name, " of ", number(acc)}));
  });
}

RC_GTEST_PROP(rescale_laws, powers_of_two_are_one_function_in_every_representation, ()) {
  const int k = *rc::gen::inRange(0, 20);
  const double real = std::ldexp(1.0, -k);
  const std::int64_t acc = any_or_near_a_tie({-(1 << 24), 1 << 24}, real);
  covered law("power of two", {"tie", "exact", "in 8 bits"});
  law.saw("tie", k > 0 && (acc & ((1LL << k) - 1)) == 1LL << (k - 1));
  law.saw("exact", (acc & ((1LL << k) - 1)) == 0);
  law.saw("in 8 bits", k <= 8);
  const auto same = [&]<class R>(std::type_identity<R>) {
    // The definition, by division: no shift, no float.
    const std::int64_t want = rounding::divide<R>(acc, std::int64_t{1} << k);
    const multiplier q31 = multipliers::q31<rounding::half_away>::of(real);
    RC_ASSERT(rescale::q31_one_step<R>::apply(acc, q31) == want);
    const multiplier q15 = q31;
    RC_ASSERT(rescale::q15_reduced<R>::apply(acc, q15) == want);
    RC_ASSERT(rescale::float32_multiply<R>::apply(acc, multipliers::float32::of(real)) == want);
    RC_ASSERT(rescale::float64_multiply<R>::apply(acc, multipliers::float64::of(real)) == want);
    if (k <= 8) {
      const multiplier fixed = multipliers::fixed<8, rounding::half_even>::of(real);
      const std::int64_t by_fixed = rescale::fixed_one_step<8, R>::apply(acc, fixed);
      RC_ASSERT(by_fixed == want);
    }
  };
  for_each_type(nearest{}, same);
  for_each_type(not_odd{}, same);
}

TEST(multiplier_laws, the_smallest_and_the_largest_are_where_the_sources_say) {
  using q31 = multipliers::q31<rounding::half_away>;
  using capped = multipliers::q31_capped<rounding::half_away>;
  // Run-time values: constants would be computed by the compiler.
  const auto of = [](auto construct, int power) { return construct(std::ldexp(1.0, power)); };
  EXPECT_EQ(of(&q31::of, -32), (multiplier{1 << 30, -31, 0x1p-32}));
  EXPECT_EQ(of(&q31::of, -33).mantissa, 0);
  EXPECT_EQ(of(&capped::of, 29), (multiplier{1 << 30, 30, 0x1p29}));
  EXPECT_EQ(of(&capped::of, 30), (multiplier{0x7FFFFFFF, 30, 0x1p30}));
  EXPECT_EQ(of(&q31::of, 30), (multiplier{1 << 30, 31, 0x1p30}));
  // Rounds up to 2^31, which is 2^30 of the next power.
  const double below_1 = std::nextafter(1.0, 0.0);
  EXPECT_EQ(q31::of(below_1), (multiplier{1 << 30, 1, below_1}));
}

TEST(rescale_laws, ties_go_where_the_name_says) {
  // -1.5, -0.5, 0.5, 1.5
  const multiplier half = multipliers::q31<rounding::half_away>::of(0.5);
  const auto rounded = [&]<class R>(std::type_identity<R>) {
    std::vector<std::int64_t> all;
    for (const int acc : {-3, -1, 1, 3}) all.push_back(rescale::q31_one_step<R>::apply(acc, half));
    return all;
  };
  using codes = std::vector<std::int64_t>;
  EXPECT_EQ(rounded(std::type_identity<rounding::half_up>{}), (codes{-1, 0, 1, 2}));
  EXPECT_EQ(rounded(std::type_identity<rounding::half_down>{}), (codes{-2, -1, 0, 1}));
  EXPECT_EQ(rounded(std::type_identity<rounding::half_away>{}), (codes{-2, -1, 1, 2}));
  EXPECT_EQ(rounded(std::type_identity<rounding::half_toward_zero>{}), (codes{-1, 0, 0, 1}));
  EXPECT_EQ(rounded(std::type_identity<rounding::half_even>{}), (codes{-2, 0, 0, 2}));
  EXPECT_EQ(rounded(std::type_identity<rounding::half_odd>{}), (codes{-1, -1, 1, 1}));
}

TEST(rescale_laws, a_multiplier_is_rounded_to_16_bits_and_never_carries) {
  using rule = rescale::q15_reduced<rounding::half_up>;
  const auto scaled = [](std::int64_t acc, std::int32_t mantissa, int exponent) {
    return rule::apply(acc, {mantissa, exponent, 0});
  };
  // 0x4000.8000 is half way and goes up: 2^20 * 0x4001 / 2^15
  EXPECT_EQ(scaled(1 << 20, 0x40008000, 0), 524320);
  EXPECT_EQ(scaled(1 << 20, 0x40007FFF, 0), 524288);
  EXPECT_EQ(scaled(1 << 15, 0x7FFF8000, 0), 32767);
  EXPECT_EQ(scaled(1 << 15, 0x7FFFFFFF, 0), 32767);
  EXPECT_EQ(scaled(3, 0x40000000, 0), 2);    // 1.5 goes up
  EXPECT_EQ(scaled(-3, 0x40000000, 0), -1);  // so does -1.5
  EXPECT_EQ(scaled(3, 0x40000000, 16), 3 << 15);
}

/// Rooms that rescale an accumulator, of every target.
using rescaling_rooms = types<room::conv2d, room::depthwise_conv2d, room::fully_connected,
                              room::mul, room::requantize, room::relu>;

RC_GTEST_PROP(requantizer_laws, codes_rise_with_the_accumulator_in_every_room_of_every_target, ()) {
  const double real = any_multiplier();
  const element_type type = *rc::gen::element(element_type::int8, element_type::uint8);
  const code_range range = range_of(type);
  const affine out{
      0.02F, static_cast<std::int32_t>(*rc::gen::inRange<std::int64_t>(range.low, range.high + 1))};
  const activation fused = *rc::gen::element(activation::none, activation::relu, activation::relu6,
                                             activation::relu_n1_to_1);
  covered law("monotone codes", {"different codes", "clamped", "two neighbours"});
  laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
    for_each_type(rescaling_rooms{}, [&]<class Room>(std::type_identity<Room>) {
      if constexpr (Room::template in<Target>) {
        const layer_facts facts{.input = type, .output = type};
        const requantize_rule rule = requantizer_of<Target, Room>(facts);
        const multiplier m = rule.construct(real);
        const code_range clamp = rule.bounds(fused, out, range);
        laws::require<Target>(range.contains(clamp.low) && range.contains(clamp.high),
                              sentence({Room::name, ": the activation ends outside the type"}));
        code_range on = choose<axis_value<Target, Room, axis::rescale>>(
            facts, [&]<class P>(std::type_identity<P>) { return proof::monotone_interval<P>(m); });
        // The zero point is added modulo 2^32: results stay 2^30 away from that seam.
        const auto far = static_cast<std::int64_t>(0x1p30 / (real < 1 ? 1 : real));
        on = {std::max(on.low, -far), std::min(on.high, far)};
        std::int64_t a = any_or_near_a_tie(on, real), b = any_within(on);
        if (*rc::gen::inRange(0, 2) == 0) b = clamp_to(a + 1, on.low, on.high);
        if (b < a) std::swap(a, b);
        const std::int64_t low = rule.apply(a, m, out.zero_point, clamp, range);
        const std::int64_t high = rule.apply(b, m, out.zero_point, clamp, range);
        law.saw("different codes", low != high);
        law.saw("clamped", low == clamp.low || high == clamp.high);
        law.saw("two neighbours", b == a + 1 && low != high);
        laws::require<Target>(low <= high,
                              sentence({Room::name, " of ", number(a), ", ", number(b)}));
        laws::require<Target>(clamp.contains(low) && clamp.contains(high), "outside the clamp");
      }
    });
  });
}

}  // namespace
