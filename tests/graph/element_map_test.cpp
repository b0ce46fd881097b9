// SPDX-License-Identifier: Apache-2.0
// Maps of elements: slices as Python takes them, mirrored borders, blocks, nearest neighbours.
#include <gtest/gtest.h>

#include <bittwin/graph/block_nodes.hpp>
#include <bittwin/graph/number_nodes.hpp>
#include <bittwin/graph/resize_nodes.hpp>
#include <bittwin/graph/slicing_nodes.hpp>
#include <numeric>
#include <vector>

namespace {

using namespace bittwin;
using namespace bittwin::graph;

std::vector<int> mapped(std::vector<axis_source> axes, int count, unsigned char fill = 99) {
  std::size_t size = 1;
  for (const axis_source& axis : axes) size *= static_cast<std::size_t>(axis.extent);
  std::vector<std::byte> x, y(size);
  for (int i = 0; i < count; ++i) x.push_back(static_cast<std::byte>(i));
  const std::byte element{fill};
  element_map(std::move(axes), 1).copy(x.data(), y.data(), &element);
  std::vector<int> out;
  for (const std::byte b : y) out.push_back(std::to_integer<int>(b));
  return out;
}

struct slice_case {
  std::int64_t extent, begin, end, stride;
  std::vector<int> expected;
};

/// producer CPython 3.11: list(range(extent))[begin:end:stride]
const slice_case slices[] = {
    {5, 1, 4, 1, {1, 2, 3}}, {5, -2, 9, 1, {3, 4}},         {5, 4, 0, -1, {4, 3, 2, 1}},
    {5, 3, -9, -2, {3, 1}},  {5, -9, 3, 2, {0, 2}},         {5, 4, 1, 1, {}},
    {5, 9, -4, -3, {4}},     {7, 6, 0, -3, {6, 3}},         {7, 0, 7, 3, {0, 3, 6}},
    {1, 0, -1, 1, {}},       {4, -1, -5, -1, {3, 2, 1, 0}},
};

TEST(strided_ranges, take_what_python_takes) {
  for (const slice_case& c : slices) {
    const auto range = graph::detail::strided_range::of(c.begin, c.end, c.stride, c.extent, false,
                                                        false, false, false);
    const std::vector<int> taken =
        mapped({{.extent = range.count, .start = range.first, .step = c.stride, .limit = c.extent}},
               static_cast<int>(c.extent));
    EXPECT_EQ(taken, c.expected) << c.extent << " " << c.begin << " " << c.end << " " << c.stride;
  }
}

TEST(strided_ranges, masks_reach_to_the_ends_and_shrinking_takes_one) {
  using range = graph::detail::strided_range;
  EXPECT_EQ(range::of(3, 1, -1, 5, true, true, false, false).first, 4);
  EXPECT_EQ(range::of(3, 1, -1, 5, true, true, false, false).count, 5);
  EXPECT_EQ(range::of(-1, 0, 1, 5, false, false, true, false).first, 4);
  EXPECT_EQ(range::of(-1, 0, 1, 5, false, false, true, false).count, 1);
  EXPECT_EQ(range::of(1, 3, 1, 5, false, false, false, true).count, 3);
}

TEST(element_maps, fill_what_lies_outside) {
  EXPECT_EQ(mapped({{.extent = 5, .start = -2, .limit = 2}}, 2),
            (std::vector<int>{99, 99, 0, 1, 99}));
}

TEST(element_maps, mirror_with_and_without_the_edge) {
  axis_source axis{
      .how = axis_source::kind::mirrored, .extent = 7, .start = -2, .step = 0, .limit = 3};
  EXPECT_EQ(mapped({axis}, 3), (std::vector<int>{2, 1, 0, 1, 2, 1, 0}));
  axis.step = 1;
  EXPECT_EQ(mapped({axis}, 3), (std::vector<int>{1, 0, 0, 1, 2, 2, 1}));
}

/// A batch of [k, n] with 2 blocks of 3 elements: element i of the image is (i % 2, i / 2).
TEST(element_maps, blocks_are_interleaved_after_the_crop) {
  axis_source axis{.how = axis_source::kind::blocks,
                   .extent = 5,
                   .start = 1,
                   .step = 2,
                   .limit = 3,
                   .stride = 1,
                   .inner = 3};
  EXPECT_EQ(mapped({axis}, 6), (std::vector<int>{3, 1, 4, 2, 5}));
}

TEST(element_maps, nearest_neighbours) {
  const auto nearest = [](resize_axis a, int count) {
    return mapped({graph::detail::nearest_axis(a, 1)}, count);
  };
  EXPECT_EQ(nearest({2, 5}, 2), (std::vector<int>{0, 0, 0, 1, 1}));
  EXPECT_EQ(nearest({3, 5, true, false}, 3), (std::vector<int>{0, 1, 1, 2, 2}));
  EXPECT_EQ(nearest({3, 2, false, true}, 3), (std::vector<int>{0, 2}));
}

TEST(numbers, division_has_no_undefined_case) {
  EXPECT_EQ(numbers::divide(7, 0), 0);
  EXPECT_EQ(numbers::divide(-7, 2), -3);
  EXPECT_EQ(numbers::divide(lowest<std::int64_t>, -1), lowest<std::int64_t>);
}

}  // namespace
