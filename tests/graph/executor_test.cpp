// SPDX-License-Identifier: Apache-2.0
// The executor: what it shows of a run, that showing changes nothing, and the target on reals.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/sha256.hpp>
#include <bittwin/targets/all.hpp>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "support/model_maker.hpp"
#include "support/shared_folder.hpp"
#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;
using bittwin::test::tflite_builder, bittwin::test::tflite_description;
using targets::tflite_reference, targets::xnnpack;

using bytes = std::vector<std::byte>;

template <class T> bytes raw(const std::vector<T>& values) {
  const auto view = std::as_bytes(std::span(values));
  return {view.begin(), view.end()};
}

template <class T> std::vector<T> values(const tensor_value& value) {
  std::vector<T> out(value.bytes.size() / sizeof(T));
  std::memcpy(out.data(), value.bytes.data(), value.bytes.size());
  return out;
}

model read(const tflite_description& description) {
  auto m = read_tflite(bittwin::test::shared_bytes(tflite_builder::build(description)), "made");
  EXPECT_TRUE(m) << m.error().text;
  return m ? *m : model{};
}

/// Two channels, a 1x1 convolution of stride 2 to three, RELU6, RELU: see the builder. Scales 0.5;
/// 0.25, 0.5, 1; 0.1. Weights {1, 2}, {3, 4}, {5, -1}, bias 10, -20, 30.
tflite_description small() {
  tflite_description m = bittwin::test::small_convolution();
  m.buffers[2].data = {10, 0, 0, 0, 0xEC, 0xFF, 0xFF, 0xFF, 30, 0, 0, 0};
  return m;
}

/// All pixels 1.0, 0.5 but the one at row 2, column 0: 0.5, 1.0. The stride drops odd ones.
std::vector<std::int8_t> small_input() {
  std::vector<std::int8_t> x;
  for (int pixel = 0; pixel < 16; ++pixel) {
    x.push_back(static_cast<std::int8_t>(pixel == 8 ? -2 : -1));
    x.push_back(static_cast<std::int8_t>(pixel == 8 ? -1 : -2));
  }
  return x;
}

// Pixel 0.5, 1.0:  0.5 * 0.25 + 1 * 0.5 + 10 / 8 = 1.875;  0.5 * 1.5 + 1 * 2 - 20 / 4 = -2.25;
//                  0.5 * 5 - 1 + 30 / 2 = 16.5
// Pixel 1.0, 0.5:  0.25 + 0.25 + 1.25 = 1.75;  1.5 + 1 - 5 = -2.5;  5 - 0.5 + 15 = 19.5
TEST(executors, on_reals_compute_a_convolution_worked_by_hand) {
  const model m = read(small());
  auto run = executor::prepare(m, rules_of<targets::real>());
  ASSERT_TRUE(run) << run.error().text;
  ASSERT_TRUE(run->set_input(0, raw(small_input())));
  run->run();
  EXPECT_EQ(run->value(4).type, element_type::float64);
  EXPECT_EQ(values<double>(run->value(4)),
            (std::vector<double>{1.75, 0, 6, 1.75, 0, 6, 1.875, 0, 6, 1.75, 0, 6}));
}

// The same in codes: 1.875 / 0.1 = 18.75; 1.75 / 0.1 = 17.5, but float32's 0.1 is a little more, so
// that 17.4999997 rounds to 17; 6 / 0.1 = 60. The zero point is -128.
TEST(executors, on_codes_compute_a_convolution_worked_by_hand) {
  const model m = read(small());
  auto run = executor::prepare(m, rules_of<tflite_reference>());
  ASSERT_TRUE(run) << run.error().text;
  ASSERT_TRUE(run->set_input(0, raw(small_input())));
  run->run();
  const std::vector<std::int8_t> codes = values<std::int8_t>(run->value(4));
  EXPECT_EQ(codes, (std::vector<std::int8_t>{-111, -128, -68, -111, -128, -68, -109, -128, -68,
                                             -111, -128, -68}));
}

