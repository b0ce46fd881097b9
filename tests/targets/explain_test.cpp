// SPDX-License-Identifier: Apache-2.0
// The stages of one element under two targets: each made by hand where that is possible, and the stage where they part.
#include <gtest/gtest.h>
#include <bittwin/graph/executor.hpp>

#include <bittwin/analysis/explain.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <map>
#include <string>

#include "layers.hpp"
#include "support/operator_models.hpp"

namespace {

using namespace bittwin;
using graph::operator_code;

/// Runs a model of one operator under a target; its output's codes.
std::vector<std::int8_t> codes_of(const graph::model& m, const graph::target_rules& rules,
                                  std::uint64_t seed) {
  auto run = graph::executor::prepare(m, rules);
  EXPECT_TRUE(run) << run.error().text;
  if (!run) return {};
  for (std::size_t i = 0; i < m.inputs.size(); ++i)
    EXPECT_TRUE(run->set_input(
        i, analysis::sample_input(m.tensors[static_cast<std::size_t>(m.inputs[i])], seed, i).data));
  run->run();
  std::vector<std::int8_t> codes;
  for (const std::byte b : run->value(m.outputs[0]).bytes)
    codes.push_back(static_cast<std::int8_t>(b));
  return codes;
}

/// The first element, over seeds, on which two targets differ, explained.
analysis::explanation first_parting(operator_code op, std::string_view first,
                                    std::string_view second) {
  graph::model m = test::operator_model(op);
  // Sums that lie in the middle between two codes.
  if (op == operator_code::add)
    m.tensors[static_cast<std::size_t>(m.outputs[0])].quantization.scales = {0.2F};
  const auto &a = graph::shipped_rules(first), &b = graph::shipped_rules(second);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto x = codes_of(m, a, seed), y = codes_of(m, b, seed);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == y[i]) continue;
      const auto operands = [&](std::int32_t tensor) -> result<std::vector<std::byte>> {
        for (std::size_t k = 0; k < m.inputs.size(); ++k)
          if (m.inputs[k] == tensor)
            return analysis::sample_input(m.tensors[static_cast<std::size_t>(tensor)], seed, k)
                .data;
        return error{error_code::bad_option, "no operand"};
      };
      const auto e =
          analysis::explain(m, m.outputs[0], static_cast<std::int64_t>(i), operands, a, b);
      EXPECT_TRUE(e) << e.error().text;
      if (!e) return {};
      EXPECT_EQ(e->first.stages.back().value, std::to_string(x[i]));
      EXPECT_EQ(e->second.stages.back().value, std::to_string(y[i]));
      return *e;
    }
  }
  ADD_FAILURE() << first << " and " << second << " never differ";
  return {};
}

std::string value_of(const analysis::explained& e, std::string_view name) {
  for (const analysis::stage& s : e.stages)
    if (s.name == name) return s.value;
  return "none";
}

TEST(explain, names_the_rescale_where_two_roundings_part) {
  const auto e =
      first_parting(operator_code::conv_2d, "tflite-reference", "tflite-single-rounding");
  ASSERT_TRUE(e.parts_at);
  EXPECT_EQ(e.first.stages[*e.parts_at].name, "rescaled");
  EXPECT_EQ(value_of(e.first, "accumulator"), value_of(e.second, "accumulator"));
  const int first = std::stoi(value_of(e.first, "rescaled"));
  EXPECT_EQ(std::abs(first - std::stoi(value_of(e.second, "rescaled"))), 1);
  EXPECT_EQ(e.first.as, "tflite-reference");
}

TEST(explain, names_the_sum_where_two_additions_part) {
  const auto e = first_parting(operator_code::add, "tflite-reference", "xnnpack-x86");
  ASSERT_TRUE(e.parts_at);
  EXPECT_EQ(e.first.stages[*e.parts_at].name, "sum on the output's grid");
  EXPECT_EQ(value_of(e.first, "first operand less zero point"),
            value_of(e.second, "first operand less zero point"));
}

TEST(explain, names_the_quotient_where_two_pools_part) {
  const auto e = first_parting(operator_code::average_pool_2d, "tflite-reference", "tosa");
  ASSERT_TRUE(e.parts_at);
  EXPECT_EQ(e.first.stages[*e.parts_at].name, "quotient");
  EXPECT_EQ(value_of(e.first, "taps"), "4");
}

/// 2 * 3 codes of 16 * 0.25 ..., worked by hand: the stages are what the formula says.
TEST(explain, tells_the_stages_that_a_hand_finds) {
  test::model_maker m;
  const std::int32_t x = m.codes({1, 2}, 3, element_type::int8, 0.5F);
  const std::int32_t y = m.codes({1, 1}, -4, element_type::int8, 1.0F);
  const std::int32_t w = m.weights({1, 2}, 0);
  m.apply(operator_code::fully_connected, {x, w, graph::no_tensor}, {y},
          graph::fully_connected_options{});
  const graph::model model = m.finish({x}, {y});
  const auto stored = graph::stored_constant(model.tensors[static_cast<std::size_t>(w)]);
  const auto weight = [&](std::size_t i) {
    return static_cast<int>(static_cast<std::int8_t>(stored[i]));
  };
  const auto operands = [](std::int32_t) -> result<std::vector<std::byte>> {
    return std::vector<std::byte>{std::byte{13}, std::byte{5}};
  };
  const auto e = analysis::explain(model, y, 0, operands, graph::shipped_rules("tflite-reference"),
                                   graph::shipped_rules("ruy"));
  ASSERT_TRUE(e) << e.error().text;
  EXPECT_EQ(value_of(e->first, "accumulator"), std::to_string(10 * weight(0) + 2 * weight(1)));
  EXPECT_EQ(value_of(e->first, "zero point and clamp"),
            std::to_string(std::stoi(value_of(e->first, "rescaled")) - 4));
}

TEST(explain, refuses_what_is_not_there) {
  const graph::model m = test::operator_model(operator_code::conv_2d);
  const auto operands = [](std::int32_t) -> result<std::vector<std::byte>> {
    return std::vector<std::byte>{};
  };
  const auto& rules = graph::shipped_rules("ruy");
  EXPECT_NE(analysis::explain(m, 999, 0, operands, rules, rules).error().text.find("no tensor 999"),
            std::string::npos);
  EXPECT_NE(analysis::explain(m, m.outputs[0], 99, operands, rules, rules)
                .error()
                .text.find("99 is none of them"),
            std::string::npos);
  EXPECT_NE(
      analysis::explain(m, m.outputs[0], 0, operands, rules, rules).error().text.find("no room"),
      std::string::npos);
}

}  // namespace
