// SPDX-License-Identifier: Apache-2.0
// A target as a type and the target that its description makes: the same bytes of every tensor, or the same refusal.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/any_target.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include "layers.hpp"
#include "support/operator_models.hpp"
#include "support/shared_folder.hpp"

namespace {

using namespace bittwin;
using graph::any_target, graph::target_rules;

/// The bytes of every computed tensor, or the sentence of the refusal.
struct outcome {
  std::string refusal;
  std::vector<std::vector<std::byte>> tensors;
  friend bool operator==(const outcome&, const outcome&) = default;
};

outcome run(const graph::model& m, const target_rules& rules) {
  auto prepared = graph::executor::prepare(m, rules, graph::keep_tensors::all);
  if (!prepared) return {prepared.error().text, {}};
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const auto x = analysis::sample_input(m.tensors[static_cast<std::size_t>(m.inputs[i])], 9, i);
    if (auto s = prepared->set_input(i, x.data); !s) return {s.error().text, {}};
  }
  prepared->run();
  outcome made;
  for (const graph::operation& op : m.operations)
    for (const std::int32_t y : op.outputs) {
      const auto bytes = prepared->value(y).bytes;
      made.tensors.emplace_back(bytes.begin(), bytes.end());
    }
  return made;
}

struct both {
  const target_rules* type;
  any_target value;
};

const std::vector<both>& each_twice() {
  static const auto all = [] {
    std::vector<both> made;
    for (const target_description& d : graph::shipped_descriptions()) {
      auto value = any_target::from(d);
      EXPECT_TRUE(value) << d.name << ": " << value.error().text;
      if (value) made.push_back({&graph::shipped_rules(d.name), *std::move(value)});
    }
    return made;
  }();
  return all;
}

TEST(values, of_every_axis_of_every_target_are_known) {
  EXPECT_EQ(each_twice().size(), test::all_targets().size());
}

template <class... Axes> std::vector<std::string_view> axis_names(axis::list<Axes...>) {
  return {Axes::name...};
}

TEST(values, of_one_axis_have_texts_of_their_own) {
  for (const std::string_view axis : axis_names(axis::all{})) {
    const auto values = graph::values_of_axis(axis);
    EXPECT_FALSE(values.empty()) << axis;
    EXPECT_EQ(std::set<std::string>(values.begin(), values.end()).size(), values.size()) << axis;
  }
}

TEST(values, give_the_integers_of_their_types_on_one_model_an_operator) {
  int ran = 0, refused = 0;
  for (const graph::model& m : test::operator_models())
    for (const both& t : each_twice()) {
      const outcome type = run(m, *t.type), value = run(m, t.value.rules());
      EXPECT_EQ(type.refusal, value.refusal);
      EXPECT_TRUE(type == value) << m.name << " under " << t.type->name;
      (type.refusal.empty() ? ran : refused)++;
    }
  EXPECT_GT(ran, 500);
  EXPECT_GT(refused, 500);
}

TEST(values, give_the_integers_of_their_types_on_random_layers) {
  test::dense_layers draw(21);
  std::set<std::string_view> ran;
  for (int round = 0; round < 300; ++round) {
    const bool u8 = round % 3 == 1, powers = round % 2 == 1;
    const auto l = draw({.type = u8 ? element_type::uint8 : element_type::int8,
                         .symmetric = powers,
                         .weights_symmetric = !u8 || powers,
                         .powers_of_two = powers,
                         .per_channel = round % 5 == 1 && !u8,
                         .depth = 3,
                         .fused = round % 7 == 1 ? activation::relu : activation::none});
    for (const both& t : each_twice()) {
      if (t.type->fully_connected == nullptr) continue;
      const auto type = test::prepare(*t.type, l), value = test::prepare(t.value.rules(), l);
      ASSERT_EQ(type.has_value(), value.has_value()) << t.type->name;
      if (!type) {
        EXPECT_EQ(type.error().text, value.error().text);
        continue;
      }
      ran.insert(t.type->name);
      ASSERT_EQ(test::run(*type, l), test::run(*value, l)) << t.type->name;
    }
  }
  EXPECT_EQ(ran.size(), test::all_targets().size() - 16)
      << "all but real and those without dense layers or with other weights";
}

/// int8, zero points of 0, scales that are powers of two, no bias, no activation: two convolutions.
graph::model model_of_a_chip() {
  test::model_maker m;
  const std::int32_t x = m.codes({1, 4, 4, 2}), w = m.weights({4, 3, 3, 2}, -1),
                     y = m.codes({1, 4, 4, 4}), v = m.weights({2, 1, 1, 4}, -1),
                     z = m.codes({1, 4, 4, 2});
  using code = graph::operator_code;
  m.apply(code::conv_2d, {x, w, graph::no_tensor}, {y}, graph::conv_2d_options{});
  m.apply(code::conv_2d, {y, v, graph::no_tensor}, {z}, graph::conv_2d_options{});
  graph::model made = m.finish({x}, {z});
  for (const auto& [tensor, scale] :
       {std::pair{x, 0x1p-4F}, std::pair{w, 0x1p-7F}, std::pair{y, 0x1p-3F}, std::pair{v, 0x1p-6F},
        std::pair{z, 0x1p-2F}})
    made.tensors[static_cast<std::size_t>(tensor)].quantization = {{scale}, {0}, 0};
  return made;
}