TEST(executors, take_an_arena_as_large_as_the_limit_and_none_larger) {
  const model m = read(small());
  const auto whole = executor::prepare(m, rules_of<tflite_reference>());
  ASSERT_TRUE(whole);
  const std::size_t bytes_needed = whole->arena_bytes();
  EXPECT_TRUE(
      executor::prepare(m, rules_of<tflite_reference>(), keep_tensors::outputs, bytes_needed));
  const auto refused =
      executor::prepare(m, rules_of<tflite_reference>(), keep_tensors::outputs, bytes_needed - 1);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("above the limit"), std::string::npos)
      << refused.error().text;
}

// Each byte of the file accounts for two codes, each stored as a double at most: 16 bytes. Copies beyond are counted.
TEST(executors, count_copies_of_constants_that_share_a_buffer) {
  tflite_description from = small();
  from.buffers.push_back({.data = std::vector<std::uint8_t>(50'000, 1)});
  for (int i = 0; i < 40; ++i)
    from.tensors.push_back(
        {.name = "shared", .shape = {50'000}, .buffer = 3, .scales = {0.1F}, .zero_points = {0}});
  const model m = read(from);
  const std::size_t constants = 40 * 50'000 + 6 + 12, own = 16 * m.storage->size();
  ASSERT_GT(constants, own);
  const auto fits = [&](std::size_t limit) {
    return executor::prepare(m, rules_of<tflite_reference>(), keep_tensors::outputs, limit)
        .has_value();
  };
  EXPECT_TRUE(fits(constants - own));
  EXPECT_FALSE(fits(constants - own - 1));
}

TEST(executors, tensors_are_aligned_and_apart) {
  const model m = read(small());
  auto run = executor::prepare(m, rules_of<tflite_reference>(), keep_tensors::all);
  ASSERT_TRUE(run);
  for (int i = 0; i < 5; ++i) {
    const auto at = reinterpret_cast<std::uintptr_t>(run->value(i).bytes.data());
    EXPECT_EQ(at % memory_plan::alignment, 0U) << i;
    for (int k = 0; k < i; ++k) {
      const auto other = reinterpret_cast<std::uintptr_t>(run->value(k).bytes.data());
      EXPECT_TRUE(at >= other + run->value(k).bytes.size() ||
                  other >= at + run->value(i).bytes.size());
    }
  }
}

/// MEAN of [1, 4, 4, 2] over one axis, as the file states it; or the refusal.
std::string mean_over(std::int32_t axis, shape made) {
  test::model_maker maker;
  const std::int32_t x = maker.codes({1, 4, 4, 2}), axes = maker.list<std::int32_t>({axis});
  const std::int32_t y = maker.codes(made);
  maker.apply(operator_code::mean, {x, axes}, {y}, reduce_options{true});
  const model m = maker.finish({x}, {y});
  const auto run = executor::prepare(m, rules_of<tflite_reference>());
  return run ? "taken" : run.error().text;
}

TEST(executors, take_axes_from_minus_the_rank_to_the_rank_less_one) {
  EXPECT_EQ(mean_over(3, {1, 4, 4, 1}), "taken");
  EXPECT_EQ(mean_over(-4, {1, 4, 4, 2}), "taken");
  EXPECT_EQ(mean_over(-3, {1, 1, 4, 2}), "taken");
  EXPECT_NE(mean_over(4, {1, 4, 4, 2}).find("axis 4 lies outside a tensor of rank 4"),
            std::string::npos);
  EXPECT_NE(mean_over(-5, {1, 4, 4, 2}).find("axis -5 lies outside"), std::string::npos);
  EXPECT_NE(mean_over(3, {1, 4, 4, 2}), "taken");
}

TEST(executors, variables_begin_at_the_code_of_zero) {
  tflite_description from = small();
  from.tensors.push_back(
      {.name = "state", .shape = {3}, .scales = {0.1F}, .zero_points = {7}, .variable = true});
  const model m = read(from);
  auto run = executor::prepare(m, rules_of<tflite_reference>());
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(values<std::int8_t>(run->value(5)), (std::vector<std::int8_t>{7, 7, 7}));
  run->set_value(5, raw(std::vector<std::int8_t>{1, 2, 3}));
  ASSERT_TRUE(run->set_input(0, raw(small_input())));
  run->run();
  EXPECT_EQ(values<std::int8_t>(run->value(5)), (std::vector<std::int8_t>{1, 2, 3}));
  run->reset_variables();
  EXPECT_EQ(values<std::int8_t>(run->value(5)), (std::vector<std::int8_t>{7, 7, 7}));
}

/// Weights and bias as inputs of the model instead of constants.
tflite_description computed_weights() {
  tflite_description m = small();
  m.tensors[1].buffer = 0;
  m.tensors[2].buffer = 0;
  m.inputs = {0, 1, 2};
  return m;
}

TEST(executors, weights_that_are_inputs_give_what_constants_give) {
  const model fixed = read(small()), computed = read(computed_weights());
  auto a = executor::prepare(fixed, rules_of<tflite_reference>());
  auto b = executor::prepare(computed, rules_of<tflite_reference>());
  ASSERT_TRUE(a && b);
  ASSERT_TRUE(a->set_input(0, raw(small_input())));
  a->run();
  // Twice with other weights in between: nothing of a run stays in the next.
  for (const int weight : {1, 3, 1}) {
    ASSERT_TRUE(b->set_input(0, raw(small_input())));
    ASSERT_TRUE(b->set_input(
        1, raw(std::vector<std::int8_t>{static_cast<std::int8_t>(weight), 2, 3, 4, 5, -1})));
    ASSERT_TRUE(b->set_input(2, raw(std::vector<std::int32_t>{10, -20, 30})));
    b->run();
    const bool equal = values<std::int8_t>(a->value(4)) == values<std::int8_t>(b->value(4));
    EXPECT_EQ(equal, weight == 1);
  }
  // The delegate leaves such an operator to the kernels behind it, and says so.
  auto c = executor::prepare(computed, rules_of<xnnpack>());
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_EQ(c->ran_as(0).rfind("tflite-builtin (left by xnnpack: ", 0), 0U) << c->ran_as(0);
}

TEST(executors, refuse_inputs_of_another_length_or_number) {
  const model m = read(small());
  auto run = executor::prepare(m, rules_of<tflite_reference>());
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->set_input(0, bytes(31)));
  EXPECT_FALSE(run->set_input(0, bytes(33)));
  EXPECT_FALSE(run->set_input(1, bytes(32)));
  EXPECT_TRUE(run->set_input(0, bytes(32)));
}

TEST(executors, refuse_a_model_in_which_nothing_makes_what_an_operator_reads) {
  model m = read(small());
  m.operations[0].inputs[0] = static_cast<std::int32_t>(m.tensors.size());
  m.tensors.push_back(m.tensors[0]);
  const auto run = executor::prepare(m, rules_of<tflite_reference>());
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().text.find("which nothing has produced yet"), std::string::npos);
}

// ---- on real models ------------------------------------------------------------------------------

class on_models : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto folder = bittwin::test::shared_folder();
    if (folder.empty()) GTEST_SKIP() << "BITTWIN_SHARED names no folder with models/ and golden/";
    const std::string name = GetParam();
    auto m = read_tflite_file(folder / "models" / (name + ".tflite"));
    ASSERT_TRUE(m) << m.error().text;
    model_ = *m;
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      const auto array = analysis::read_npy_file(folder / "golden" / name / "input0" /
                                                 ("in" + std::to_string(i) + ".npy"));
      ASSERT_TRUE(array) << array.error().text;
      inputs_.push_back(array->data);
    }
  }
  void set_inputs(executor& run) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) ASSERT_TRUE(run.set_input(i, inputs_[i]));
  }

  /// Hashes of every operator's outputs, as an observer sees them.
  [[nodiscard]] std::vector<std::string> observed(executor& run) const {
    std::vector<std::string> hashes;
    run.run([&](std::size_t op) {
      EXPECT_EQ(op, calls_++ % model_.operations.size());
      for (const std::int32_t t : model_.operations[op].outputs)
        hashes.push_back(sha256_hex(run.value(t).bytes));
    });
    return hashes;
  }

  model model_;
  std::vector<bytes> inputs_;
  mutable std::size_t calls_ = 0;
};

