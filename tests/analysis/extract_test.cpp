// SPDX-License-Identifier: Apache-2.0
// Pieces of a model: alone they make what the whole makes there, prefix and suffix are the whole, floats around a piece
// change no code, and a fused activation is the only thing that with_activation changes.
#include <gtest/gtest.h>

#include <bittwin/analysis/extract.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <bittwin/targets/all.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/shared_folder.hpp"
#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

using bytes = std::vector<std::byte>;

const graph::target_rules& rules() { return graph::rules_of<targets::tflite_reference>(); }

/// All tensors of a run on a random input.
std::map<std::int32_t, bytes> tensors_of(const graph::model& m) {
  auto run = graph::executor::prepare(m, rules(), graph::keep_tensors::outputs);
  EXPECT_TRUE(run.has_value()) << run.error().text;
  std::map<std::int32_t, bytes> all;
  const auto keep = [&](std::int32_t index) {
    const auto v = run->value(index).bytes;
    all[index] = {v.begin(), v.end()};
  };
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const auto& t = m.tensors[static_cast<std::size_t>(m.inputs[i])];
    EXPECT_TRUE(run->set_input(i, sample_input(t, 3, i).data));
    keep(m.inputs[i]);
  }
  run->run([&](std::size_t k) {
    for (const std::int32_t index : m.operations[k].outputs) keep(index);
  });
  return all;
}

/// The outputs of a model that was written and read back, on these inputs.
std::vector<bytes> outputs_of(const graph::model& made, const std::vector<bytes>& inputs) {
  const auto file = graph::write_tflite(made);
  EXPECT_TRUE(file.has_value()) << file.error().text;
  const auto m = graph::read_tflite(test::shared_bytes(*file), "piece.tflite");
  EXPECT_TRUE(m.has_value()) << m.error().text;
  auto run = graph::executor::prepare(*m, rules(), graph::keep_tensors::outputs);
  EXPECT_TRUE(run.has_value()) << run.error().text;
  for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_TRUE(run->set_input(i, inputs[i]));
  run->run();
  std::vector<bytes> made_here;
  for (const std::int32_t index : m->outputs) {
    const auto v = run->value(index).bytes;
    made_here.emplace_back(v.begin(), v.end());
  }
  return made_here;
}

std::vector<bytes> of(const std::map<std::int32_t, bytes>& all,
                      const std::vector<std::int32_t>& which) {
  std::vector<bytes> some;
  for (const std::int32_t index : which) some.push_back(all.at(index));
  return some;
}

/// A convolution and a RELU behind it; the zero point leaves room below.
graph::model small() {
  test::tflite_description d = test::small_convolution();
  for (const std::size_t t : {std::size_t{3}, std::size_t{4}}) d.tensors[t].zero_points = {-28};
  return *graph::read_tflite(test::shared_bytes(test::tflite_builder::build(d)), "small.tflite");
}

TEST(extract, every_operator_of_real_models_alone_makes_what_it_makes_in_the_model) {
  const auto folder = test::shared_folder();
  if (folder.empty()) GTEST_SKIP() << "BITTWIN_SHARED names no folder with models/";
  int pieces = 0;
  for (const char* name : {"kws_ref", "resnet8", "ad01", "mcunet_vww"}) {
    const auto m = graph::read_tflite_file(folder / "models" / (std::string(name) + ".tflite"));
    if (!m) continue;
    const auto all = tensors_of(*m);
    for (std::size_t k = 0; k < m->operations.size(); ++k) {
      const auto one = extract(*m, cut::single, k);
      ASSERT_TRUE(one.has_value()) << one.error().text;
      EXPECT_EQ(one->m.operations.size(), 1);
      EXPECT_EQ(outputs_of(one->m, of(all, one->from)), of(all, one->to))
          << name << " operator " << k;
      ++pieces;
    }
    const std::size_t middle = m->operations.size() / 2;
    for (const cut by : {cut::prefix, cut::suffix}) {
      const auto part = extract(*m, by, middle);
      ASSERT_TRUE(part.has_value()) << part.error().text;
      EXPECT_LT(part->ops.size(), m->operations.size());
      EXPECT_EQ(outputs_of(part->m, of(all, part->from)), of(all, part->to)) << name;
      EXPECT_EQ(part->to, by == cut::suffix ? m->outputs : m->operations[middle].outputs);
    }
  }
  EXPECT_GT(pieces, 50);
}

