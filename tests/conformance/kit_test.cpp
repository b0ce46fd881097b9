// SPDX-License-Identifier: Apache-2.0
// The kit against planted faults: each is found, and shrunk to a layer of at most 2 x 2 x 2 outputs where that is
// enough to show it. Healthy twins, written another way or of another target's own arithmetic, are never accused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "conformance/healthy_twins.hpp"
#include "conformance/twins.hpp"

namespace {

using namespace twins;
using conformance::check_conv2d;
using conformance::check_depthwise_conv2d;
using conformance::check_fully_connected;
using conformance::verdict;

void expect_found(const verdict& v, std::int32_t most_channels = 2) {
  ASSERT_FALSE(v.passed);
  const nhwc made = v.smallest.output();
  EXPECT_LE(made.n, 1) << v.text;
  EXPECT_LE(made.h, 2) << v.text;
  EXPECT_LE(made.w, 2) << v.text;
  EXPECT_LE(made.c, most_channels) << v.text;
  EXPECT_NE(v.text.find("case: "), std::string::npos);
  EXPECT_NE(v.text.find("seed="), std::string::npos);
}

template <template <class> class Fault> void expect_found_everywhere() {
  expect_found(check_conv2d<base>(kernel_of<faulty<Fault>>{}));
  expect_found(check_depthwise_conv2d<base>(kernel_of<faulty<Fault>>{}));
  expect_found(check_fully_connected<base>(kernel_of<faulty<Fault>>{}));
}

TEST(conformance_kit, finds_a_dropped_upper_clamp_on_a_layer_of_one_element) {
  const verdict v = check_conv2d<base>(kernel_of<faulty<upper_dropped>>{});
  ASSERT_FALSE(v.passed);
  EXPECT_EQ(v.smallest.output(), (nhwc{1, 1, 1, 1})) << v.text;
  expect_found(check_depthwise_conv2d<base>(kernel_of<faulty<upper_dropped>>{}));
  expect_found(check_fully_connected<base>(kernel_of<faulty<upper_dropped>>{}));
}

TEST(conformance_kit, finds_a_dropped_lower_clamp) { expect_found_everywhere<lower_dropped>(); }
TEST(conformance_kit, finds_bounds_taken_literally) { expect_found_everywhere<literal_bounds>(); }
TEST(conformance_kit, finds_ties_rounded_up_instead_of_away) { expect_found_everywhere<ties_up>(); }
TEST(conformance_kit, finds_one_rounding_instead_of_two) {
  expect_found_everywhere<rounded_once>();
}
TEST(conformance_kit, finds_truncation) { expect_found_everywhere<truncated>(); }
TEST(conformance_kit, finds_pair_saturation) { expect_found_everywhere<pairs_saturate>(); }
TEST(conformance_kit, finds_a_16_bit_accumulator) { expect_found_everywhere<narrow_accumulator>(); }
TEST(conformance_kit, finds_an_ignored_weight_zero_point) {
  expect_found_everywhere<weight_zero_ignored>();
}
TEST(conformance_kit, finds_an_output_that_wraps) { expect_found_everywhere<output_wraps>(); }
TEST(conformance_kit, finds_a_clamp_before_the_zero_point) {
  expect_found_everywhere<clamped_before_offset>();
}

TEST(conformance_kit, finds_the_scale_of_channel_0_used_for_all) {
  expect_found(check_conv2d<base>(kernel_of<faulty<first_scale>>{}));
  expect_found(check_depthwise_conv2d<base>(kernel_of<faulty<first_scale>>{}));
}

TEST(conformance_kit, finds_scales_read_in_the_wrong_direction) {
  expect_found(check_conv2d<base>(kernel_of<faulty<reversed_scales>>{}));
  expect_found(check_depthwise_conv2d<base>(kernel_of<faulty<reversed_scales>>{}));
}

TEST(conformance_kit, finds_padding_with_0) {
  expect_found(check_conv2d<base>(kernel_of<faulty<padded_with_zero>>{}));
  expect_found(check_depthwise_conv2d<base>(kernel_of<faulty<padded_with_zero>>{}));
}

TEST(conformance_kit, finds_same_padding_on_the_wrong_side) {
  expect_found(check_conv2d<base>(kernel_of<faulty<padded_on_the_wrong_side>>{}));
  expect_found(check_depthwise_conv2d<base>(kernel_of<faulty<padded_on_the_wrong_side>>{}));
}

TEST(conformance_kit, finds_ignored_dilation) {
  expect_found(check_conv2d<base>(kernel_of<faulty<dilation_ignored>>{}));
  expect_found(check_depthwise_conv2d<base>(kernel_of<faulty<dilation_ignored>>{}));
}

TEST(conformance_kit, finds_the_wrong_order_of_a_depth_multiplier) {
  // Two input channels and a multiplier of 2 are the smallest that show it.
  expect_found(check_depthwise_conv2d<base>(kernel_of<faulty<multiple_major>>{}), 4);
}

TEST(conformance_kit, finds_tail_lanes_beyond_the_last_multiple_of_16) {
  expect_found(check_conv2d<base>(tail_lanes_lost{}), 17);
  expect_found(check_depthwise_conv2d<base>(tail_lanes_lost{}), 17);
}

TEST(conformance_kit, finds_reads_past_the_end) {
  const verdict v = check_conv2d<base>(reads_past_the_end{});
  expect_found(v);
  EXPECT_NE(v.text.find("outside its tensors"), std::string::npos) << v.text;
}

TEST(conformance_kit, finds_writes_past_the_end) {
  expect_found(check_conv2d<base>(writes_past_the_end{}));
}

TEST(conformance_kit, finds_state_kept_between_calls) {
  const verdict v = check_conv2d<base>(keeps_state{});
  expect_found(v);
  EXPECT_NE(v.text.find("state between calls"), std::string::npos) << v.text;
}

TEST(conformance_kit, finds_elements_that_are_not_written) {
  expect_found(check_fully_connected<base>(output_not_written{}), 3);
}

template <class Target> void expect_healthy() {
  EXPECT_TRUE(check_conv2d<Target>(kernel_of<Target>{}));
  EXPECT_TRUE(check_depthwise_conv2d<Target>(kernel_of<Target>{}));
  EXPECT_TRUE(check_fully_connected<Target>(kernel_of<Target>{}));
}

TEST(conformance_kit, never_accuses_a_target_of_its_own_arithmetic) {
  expect_healthy<targets::tflite_reference>();
  expect_healthy<targets::tflite_single_rounding>();
  expect_healthy<targets::tflite_builtin>();
  expect_healthy<targets::xnnpack>();
}

template <class Kernel> void expect_healthy_everywhere(Kernel kernel) {
  for (const verdict& v : {check_conv2d<base>(kernel), check_depthwise_conv2d<base>(kernel),
                           check_fully_connected<base>(kernel)})
    EXPECT_TRUE(v.passed) << v.text;
}

TEST(conformance_kit, never_accuses_the_same_integers_summed_in_another_order) {
  expect_healthy_everywhere(summed_by<backwards>{});
  expect_healthy_everywhere(summed_by<even_and_odd_taps>{});
  expect_healthy_everywhere(summed_by<blocks_of_three>{});
  expect_healthy_everywhere(summed_by<as_a_tree>{});
  expect_healthy_everywhere(summed_by<smallest_first>{});
  expect_healthy_everywhere(summed_by<positive_and_negative_apart>{});
}

TEST(conformance_kit, never_accuses_accumulators_of_another_kind_that_hold_the_same_sums) {
  expect_healthy_everywhere(summed_by<modulo_2_to_32>{});
  expect_healthy_everywhere(summed_by<in_float64>{});
  expect_healthy_everywhere(summed_by<four_bits_at_a_time>{});
}

TEST(conformance_kit, never_accuses_zero_points_that_are_folded_or_moved) {
  expect_healthy_everywhere(summed_by<zero_points_folded>{});
  expect_healthy_everywhere(summed_by<top_bit_flipped>{});
}

TEST(conformance_kit, never_accuses_another_walk_over_the_layer) {
  expect_healthy_everywhere(im2col_in_tiles{});
  expect_healthy_everywhere(one_image_at_a_time{});
  const verdict v = check_depthwise_conv2d<base>(depthwise_as_conv{});
  EXPECT_TRUE(v.passed) << v.text;
}

TEST(conformance_kit, never_accuses_scratch_memory) {
  expect_healthy_everywhere(keeps_scratch{});
  expect_healthy_everywhere(writes_twice{});
}

TEST(conformance_kit, gives_the_same_failing_case_in_two_runs_with_one_seed) {
  const verdict first = check_conv2d<base>(kernel_of<faulty<ties_up>>{});
  const verdict second = check_conv2d<base>(kernel_of<faulty<ties_up>>{});
  EXPECT_EQ(first.smallest, second.smallest);
  EXPECT_EQ(first.text, second.text);
}

TEST(conformance_kit, prints_a_line_that_reproduces_the_failure) {
  const verdict found = check_conv2d<base>(kernel_of<faulty<ties_up>>{});
  const auto begin = found.text.find("case: ") + 6;
  const auto read =
      conformance::parse_case(found.text.substr(begin, found.text.find('\n', begin) - begin));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, found.smallest);
  EXPECT_FALSE(conformance::check_case<base>(kernel_of<faulty<ties_up>>{}, *read));
  EXPECT_TRUE(conformance::check_case<base>(kernel_of<base>{}, *read));
}