TEST_P(on_models, keeping_every_tensor_changes_none) {
  auto lean = executor::prepare(model_, rules_of<tflite_reference>());
  auto full = executor::prepare(model_, rules_of<tflite_reference>(), keep_tensors::all);
  ASSERT_TRUE(lean && full);
  set_inputs(*lean);
  set_inputs(*full);
  const std::vector<std::string> seen = observed(*lean);
  EXPECT_EQ(seen, observed(*full));
  EXPECT_EQ(calls_, 2 * model_.operations.size()) << "an operator was not shown";
  // What stays readable is what was shown.
  std::size_t i = 0;
  for (const operation& op : model_.operations)
    for (const std::int32_t t : op.outputs)
      EXPECT_EQ(sha256_hex(full->value(t).bytes), seen[i++]) << t;
  for (const std::int32_t t : model_.outputs)
    EXPECT_EQ(sha256_hex(lean->value(t).bytes), sha256_hex(full->value(t).bytes));
  EXPECT_LT(lean->arena_bytes(), full->arena_bytes());
}

TEST_P(on_models, two_runs_are_the_same) {
  auto run = executor::prepare(model_, rules_of<xnnpack>());
  ASSERT_TRUE(run) << run.error().text;
  set_inputs(*run);
  const std::vector<std::string> first = observed(*run);
  set_inputs(*run);  // an input's memory is free once it was read
  EXPECT_EQ(first, observed(*run));
}

