// SPDX-License-Identifier: Apache-2.0
// Each hazard of a model, with a healthy twin beside it, and the fix of exposed clamps.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/analysis/audit.hpp>
#include <bittwin/analysis/clamp_fix.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <bittwin/targets/all.hpp>
#include <string>

#include "support/model_maker.hpp"
#include "support/shared_folder.hpp"

namespace {

using namespace bittwin;
using analysis::audit, analysis::audit_report, analysis::hazard;
using code = graph::operator_code;

std::vector<hazard> of_code(const audit_report& report, std::string_view wanted) {
  std::vector<hazard> found;
  std::copy_if(report.hazards.begin(), report.hazards.end(), std::back_inserter(found),
               [&](const hazard& h) { return h.code == wanted; });
  return found;
}

graph::tensor& tensor_of(graph::model& m, std::int32_t index) {
  return m.tensors[static_cast<std::size_t>(index)];
}

/// x[1,4,4,2] * weights[3,2,2,2] -> y[1,4,4,3], with every constant as a test wants it.
struct one_convolution {
  test::model_maker maker;
  std::int32_t x = maker.codes({1, 4, 4, 2}, 3), w = maker.weights({3, 2, 2, 2}), b = maker.bias(3);
  std::int32_t y = maker.codes({1, 4, 4, 3}, 0, element_type::int8, 0.1F);
  graph::conv_2d_options options{.padding = padding_kind::valid};

  graph::model finish() {
    if (options.padding == padding_kind::valid) maker.reshape(y, {1, 3, 3, 3});
    maker.apply(code::conv_2d, {x, w, b}, {y}, options);
    return maker.finish({x}, {y});
  }
};

/// The report of a public question: uint8 at scale 0.2222 and zero point 113, RELU6.
graph::model exposed_relu6() {
  one_convolution c;
  c.options.fused = activation::relu6;
  graph::model m = c.finish();
  for (const std::int32_t t : {c.x, c.w, c.y}) tensor_of(m, t).type = element_type::uint8;
  tensor_of(m, c.w).quantization = {{0.05F}, {120}, 0};
  tensor_of(m, c.y).quantization = {{0.2222F}, {113}, 0};
  return m;
}

TEST(audit, a_clamp_that_the_type_does_not_imply_is_exposed) {
  const auto found = of_code(audit(exposed_relu6()), "CLAMP_EXPOSED");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].low, 113);
  EXPECT_EQ(found[0].high, 140);  // 113 + round(6 / 0.2222) = 113 + 27
  EXPECT_EQ(found[0].exposed_codes, 256 - 28);
}

TEST(audit, a_clamp_that_saturation_implies_is_not_exposed) {
  graph::model m = exposed_relu6();
  tensor_of(m, m.outputs[0]).quantization = {{0.023528F}, {0}, 0};  // the vendor's example
  const audit_report report = audit(m);
  EXPECT_EQ(report.checked.at("clamps"), 1U);
  EXPECT_TRUE(of_code(report, "CLAMP_EXPOSED").empty());
}

std::vector<std::byte> output_of(const graph::model& m, const graph::target_rules& rules) {
  auto run = graph::executor::prepare(m, rules);
  EXPECT_TRUE(run) << run.error().text;
  for (std::size_t i = 0; i < m.inputs.size(); ++i)
    EXPECT_TRUE(run->set_input(
        i, analysis::sample_input(m.tensors[static_cast<std::size_t>(m.inputs[i])], 9, i).data));
  run->run();
  const auto bytes = run->value(m.outputs[0]).bytes;
  return {bytes.begin(), bytes.end()};
}

/// The fault of the report: the upper bound is left to saturation.
struct saturating_board : targets::tflite_reference {
  static constexpr std::string_view name = "saturating-board";
  struct conv2d : targets::tflite_reference::conv2d {
    using activation_bounds = bittwin::activation_bounds::upper_dropped<
        targets::tflite_reference::conv2d::activation_bounds>;
  };
};

