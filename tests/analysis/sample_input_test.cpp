// SPDX-License-Identifier: Apache-2.0
// The input of a run without --input: documented numbers, the same on every machine.
#include <gtest/gtest.h>

#include <bittwin/analysis/sample_input.hpp>
#include <set>

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

graph::tensor tensor_of(element_type type, std::int32_t elements) {
  graph::tensor t;
  t.type = type;
  t.extents = shape{elements};
  return t;
}

TEST(sample_input, the_generator_is_splitmix64) {
  splitmix64 random(0);  // published first outputs of seed 0
  EXPECT_EQ(random(), 0xE220A8397B1DCDAFU);
  EXPECT_EQ(random(), 0x6E789E6AA1B965F4U);
  EXPECT_EQ(random(), 0x06C45D188009454FU);
}

TEST(sample_input, codes_cover_the_whole_type) {
  const array a = sample_input(tensor_of(element_type::int8, 10000), 0, 0);
  const std::set<std::byte> seen(a.data.begin(), a.data.end());
  EXPECT_EQ(seen.size(), 256u);
  // -128 + 0xE220A8397B1DCDAF mod 256
  EXPECT_EQ(element_at<std::int8_t>(a.data, 0), 0xAF - 128);
}

TEST(sample_input, floats_lie_in_minus_one_to_one) {
  const array a = sample_input(tensor_of(element_type::float32, 10000), 0, 0);
  float low = 1, high = -1;
  for (std::int64_t i = 0; i < 10000; ++i) {
    low = std::min(low, element_at<float>(a.data, i));
    high = std::max(high, element_at<float>(a.data, i));
  }
  EXPECT_GE(low, -1.0F);
  EXPECT_LT(low, -0.99F);
  EXPECT_LT(high, 1.0F);
  EXPECT_GT(high, 0.99F);
}

TEST(sample_input, inputs_and_seeds_differ) {
  const graph::tensor t = tensor_of(element_type::uint8, 64);
  EXPECT_NE(sample_input(t, 0, 0).data, sample_input(t, 0, 1).data);
  EXPECT_NE(sample_input(t, 0, 0).data, sample_input(t, 1, 0).data);
  EXPECT_EQ(sample_input(t, 1, 1).data, sample_input(t, 1, 1).data);
}

TEST(sample_input, every_type_is_filled) {
  for (const element_type type : {element_type::boolean, element_type::float16, element_type::int64,
                                  element_type::int4, element_type::float64, element_type::int32}) {
    const array a = sample_input(tensor_of(type, 100), 3, 0);
    EXPECT_EQ(a.data.size(), 100u * static_cast<std::size_t>(bytes_of(type)));
    if (type == element_type::boolean) {
      for (const std::byte b : a.data) EXPECT_LE(std::to_integer<int>(b), 1);
    }
  }
}

}  // namespace