TEST(values, of_chips_that_hold_few_layers_run_a_model_of_their_form) {
  const graph::model m = model_of_a_chip();
  std::set<std::string_view> ran;
  for (const both& t : each_twice()) {
    const outcome type = run(m, *t.type), value = run(m, t.value.rules());
    EXPECT_TRUE(type == value) << t.type->name << type.refusal << value.refusal;
    if (type.refusal.empty()) ran.insert(t.type->name);
  }
  for (const char* const chip :
       {"esp-dl-p4", "esp-dl-s3", "rk3588", "nvdla", "vitis-dpu", "max78000", "gemmini", "gap-sq8",
        "mnn-arm64", "ncnn", "intel-npu", "ethos-u", "aie-xdna", "aie-xdna-even", "embarc-mli",
        "embarc-mli-convergent"})
    EXPECT_EQ(ran.count(chip), 1U) << chip;
}

/// uint8, zero points of 0, weights around 128, multipliers of 3 and 6 bits, no bias: 3x3, then 1x1.
graph::model model_of_a_uint8_chip() {
  test::model_maker m;
  const auto bytes = element_type::uint8;
  std::vector<int> wide, narrow;
  for (int i = 0; i < 4 * 9 * 2; ++i) wide.push_back(120 + (i * 7) % 23);
  for (int i = 0; i < 2 * 4; ++i) narrow.push_back(100 + (i * 29) % 71);
  const std::int32_t x = m.codes({1, 4, 4, 2}, 0, bytes, 0x1p-4F),
                     w = m.codes_of({4, 3, 3, 2}, bytes, wide, {5 * 0x1p-7}, 128, 0),
                     y = m.codes({1, 4, 4, 4}, 0, bytes, 0x1p-3F),
                     v = m.codes_of({2, 1, 1, 4}, bytes, narrow, {37 * 0x1p-9}, 128, 0),
                     z = m.codes({1, 4, 4, 2}, 0, bytes, 0x1p-1F);
  using code = graph::operator_code;
  m.apply(code::conv_2d, {x, w, graph::no_tensor}, {y}, graph::conv_2d_options{});
  m.apply(code::conv_2d, {y, v, graph::no_tensor}, {z}, graph::conv_2d_options{});
  return m.finish({x}, {z});
}

TEST(values, of_chips_that_hold_uint8_alone_run_a_model_of_their_form) {
  const graph::model m = model_of_a_uint8_chip();
  std::set<std::string_view> ran;
  std::set<std::vector<std::byte>> results;
  for (const both& t : each_twice()) {
    const outcome type = run(m, *t.type), value = run(m, t.value.rules());
    EXPECT_TRUE(type == value) << t.type->name << type.refusal << value.refusal;
    if (!type.refusal.empty()) continue;
    ran.insert(t.type->name);
    if (!type.tensors.empty()) results.insert(type.tensors.back());
  }
  for (const char* const chip : {"pulp-nn", "pulp-nn-bn", "ne16", "k210", "tvm", "intel-npu"})
    EXPECT_EQ(ran.count(chip), 1U) << chip;
  EXPECT_GT(results.size(), 2U) << "floor, half even and half up part on it";
}

/// Additions are what it has.
TEST(values, of_ethos_n_run_a_model_of_sums) {
  int ran = 0;
  for (const graph::model& m : test::operator_models())
    if (m.operations.size() == 1 && m.operations[0].code == graph::operator_code::add)
      for (const both& t : each_twice())
        if (t.type->name == "ethos-n") ran += run(m, *t.type).refusal.empty();
  EXPECT_GT(ran, 0);
}

/// "ran", or the operator that refused: "3 ADD"
std::string told(const outcome& o) {
  if (o.refusal.empty()) return "ran";
  const std::size_t at = o.refusal.find("operator ");
  if (at == o.refusal.npos) return "refused";
  const std::string rest = o.refusal.substr(at + 9);
  return rest.substr(0, rest.find(':'));
}

TEST(values, give_the_integers_of_their_types_on_the_shared_models) {
  const auto folder = test::shared_folder();
  if (folder.empty()) GTEST_SKIP() << "BITTWIN_SHARED names no folder with models/";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "models"))
    if (entry.path().extension() == ".tflite") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  int ran = 0;
  for (const auto& file : files) {
    const auto m = graph::read_tflite_file(file.string());
    ASSERT_TRUE(m) << m.error().text;
    std::printf("%s\n", file.stem().c_str());
    for (const both& t : each_twice()) {
      const outcome type = run(*m, *t.type), value = run(*m, t.value.rules());
      EXPECT_EQ(type.refusal, value.refusal);
      EXPECT_TRUE(type == value) << file << " under " << t.type->name;
      std::printf("  %-24s %s\n", std::string(t.type->name).c_str(), told(type).c_str());
      ran += type.refusal.empty();
    }
  }
  EXPECT_GT(ran, 80);
}

}  // namespace
