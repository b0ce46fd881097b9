// SPDX-License-Identifier: Apache-2.0
// Every rounding against a table written by hand, for integers, quotients and floats.
#include <gtest/gtest.h>

#include <array>
#include <bittwin/policy/rounding.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <support/identical.hpp>

namespace {

using namespace bittwin;
using bittwin::test::identical;

/// What a rounding makes of -5/2 -3/2 -1/2 1/2 3/2 5/2, and of the thirds of 2 around them:
/// -5/3 -4/3 -2/3 -1/3 1/3 2/3 4/3 5/3.
struct row {
  std::array<int, 6> halves;
  std::array<int, 8> thirds;
};

template <class R> constexpr row table{};
template <>
constexpr row table<rounding::floor>{{-3, -2, -1, 0, 1, 2}, {-2, -2, -1, -1, 0, 0, 1, 1}};
template <> constexpr row table<rounding::ceil>{{-2, -1, 0, 1, 2, 3}, {-1, -1, 0, 0, 1, 1, 2, 2}};
template <>
constexpr row table<rounding::toward_zero>{{-2, -1, 0, 0, 1, 2}, {-1, -1, 0, 0, 0, 0, 1, 1}};
template <>
constexpr row table<rounding::away_from_zero>{{-3, -2, -1, 1, 2, 3}, {-2, -2, -1, -1, 1, 1, 2, 2}};
// To nearest: the thirds are the same for all six, the halves tell them apart.
constexpr std::array<int, 8> nearest{-2, -1, -1, 0, 0, 1, 1, 2};
template <> constexpr row table<rounding::half_up>{{-2, -1, 0, 1, 2, 3}, nearest};
template <> constexpr row table<rounding::half_down>{{-3, -2, -1, 0, 1, 2}, nearest};
template <> constexpr row table<rounding::half_away>{{-3, -2, -1, 1, 2, 3}, nearest};
template <> constexpr row table<rounding::half_toward_zero>{{-2, -1, 0, 0, 1, 2}, nearest};
template <> constexpr row table<rounding::half_even>{{-2, -2, 0, 0, 2, 2}, nearest};
template <> constexpr row table<rounding::half_odd>{{-3, -1, -1, 1, 1, 3}, nearest};

constexpr std::array halves{-5, -3, -1, 1, 3, 5};
constexpr std::array thirds{-5, -4, -2, -1, 1, 2, 4, 5};

/// Ties at a shift of `count`, and what lies beside them, which is no tie.
template <class R, class T> constexpr bool shifts_by(int count) {
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const auto tie = static_cast<T>(T{static_cast<T>(halves[i])} * (T{1} << (count - 1)));
    if (!identical(rounding::shift_right<R>(tie, count), static_cast<T>(table<R>.halves[i])))
      return false;
    if (count == 1) continue;
    // One below the tie and one above it: to nearest these have no choice, other roundings do as on
    // the tie.
    const bool is_nearest = table<R>.thirds == nearest;
    const int low = (halves[i] - 1) / 2;
    const T under = static_cast<T>(tie - 1), over = static_cast<T>(tie + 1);
    if (rounding::shift_right<R>(under, count) != (is_nearest ? low : table<R>.halves[i]) ||
        rounding::shift_right<R>(over, count) != (is_nearest ? low + 1 : table<R>.halves[i]))
      return false;
  }
  return rounding::shift_right<R>(T{0}, count) == 0 &&
         identical(rounding::shift_right<R>(T{-7}, 0), T{-7}) &&
         rounding::shift_right<R>(std::numeric_limits<T>::min(), count) ==
             std::numeric_limits<T>::min() / (T{1} << (count - 1)) / 2;
}

