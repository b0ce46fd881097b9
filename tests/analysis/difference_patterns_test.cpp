// SPDX-License-Identifier: Apache-2.0
// What differences look like, made by hand on a result of 5 rows, 5 columns and 4 channels.
#include <gtest/gtest.h>

#include <bittwin/analysis/difference_patterns.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

using names = std::set<std::string>;
constexpr std::int64_t zero = 3;

/// The result of code(row, column, channel) against f(right, row, column, channel).
using change = std::function<std::int64_t(std::int64_t, int, int, int)>;
names patterns(const change& f, element_type type = element_type::int16,
               const std::vector<double>& sums = {}) {
  std::vector<std::int64_t> right, got;
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 5; ++column)
      for (int c = 0; c < 4; ++c) {
        right.push_back((row * 37 + column * 23 + c * 51) % 120 - 60);
        got.push_back(f(right.back(), row, column, c));
      }
  const shape extents{1, 5, 5, 4};
  names found;
  for (const finding& one : patterns_of({right, got, extents, type, zero, sums}))
    found.insert(one.code);
  return found;
}

TEST(difference_patterns, of_nothing_and_of_noise) {
  EXPECT_EQ(patterns([](auto v, int, int, int) { return v; }), names{});
  EXPECT_EQ(
      patterns([](auto v, int r, int x, int c) { return v + (r * 7 + x * 11 + c * 5) % 13 - 6; }),
      names{});
}

TEST(difference_patterns, tell_where) {
  EXPECT_EQ(patterns([](auto v, int, int, int c) { return c == 2 ? v * 3 % 71 + 80 : v; }),
            names{"ONE_CHANNEL"});
  EXPECT_EQ(patterns([](auto v, int r, int x, int) { return r == 4 ? v - 9 + x * 5 : v; }),
            names{"LAST_ROW"});
  EXPECT_EQ(patterns([](auto v, int r, int, int) { return r == 0 ? v * 2 + 200 : v; }),
            names{"FIRST_ROW"});
  EXPECT_EQ(patterns([](auto v, int r, int x, int) { return x == 4 ? v - 9 + r * 5 : v; }),
            names{"LAST_COLUMN"});
  EXPECT_EQ(patterns([](auto v, int r, int x, int) { return x == 0 ? v - 9 + r * 5 : v; }),
            names{"FIRST_COLUMN"});
  EXPECT_EQ(patterns([](auto v, int r, int x, int c) {
              return r % 4 == 0 || x % 4 == 0 ? v - 9 + r * 5 + x + c : v;
            }),
            names{"EDGES_ONLY"});
}

TEST(difference_patterns, tell_how_far) {
  EXPECT_EQ(patterns([](auto v, int r, int, int c) { return r + c > 4 ? v + 256 * (c - 4) : v; }),
            names{"MULTIPLES_OF_256"});
  EXPECT_EQ(
      patterns([](auto v, int r, int x, int) { return x > 2 ? v + (r % 2 == 0 ? 128 : -128) : v; }),
      names{"MULTIPLES_OF_128"});
  EXPECT_EQ(patterns([](auto v, int, int, int) { return v - 5; }), names{"CONSTANT_OFFSET"});
  EXPECT_EQ(patterns([](auto v, int, int, int) {
              return zero + std::lround(static_cast<double>(v - zero) * 1.37);
            }),
            names{"CONSTANT_RATIO"});
  std::vector<double> sums;
  for (int i = 0; i < 100; ++i) sums.push_back((i * 29 % 31 - 15) * 10.0);
  std::size_t at = 0;
  EXPECT_EQ(patterns([&](auto v, int, int, int) { return v + std::lround(0.3 * sums[at++]); },
                     element_type::int16, sums),
            names{"PROPORTIONAL_TO_INPUT_SUM"});
}

TEST(difference_patterns, tell_for_which_values) {
  EXPECT_EQ(patterns([](auto v, int r, int x, int) { return v > 20 ? v + 7 + r * x : v; }),
            names{"ABOVE_A_BOUND"});
  EXPECT_EQ(patterns([](auto v, int r, int x, int) { return v < -10 ? v - 7 - r * x : v; }),
            names{"BELOW_ZERO_ONLY"});
  EXPECT_EQ(patterns([](auto v, int r, int x, int) {
              return std::abs(v - zero) > 20 && (r + x) % 2 == 0 ? zero + (v - zero) / (2 + r) : v;
            }),
            names{"TOWARD_ZERO"});
}

TEST(difference_patterns, saturated_codes_do_not_speak_against_an_offset) {
  EXPECT_EQ(patterns([](auto v, int, int, int) { return std::min<std::int64_t>(v + 90, 127); },
                     element_type::int8),
            names{"CONSTANT_OFFSET"});
}

}  // namespace
