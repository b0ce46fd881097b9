// SPDX-License-Identifier: Apache-2.0
// One-operand operators: elementary functions against long double, rules against formulas written down here in
// floating point, and single codes taken from runtimes.
#include <gtest/gtest.h>

#include <bit>
#include <bittwin/kernel/l2_normalization.hpp>
#include <bittwin/kernel/prelu.hpp>
#include <bittwin/kernel/softmax.hpp>
#include <bittwin/kernel/unary.hpp>
#include <bittwin/targets/all.hpp>
#include <bittwin/types/half.hpp>
#include <cmath>
#include <random>
#include <vector>

namespace {

using namespace bittwin;
using targets::tflite_builtin, targets::tflite_reference, targets::tflite_single_rounding,
    targets::xnnpack;

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

TEST(elementary, functions_are_the_nearest_float32_to_long_double) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> wide(-100, 100), narrow(-2, 2);
  const auto check = [](float x) {
    const long double v = x;
    EXPECT_EQ(bits(elementary::expm1(x)), bits(static_cast<float>(std::expm1(v)))) << x;
    EXPECT_EQ(bits(elementary::tanh(x)), bits(static_cast<float>(std::tanh(v)))) << x;
    EXPECT_EQ(
        bits(elementary::logistic(x)),
        bits(static_cast<float>(v < 0 ? std::exp(v) / (1 + std::exp(v)) : 1 / (1 + std::exp(-v)))))
        << x;
    const float positive = x < 0 ? -x : x;
    EXPECT_EQ(bits(elementary::log(positive)),
              bits(static_cast<float>(std::log(static_cast<long double>(positive)))))
        << x;
    EXPECT_EQ(bits(elementary::sqrt(positive)),
              bits(static_cast<float>(std::sqrt(static_cast<long double>(positive)))))
        << x;
  };
  for (int i = 0; i < 20000; ++i) {
    check(wide(random));
    check(narrow(random));
    check(1 + narrow(random) * 1e-4F);
    check(narrow(random) * 1e-30F);
  }
  for (const float x : {1.0F, 0.25F, -0.25F, 127.9F, -128.0F, 0x1p-149F, 0x1p-126F}) check(x);
}

TEST(elementary, edges) {
  EXPECT_TRUE(std::isnan(elementary::log(-1.0F)));
  EXPECT_TRUE(std::isnan(elementary::sqrt(-1.0F)));
  EXPECT_EQ(bits(elementary::log(0.0F)), bits(-INFINITY));
  EXPECT_EQ(bits(elementary::tanh(-0.0F)), bits(-0.0F));
  EXPECT_EQ(elementary::tanh(INFINITY), 1.0F);
  EXPECT_EQ(elementary::expm1(-INFINITY), -1.0F);
}

TEST(half, every_code_has_its_value) {
  for (int code = 0; code < 0x7C00; ++code) {
    const int exponent = code >> 10, fraction = code & 0x3FF;
    const float want = exponent == 0
                           ? std::ldexp(static_cast<float>(fraction), -24)
                           : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    EXPECT_EQ(bits(ieee::from_half(static_cast<std::uint16_t>(code))), bits(want));
    EXPECT_EQ(bits(ieee::from_half(static_cast<std::uint16_t>(code | 0x8000))), bits(-want));
  }
  EXPECT_EQ(bits(ieee::from_half(0x7C00)), bits(INFINITY));
  EXPECT_TRUE(std::isnan(ieee::from_half(0x7C01)));
}

template <class Door> unary_kernel made(const unary_spec& spec) {
  auto kernel = Door::prepare(spec);
  EXPECT_TRUE(kernel) << kernel.error().text;
  return *kernel;
}

// The ideal code differs from the rule's by at most one, and where no tie is near, not at all.
TEST(logistic, tables_are_the_rounded_function) {
  const unary_spec spec{element_type::int8, {0.0627F, 5}, {1.0F / 256, -128}};
  const auto builtin = made<logistic<tflite_builtin>>(spec);
  const auto delegated = made<logistic<xnnpack>>(spec);
  for (int code = -128; code < 128; ++code) {
    const double ideal = 256 / (1 + std::exp(-0.0627F * (code - 5.0))) - 128;
    if (std::fabs(ideal - std::floor(ideal) - 0.5) < 1e-4) continue;
    const auto want = std::min<std::int64_t>(127, std::llround(ideal));
    EXPECT_EQ(builtin(code), want);
    EXPECT_EQ(delegated(code), want);
  }
}

