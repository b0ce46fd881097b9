// SPDX-License-Identifier: Apache-2.0
// Streams of floats and codes equal the rule, element by element, on floats of all kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <bittwin/kernel/quantize.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "laws/targets.hpp"

namespace {

using namespace bittwin;

/// Any bits, ties with their neighbours, and values around the places where quotients leave int32.
std::vector<float> floats_for(affine grid, std::mt19937& random) {
  std::vector<float> all{0.0F,
                         -0.0F,
                         std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(),
                         std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::max(),
                         std::numeric_limits<float>::denorm_min(),
                         -std::numeric_limits<float>::denorm_min()};
  for (int i = 0; i < 2000; ++i)
    all.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  for (int code = -140; code <= 270; ++code)
    for (const double part : {0.0, 0.5, -0.5}) {
      const auto tie = static_cast<float>((code - grid.zero_point + part) * double{grid.scale});
      all.push_back(tie);
      for (const float way : {-1e30F, 1e30F}) {
        const float next = std::nextafter(tie, way);
        all.push_back(next), all.push_back(std::nextafter(next, way));
      }
    }
  for (const double power : {29.0, 30.0, 31.0, 32.0})
    for (const double sign : {-1.0, 1.0})
      for (const double factor : {0.999999, 1.0, 1.000001})
        all.push_back(static_cast<float>(sign * factor * std::exp2(power) * double{grid.scale}));
  return all;
}

TEST(quantize, a_stream_is_the_rule_on_every_element) {
  std::mt19937 random(31);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int rules = 0;
  for (int round = 0; round < 12; ++round)
    laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
      if constexpr (room::quantize::in<Target>) {
        const auto one = [&]<class T>(T, element_type type) {
          const affine grid{
              static_cast<float>(std::exp2(uniform(-20, 6))),
              static_cast<std::int32_t>(uniform(double(std::numeric_limits<T>::min()),
                                                double(std::numeric_limits<T>::max())))};
          const auto kernel = quantize<Target>::prepare({type, grid});
          ASSERT_TRUE(kernel) << kernel.error().text;
          const std::vector<float> x = floats_for(grid, random);
          std::vector<T> codes(x.size());
          (*kernel)(std::span(x), std::span(codes));
          std::vector<int> seen(65536);
          for (std::size_t i = 0; i < x.size(); ++i) {
            ASSERT_EQ(std::int64_t{codes[i]}, (*kernel)(x[i]))
                << Target::name << ", scale " << grid.scale << ", zero point " << grid.zero_point
                << ", x " << x[i];
            ++seen[static_cast<std::uint16_t>(codes[i])];
          }
          EXPECT_GT(std::count_if(seen.begin(), seen.end(), [](int n) { return n > 0; }), 200);
          ++rules;
        };
        one(std::int8_t{}, element_type::int8);
        one(std::uint8_t{}, element_type::uint8);
        one(std::int16_t{}, element_type::int16);
      }
    });
  EXPECT_GT(rules, 100);
}

TEST(quantize, steps_speak_of_what_a_rule_is_monotone_on) {
  // A rule that turns around: it must not be believed to be monotone.
  struct folded {
    static std::int64_t of(float x, affine, code_range) noexcept { return x > 10 ? 0 : 1; }
  };
  EXPECT_FALSE(float_code_rule::from<folded>().monotone);
  const auto rounded = [](float x) { return std::lrint(std::fmin(std::fmax(x, -9), 9)); };
  const float_steps steps(rounded, {1.0F, 0});
  EXPECT_TRUE(steps.holds(0x1p30F));
  EXPECT_FALSE(steps.holds(0x1.000002p30F));
  EXPECT_FALSE(steps.holds(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(float_steps().holds(0.0F));
  for (float x = -12; x < 12; x += 0.125F) EXPECT_EQ(steps(x), rounded(x)) << x;
}

TEST(dequantize, a_stream_is_the_rule_on_every_element) {
  const affine grid{0.0173F, -7};
  std::vector<std::int8_t> codes;
  for (int i = 0; i < 1000; ++i) codes.push_back(static_cast<std::int8_t>(i * 37));
  for (const std::size_t count : {std::size_t{10}, std::size_t{256}, codes.size()}) {
    std::vector<float> reals(count);
    dequantize(std::span(std::as_const(codes)).first(count), grid, std::span(reals));
    for (std::size_t i = 0; i < count; ++i)  // one multiplication of float32, ties to even
      ASSERT_EQ(reals[i], static_cast<float>(codes[i] + 7) * 0.0173F) << i;
  }
}

}  // namespace