TEST(audit, the_fix_changes_no_result_and_holds_on_a_board_that_drops_the_clamp) {
  const graph::model m = exposed_relu6();
  const auto& healthy = graph::rules_of<targets::tflite_reference>();
  const auto& faulty = graph::rules_of<saturating_board>();
  ASSERT_NE(output_of(m, healthy), output_of(m, faulty)) << "the input does not reach the bound";
  const analysis::fixed_model fixed = analysis::spell_out_clamps(m);
  EXPECT_EQ(fixed.clamps, 1U);
  const auto bytes = graph::write_tflite(fixed.m);
  ASSERT_TRUE(bytes) << bytes.error().text;
  const auto again =
      graph::read_tflite(std::make_shared<const std::vector<std::byte>>(*bytes), "fixed.tflite");
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_TRUE(of_code(audit(*again), "CLAMP_EXPOSED").empty());
  EXPECT_EQ(output_of(*again, healthy), output_of(m, healthy));
  EXPECT_EQ(output_of(*again, faulty), output_of(m, healthy));
}

TEST(audit, of_the_public_mobilenet_finds_27_clamps_and_none_exposed) {
  const auto folder = bittwin::test::shared_folder();
  if (folder.empty()) GTEST_SKIP() << "BITTWIN_SHARED names no folder with models/";
  auto m = graph::read_tflite_file(folder / "models" / "mobilenet_v1_0.25_128_u8.tflite");
  ASSERT_TRUE(m) << m.error().text;
  EXPECT_EQ(audit(*m).checked.at("clamps"), 27U);
  EXPECT_TRUE(of_code(audit(*m), "CLAMP_EXPOSED").empty());
  tensor_of(*m, m->operations[4].outputs[0]).quantization = {{0.2222F}, {113}, 0};
  const auto found = of_code(audit(*m), "CLAMP_EXPOSED");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].op, 4U);
}

/// A code is found in the model that a change made faulty, and not before.
template <class Change> void expect_found(std::string_view wanted, graph::model m, Change change) {
  EXPECT_TRUE(of_code(audit(m), wanted).empty()) << wanted << " accuses a healthy model";
  change(m);
  EXPECT_EQ(of_code(audit(m), wanted).size(), 1U) << wanted;
}

TEST(audit, names_what_multipliers_biases_and_weights_hide) {
  const auto convolution = [] { return one_convolution{}.finish(); };
  const auto weights = [](graph::model& m) -> graph::tensor& { return tensor_of(m, 1); };
  const auto bias = [](graph::model& m) -> graph::tensor& { return tensor_of(m, 2); };
  const auto output = [](graph::model& m) -> graph::tensor& { return tensor_of(m, 3); };
  expect_found("MULTIPLIER_GE_1", convolution(),
               [&](graph::model& m) { output(m).quantization.scales = {0.004F}; });
  expect_found("MULTIPLIER_TINY", convolution(),
               [&](graph::model& m) { output(m).quantization.scales = {2e7F}; });
  expect_found("DEAD_CHANNEL", convolution(),
               [&](graph::model& m) { output(m).quantization.scales = {1000.0F}; });
  expect_found("BIAS_SCALE", convolution(),
               [&](graph::model& m) { bias(m).quantization.scales = {0.01F}; });
  expect_found("WEIGHT_ZERO_POINT", convolution(),
               [&](graph::model& m) { weights(m).quantization.zero_points = {5}; });
  std::vector<std::byte> bytes(24, std::byte{5});
  expect_found("WEIGHT_MINUS_128", convolution(), [&](graph::model& m) {
    bytes[7] = std::byte{0x80};
    weights(m).constant = bytes;
  });
  std::vector<std::byte> large(24, std::byte{100});
  expect_found("PAIR_SATURATION", convolution(),
               [&](graph::model& m) { weights(m).constant = large; });
  std::vector<std::int32_t> biases{0, 0x7FFFFFFF, 0};
  expect_found("ACCUMULATOR_OVERFLOW", convolution(),
               [&](graph::model& m) { bias(m).constant = std::as_bytes(std::span(biases)); });
  biases = {0, -0x7FFFFFFF, 0};
  expect_found("BIAS_OVERFLOW", convolution(), [&](graph::model& m) {
    bias(m).constant = std::as_bytes(std::span(biases));
    tensor_of(m, 0).quantization.zero_points = {127};
    weights(m).constant = large;
  });
}