TEST(logistic, another_zero_point_is_refused_by_the_reference) {
  const unary_spec spec{element_type::int8, {0.1F, 0}, {1.0F / 256, -127}};
  EXPECT_FALSE(logistic<tflite_reference>::prepare(spec));
  EXPECT_TRUE(logistic<tflite_builtin>::prepare(spec));
}

/// One code and what two runtimes make of it.
struct golden_code {
  std::int64_t x, reference, builtin;
};

template <template <class> class Door>
void expect_codes(float scale, const std::vector<golden_code>& codes) {
  const unary_spec spec{element_type::int16, {scale, 0}, {0x1p-15F, 0}};
  const auto reference = made<Door<tflite_reference>>(spec);
  const auto builtin = made<Door<tflite_builtin>>(spec);
  for (const golden_code& c : codes) {
    EXPECT_EQ(reference(c.x), c.reference) << c.x;
    EXPECT_EQ(builtin(c.x), c.builtin) << c.x;
  }
}

// Producers: tflite-micro 90b983c2 (one invocation of LOGISTIC, TANH); @tensorflow/tfjs-tflite 0.0.1-alpha.10
// under node 20, no delegate. One-operator int16 models at the scale given; every code was run, these are nine.
TEST(int16_sigmoid, codes_of_two_runtimes) {
  expect_codes<logistic>(0x1p-12F, {{-32768, 11, 11},
                                    {-10753, 2213, 2211},
                                    {-4096, 8812, 8815},
                                    {-1, 16382, 16383},
                                    {0, 16384, 16384},
                                    {1, 16386, 16384},
                                    {700, 17781, 17778},
                                    {9000, 29491, 29488},
                                    {32767, 32757, 32756}});
  expect_codes<bittwin::tanh>(0x1p-12F, {{-32768, -32767, -32767},
                                         {-10753, -32426, -32416},
                                         {-4096, -24956, -24964},
                                         {-1, -8, -8},
                                         {0, 0, 0},
                                         {700, 5546, 5544},
                                         {9000, 31968, 31972},
                                         {32767, 32767, 32767}});
  expect_codes<bittwin::tanh>(0x1p-11F, {{-10753, -32766, -32767},
                                         {-4096, -31589, -31596},
                                         {-1, -16, -24},
                                         {700, 10783, 10784},
                                         {9000, 32758, 32764}});
}

TEST(leaky_relu, ties_below_zero_fall_as_the_sign_is_applied) {
  // x = -1, alpha = -1/2: -(R(-1/2)) = 0 where halves go up first, R(1/2) = 1.
  const unary_spec spec{element_type::int8, {1.0F, 0}, {1.0F, 0}, -0.5F};
  EXPECT_EQ(made<leaky_relu<tflite_reference>>(spec)(-1), 0);
  EXPECT_EQ(made<leaky_relu<tflite_single_rounding>>(spec)(-1), 0);
  EXPECT_EQ(made<leaky_relu<tflite_builtin>>(spec)(-1), 1);
}

TEST(leaky_relu, xnnpack_keeps_eight_fractional_bits) {
  const unary_spec spec{element_type::int8, {1.0F, 0}, {1.0F, 0}, 0.1F};
  const auto kernel = made<leaky_relu<xnnpack>>(spec);
  for (int x = -128; x < 0; ++x)  // rint(25.6) = 26
    EXPECT_EQ(kernel(x), static_cast<std::int64_t>(std::floor(x * 26 / 256.0 + 0.5)));
}

TEST(hard_swish, lies_within_one_code_of_the_function) {
  const unary_spec spec{element_type::int8, {0.05F, -3}, {0.06F, -20}};
  const auto kernel = made<hard_swish<tflite_reference>>(spec);
  for (int code = -128; code < 128; ++code) {
    const double x = 0.05F * (code + 3.0);
    const double ideal = x * std::fmin(std::fmax(x + 3, 0), 6) / 6 / 0.06F - 20;
    EXPECT_NEAR(static_cast<double>(kernel(code)), std::fmin(ideal, 127), 1.01) << code;
  }
  EXPECT_FALSE(
      hard_swish<tflite_reference>::prepare({element_type::int8, {1.0F, 0}, {1.0F / 200, 0}}));
}

TEST(rsqrt, lies_within_one_code_of_the_function_and_zero_gives_the_highest) {
  const unary_spec spec{element_type::int8, {0.1F, -128}, {0.03F, -100}};
  const auto kernel = made<rsqrt<tflite_reference>>(spec);
  EXPECT_EQ(kernel(-128), 127);
  for (int code = -127; code < 128; ++code)
    EXPECT_NEAR(static_cast<double>(kernel(code)),
                std::fmin(1 / std::sqrt(0.1F * (code + 128.0)) / 0.03F - 100, 127), 1.01);
}

