// SPDX-License-Identifier: Apache-2.0
// Dumps of other frameworks under a table of names: each tensor lands on the model's number, or the line that is wrong
// is told; reals against codes are measured as reals.
#include <gtest/gtest.h>

#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/analysis/signal_loss.hpp>
#include <bittwin/analysis/tensor_names.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"
#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

const std::vector<named_tensor> known{
    {"input", 0}, {"conv", 3}, {"relu", 4}, {"twice", 5}, {"twice", 6}};

array reals(const shape& extents, const std::vector<float>& values) {
  array a{element_type::float32, extents, std::vector<std::byte>(values.size() * sizeof(float))};
  std::memcpy(a.data.data(), values.data(), a.data.size());
  return a;
}

TEST(tensor_names, are_lines_of_two_fields) {
  const auto names = tensor_names::parse(
      "# theirs,ours\r\n\r\nconv1,3\n\"a, b\",\"he said \"\"relu\"\"\"\nlast,4", "map.csv");
  ASSERT_TRUE(names.has_value()) << names.error().text;
  ASSERT_EQ(names->all.size(), 3u);
  EXPECT_EQ(names->all[0].name, "conv1");
  EXPECT_EQ(names->all[0].tensor, "3");
  EXPECT_EQ(names->all[0].line, 3u);
  EXPECT_EQ(names->all[1].name, "a, b");
  EXPECT_EQ(names->all[1].tensor, "he said \"relu\"");
  EXPECT_EQ(names->all[2].tensor, "4");
  for (const char* wrong : {"", "#\n", "one", "a,b,c", ",b", "a,", "\"a,b", "a,1\na,2"}) {
    const auto refused = tensor_names::parse(wrong, "map.csv");
    ASSERT_FALSE(refused.has_value()) << wrong;
    EXPECT_TRUE(refused.error().text.starts_with("map.csv")) << refused.error().text;
  }
}

TEST(tensor_names, put_loose_files_under_the_numbers_of_a_model) {
  const test::temporary_folder folder;
  std::filesystem::create_directory(folder.path() / "block");
  ASSERT_TRUE(write_npy_file(folder.path() / "block/out.npy", reals({2}, {1.5F, -2.0F})));
  ASSERT_TRUE(write_npy_file(folder.path() / "x.npy", reals({1}, {0.25F})));
  const auto open = [&](const char* csv) {
    return open_dump(folder.path(), *tensor_names::parse(csv, "map.csv"), known);
  };
  const auto d = open("block/out,relu\nx,0\n");
  ASSERT_TRUE(d.has_value()) << d.error().text;
  EXPECT_EQ(d->indices(), (std::vector<std::int32_t>{0, 4}));
  EXPECT_EQ(d->read(4)->data, reals({2}, {1.5F, -2.0F}).data);
  EXPECT_EQ(d->entry(4)->name, "block/out");
  EXPECT_FALSE(d->has(3));
  EXPECT_FALSE(d->has(4, 1));
  const std::pair<const char*, const char*> refused[] = {
      {"gone,relu", "holds no tensor 'gone'"},
      {"x,softmax", "there is no tensor 'softmax'"},
      {"x,9", "there is no tensor '9'"},
      {"x,twice", "two tensors are called 'twice'"},
      {"x,input\nblock/out,0", "map.csv line 2: tensor 0 has a name already"},
      {"../x,relu", "holds no tensor '../x'"},
  };
  for (const auto& [csv, because] : refused) {
    const auto no = open(csv);
    ASSERT_FALSE(no.has_value()) << csv;
    EXPECT_NE(no.error().text.find(because), std::string::npos) << no.error().text;
  }
}