RC_GTEST_PROP(case_lines, are_read_back_as_the_case_that_was_printed, ()) {
  const auto kind =
      *rc::gen::element(conformance::layer_kind::conv2d, conformance::layer_kind::depthwise_conv2d,
                        conformance::layer_kind::fully_connected);
  const layer_case c = *conformance::layer_cases({.kind = kind});
  const auto read = conformance::parse_case(conformance::to_line(c));
  RC_ASSERT(read.has_value());
  RC_ASSERT(conformance::to_line(*read) == conformance::to_line(c));
  RC_ASSERT(read->output() == c.output());
}

TEST(case_lines, of_which_a_word_is_wrong_are_refused_by_that_word) {
  const auto refusal = [](std::string_view line) {
    return conformance::parse_case(line).error().text;
  };
  EXPECT_NE(refusal("conv3d n1").find("\"conv3d\""), std::string::npos);
  EXPECT_NE(refusal("conv2d n1 ihx").find("\"ihx\""), std::string::npos);
  EXPECT_NE(refusal("conv2d n0").find("\"n0\""), std::string::npos);
  EXPECT_NE(refusal("conv2d zx-129").find("\"zx-129\""), std::string::npos);
  EXPECT_NE(refusal("conv2d kh3 valid").find("does not fit"), std::string::npos);
  EXPECT_NE(refusal("  ").find("empty"), std::string::npos);
}

}  // namespace
