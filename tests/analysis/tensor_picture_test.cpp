// SPDX-License-Identifier: Apache-2.0
// Pictures of tensors: every element is in the bin that the formula says, and in no other.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <bittwin/analysis/tensor_picture.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

template <class T>
recording recorded(const shape& extents, const std::vector<T>& elements, element_type type) {
  array a{type, extents, std::vector<std::byte>(elements.size() * sizeof(T))};
  if (!elements.empty()) std::memcpy(a.data.data(), elements.data(), a.data.size());
  recording r;
  r.append(a);
  return r;
}

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

TEST(tensor_picture, counts_a_small_tensor_as_a_table_says) {
  const recording reference =
      recorded<std::int8_t>({2, 3}, {0, 0, 1, 5, -3, 7}, element_type::int8);
  const recording test = recorded<std::int8_t>({2, 3}, {0, 1, 1, 5, -10, 127}, element_type::int8);
  const tensor_picture p = picture_of(reference, {}, test, {});
  EXPECT_TRUE(p.codes);
  EXPECT_EQ(p.elements, 6);
  EXPECT_EQ(p.skipped, 0);
  // 138 codes from -10 to 127: one a bin of values, three a cell.
  EXPECT_EQ(p.values.low, -10);
  EXPECT_EQ(p.values.width, 1);
  EXPECT_EQ(p.values.bins, 138);
  EXPECT_EQ(p.reference.low, -3);
  EXPECT_EQ(p.reference.high, 7);
  EXPECT_EQ(p.reference.counts[10], 2);
  EXPECT_EQ(p.test.counts[0], 1);
  EXPECT_EQ(p.test.counts[137], 1);
  EXPECT_EQ(p.cells.width, 3);
  EXPECT_EQ(p.cells.bins, 46);
  EXPECT_EQ(p.scatter[45 * 46 + 5], 1) << "REF 7 in column 5, TEST 127 in row 45";
  EXPECT_EQ(p.scatter[0 * 46 + 2], 1) << "REF -3, TEST -10";
  // Differences 0, 1, 0, 0, -7, 120 in steps of 4: 120 / 32 rounded up.
  EXPECT_EQ(p.step_width, 4);
  const std::map<int, std::int64_t> steps{{-2, 1}, {0, 3}, {1, 1}, {30, 1}};
  for (int k = -tensor_picture::most_steps; k <= tensor_picture::most_steps; ++k)
    EXPECT_EQ(p.steps[static_cast<std::size_t>(k + tensor_picture::most_steps)],
              steps.contains(k) ? steps.at(k) : 0)
        << k;
  EXPECT_EQ(p.channel_group, 1);
  EXPECT_EQ(p.channel_mismatches, (std::vector<std::int64_t>{0, 2, 1}));
  EXPECT_EQ(p.channel_largest, (std::vector<double>{0, 7, 120}));
}

RC_GTEST_PROP(tensor_picture, every_element_is_in_the_bins_that_hold_its_values, ()) {
  const auto width = *rc::gen::inRange(1, 700);
  const auto rows = *rc::gen::inRange(1, 4);
  const auto span = *rc::gen::element(3, 60, 300, 65536);
  const auto count = static_cast<std::size_t>(width * rows);
  const auto code = rc::gen::map(rc::gen::inRange(0, span),
                                 [&](int v) { return static_cast<std::int16_t>(v - span / 2); });
  const auto a = *rc::gen::container<std::vector<std::int16_t>>(count, code);
  auto b = a;
  for (std::size_t i = 0; i < count; ++i)
    if (i % 3 == 0) b[i] = *code;
  const shape extents{rows, width};
  const tensor_picture p = picture_of(recorded(extents, a, element_type::int16), {},
                                      recorded(extents, b, element_type::int16), {});
  RC_CLASSIFY(p.values.width > 1, "several codes a bin");
  RC_CLASSIFY(p.channel_group > 1, "several channels a bar");
  RC_CLASSIFY(a == b, "equal");
  const auto elements = static_cast<std::int64_t>(count);
  RC_ASSERT(sum(p.steps) == elements);
  RC_ASSERT(sum(p.scatter) == elements);
  RC_ASSERT(sum(p.test.counts) == elements);
  RC_ASSERT(p.cells.bins <= tensor_picture::most_cells);
  RC_ASSERT(p.values.bins <= tensor_picture::most_values);
  // The other way round: for each bin, the elements between its ends.
  for (int k = 0; k < p.values.bins; ++k) {
    const double from = p.values.low + k * p.values.width;
    std::int64_t inside = 0;
    for (const std::int16_t v : a) inside += v >= from && v < from + p.values.width;
    RC_ASSERT(p.reference.counts[static_cast<std::size_t>(k)] == inside);
  }
  for (int k = -tensor_picture::most_steps; k <= tensor_picture::most_steps; ++k) {
    std::int64_t inside = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const int d = b[i] - a[i];
      const double far = std::abs(k) * p.step_width;
      inside += k == 0  ? d == 0
                : k < 0 ? d >= -far && d < -far + p.step_width
                        : d <= far && d > far - p.step_width;
    }
    RC_ASSERT(p.steps[static_cast<std::size_t>(k + tensor_picture::most_steps)] == inside);
  }
  std::vector<std::int64_t> mismatches(p.channel_mismatches.size());
  for (std::size_t i = 0; i < count; ++i)
    mismatches[i % static_cast<std::size_t>(width) / static_cast<std::size_t>(p.channel_group)] +=
        a[i] != b[i];
  RC_ASSERT(p.channel_mismatches == mismatches);
}