TEST(extract, a_prefix_leaves_out_what_its_operator_does_not_need) {
  graph::model m = small();
  // A second reader of the input, in front: operator 0 becomes it, and nothing needs what it makes.
  graph::operation aside = m.operations[0];
  graph::tensor made = m.tensors[static_cast<std::size_t>(aside.outputs[0])];
  m.tensors.push_back(made);
  aside.outputs = {static_cast<std::int32_t>(m.tensors.size()) - 1};
  m.operations.insert(m.operations.begin(), aside);
  const auto part = extract(m, cut::prefix, 2);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->ops, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(part->from, m.inputs);
}

TEST(extract, floats_around_a_piece_change_no_code) {
  const graph::model m = small();
  const auto all = tensors_of(m);
  const piece codes = *extract(m, cut::prefix, m.operations.size() - 1);
  const piece floats = in_floats(codes);
  const auto reals = [](const graph::tensor& t, const bytes& from) {
    std::vector<float> values;
    for (const std::byte b : from)
      values.push_back(t.quantization.scales[0] *
                       static_cast<float>(std::to_integer<int>(b) -
                                          (b >= std::byte{128} ? 256 : 0) -
                                          static_cast<int>(t.quantization.zero_points[0])));
    bytes raw(values.size() * sizeof(float));
    std::memcpy(raw.data(), values.data(), raw.size());
    return raw;
  };
  for (const std::int32_t index : floats.m.inputs)
    EXPECT_EQ(floats.m.tensors[static_cast<std::size_t>(index)].type, element_type::float32);
  const graph::tensor& x = m.tensors[static_cast<std::size_t>(codes.from[0])];
  const graph::tensor& y = m.tensors[static_cast<std::size_t>(codes.to[0])];
  const auto made = outputs_of(floats.m, {reals(x, all.at(codes.from[0]))});
  ASSERT_EQ(made.size(), 1);
  EXPECT_EQ(made[0], reals(y, all.at(codes.to[0])));
}

TEST(extract, an_activation_bounds_the_codes_and_is_refused_where_there_is_none) {
  const graph::model m = small();
  const auto all = tensors_of(m);
  const piece own = *extract(m, cut::single, 0);
  const graph::tensor& y = m.tensors[static_cast<std::size_t>(own.to[0])];
  const int zero = static_cast<int>(y.quantization.zero_points[0]);
  const int six = zero + static_cast<int>(std::round(6.0 / double{y.quantization.scales[0]}));
  const auto bounds = [&](activation fused) {
    const auto made = outputs_of(with_activation(own, 0, fused)->m, of(all, own.from))[0];
    std::pair<int, int> found{127, -128};
    for (const std::byte b : made) {
      const int code = std::to_integer<int>(b) - (b >= std::byte{128} ? 256 : 0);
      found = {std::min(found.first, code), std::max(found.second, code)};
    }
    return found;
  };
  const auto none = bounds(activation::none), relu = bounds(activation::relu),
             six_at_most = bounds(activation::relu6);
  EXPECT_LT(none.first, zero) << "the input reaches both clamps";
  EXPECT_EQ(relu.first, zero);
  EXPECT_EQ(relu.second, none.second);
  EXPECT_EQ(six_at_most.first, zero);
  EXPECT_EQ(six_at_most.second, std::min(six, none.second));
  const auto refused = with_activation(*extract(m, cut::single, 1), 1, activation::relu);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text.find("operator 1 "), std::string::npos) << refused.error().text;
}

}  // namespace