/// The small convolution, and a framework that computes it in reals.
TEST(tensor_names, let_reals_be_compared_with_codes) {
  const graph::model m = *graph::read_tflite(
      test::shared_bytes(test::tflite_builder::build(test::small_convolution())), "small.tflite");
  const graph::target_rules& rules = graph::rules_of<targets::tflite_reference>();
  const test::temporary_folder folder;
  const std::vector<int> x{-3, 1, 5, -7, 20, 30, -40, 0, 2, 4, 6, 8, -1, -2, -3, -4,
                           7,  7, 7, 7,  9,  9,  9,   9, 1, 2, 3, 4, 5,  6,  7,  8};
  const std::vector<int> y{-128, -100, -90, -128, -68, -80, -127, -70, -128, -128, -99, -68};
  const auto codes = [](const shape& extents, const std::vector<int>& values) {
    array a{element_type::int8, extents, {}};
    for (const int v : values) a.data.push_back(static_cast<std::byte>(v & 0xFF));
    return a;
  };
  result<dump_writer> w = dump_writer::create(folder.path() / "ref", m, "", "");
  ASSERT_TRUE(w->add(0, codes({1, 4, 4, 2}, x)) && w->add(4, codes({1, 2, 2, 3}, y)) &&
              w->finish());
  // Input scale 0.5, zero point -3, output 0.1, -128: reals a little off the grid, and one far off.
  std::vector<float> input, output;
  for (const int v : x) input.push_back(0.5F * static_cast<float>(v + 3) + 0.2F);
  for (const int v : y) output.push_back(0.1F * static_cast<float>(v + 128) - 0.01F);
  output[4] += 2.0F;
  std::filesystem::create_directory(folder.path() / "floats");
  ASSERT_TRUE(write_npy_file(folder.path() / "floats/x.npy", reals({1, 4, 4, 2}, input)));
  ASSERT_TRUE(write_npy_file(folder.path() / "floats/y.npy", reals({1, 2, 2, 3}, output)));
  const auto names = *tensor_names::parse("x,input\ny,relu", "map.csv");
  const auto compare = [&] {
    return compare_dumps(*dump::open(folder.path() / "ref"),
                         *open_dump(folder.path() / "floats", names, known), {&m, &rules});
  };
  const auto c = compare();
  ASSERT_TRUE(c.has_value()) << c.error().text;
  EXPECT_TRUE(c->preflight.empty()) << c->preflight[0].text;
  EXPECT_EQ(c->assumptions.back(), "TEST is in reals: no operator is run alone on its operands");
  ASSERT_EQ(c->segments.size(), 2u);
  EXPECT_EQ(c->segments[0].verdict, verdict::not_observed);
  EXPECT_EQ(c->segments[1].verdict, verdict::reparameterized);
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double right = 0.1 * (y[i] + 128), error = i == 4 ? 1.99 : -0.01;
    signal += right * right;
    noise += error * error;
  }
  EXPECT_NEAR(*c->segments[1].metrics.sqnr_db, 10 * std::log10(signal / noise), 1e-3);
  EXPECT_NEAR(c->segments[1].metrics.max_abs, 1.99, 1e-5);
  // More than half a step of 0.5 is another input.
  input[5] += 0.1F;
  ASSERT_TRUE(write_npy_file(folder.path() / "floats/x.npy", reals({1, 4, 4, 2}, input)));
  const auto other = compare();
  ASSERT_EQ(other->preflight.size(), 1u);
  EXPECT_EQ(other->preflight[0].code, "INPUT_DIFFERS");
}

TEST(signal_loss, is_where_a_result_falls_furthest_below_its_operands) {
  comparison c;
  const auto add = [&](std::int32_t tensor, std::vector<std::int32_t> from, double sqnr_db) {
    segment s;
    s.tensor = tensor;
    s.from = std::move(from);
    s.verdict = verdict::reparameterized;
    s.metrics.sqnr_db = sqnr_db;
    c.segments.push_back(s);
  };
  add(1, {0}, 10);  // of the model's input, which has no figure
  add(2, {1}, 9);   // loses 1
  add(3, {1}, 40);
  add(4, {2, 3}, 5);  // loses 4 below the worse operand
  add(5, {3}, 35.5);  // loses 4.5
  add(6, {5, 9}, 1);  // an operand without a figure
  const auto loss = largest_loss(c);
  ASSERT_TRUE(loss.has_value());
  EXPECT_EQ(loss->at->tensor, 5);
  EXPECT_EQ(loss->loss(), 4.5);
  for (segment& s : c.segments) s.verdict = verdict::rounding;
  EXPECT_FALSE(largest_loss(c).has_value()) << "codes have verdicts";
}

}  // namespace