TEST_P(on_models, one_operator_alone_repeats_its_part) {
  auto run = executor::prepare(model_, rules_of<tflite_reference>(), keep_tensors::all);
  ASSERT_TRUE(run) << run.error().text;
  set_inputs(*run);
  const std::vector<std::string> whole = observed(*run);
  std::size_t i = 0;
  for (std::size_t op = 0; op < model_.operations.size(); ++op) {
    for (const std::int32_t t : model_.operations[op].outputs)
      run->set_value(t, bytes(run->value(t).bytes.size(), std::byte{0x55}));
    run->run_one(op);
    for (const std::int32_t t : model_.operations[op].outputs)
      EXPECT_EQ(sha256_hex(run->value(t).bytes), whole[i++]) << op;
  }
}

/// Real outputs of one operator against its codes, in codes. A real beyond the output's grid is cut
/// to it, as the quantization of the model does.
double distance(const tensor& of, const std::vector<double>& real,
                std::span<const std::byte> codes) {
  const std::vector<double> dequantized = reals_of(of, codes);
  EXPECT_EQ(real.size(), dequantized.size());
  const double scale = static_cast<double>(of.quantization.scale());
  const code_range range = range_of(of.type);
  const auto zero = static_cast<double>(of.quantization.zero_point());
  double most = 0;
  for (std::size_t i = 0; i < real.size(); ++i) {
    const double on_grid = std::clamp(real[i] / scale + zero, static_cast<double>(range.low),
                                      static_cast<double>(range.high));
    most = std::max(most, std::abs(on_grid - zero - dequantized[i] / scale));
  }
  return most;
}

// Each operator on reals, from the operands that the codes had: half a code away from the result in
// codes, and a little more where the rescale rounds twice (2^-5 of a code at a shift of 4).
TEST_P(on_models, each_operator_on_reals_is_within_a_rounding_of_its_codes) {
  auto ideal = executor::prepare(model_, rules_of<targets::real>(), keep_tensors::all);
  auto coded = executor::prepare(model_, rules_of<tflite_reference>(), keep_tensors::all);
  ASSERT_TRUE(ideal) << ideal.error().text;
  ASSERT_TRUE(coded) << coded.error().text;
  set_inputs(*coded);
  coded->run();
  for (std::size_t k = 0; k < model_.operations.size(); ++k) {
    const operation& op = model_.operations[k];
    for (const std::int32_t t : op.inputs)
      if (t != no_tensor && !model_.tensors[static_cast<std::size_t>(t)].is_constant())
        ideal->set_value(t, coded->value(t).bytes);
    ideal->run_one(k);
    for (const std::int32_t t : op.outputs) {
      const tensor& of = model_.tensors[static_cast<std::size_t>(t)];
      if (!of.quantization.present()) continue;
      const double apart = distance(of, values<double>(ideal->value(t)), coded->value(t).bytes);
      EXPECT_LE(apart, 0.55) << k << " " << op.label;
      if (op.code == operator_code::conv_2d) {
        EXPECT_GT(apart, 0.1) << "nothing was rounded";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(models, on_models, testing::Values("kws_ref", "resnet8", "mcunet_vww"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