TEST(tensor_picture, sides_on_different_grids_are_drawn_in_reals) {
  const quantization one{{1.0F}, {0}, 0}, two{{2.0F}, {-1}, 0};
  const recording reference = recorded<std::int8_t>({2}, {4, 6}, element_type::int8);
  const recording test = recorded<std::int8_t>({2}, {1, 3}, element_type::int8);  // 4 and 8
  const tensor_picture p = picture_of(reference, one, test, two);
  EXPECT_FALSE(p.codes);
  EXPECT_EQ(p.test.low, 4);
  EXPECT_EQ(p.test.high, 8);
  EXPECT_EQ(p.channel_mismatches, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(p.channel_largest, (std::vector<double>{0, 2}));
}

TEST(tensor_picture, what_is_not_finite_is_left_out_and_counted) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const recording a = recorded<float>({4}, {nan, 1, 2, -inf}, element_type::float32);
  const recording b = recorded<float>({4}, {0, 1, inf, 3}, element_type::float32);
  const tensor_picture p = picture_of(a, {}, b, {});
  EXPECT_EQ(p.skipped, 3);
  EXPECT_EQ(p.values.bins, 1);
  EXPECT_EQ(p.reference.counts, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(picture_of(recorded<float>({1}, {nan}, element_type::float32).all()).values.bins, 0);
  EXPECT_EQ(picture_of(recorded<float>({0}, {}, element_type::float32).all()).values.bins, 0);
}

TEST(tensor_picture, the_farthest_values_of_a_type_find_their_bins) {
  constexpr double huge = std::numeric_limits<double>::max();
  const recording a = recorded<double>({2}, {-huge, huge}, element_type::float64);
  const recording b = recorded<double>({2}, {huge, huge}, element_type::float64);
  const tensor_picture reals = picture_of(a, {}, b, {});
  EXPECT_EQ(reals.test.counts.back(), 2);
  EXPECT_EQ(reals.reference.counts.front(), 1);
  EXPECT_EQ(reals.steps.back(), 1);
  constexpr auto low = std::numeric_limits<std::int64_t>::min(),
                 high = std::numeric_limits<std::int64_t>::max();
  const tensor_picture codes =
      picture_of(recorded<std::int64_t>({3}, {low, 0, high}, element_type::int64), {},
                 recorded<std::int64_t>({3}, {high, 0, low}, element_type::int64), {});
  EXPECT_EQ(codes.steps.front(), 1);
  EXPECT_EQ(codes.steps.back(), 1);
  EXPECT_EQ(codes.steps[tensor_picture::most_steps], 1);
}

TEST(tensor_picture, a_lone_recording_has_ranges_by_channel) {
  const recording r = recorded<std::uint8_t>({2, 2}, {3, 200, 5, 100}, element_type::uint8);
  const tensor_picture p = picture_of(r.all());
  EXPECT_FALSE(p.pair);
  EXPECT_EQ(p.channel_low, (std::vector<double>{3, 100}));
  EXPECT_EQ(p.channel_high, (std::vector<double>{5, 200}));
  EXPECT_TRUE(p.scatter.empty());
  EXPECT_EQ(p.values.bins, 198);
}

}  // namespace