template <class R> constexpr bool divides() {
  for (std::size_t i = 0; i < halves.size(); ++i)
    if (!identical(rounding::divide<R>(halves[i], 2), std::int64_t{table<R>.halves[i]}) ||
        rounding::divide<R>(halves[i] * 999'999'999'999, 1'999'999'999'998) != table<R>.halves[i])
      return false;
  for (std::size_t i = 0; i < thirds.size(); ++i)
    if (!identical(rounding::divide<R>(thirds[i], 3), std::int64_t{table<R>.thirds[i]}))
      return false;
  return rounding::divide<R>(6, 3) == 2 && rounding::divide<R>(-6, 3) == -2 &&
         rounding::divide<R>(0, 3) == 0;
}

template <class R, class F> constexpr bool rounds_floats() {
  for (std::size_t i = 0; i < halves.size(); ++i)
    if (!identical(rounding::to_integer<R>(static_cast<F>(halves[i]) / 2),
                   std::int64_t{table<R>.halves[i]}))
      return false;
  for (std::size_t i = 0; i < thirds.size(); ++i)
    if (rounding::to_integer<R>(static_cast<F>(thirds[i]) / 3) != table<R>.thirds[i]) return false;
  // The least value of all is not zero, and rounds as a third does.
  const F least = std::numeric_limits<F>::denorm_min();
  const F infinite = std::numeric_limits<F>::infinity();
  return rounding::to_integer<R>(least) == table<R>.thirds[4] &&
         rounding::to_integer<R>(-least) == table<R>.thirds[3] &&
         rounding::to_integer<R>(static_cast<F>(-0.0)) == 0 &&
         rounding::to_integer<R>(std::numeric_limits<F>::quiet_NaN()) == 0 &&
         rounding::to_integer<R>(infinite) == std::int64_t{1} << 62 &&
         rounding::to_integer<R>(-infinite) == -(std::int64_t{1} << 62) &&
         rounding::to_integer<R>(static_cast<F>(0x1p62)) == std::int64_t{1} << 62 &&
         rounding::to_integer<R>(static_cast<F>(-0x1p61)) == -(std::int64_t{1} << 61);
}

template <class R> constexpr bool holds() {
  return shifts_by<R, std::int8_t>(1) && shifts_by<R, std::int8_t>(5) &&
         shifts_by<R, std::int16_t>(13) && shifts_by<R, std::int32_t>(1) &&
         shifts_by<R, std::int32_t>(28) && shifts_by<R, std::int64_t>(1) &&
         shifts_by<R, std::int64_t>(31) && shifts_by<R, std::int64_t>(61) && divides<R>() &&
         rounds_floats<R, float>() && rounds_floats<R, double>();
}

static_assert(holds<rounding::floor>());
static_assert(holds<rounding::ceil>());
static_assert(holds<rounding::toward_zero>());
static_assert(holds<rounding::away_from_zero>());
static_assert(holds<rounding::half_up>());
static_assert(holds<rounding::half_down>());
static_assert(holds<rounding::half_away>());
static_assert(holds<rounding::half_toward_zero>());
static_assert(holds<rounding::half_even>());
static_assert(holds<rounding::half_odd>());

// 3/2 and -3/2 at a shift of 62, where 5/2 no longer fits.
constexpr std::int64_t one_half_62 = std::int64_t{1} << 61;
static_assert(identical(rounding::shift_right<rounding::half_even>(3 * one_half_62, 62), 2L));
static_assert(identical(rounding::shift_right<rounding::half_odd>(3 * one_half_62, 62), 1L));
static_assert(identical(rounding::shift_right<rounding::half_up>(-3 * one_half_62, 62), -1L));
static_assert(identical(rounding::shift_right<rounding::half_away>(-3 * one_half_62, 62), -2L));
static_assert(identical(rounding::shift_right<rounding::half_down>(3 * one_half_62, 62), 1L));
// int32 at 31: INT32_MIN is -1 exactly, INT32_MAX just under 1.
static_assert(rounding::shift_right<rounding::half_away>(std::int32_t{-0x7FFFFFFF - 1}, 31) == -1);
static_assert(rounding::shift_right<rounding::half_even>(std::int32_t{0x7FFFFFFF}, 31) == 1);
static_assert(rounding::shift_right<rounding::floor>(std::int32_t{0x7FFFFFFF}, 31) == 0);

static_assert(rounding::policy<rounding::half_even> && !rounding::policy<int>);

template <class R> class every_rounding : public testing::Test {};
using all_roundings =
    testing::Types<rounding::floor, rounding::ceil, rounding::toward_zero, rounding::away_from_zero,
                   rounding::half_up, rounding::half_down, rounding::half_away,
                   rounding::half_toward_zero, rounding::half_even, rounding::half_odd>;
TYPED_TEST_SUITE(every_rounding, all_roundings);

// Three computations of one value: a shift, a division, and a float that holds the value exactly.
TYPED_TEST(every_rounding, shifts_divisions_and_floats_agree) {
  std::mt19937_64 random(7);
  int ties = 0, negative = 0;
  for (int i = 0; i < 100'000; ++i) {
    const int count = 1 + static_cast<int>(random() % 50);
    auto value = static_cast<std::int64_t>(random()) >> (11 + random() % 50);  // 53 bits or fewer
    if (i % 4 == 0) value = (value | 1) << (count - 1 < 10 ? count - 1 : 0);
    const auto rest = value & ((std::int64_t{1} << count) - 1);
    ties += rest == std::int64_t{1} << (count - 1) ? 1 : 0;
    negative += value < 0 ? 1 : 0;
    const std::int64_t shifted = rounding::shift_right<TypeParam>(value, count);
    ASSERT_EQ(shifted, rounding::divide<TypeParam>(value, std::int64_t{1} << count)) << value;
    if (std::abs(value) >= std::int64_t{1} << 53) continue;
    ASSERT_EQ(shifted,
              rounding::to_integer<TypeParam>(std::ldexp(static_cast<double>(value), -count)))
        << value << " / 2^" << count;
  }
  EXPECT_GT(ties, 1000);
  EXPECT_GT(negative, 10'000);
}

// A second derivation: the C library's roundings of floats.
// Run-time values: the compiler would compute constants.
TEST(roundings, floats_from_2_to_the_62_on_stand_for_all_that_is_beyond) {
  const auto rounded = [](int power) {
    return rounding::to_integer<rounding::half_even>(std::ldexp(1.5, power));
  };
  EXPECT_EQ(rounded(61), std::int64_t{3} << 60);
  EXPECT_EQ(rounded(60), std::int64_t{3} << 59);
  EXPECT_EQ(rounded(62), std::int64_t{1} << 62);
  EXPECT_EQ(rounded(100), std::int64_t{1} << 62);
  EXPECT_EQ(-rounded(62), rounding::to_integer<rounding::half_even>(-std::ldexp(1.5, 62)));
  EXPECT_EQ(rounded(-80), 0);
  const double smallest = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(rounding::to_integer<rounding::ceil>(smallest), 1);
  EXPECT_EQ(rounding::to_integer<rounding::floor>(-smallest), -1);
  EXPECT_EQ(rounding::to_integer<rounding::ceil>(std::ldexp(1.5, -80)), 1);
}

TEST(roundings, floats_round_as_the_c_library_does) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    double x = static_cast<double>(static_cast<std::int64_t>(random()) >> (12 + random() % 50));
    x = std::ldexp(x, -static_cast<int>(random() % 20));
    if (std::abs(x) >= 0x1p61) continue;
    ASSERT_EQ(rounding::to_integer<rounding::floor>(x), std::llround(std::floor(x)));
    ASSERT_EQ(rounding::to_integer<rounding::ceil>(x), std::llround(std::ceil(x)));
    ASSERT_EQ(rounding::to_integer<rounding::toward_zero>(x), std::llround(std::trunc(x)));
    ASSERT_EQ(rounding::to_integer<rounding::half_away>(x), std::llround(x));
    ASSERT_EQ(rounding::to_integer<rounding::half_even>(x), std::llrint(x));
  }
}

}  // namespace