TEST(audit, names_layers_that_targets_place_or_add_otherwise) {
  const auto padded = [](std::int32_t stride) {
    one_convolution c;
    c.options = {.padding = padding_kind::same, .stride_h = stride, .stride_w = stride};
    graph::model m = c.finish();
    return m;
  };
  // A kernel of 2 needs one cell in all, which stands behind.
  EXPECT_EQ(of_code(audit(padded(1)), "SAME_ASYMMETRIC").size(), 1U);
  EXPECT_TRUE(of_code(audit(padded(2)), "SAME_ASYMMETRIC").empty());

  const auto sum_of = [](float a, float b) {
    test::model_maker m;
    const std::int32_t x = m.codes({4}, 0, element_type::int8, a),
                       other = m.codes({4}, 0, element_type::int8, b);
    const std::int32_t y = m.codes({4});
    m.apply(code::add, {x, other}, {y}, graph::binary_options{});
    return m.finish({x, other}, {y});
  };
  EXPECT_TRUE(of_code(audit(sum_of(0.1F, 0.1F)), "ADD_SCALE_RATIO").empty());
  EXPECT_EQ(of_code(audit(sum_of(0.052F, 0.099F)), "ADD_SCALE_RATIO").size(), 1U);

  const auto joined = [](float a) {
    test::model_maker m;
    const std::int32_t x = m.codes({1, 2}, 0, element_type::int8, a), other = m.codes({1, 2}),
                       y = m.codes({1, 4});
    m.apply(code::concatenation, {x, other}, {y}, graph::concatenation_options{.axis = 1});
    return m.finish({x, other}, {y});
  };
  EXPECT_TRUE(of_code(audit(joined(0.1F)), "CONCAT_SCALE").empty());
  EXPECT_EQ(of_code(audit(joined(0.2F)), "CONCAT_SCALE").size(), 1U);

  const auto pooled = [](padding_kind padding) {
    test::model_maker m;
    const std::int32_t x = m.codes({1, 4, 4, 1});
    const std::int32_t y =
        m.codes(padding == padding_kind::same ? shape{1, 4, 4, 1} : shape{1, 2, 2, 1});
    m.apply(code::average_pool_2d, {x}, {y},
            graph::pool_2d_options{.padding = padding, .filter_h = 3, .filter_w = 3});
    return m.finish({x}, {y});
  };
  EXPECT_TRUE(of_code(audit(pooled(padding_kind::valid)), "POOL_PADDING").empty());
  EXPECT_EQ(of_code(audit(pooled(padding_kind::same)), "POOL_PADDING").size(), 1U);
}

TEST(audit, names_what_a_target_refuses) {
  graph::model m = one_convolution{}.finish();
  const auto& rules = graph::rules_of<targets::tflite_reference>();
  EXPECT_TRUE(of_code(audit(m, &rules), "UNSUPPORTED_LAYER").empty());
  tensor_of(m, m.outputs[0]).type = element_type::int32;
  EXPECT_EQ(of_code(audit(m, &rules), "UNSUPPORTED_LAYER").size(), 1U);
}

TEST(audit, asks_nothing_of_the_operands_of_an_operator_that_nothing_defines) {
  graph::model m = one_convolution{}.finish();
  m.operations[0].code = static_cast<code>(150);
  m.operations[0].inputs = {graph::no_tensor};
  m.operations[0].outputs = {};
  const auto found =
      of_code(audit(m, &graph::rules_of<targets::tflite_reference>()), "UNSUPPORTED_LAYER");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].tensor, graph::no_tensor);
}

}  // namespace
