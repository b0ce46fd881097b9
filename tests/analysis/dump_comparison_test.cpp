// SPDX-License-Identifier: Apache-2.0
// Comparing dumps: the operator that parts is found, what follows from it is not blamed.
#include <gtest/gtest.h>
#include <bittwin/analysis/npy.hpp>

#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <functional>
#include <map>

#include "support/temporary_folder.hpp"
#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

using tensors = std::map<std::int32_t, array>;

/// The small convolution, run: input 0, CONV_2D -> 3, RELU -> 4.
class dump_comparison_of_two_runs : public testing::Test {
 protected:
  graph::model model_ = *graph::read_tflite(
      test::shared_bytes(test::tflite_builder::build(test::small_convolution())), "small.tflite");
  const graph::target_rules& rules_ = graph::rules_of<targets::tflite_reference>();
  test::temporary_folder folder_;

  tensors run(std::uint64_t seed) {
    result<graph::executor> e = graph::executor::prepare(model_, rules_, graph::keep_tensors::all);
    EXPECT_TRUE(e.has_value()) << e.error().text;
    EXPECT_TRUE(e->set_input(0, sample_input(model_.tensors[0], seed, 0).data));
    e->run();
    tensors all;
    for (const std::int32_t i : {0, 3, 4}) {
      const graph::tensor_value v = e->value(i);
      all[i] = {v.type, v.extents, {v.bytes.begin(), v.bytes.end()}};
    }
    return all;
  }
  dump write(const std::string& name, const tensors& all) {
    result<dump_writer> w = dump_writer::create(folder_.path() / name, model_, "", "");
    for (const auto& [index, a] : all) EXPECT_TRUE(w->add(index, a));
    EXPECT_TRUE(w->finish());
    return *dump::open(folder_.path() / name);
  }
  comparison compare(const tensors& ref, const tensors& test, bool with_model = true) {
    const dump a = write("ref", ref), b = write("test", test);
    result<comparison> c = compare_dumps(
        a, b, with_model ? comparison_settings{&model_, &rules_} : comparison_settings{});
    EXPECT_TRUE(c.has_value()) << c.error().text;
    return *c;
  }
};

/// Changes a code by one, staying inside the clamp [-128, -68] of ReLU6 at scale 0.1.
void nudge(array& a, std::size_t i) {
  const auto code = static_cast<std::int8_t>(a.data[i]);
  a.data[i] = static_cast<std::byte>(static_cast<std::uint8_t>(code > -100 ? code - 1 : code + 1));
}

TEST_F(dump_comparison_of_two_runs, equal_dumps_are_exact) {
  const comparison c = compare(run(1), run(1));
  ASSERT_EQ(c.segments.size(), 2u);
  for (const segment& s : c.segments) {
    EXPECT_EQ(s.verdict, verdict::exact);
    EXPECT_TRUE(s.one_step->equal());
  }
  EXPECT_EQ(c.first(), nullptr);
  EXPECT_TRUE(c.preflight.empty());
}

TEST_F(dump_comparison_of_two_runs, the_operator_that_parts_is_first_and_its_heirs_are_not_blamed) {
  tensors test = run(1);
  nudge(test[3], 5);
  nudge(test[4], 5);
  const comparison c = compare(run(1), test);
  EXPECT_EQ(c.segments[0].verdict, verdict::undetermined);
  EXPECT_EQ(c.segments[0].metrics.mismatches, 1);
  EXPECT_EQ(c.segments[0].one_step->mismatches, 1);
  EXPECT_EQ(c.segments[1].verdict, verdict::inherited);
  EXPECT_EQ(c.segments[1].one_step->mismatches, 0);
  EXPECT_EQ(c.first(), &c.segments[0]);
}

TEST_F(dump_comparison_of_two_runs, a_second_fault_behind_the_first_is_seen) {
  tensors test = run(1);
  nudge(test[3], 5);
  nudge(test[4], 5);
  nudge(test[4], 7);
  const comparison c = compare(run(1), test);
  EXPECT_EQ(c.segments[1].verdict, verdict::undetermined);
  EXPECT_EQ(c.segments[1].metrics.mismatches, 2);
  EXPECT_EQ(c.segments[1].one_step->mismatches, 1);
}

TEST_F(dump_comparison_of_two_runs, without_a_model_nothing_is_called_inherited) {
  tensors test = run(1);
  nudge(test[3], 5);
  nudge(test[4], 5);
  const comparison c = compare(run(1), test, false);
  ASSERT_EQ(c.segments.size(), 2u);
  EXPECT_EQ(c.segments[1].verdict, verdict::undetermined);
  EXPECT_EQ(c.first()->ops, (std::vector<std::int32_t>{0}));
  EXPECT_FALSE(c.segments[0].one_step);
}

