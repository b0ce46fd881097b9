// SPDX-License-Identifier: Apache-2.0
// Measures of difference, against numbers worked out by hand.
#include <gtest/gtest.h>

#include <bittwin/analysis/difference.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
using bittwin::analysis::compare;

template <class T>
array make(element_type type, const shape& extents, const std::vector<T>& values) {
  array a{type, extents, std::vector<std::byte>(values.size() * sizeof(T))};
  if (!values.empty()) std::memcpy(a.data.data(), values.data(), a.data.size());
  return a;
}

array codes(const std::vector<std::int8_t>& values) {
  return make(element_type::int8, shape{1, static_cast<std::int32_t>(values.size())}, values);
}

TEST(difference, equal_arrays_have_no_noise) {
  const array a = codes({1, -2, 3, 4});
  const difference d = compare(a, a, {{0.5F}, {1}, 0});
  EXPECT_TRUE(d.equal());
  EXPECT_EQ(d.elements, 4);
  EXPECT_FALSE(d.first);
  EXPECT_FALSE(d.sqnr_db) << "infinite";
  EXPECT_DOUBLE_EQ(*d.cosine, 1.0);
  EXPECT_EQ(*d.rmse_over_scale, 0.0);
  EXPECT_FALSE(d.vacuous());
}

TEST(difference, counts_codes_with_their_sign) {
  const difference d = compare(codes({0, 10, -20, 127}), codes({1, 10, -23, -128}));
  EXPECT_EQ(d.mismatches, 3);
  EXPECT_EQ(d.max_codes, 255);
  EXPECT_EQ(d.off_by, (std::map<std::int64_t, std::int64_t>{{1, 1}, {-3, 1}, {-255, 1}}));
  EXPECT_EQ(d.first, 0);
  EXPECT_EQ(d.by_channel, (std::vector<std::int64_t>{1, 0, 1, 1}));
  EXPECT_DOUBLE_EQ(*d.rmse_over_scale, std::sqrt((1 + 9 + 255.0 * 255) / 4));
}

TEST(difference, measures_reals_around_the_zero_point) {
  // reals 1, 2 against 1, 1: signal 5, noise 1, cosine 3 / sqrt(10)
  const difference d = compare(codes({12, 14}), codes({12, 12}), {{0.5F}, {10}, 0});
  EXPECT_DOUBLE_EQ(*d.sqnr_db, 10 * std::log10(5.0));
  EXPECT_DOUBLE_EQ(*d.cosine, 3 / std::sqrt(10.0));
  EXPECT_DOUBLE_EQ(d.max_abs, 1.0);
  EXPECT_DOUBLE_EQ(*d.rmse_over_scale, std::sqrt(2.0)) << "in codes, whatever the scale";
}

TEST(difference, each_channel_has_its_scale) {
  const array a = make<std::int8_t>(element_type::int8, shape{2, 2}, {1, 1, 1, 1});
  const array b = make<std::int8_t>(element_type::int8, shape{2, 2}, {1, 1, 2, 1});
  // rows have scales 1 and 4: signal 1 + 1 + 16 + 16, noise 16
  const difference d = compare(a, b, {{1.0F, 4.0F}, {0, 0}, 0});
  EXPECT_DOUBLE_EQ(*d.sqnr_db, 10 * std::log10(34.0 / 16.0));
}

TEST(difference, one_zero_array_has_cosine_zero_and_two_have_one) {
  EXPECT_EQ(*compare(codes({0, 0}), codes({0, 0})).cosine, 1.0);
  EXPECT_EQ(*compare(codes({0, 0}), codes({0, 1})).cosine, 0.0);
}

TEST(difference, floats_differ_by_their_bits) {
  const auto floats = [](std::vector<float> values) {
    return make(element_type::float32, shape{static_cast<std::int32_t>(values.size())}, values);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(compare(floats({0.0F}), floats({-0.0F})).mismatches, 1);
  EXPECT_EQ(compare(floats({nan}), floats({nan})).mismatches, 0);
  const difference d = compare(floats({1.0F, 2.0F}), floats({1.0F, 2.5F}));
  EXPECT_EQ(d.mismatches, 1);
  EXPECT_EQ(d.max_codes, 0);
  EXPECT_DOUBLE_EQ(d.max_abs, 0.5);
  EXPECT_FALSE(d.rmse_over_scale);
  EXPECT_FALSE(compare(floats({nan}), floats({1.0F})).cosine) << "undefined, not NaN";
}

TEST(difference, float16_is_measured_on_its_values) {
  // 1.0, -2.0, the smallest subnormal, against 1.5, -2.0, 0
  const array a = make<std::uint16_t>(element_type::float16, shape{3}, {0x3C00, 0xC000, 1});
  const array b = make<std::uint16_t>(element_type::float16, shape{3}, {0x3E00, 0xC000, 0});
  const difference d = compare(a, b);
  EXPECT_EQ(d.mismatches, 2);
  EXPECT_DOUBLE_EQ(d.max_abs, 0.5);
}

TEST(difference, codes_of_64_bits_do_not_overflow) {
  const array a = make<std::int64_t>(element_type::int64, shape{1}, {INT64_MIN});
  const array b = make<std::int64_t>(element_type::int64, shape{1}, {INT64_MAX});
  const difference d = compare(a, b);
  EXPECT_EQ(d.max_codes, INT64_MAX);
  EXPECT_EQ(d.off_by, (std::map<std::int64_t, std::int64_t>{{256, 1}}));
}

TEST(difference, arrays_that_are_nearly_constant_or_saturated_show_nothing) {
  std::vector<std::int8_t> same(100, 5);
  same[0] = 6;
  EXPECT_TRUE(compare(codes(same), codes(same)).vacuous());
  std::vector<std::int8_t> ends(100, 127);
  for (std::size_t i = 0; i < 50; ++i) ends[i] = -128;
  const difference d = compare(codes(ends), codes(ends));
  EXPECT_DOUBLE_EQ(d.constant_share, 0.5);
  EXPECT_DOUBLE_EQ(d.saturated_share, 1.0);
  EXPECT_TRUE(d.vacuous());
}

TEST(difference, an_array_of_no_elements_is_equal_to_itself) {
  const array a = make<std::int8_t>(element_type::int8, shape{0, 3}, {});
  EXPECT_TRUE(compare(a, a).equal());
  EXPECT_FALSE(compare(a, a).vacuous());
}

}  // namespace
