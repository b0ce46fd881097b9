// SPDX-License-Identifier: Apache-2.0
// What targets refuse: layers that they cannot represent, sums whose overflow nobody knows, rooms with an unknown axis.
#include <gtest/gtest.h>

#include <bittwin/graph/executor.hpp>
#include <string>

#include "layers.hpp"
#include "support/operator_models.hpp"

namespace {

using namespace bittwin;
using test::dense_layer, test::dense_options;

std::string refusal_of(std::string_view target, const dense_layer& l) {
  const auto kernel = test::prepare(graph::shipped_rules(target), l);
  return kernel ? "" : kernel.error().text;
}
std::string refusal_of(std::string_view target, const dense_options& o, unsigned seed = 5) {
  return refusal_of(target, test::dense_layers(seed)(o));
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST(refusals, name_what_a_layer_lacks) {
  const dense_options s8{}, u8{.type = element_type::uint8},
      channels{.type = element_type::uint8, .per_channel = true};
  EXPECT_EQ(refusal_of("gemmlowp", u8), "");
  EXPECT_EQ(
      refusal_of("gemmlowp", s8),
      "under this target such layers are defined only with uint8 codes; requantize the model, "
      "or choose another target");
  EXPECT_PRED2(has, refusal_of("qnnpack", channels), "one scale a filter");
  EXPECT_PRED2(has, refusal_of("cmsis-nn", u8), "int8 codes (its other kernels are not modelled)");
  EXPECT_PRED2(has, refusal_of("esp-dl-p4", s8), "zero points of 0");
  EXPECT_PRED2(has, refusal_of("esp-dl-p4", {.symmetric = true}), "scales that are powers of two");
  EXPECT_EQ(refusal_of("esp-dl-p4", {.symmetric = true, .powers_of_two = true}), "");
  EXPECT_PRED2(has,
               refusal_of("esp-dl-p4",
                          {.symmetric = true, .powers_of_two = true, .fused = activation::relu6}),
               "no activation, or RELU");
}

TEST(refusals, name_filters_that_a_unit_does_not_have) {
  const auto refusal = [](std::string_view target, std::int32_t h, std::int32_t w) {
    const std::vector<float> scales{0.125F};
    const conv2d_spec s{.input = {1, 9, 9, 1},
                        .filter = {1, h, w, 1},
                        .quantization = {.type = element_type::uint8,
                                         .input = {0.5F, 0},
                                         .filter_scales = scales,
                                         .filter_zero_point = 128,
                                         .output = {1.0F, 0},
                                         .has_bias = false}};
    const std::vector<std::byte> weights(static_cast<std::size_t>(h * w), std::byte{130});
    const auto kernel =
        prepare_conv2d(graph::shipped_rules(target).conv2d(facts_of(s)), s, weights, {});
    return kernel ? std::string() : kernel.error().text;
  };
  for (const char* const target : {"k210", "ne16"}) {
    EXPECT_EQ(refusal(target, 1, 1), "");
    EXPECT_EQ(refusal(target, 3, 3), "");
    EXPECT_PRED2(has, refusal(target, 9, 1), "filters of 1x1 or 3x3");
    EXPECT_PRED2(has, refusal(target, 5, 5), "filters of 1x1 or 3x3");
  }
}

TEST(refusals, let_an_activation_pass_that_the_type_implies) {
  dense_layer l = test::dense_layers(5)({.fused = activation::relu});
  l.spec.quantization.output.zero_point = -128;
  EXPECT_EQ(refusal_of("ort-mlas-x86", l), "");
  l.spec.quantization.output.zero_point = -127;
  EXPECT_PRED2(has, refusal_of("ort-mlas-x86", l), "activations that the type's range implies");
}

TEST(refusals, name_multipliers_that_registers_do_not_hold) {
  const auto at = [](double multiplier, element_type type) {
    return dense_options{.type = type, .least = multiplier, .most = multiplier * 1.0001};
  };
  EXPECT_EQ(refusal_of("qnnpack", at(0.99, element_type::uint8)), "");
  EXPECT_PRED2(has, refusal_of("qnnpack", at(1.1, element_type::uint8)),
               "the target's registers do not hold the multiplier 1.1");
  EXPECT_EQ(refusal_of("xnnpack-x86", at(255, element_type::int8)), "");
  EXPECT_PRED2(has, refusal_of("xnnpack-x86", at(257, element_type::int8)), "do not hold");
  EXPECT_EQ(refusal_of("ruy", at(127, element_type::int8)), "");
  EXPECT_PRED2(has, refusal_of("ruy", at(129, element_type::int8)), "do not hold");
}

TEST(refusals, name_the_channel_whose_sums_nobody_knows) {
  dense_layer l = test::dense_layers(5)({});
  l.bias[3] = std::int64_t{1} << 31;
  EXPECT_PRED2(has, refusal_of("tosa", l), "sums of output channel 3 can reach [");
  EXPECT_PRED2(has, refusal_of("tosa", l), "what the target does beyond 32 bits is unknown");
  EXPECT_EQ(refusal_of("cmsis-nn", l), "");  // wraps
}

TEST(refusals, name_the_operator_and_the_unknown_axis) {
  const auto refused = [](graph::operator_code op, std::string_view target) {
    const graph::model m = test::operator_model(op);
    const auto run = graph::executor::prepare(m, graph::shipped_rules(target));
    return run ? std::string() : run.error().text;
  };
  EXPECT_EQ(
      refused(graph::operator_code::add, "ethos-u"),
      "ADD.tflite: operator 0 ADD: nobody outside knows the addition of target ethos-u; choose "
      "another target, or --assume one for what is unknown");
  EXPECT_PRED2(has, refused(graph::operator_code::average_pool_2d, "ethos-u"), "the pool_division");
  EXPECT_EQ(refused(graph::operator_code::max_pool_2d, "ethos-u"), "");
  EXPECT_PRED2(has, refused(graph::operator_code::softmax, "ethos-u"), "has no room for it");
}

/// An open room is no room: rules that were made without its axis would be somebody's guess.
TEST(refusals, leave_no_rule_in_an_open_room) {
  EXPECT_EQ(graph::shipped_rules("ethos-u").add, nullptr);
  EXPECT_NE(graph::shipped_rules("ethos-u").mul, nullptr);
  static_assert(!room::add::in<targets::ethos_u> && room::add::declared<targets::ethos_u>);
}

}  // namespace