TEST_F(dump_comparison_of_two_runs, operators_between_recorded_tensors_form_one_segment) {
  tensors test = run(1);
  test.erase(3);
  nudge(test[4], 0);
  const comparison c = compare(run(1), test);
  EXPECT_EQ(c.segments[0].verdict, verdict::not_observed);
  EXPECT_EQ(c.segments[1].ops, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(c.segments[1].from, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(c.segments[1].one_step->mismatches, 1);
}

TEST_F(dump_comparison_of_two_runs, other_inputs_come_before_any_diagnosis) {
  for (const bool with_model : {true, false}) {
    const comparison c = compare(run(1), run(2), with_model);
    ASSERT_EQ(c.preflight.size(), 1u);
    EXPECT_EQ(c.preflight[0].code, "INPUT_DIFFERS");
    EXPECT_EQ(c.segments.size(), 2u);
    if (with_model) {
      EXPECT_EQ(c.segments[0].verdict, verdict::inherited);
    }
  }
}

TEST_F(dump_comparison_of_two_runs, an_input_that_test_did_not_record_is_taken_from_ref) {
  tensors test = run(1);
  test.erase(0);
  const comparison c = compare(run(1), test);
  EXPECT_TRUE(c.segments[0].one_step->equal());
  EXPECT_TRUE(std::any_of(c.assumptions.begin(), c.assumptions.end(), [](const std::string& text) {
    return text.find("taken from REF") != std::string::npos;
  }));
}

TEST_F(dump_comparison_of_two_runs, other_shapes_are_the_dumps_of_another_model) {
  tensors test = run(1);
  test[4].extents = shape{1, 4, 3};
  // The writer takes extents from the model, so the array is put there by hand.
  const dump ref = write("ref", run(1));
  const dump d = write("test", run(1));
  std::filesystem::remove(folder_.path() / "test" / "manifest.json");
  ASSERT_TRUE(write_npy_file(folder_.path() / "test" / "t004.npy", test[4]));
  const result<comparison> c = compare_dumps(ref, *dump::open(folder_.path() / "test"), {});
  ASSERT_TRUE(c.has_value());
  ASSERT_EQ(c->preflight.size(), 1u);
  EXPECT_EQ(c->preflight[0].code, "OTHER_MODEL");
  EXPECT_EQ(c->segments[1].verdict, verdict::not_observed);
}

TEST_F(dump_comparison_of_two_runs, a_board_with_its_own_scale_is_compared_on_reals) {
  const dump ref = write("ref", run(1));
  model_.tensors[4].quantization.scales[0] = 0.2F;
  const dump d = write("test", run(1));
  model_.tensors[4].quantization.scales[0] = 0.1F;
  const result<comparison> c = compare_dumps(ref, d, {&model_, &rules_});
  EXPECT_EQ(c->segments[1].verdict, verdict::reparameterized);
  EXPECT_EQ(c->first(), nullptr);
}

TEST_F(dump_comparison_of_two_runs, codes_beyond_the_fused_activation_are_counted) {
  tensors test = run(1);
  EXPECT_EQ(compare(run(1), test).segments[0].out_of_range, 0);
  test[3].data[2] = std::byte{256 - 67};  // ReLU6 ends at code -68
  EXPECT_EQ(compare(run(1), test).segments[0].out_of_range, 1);
}

TEST_F(dump_comparison_of_two_runs, samples_are_counted_together) {
  const auto samples = [&](const std::string& name, bool nudged) {
    result<dump_writer> w = dump_writer::create(folder_.path() / name, model_, "", "");
    for (int n = 0; n < 3; ++n) {
      EXPECT_TRUE(w->start_sample(n));
      for (auto& [index, a] : run(static_cast<std::uint64_t>(n))) {
        array copy = a;
        if (nudged && n == 2 && index == 3) nudge(copy, 1);
        EXPECT_TRUE(w->add(index, copy));
      }
    }
    EXPECT_TRUE(w->finish());
    return *dump::open(folder_.path() / name);
  };
  const result<comparison> c =
      compare_dumps(samples("ref", false), samples("test", true), {&model_, &rules_});
  EXPECT_EQ(c->segments[0].metrics.elements, 36);
  EXPECT_EQ(c->segments[0].metrics.mismatches, 1);
  EXPECT_EQ(c->segments[0].one_step->mismatches, 1);
}

}  // namespace
