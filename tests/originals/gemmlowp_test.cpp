// SPDX-License-Identifier: Apache-2.0
// The primitives of gemmlowp, linked in and compared with ours on random and on edge values: 0 differences.
// Compared with the installed headers (Debian libgemmlowp-dev); where they are absent this suite is not built.
#include <gemmlowp/fixedpoint/fixedpoint.h>
#include <gtest/gtest.h>

#include <array>
#include <bittwin/policy/fixed_point_exp.hpp>
#include <bittwin/policy/fixed_point_sigmoid.hpp>
#include <bittwin/policy/rescale.hpp>
#include <cstdint>
#include <limits>
#include <random>

namespace {

using namespace bittwin;

constexpr int cases = 1'000'000;
constexpr std::int32_t lowest_32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t highest_32 = std::numeric_limits<std::int32_t>::max();

/// Any int32: one in eight lies at the ends of the type, of a half, or at a small number, where ties are.
class numbers {
 public:
  explicit numbers(unsigned seed) : random_(seed) {}
  std::int32_t operator()() {
    constexpr std::array edges{lowest_32, lowest_32 + 1, -(1 << 30),     -1,        0,
                               1,         1 << 30,       highest_32 - 1, highest_32};
    const auto bits = static_cast<std::uint32_t>(random_());
    if (bits % 8 == 0) return edges[random_() % edges.size()];
    const int shift = static_cast<int>(random_() % 28);
    return static_cast<std::int32_t>(random_()) >> shift;
  }
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

 private:
  std::mt19937 random_;
};

TEST(gemmlowp, saturating_rounding_doubling_high_mul) {
  numbers draw(1);
  int negative = 0;
  for (int i = 0; i < cases; ++i) {
    const std::int32_t a = draw(), b = draw();
    const std::int32_t theirs = gemmlowp::SaturatingRoundingDoublingHighMul(a, b);
    ASSERT_EQ(fixed_point::multiply(a, b), theirs) << a << " * " << b;
    negative += theirs < 0;
  }
  EXPECT_GT(negative, cases / 4);
}

TEST(gemmlowp, rounding_divide_by_power_of_two) {
  numbers draw(2);
  int ties = 0;
  for (int i = 0; i < cases; ++i) {
    const std::int32_t x = draw();
    const int exponent = draw.below(32);
    ASSERT_EQ(fixed_point::divide_by_power(x, exponent), gemmlowp::RoundingDivideByPOT(x, exponent))
        << x << " / 2^" << exponent;
    const std::int64_t rest = x & ((std::int64_t{1} << exponent) - 1);
    ties += exponent > 0 && rest == std::int64_t{1} << (exponent - 1);
  }
  EXPECT_GT(ties, cases / 100);
}

TEST(gemmlowp, the_two_steps_together) {
  numbers draw(3);
  for (int i = 0; i < cases; ++i) {
    const std::int32_t acc = draw();
    const std::int32_t mantissa = (1 << 30) + (draw() & ((1 << 30) - 1));
    const int right = draw.below(31);
    const std::int32_t theirs = gemmlowp::RoundingDivideByPOT(
        gemmlowp::SaturatingRoundingDoublingHighMul(acc, mantissa), right);
    ASSERT_EQ((rescale::q31_two_step<rounding::half_up, rounding::half_away>::apply(
                  acc, {mantissa, -right, 0})),
              theirs)
        << acc << " * " << mantissa << " >> " << right;
  }
}

TEST(gemmlowp, exponential_logistic_and_tangent) {
  numbers draw(4);
  using q5 = gemmlowp::FixedPoint<std::int32_t, 5>;
  using q4 = gemmlowp::FixedPoint<std::int32_t, 4>;
  using q0 = gemmlowp::FixedPoint<std::int32_t, 0>;
  for (int i = 0; i < cases; ++i) {
    const std::int32_t x = draw();
    const std::int32_t negative = x > 0 ? -x : x;
    ASSERT_EQ((fixed_point::exp_of_negative<32, 5>(negative)),
              gemmlowp::exp_on_negative_values(q5::FromRaw(negative)).raw())
        << negative;
    const std::int32_t fraction = x == lowest_32 ? 0 : x < 0 ? -x : x;
    ASSERT_EQ(fixed_point::one_over_one_plus(fraction),
              gemmlowp::one_over_one_plus_x_for_x_in_0_1(q0::FromRaw(fraction)).raw())
        << fraction;
    ASSERT_EQ((fixed_point::logistic<32, 4>(x)), gemmlowp::logistic(q4::FromRaw(x)).raw()) << x;
    ASSERT_EQ((fixed_point::tanh<32, 4>(x)), gemmlowp::tanh(q4::FromRaw(x)).raw()) << x;
  }
}

}  // namespace