TEST(plain_integers, abs_and_neg_wrap) {
  const unary_spec spec{.type = element_type::int32, .quantized = false};
  const std::int64_t low = lowest<std::int32_t>;
  EXPECT_EQ(made<neg<tflite_builtin>>(spec)(low), low);
  EXPECT_EQ(made<bittwin::abs<tflite_builtin>>(spec)(-5), 5);
  const unary_spec wide{.type = element_type::int64, .quantized = false};
  EXPECT_EQ(made<neg<tflite_builtin>>(wide)(lowest<std::int64_t>), lowest<std::int64_t>);
}

TEST(float_cast, out_of_range_values_go_through_wider_integers) {
  using targets::tflite_builtin;
  const auto reference = &float_cast::through_int32::of;
  const auto wasm = &float_cast::uint8_through_uint32::of;
  EXPECT_EQ(reference(155.1F, element_type::int8), 155 - 256);
  EXPECT_EQ(reference(1e10F, element_type::int32), lowest<std::int32_t>);
  EXPECT_EQ(reference(1e10F, element_type::int16), 0);
  EXPECT_EQ(wasm(-25.8F, element_type::uint8), 0);
  EXPECT_EQ(wasm(299.4F, element_type::uint8), 43);
  EXPECT_EQ(wasm(9.2e18F, element_type::int64), std::int64_t{9200000267938955264});
  EXPECT_EQ(wasm(-1e19F, element_type::int64), lowest<std::int64_t>);
  EXPECT_EQ(wasm(NAN, element_type::boolean), 1);
}

TEST(l2_normalization, lies_within_one_code_of_the_function) {
  const l2_normalization_spec spec{element_type::int8, 2, 4, {0.1F, 3}, {1.0F / 128, 0}};
  const auto kernel = l2_normalization<tflite_reference>::prepare(spec);
  ASSERT_TRUE(kernel);
  const std::vector<std::int64_t> x{10, -20, 3, 127, 3, 3, 3, 4};
  std::vector<std::int64_t> y(8);
  (*kernel)(x, y);
  for (std::size_t row = 0; row < 8; row += 4) {
    double squares = 0;
    for (std::size_t i = row; i < row + 4; ++i)
      squares += static_cast<double>((x[i] - 3) * (x[i] - 3));
    for (std::size_t i = row; i < row + 4; ++i)
      EXPECT_NEAR(static_cast<double>(y[i]),
                  std::fmin(127, 128 * static_cast<double>(x[i] - 3) / std::sqrt(squares)), 1.01);
  }
}

TEST(softmax, int16_rows_sum_to_one) {
  const softmax_spec spec{.type = element_type::int16,
                          .output = element_type::int16,
                          .rows = 1,
                          .depth = 5,
                          .in = {0x1p-10F, 0},
                          .out = {0x1p-15F, 0}};
  const std::vector<std::int64_t> x{100, -2000, 3000, 2999, 0};
  const auto check = [&](auto kernel) {
    ASSERT_TRUE(kernel);
    std::vector<std::int64_t> y(5);
    (*kernel)(std::span<const std::int64_t>(x), std::span<std::int64_t>(y));
    double sum = 0;
    for (const auto v : x) sum += std::exp(static_cast<double>(v) * 0x1p-10);
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(static_cast<double>(y[i]),
                  32768 * std::exp(static_cast<double>(x[i]) * 0x1p-10) / sum, 12);
  };
  check(softmax<tflite_reference>::prepare(spec));
  check(softmax<tflite_builtin>::prepare(spec));
}

// Producer: a Python program written after TFLite's reference/softmax.h and common.h (tables, interpolation, products),
// with every float32 step rounded by struct.pack.
TEST(softmax, int16_codes_of_one_row) {
  const softmax_spec spec{.type = element_type::int16,
                          .output = element_type::int16,
                          .depth = 7,
                          .in = {0x1p-10F, 0},
                          .out = {0x1p-15F, 0}};
  const std::vector<std::int64_t> x{100, -2000, 3000, 2999, 0, -7000, 1234};
  const auto kernel = softmax<tflite_reference>::prepare(spec);
  ASSERT_TRUE(kernel);
  std::vector<std::int64_t> y(7);
  (*kernel)(std::span<const std::int64_t>(x), std::span<std::int64_t>(y));
  EXPECT_EQ(y, (std::vector<std::int64_t>{840, 108, 14263, 14250, 762, 1, 2543}));
}

}  // namespace
