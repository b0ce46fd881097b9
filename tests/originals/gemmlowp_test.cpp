// SPDX-License-Identifier: Apache-2.0
// The primitives of gemmlowp, linked in and compared with ours on random and on edge values: 0 differences.
// Compared with the installed headers (Debian libgemmlowp-dev); where they are absent this suite is not built.
#include <gemmlowp/fixedpoint/fixedpoint.h>
#include <gemmlowp/public/gemmlowp.h>
#include <gemmlowp/public/output_stages.h>
#include <gtest/gtest.h>

#include <array>
#include <bittwin/kernel/fully_connected.hpp>
#include <bittwin/policy/fixed_point_exp.hpp>
#include <bittwin/policy/fixed_point_sigmoid.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/targets/gemmlowp.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <span>
#include <tuple>
#include <vector>

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

/// The whole product: uint8 operands with zero points, bias, fixed-point stage, saturating cast.
TEST(gemmlowp, a_matrix_product_with_its_output_pipeline) {
  std::mt19937 random(5);
  const auto below = [&](unsigned count) { return static_cast<std::int32_t>(random() % count); };
  std::int64_t compared = 0, inside = 0;
  gemmlowp::GemmContext context;
  for (int round = 0; round < 120; ++round) {
    const std::int32_t depth = 1 + below(60), outputs = 40 + below(40), rows = 500;
    const auto scale = [&] {
      return round % 3 == 0 ? 0.0625F : 0.01F + static_cast<float>(below(90000)) * 1e-6F;
    };
    const float sx = scale(), sw = scale();
    const std::int32_t zx = below(256), zw = below(256), zy = below(256);
    const float sy = round % 3 == 0 ? 1.0F : sx * sw * 130.0F * std::sqrt(static_cast<float>(depth));
    std::vector<std::uint8_t> x(static_cast<std::size_t>(rows * depth)),
        w(static_cast<std::size_t>(outputs * depth));
    for (std::uint8_t& code : x) code = static_cast<std::uint8_t>(random());
    for (std::uint8_t& code : w) code = static_cast<std::uint8_t>(random());
    std::vector<std::int32_t> bias(static_cast<std::size_t>(outputs));
    for (std::int32_t& b : bias) b = below(8000) - 4000;

    const fully_connected_spec spec{.rows = rows,
                                    .depth = depth,
                                    .outputs = outputs,
                                    .quantization = {.type = element_type::uint8,
                                                     .input = {sx, zx},
                                                     .filter_scales = {&sw, 1},
                                                     .filter_zero_point = zw,
                                                     .output = {sy, zy}}};
    const auto layer = fully_connected<targets::gemmlowp>::prepare(
        spec, std::span<const std::uint8_t>(w), std::span<const std::int32_t>(bias));
    ASSERT_TRUE(layer) << layer.error().text;
    std::vector<std::uint8_t> ours(static_cast<std::size_t>(rows * outputs)), theirs(ours.size());
    (*layer)(std::span<const std::uint8_t>(x), std::span(ours));

    // Multiplier and shift as doc/quantization_example.cc makes them.
    float real = sx * sw / sy;
    ASSERT_LT(real, 1.0F);
    int shift = 0;
    for (; real < 0.5F; real *= 2.0F) ++shift;
    gemmlowp::OutputStageQuantizeDownInt32ByFixedPoint down;
    down.result_fixedpoint_multiplier = static_cast<std::int32_t>(std::round(real * 2147483648.0F));
    down.result_shift = shift;
    down.result_offset_after_shift = zy;
    using column = gemmlowp::VectorMap<const std::int32_t, gemmlowp::VectorShape::Col>;
    gemmlowp::OutputStageBiasAddition<column> add;
    add.bias_vector = column(bias.data(), outputs);
    const auto pipeline = std::make_tuple(add, down, gemmlowp::OutputStageSaturatingCastToUint8());
    const gemmlowp::MatrixMap<const std::uint8_t, gemmlowp::MapOrder::RowMajor> left(
        w.data(), outputs, depth);
    const gemmlowp::MatrixMap<const std::uint8_t, gemmlowp::MapOrder::ColMajor> right(x.data(),
                                                                                      depth, rows);
    gemmlowp::MatrixMap<std::uint8_t, gemmlowp::MapOrder::ColMajor> result(theirs.data(), outputs,
                                                                           rows);
    gemmlowp::GemmWithOutputPipeline<std::uint8_t, std::uint8_t,
                                     gemmlowp::DefaultL8R8BitDepthParams>(
        &context, left, right, &result, -zw, -zx, pipeline);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      ++compared;
      inside += ours[i] > 0 && ours[i] < 255;
      ASSERT_EQ(int{ours[i]}, int{theirs[i]}) << "round " << round;
    }
  }
  std::printf("%lld codes, %lld inside the type's range, 0 differ\n",
              static_cast<long long>(compared), static_cast<long long>(inside));
  EXPECT_GE(inside, 1'000'000);
}

}  // namespace
