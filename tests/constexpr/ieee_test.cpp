// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the codes of floats: hand-made ties, subnormals, overflows and zeros as
// static_assert, and a million operand pairs against the machine's own floating-point unit.
// This unit is compiled without contraction, so that the machine's a * b + c is two operations.
#include <gtest/gtest.h>

#include <bit>
#include <bittwin/types/elementary.hpp>
#include <bittwin/types/ieee.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <support/identical.hpp>
#include <vector>

namespace {

using namespace bittwin;
using bittwin::test::identical;

constexpr float largest = std::numeric_limits<float>::max();
constexpr float infinite = std::numeric_limits<float>::infinity();

// products: 3/2 * (1 + 2^-23) and 3/2 * (1 + 3 * 2^-23) are ties, one up to even, one down
static_assert(identical(ieee::multiply(1.5F, 0x1.000002p0F), 0x1.800004p0F));
static_assert(identical(ieee::multiply(1.5F, 0x1.000006p0F), 0x1.800008p0F));
static_assert(identical(ieee::multiply(1.5F, 0x1.00000ap0F), 0x1.800010p0F));
static_assert(identical(ieee::multiply(1.5, 0x1.0000000000001p0), 0x1.8000000000002p0));
static_assert(identical(ieee::multiply(-1.5F, 0x1.000006p0F), -0x1.800008p0F));
// subnormals: 1/2 and 3/2 of the least value are ties; the largest subnormal rounds up to normal
static_assert(identical(ieee::multiply(0x1p-149F, 0.5F), 0.0F));
static_assert(identical(ieee::multiply(0x3p-149F, 0.5F), 0x1p-148F));
static_assert(identical(ieee::multiply(0x1p-149F, 0x1.000002p-1F), 0x1p-149F));
static_assert(identical(ieee::multiply(0x1p-126F, 0.5F), 0x1p-127F));
static_assert(identical(ieee::multiply(0x1.fffffep-126F, 0.5F), 0x1p-126F));
static_assert(identical(ieee::multiply(0x1p-80F, 0x1p-80F), 0.0F));
static_assert(identical(ieee::multiply(-0x1p-80F, 0x1p-80F), -0.0F));
// overflow: the tie above the largest value goes to infinity, just below it does not
static_assert(identical(ieee::multiply(largest, 2.0F), infinite));
static_assert(identical(ieee::add(largest, 0x1p103F), infinite));
static_assert(identical(ieee::add(largest, 0x1.fffffep102F), largest));
static_assert(identical(ieee::subtract(-largest, 0x1p103F), -infinite));
// signs of zero
static_assert(identical(ieee::multiply(-0.0F, 1.0F), -0.0F));
static_assert(identical(ieee::multiply(-0.0F, -1.0F), 0.0F));
static_assert(identical(ieee::add(-0.0F, -0.0F), -0.0F));
static_assert(identical(ieee::add(0.0F, -0.0F), 0.0F));
static_assert(identical(ieee::add(1.5F, -1.5F), 0.0F));
static_assert(identical(ieee::subtract(-0.0F, 0.0F), -0.0F));
static_assert(identical(ieee::divide(0.0F, -3.0F), -0.0F));
// sums: ties to even, cancellation, a borrow from far below
static_assert(identical(ieee::add(0x1p24F, 1.0F), 0x1p24F));
static_assert(identical(ieee::add(0x1.000002p24F, 1.0F), 0x1.000004p24F));
static_assert(identical(ieee::add(0x1p24F, 0x1.000002p0F), 0x1.000002p24F));
static_assert(identical(ieee::subtract(1.0F, 0x1p-149F), 1.0F));
static_assert(identical(ieee::subtract(1.0F, 0x1p-25F), 1.0F));
static_assert(identical(ieee::subtract(1.0F, 0x1.000002p-25F), 0x1.fffffep-1F));
static_assert(identical(ieee::subtract(0x1.000002p0F, 1.0F), 0x1p-23F));
// quotients
static_assert(identical(ieee::divide(1.0F, 3.0F), 0x1.555556p-2F));
static_assert(identical(ieee::divide(2.0F, 3.0F), 0x1.555556p-1F));
static_assert(identical(ieee::divide(1.0, 3.0), 0x1.5555555555555p-2));
static_assert(identical(ieee::divide(0x1p-149F, 2.0F), 0.0F));
static_assert(identical(ieee::divide(1.0F, 0.0F), infinite));
static_assert(identical(ieee::divide(-1.0F, 0.0F), -infinite));
static_assert(identical(ieee::divide(1.0F, -infinite), -0.0F));
// what is not a number
static_assert(ieee::kind_of(ieee::divide(0.0F, 0.0F)) == ieee::kind::nan);
static_assert(ieee::kind_of(ieee::divide(infinite, infinite)) == ieee::kind::nan);
static_assert(ieee::kind_of(ieee::multiply(infinite, 0.0F)) == ieee::kind::nan);
static_assert(ieee::kind_of(ieee::subtract(infinite, infinite)) == ieee::kind::nan);
static_assert(ieee::kind_of(ieee::add(ieee::quiet_nan<float>, 1.0F)) == ieee::kind::nan);
// conversions: both ties of 1 + n / 2^24, the tie at the top, the subnormal end
static_assert(identical(ieee::convert<float>(0x1.000001p0), 1.0F));
static_assert(identical(ieee::convert<float>(0x1.000003p0), 0x1.000004p0F));
static_assert(identical(ieee::convert<float>(0x1.0000010000001p0), 0x1.000002p0F));
static_assert(identical(ieee::convert<float>(0x1.ffffffp127), infinite));
static_assert(identical(ieee::convert<float>(0x1.fffffefffffffp127), largest));
static_assert(identical(ieee::convert<float>(0x1p-150), 0.0F));
static_assert(identical(ieee::convert<float>(0x1.0000000000001p-150), 0x1p-149F));
static_assert(identical(ieee::convert<double>(0x1p-149F), 0x1p-149));
static_assert(identical(ieee::convert<double>(-0.0F), -0.0));
static_assert(identical(ieee::from_integer<float>(16777217), 16777216.0F));
static_assert(identical(ieee::from_integer<float>(16777219), 16777220.0F));
static_assert(identical(ieee::from_integer<float>(-16777219), -16777220.0F));
static_assert(identical(ieee::from_integer<double>((1LL << 53) + 1), 0x1p53));
static_assert(identical(ieee::from_integer<double>((1LL << 53) + 3), 0x1.0000000000002p53));
static_assert(identical(ieee::from_integer<float>(std::numeric_limits<std::int64_t>::min()),
                        -0x1p63F));
// order: -0 is 0, and subnormals are apart
static_assert(!ieee::less(-0.0F, 0.0F) && ieee::equal(-0.0F, 0.0F));
static_assert(ieee::less(0.0F, 0x1p-149F) && ieee::less(-1.0F, -0.5F) && !ieee::less(1.0F, 1.0F));
static_assert(ieee::less(largest, infinite) && ieee::less(-infinite, -largest));

// ---- against the machine
// -------------------------------------------------------------------------

template <class F> using bits_of = typename ieee::detail::format<F>::bits;

template <class F> bool same(F ours, F machine) {
  if (std::isnan(ours) || std::isnan(machine)) return std::isnan(ours) && std::isnan(machine);
  return identical(ours, machine);
}

/// Any code; special values; and partners of nearly the same exponent, where sums cancel.
template <class F> class operands {
 public:
  std::pair<F, F> next() {
    const F a = random_() % 8 == 0 ? special() : std::bit_cast<F>(static_cast<bits>(random_()));
    switch (random_() % 8) {
      case 0:
        return {a, special()};
      case 1:
      case 2: {  // the same exponent or a neighbouring one, either sign
        constexpr int fraction = ieee::detail::format<F>::fraction_bits;
        auto code = std::bit_cast<bits>(a) ^
                    (static_cast<bits>(random_()) & ((bits{1} << (fraction + random_() % 3)) - 1));
        if (random_() % 2 == 0) code ^= bits{1} << (sizeof(F) * 8 - 1);
        return {a, std::bit_cast<F>(static_cast<bits>(code))};
      }
      case 3:  // few significant bits: products and sums that are ties
        return {std::ldexp(static_cast<F>(random_() % 4096), static_cast<int>(random_() % 40) - 20),
                std::ldexp(static_cast<F>(static_cast<int>(random_() % 8191) - 4095), -11)};
      default:
        return {a, std::bit_cast<F>(static_cast<bits>(random_()))};
    }
  }

 private:
  using bits = bits_of<F>;
  F special() {
    using limits = std::numeric_limits<F>;
    const F values[] = {F{0},
                        F{1},
                        limits::min(),
                        limits::denorm_min(),
                        limits::max(),
                        limits::infinity(),
                        limits::quiet_NaN(),
                        std::nextafter(limits::min(), F{0}),
                        std::nextafter(F{1}, F{2})};
    const F value = values[random_() % std::size(values)];
    return random_() % 2 == 0 ? value : -value;
  }
  std::mt19937_64 random_{20};
};

template <class F> class on_the_machine : public testing::Test {};
using both_formats = testing::Types<float, double>;
TYPED_TEST_SUITE(on_the_machine, both_formats);

TYPED_TEST(on_the_machine, a_million_operations_give_the_same_codes) {
  using F = TypeParam;
  operands<F> draw;
  int subnormal = 0, infinite_results = 0, nan = 0, cancelled = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const auto [a, b] = draw.next();
    ASSERT_TRUE(same(ieee::add(a, b), a + b)) << a << " + " << b;
    ASSERT_TRUE(same(ieee::subtract(a, b), a - b)) << a << " - " << b;
    ASSERT_TRUE(same(ieee::multiply(a, b), a * b)) << a << " * " << b;
    ASSERT_TRUE(same(ieee::divide(a, b), a / b)) << a << " / " << b;
    if (!std::isnan(a) && !std::isnan(b)) {
      ASSERT_EQ(ieee::less(a, b), a < b) << a << " < " << b;
      ASSERT_EQ(ieee::equal(a, b), a == b) << a << " = " << b;
    }
    subnormal += std::fpclassify(a * b) == FP_SUBNORMAL || std::fpclassify(a / b) == FP_SUBNORMAL;
    infinite_results += std::isinf(a * b) ? 1 : 0;
    nan += std::isnan(a - b) ? 1 : 0;
    cancelled += std::abs(a + b) < std::abs(a) / 16 ? 1 : 0;
  }
  EXPECT_GT(subnormal, 1000);
  EXPECT_GT(infinite_results, 1000);
  EXPECT_GT(nan, 1000);
  EXPECT_GT(cancelled, 1000);
}

