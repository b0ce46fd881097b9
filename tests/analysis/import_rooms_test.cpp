// SPDX-License-Identifier: Apache-2.0
// The rooms of the importer one by one: places of elements, grids of reals, names of files.
#include <gtest/gtest.h>

#include <bittwin/analysis/import_decision.hpp>
#include <bittwin/analysis/import_grid.hpp>
#include <bittwin/analysis/import_layout.hpp>
#include <bittwin/analysis/import_map.hpp>
#include <bittwin/analysis/import_names.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "analysis/vendor_dump.hpp"
#include "support/model_maker.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

/// Each element carries its number, so that one in a wrong place shows.
TEST(import_layout, places_are_those_of_the_index_formulas) {
  const std::vector<std::pair<std::string, test::vendor_layout>> layouts{
      {"nhwc", {"nhwc"}},
      {"nhwc:c=16", {"nhwc", 16}},
      {"nhwc:row=64", {"nhwc", 0, 64}},
      {"nhwc:row=64,plane=512", {"nhwc", 0, 64, 512}},
      {"nchw", {"nchw"}},
      {"nchw:c=8", {"nchw", 8}},
      {"nchw:row=16,plane=100", {"nchw", 0, 16, 100}},
      {"nc1hwc2:c=8", {"nc1hwc2", 8}},
      {"nc1hwc2:c=32", {"nc1hwc2", 32}}};
  const test::vendor_extents e{2, 5, 6, 10};
  std::vector<double> numbers;
  for (int i = 0; i < 2 * 5 * 6 * 10; ++i) numbers.push_back(i);
  for (const auto& [text, form] : layouts) {
    const auto layout = parse_layout(text);
    ASSERT_TRUE(layout.has_value()) << layout.error().text;
    EXPECT_EQ(to_string(*layout), text);
    const test::vendor_elements file = test::laid_out(numbers, e, form, -1);
    const auto placed = place(*layout, nhwc{2, 5, 6, 10});
    ASSERT_TRUE(placed.has_value()) << text;
    ASSERT_EQ(placed->elements, static_cast<std::int64_t>(file.values.size())) << text;
    std::size_t i = 0;
    for (int n = 0; n < 2; ++n)
      for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 6; ++x)
          for (int c = 0; c < 10; ++c)
            ASSERT_EQ(file.values[static_cast<std::size_t>(placed->at(n, y, x, c))], numbers[i++])
                << text;
    if (form.row + form.plane != 0) continue;
    std::vector<std::int64_t> extents;
    for (const std::int32_t extent : file.shape)
      if (extent != 1) extents.push_back(extent);
    EXPECT_EQ(extents_said(*layout, nhwc{2, 5, 6, 10}), extents) << text;
  }
}

TEST(import_layout, what_is_no_layout_is_refused) {
  for (const char* text : {"", "nwhc", "nhwc:", "nhwc:c", "nhwc:c=", "nhwc:c=0", "nhwc:c=-8",
                           "nhwc:c=8x", "nhwc:c=8,", "nhwc:k=8", "nhwc:row=99999999999999999999"}) {
    const auto layout = parse_layout(text);
    ASSERT_FALSE(layout.has_value()) << text;
    EXPECT_NE(layout.error().text.find("is not a layout"), std::string::npos);
  }
  // Rows shorter than what they hold, and products beyond any file.
  EXPECT_FALSE(place({element_order::nhwc, 0, 59}, {1, 5, 6, 10}).has_value());
  EXPECT_FALSE(place({element_order::nchw, 0, 6, 29}, {1, 5, 6, 10}).has_value());
  EXPECT_FALSE(place({element_order::nchw, std::int64_t{1} << 31, 0, std::int64_t{1} << 31},
                     {1 << 20, 1 << 20, 6, 10})
                   .has_value());
}

std::vector<double> reals(double scale, const std::vector<int>& steps) {
  std::vector<double> all;
  for (const int k : steps) all.push_back(scale * k);
  return all;
}

TEST(import_grid, codes_are_within_a_thousandth) {
  const code_range int8{-128, 127};
  std::vector<double> near = reals(0.5, {-3, 0, 7, 100});
  const auto grid = on_grid(near, 0.5, 4, int8, 0);
  ASSERT_TRUE(grid.has_value());
  EXPECT_EQ(grid->zero_point, 4);
  EXPECT_EQ(grid->lowest_zero, -125);
  EXPECT_EQ(grid->highest_zero, 27);
  near[2] += 0.5 * 0.9e-3;
  EXPECT_TRUE(on_grid(near, 0.5, 4, int8, 0).has_value());
  near[2] += 0.5 * 0.2e-3;
  EXPECT_FALSE(on_grid(near, 0.5, 4, int8, 0).has_value());
  // A format that rounds more away may be as far off as that.
  EXPECT_TRUE(on_grid(near, 0.5, 4, int8, 0x1p-11).has_value());
  // Beyond the range of codes no zero point helps.
  EXPECT_FALSE(on_grid(reals(0.5, {-128, 128}), 0.5, 0, int8, 0).has_value());
  EXPECT_EQ(on_grid(reals(0.5, {-28, 227}), 0.5, 0, int8, 0)->zero_point, -100);
}

