// SPDX-License-Identifier: Apache-2.0
// The walks that operators share, against places computed by division, and the facts that choose a layer's rules.
#include <gtest/gtest.h>

#include <array>
#include <bittwin/bittwin.hpp>
#include <cstdint>
#include <vector>

namespace {

using namespace bittwin;
using std::int32_t, std::int64_t;
using index4 = std::array<int32_t, shape::max_rank>;

/// Coordinates of a flat place.
index4 coordinates(const shape& s, int64_t flat) {
  index4 at{};
  for (int axis = s.rank() - 1; axis >= 0; --axis) {
    at[static_cast<std::size_t>(axis)] = static_cast<int32_t>(flat % s[axis]);
    flat /= s[axis];
  }
  return at;
}

TEST(walks, operands_are_repeated_along_extents_of_1) {
  const shape a{2, 1, 4}, b{3, 1};
  shape out;
  ASSERT_TRUE(reference::broadcast_shape(a, b, out));
  EXPECT_EQ(out, (shape{2, 3, 4}));
  int64_t next = 0;
  reference::for_each_pair(out, a, b, [&](int64_t to, int64_t at_a, int64_t at_b) {
    EXPECT_EQ(to, next++);
    const index4 at = coordinates(out, to);
    EXPECT_EQ(at_a, at[0] * 4 + at[2]);
    EXPECT_EQ(at_b, at[1]);
  });
  EXPECT_EQ(next, 24);
}

TEST(layer_facts, of_a_convolution_say_its_groups_and_taps) {
  const auto facts = [](int32_t channels, const ohwi& filter) {
    return facts_of(conv2d_spec{.input = {1, 8, 8, channels}, .filter = filter});
  };
  EXPECT_EQ(facts(4, {6, 3, 5, 2}).groups, 2);
  EXPECT_EQ(facts(4, {6, 3, 5, 4}).groups, 1);
  EXPECT_EQ(facts(4, {6, 3, 5, 1}).groups, 4);
  EXPECT_EQ(facts(4, {6, 3, 5, 2}).taps, 15);
  EXPECT_TRUE(facts(4, {4, 3, 3, 1}).one_to_one);
  EXPECT_FALSE(facts(4, {8, 3, 3, 1}).one_to_one);
  EXPECT_FALSE(facts(2, {2, 3, 3, 2}).one_to_one);
  EXPECT_FALSE(facts_of(conv2d_spec{.quantization = {.filter_scales = {}}}).per_channel);
}

TEST(layer_facts, of_a_depthwise_convolution_say_its_taps) {
  const auto facts = [](int32_t multiplier) {
    return facts_of(depthwise_conv2d_spec{
        .input = {1, 8, 8, 3}, .filter_h = 5, .filter_w = 2, .depth_multiplier = multiplier});
  };
  EXPECT_EQ(facts(1).taps, 10);
  EXPECT_TRUE(facts(1).one_to_one);
  EXPECT_FALSE(facts(2).one_to_one);
}

TEST(layer_facts, of_a_mean_say_whether_it_is_over_rows_and_columns) {
  mean_spec s{.input = {1, 2, 3, 4}, .axes = {false, true, true, false}};
  EXPECT_TRUE(facts_of(s).over_rows_and_columns);
  for (const std::size_t axis : {0U, 1U, 2U, 3U}) {
    mean_spec other = s;
    other.axes[axis] = !other.axes[axis];
    EXPECT_FALSE(facts_of(other).over_rows_and_columns) << axis;
  }
  s.counted_from_end = true;
  EXPECT_FALSE(facts_of(s).over_rows_and_columns);
  s.counted_from_end = false;
  s.input = {2, 3, 4};
  EXPECT_FALSE(facts_of(s).over_rows_and_columns);
}

}  // namespace
