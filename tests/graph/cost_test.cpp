// SPDX-License-Identifier: Apache-2.0
// Multiply-accumulates against counts done by hand, and what support says of each operator under each target.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/nearest_operator.hpp>
#include <bittwin/graph/support.hpp>
#include <bittwin/targets/all.hpp>
#include <map>

#include "support/operator_models.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;

TEST(cost, counts_what_a_hand_counts) {
  const std::map<operator_code, std::int64_t> by_hand{
      {operator_code::fully_connected, 3 * 32},
      {operator_code::transpose_conv,
       16 * 2 * (2 * 2) * 3},  // every input pixel and channel meets 2x2 taps of 3
      {operator_code::batch_matmul, 4 * (4 * 2 * 3)},
      {operator_code::svdf, 2 * 4 + 2 * 3},
      {operator_code::relu, 0},
  };
  std::size_t met = 0;
  for (const model& m : test::operator_models()) {
    const auto wanted = by_hand.find(m.operations[0].code);
    if (wanted == by_hand.end()) continue;
    EXPECT_EQ(macs_of(m), wanted->second) << m.operations[0].label;
    ++met;
  }
  EXPECT_GE(met, by_hand.size());
}

TEST(cost, of_an_lstm_is_all_its_matrices_a_step) {
  for (const model& m : test::operator_models()) {
    const operation& op = m.operations[0];
    if (op.code != operator_code::unidirectional_sequence_lstm) continue;
    const shape& x =
        m.tensors[static_cast<std::size_t>(op.inputs[0])].extents;  // batch, steps, inputs
    const shape& h = m.tensors[static_cast<std::size_t>(op.inputs[18])].extents;  // batch, cells
    const int gates = op.inputs[1] == no_tensor ? 3 : 4;
    EXPECT_EQ(macs_of(m), std::int64_t{x[0]} * x[1] * gates * h[1] * (x[2] + h[1]));
    EXPECT_GT(macs_of(m), 0);
  }
}

/// Asking each operator for itself says what preparing the whole model says.
TEST(support, agrees_with_the_executor) {
  int ran = 0, refused = 0;
  for (const target_rules* rules : {&rules_of<targets::tflite_reference>(),
                                    &rules_of<targets::xnnpack>(), &rules_of<targets::real>()})
    for (const model& m : test::operator_models()) {
      const auto all = support_of(m, *rules);
      const auto run = executor::prepare(m, *rules);
      ASSERT_EQ(all.size(), m.operations.size());
      const auto first = std::find_if(all.begin(), all.end(), [](const operator_support& one) {
        return one.refused.has_value();
      });
      EXPECT_EQ(first == all.end(), bool(run)) << m.name;
      if (run) {
        for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k].as, run->ran_as(k));
        ++ran;
      } else if (first != all.end()) {
        EXPECT_EQ(first->refused->text, run.error().text);
        ++refused;
      }
    }
  EXPECT_GT(ran, 150);
  EXPECT_GT(refused, 0);
}

TEST(support, names_index_version_and_the_nearest_form_of_what_nothing_defines) {
  model m = test::operator_models().front();
  m.name = "m.tflite";
  m.operations[0].code = static_cast<operator_code>(150);
  m.operations[0].label = operator_name(150);
  m.operations[0].version = 2;
  const auto all = support_of(m, rules_of<targets::tflite_reference>());
  ASSERT_TRUE(all[0].refused);
  EXPECT_EQ(all[0].refused->text,
            "m.tflite: operator 0 GELU: version 2, is not defined by this version of bittwin; the "
            "nearest supported "
            "form is LOGISTIC and MUL, or HARD_SWISH");
}

TEST(support, asks_nothing_of_the_operands_of_an_operator_that_nothing_defines) {
  for (const std::int32_t code : {32, 150}) {
    model m = test::operator_models().front();
    m.operations[0].code = static_cast<operator_code>(code);
    m.operations[0].inputs = {no_tensor, 0};
    for (const target_rules* rules : all_shipped_rules())
      EXPECT_TRUE(support_of(m, *rules)[0].refused);
    m.operations[0].inputs = {};
    for (const target_rules* rules : all_shipped_rules())
      EXPECT_TRUE(support_of(m, *rules)[0].refused);
  }
}

}  // namespace