TEST(import_grid, a_scale_nobody_named_is_found_from_multiples_of_it) {
  const code_range int8{-128, 127};
  // 6, 10 and 15 have no common divisor, and none of them is one step.
  const std::vector<int> steps{-6, 10, 15, 0, 30, -45, 105, 66, -75};
  for (const double scale : {0.0123, 1.0 / 3, 7.25e-4, 19.0}) {
    const auto grid = estimate_grid(reals(scale, steps), int8, 3, 0x1p-23);
    ASSERT_TRUE(grid.has_value()) << scale;
    EXPECT_NEAR(grid->scale / scale, 1, 1e-6);
    EXPECT_EQ(grid->zero_point, 3);
    EXPECT_EQ(grid->lowest_zero, -53);
    EXPECT_EQ(grid->highest_zero, 22);
  }
  // Few reals are multiples of something by chance.
  EXPECT_FALSE(estimate_grid(reals(0.1, {3, 5}), int8, 0, 0x1p-23).has_value());
  EXPECT_FALSE(estimate_grid(reals(0.1, {0, 0, 0}), int8, 0, 0x1p-23).has_value());
  // Reals of no grid: square roots are multiples of nothing.
  std::vector<double> roots;
  for (int i = 1; i < 60; ++i) roots.push_back(std::sqrt(i + 0.5));
  EXPECT_FALSE(estimate_grid(roots, int8, 0, 0x1p-23).has_value());
  EXPECT_FALSE(estimate_grid(roots, int8, 0, 0x1p-11).has_value());
}

graph::model named_model(const std::vector<std::string>& names) {
  test::model_maker make;
  for (std::size_t i = 0; i < names.size(); ++i) make.codes({1, 4});
  graph::model m = make.finish({}, {});
  m.name = "named.tflite";
  for (std::size_t i = 0; i < names.size(); ++i) m.tensors[i].name = names[i];
  return m;
}

TEST(import_names, the_surest_form_of_a_name_decides) {
  const graph::model m =
      named_model({"input:0", "net/a/Relu;net/a/Conv2D", "net/b", "net_b_1", "12:0", "t1", "a.b"});
  const model_names names(m);
  using list = std::vector<std::int32_t>;
  const std::vector<std::pair<std::string, list>> cases{
      {"input:0", {0}},
      {"input", {0}},
      {"input_output_0", {0}},
      {"net_a_Relu", {1}},
      {"net_a_Conv2D", {1}},
      {"net_a_Relu_net_a_Conv2D", {1}},
      {"0007_net_a_Relu", {1}},
      {"batch0_net_b", {2}},
      {"batch_3_layer12_net_b_output", {2}},
      {"net_b", {2}},
      {"net_b_1", {3}},
      {"0001_net_b_1:0", {3}},
      {"12", {4}},
      {"t002", {2}},
      {"tensor_3", {3}},
      {"tensor6", {6}},
      {"t1", {5, 1}},  // a name, and an index: values have to decide
      {"a_b", {6}},
      {"a.b", {6}},
      {"net", {}},
      {"b", {}},
      {"0007_", {}},
      {"t999", {}},
      {"t99999999999", {}},
      {"layer_2", {}},
      {"", {}},
      {"_output_0", {}}};
  for (const auto& [stem, expected] : cases) EXPECT_EQ(names.named(stem).tensors, expected) << stem;
}

TEST(import_names, what_a_user_writes_is_one_tensor_or_an_error) {
  const graph::model m = named_model({"a", "same", "same", "5", "b", "c"});
  const model_names names(m);
  EXPECT_EQ(*names.chosen("a"), 0);
  EXPECT_EQ(*names.chosen("4"), 4);
  EXPECT_EQ(*names.chosen("t005"), 5);
  EXPECT_NE(names.chosen("same").error().text.find("names tensors 1 and 2"), std::string::npos);
  EXPECT_NE(names.chosen("5").error().text.find("names tensors 3 and 5"), std::string::npos);
  EXPECT_NE(names.chosen("6").error().text.find("is no tensor"), std::string::npos);
}

/// Correlation is blind to scale and offset, the error is not; a constant agrees with the same constant alone.
TEST(import_reference, agreement_is_that_of_the_formulas) {
  const std::vector<double> r{1, 2, 3, 4};
  const std::vector<double> moved{12, 14, 16, 18}, mirrored{4, 3, 2, 1}, flat{2, 2, 2, 2};
  EXPECT_NEAR(agreement_of(moved, r).correlation, 1, 1e-12);
  // sum (x - r)^2 = 121 + 144 + 169 + 196 = 630, sum (r - 2.5)^2 = 5
  EXPECT_NEAR(agreement_of(moved, r).error, std::sqrt(630.0 / 5), 1e-12);
  EXPECT_NEAR(agreement_of(mirrored, r).correlation, -1, 1e-12);
  EXPECT_EQ(agreement_of(flat, r).correlation, 0);
  EXPECT_EQ(agreement_of(r, flat).correlation, 0);
  EXPECT_EQ(agreement_of(flat, flat).correlation, 1);
}

}  // namespace