TYPED_TEST(on_the_machine, conversions_give_the_same_codes) {
  using F = TypeParam;
  std::mt19937_64 random(4);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto integer = static_cast<std::int64_t>(random()) >> random() % 64;
    ASSERT_TRUE(same(ieee::from_integer<F>(integer), static_cast<F>(integer))) << integer;
    // doubles around the range of float32, ties among them
    auto code = (random() & 0x800F'FFFF'FFFF'FFFFU) | ((870 + random() % 290) << 52);
    if (i % 4 == 0) code &= ~std::uint64_t{0x0FFF'FFFF};
    const auto wide = std::bit_cast<double>(code);
    ASSERT_TRUE(same(ieee::convert<F>(wide), static_cast<F>(wide))) << wide;
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    ASSERT_TRUE(same(ieee::convert<F>(narrow), static_cast<F>(narrow))) << narrow;
  }
}

TEST(elementary, exp_is_nearest_but_for_what_lies_beside_a_tie) {
  std::mt19937_64 random(5);
  int compared = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -63) *
                     (i % 2 == 0 ? 90.0 : 1.0);
    const auto narrow = static_cast<float>(x);
    ASSERT_TRUE(
        same(elementary::exp(narrow), static_cast<float>(std::exp(static_cast<double>(narrow)))))
        << narrow;
    // Right but within 2^-56 of a tie: skip what lies that near, as seen by 64 bits of significand.
    const long double wide = std::exp(static_cast<long double>(x));
    const auto low = static_cast<double>(wide * (1 - 0x1p-55L));
    const auto high = static_cast<double>(wide * (1 + 0x1p-55L));
    if (low != high) continue;
    ++compared;
    ASSERT_TRUE(same(elementary::exp(x), low)) << x;
  }
  EXPECT_GT(compared, 100'000);
  EXPECT_TRUE(same(elementary::exp(-infinite), 0.0F));
  EXPECT_TRUE(same(elementary::exp(infinite), infinite));
  EXPECT_TRUE(same(elementary::exp(-0.0F), 1.0F));
  EXPECT_TRUE(same(elementary::exp(-104.0F), 0.0F));
  EXPECT_TRUE(same(elementary::exp(-100.0F), static_cast<float>(std::exp(-100.0))));
}

}  // namespace
