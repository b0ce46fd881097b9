// SPDX-License-Identifier: Apache-2.0
// The kit against planted faults: each is found, and shrunk to a layer of at most 2 x 2 x 2 outputs where that is
// enough to show it. Healthy twins, written another way or of another target's own arithmetic, are never accused.
#include <gtest/gtest.h>

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

/// The same integers in another order: output channels outermost, taps from the last to the first, weights and
/// input centred beforehand. Written without the reference loops.
struct written_another_way {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    const auto rule = requantizer_of<base, room::conv2d>(
        {.input = c.type, .output = c.type, .per_channel = c.per_channel});
    const window rows = c.rows(), columns = c.columns();
    const nhwc made = c.output();
    for (std::int32_t oc = 0; oc < c.oc; ++oc) {
      const float scale = d.filter_scales[c.per_channel ? static_cast<std::size_t>(oc) : 0];
      const requantizer to_code =
          bind(rule, d.quantization.input.scale, scale, d.quantization.output, c.fused, c.type);
      for (std::int64_t at = made.elements() / made.c - 1; at >= 0; --at) {
        const auto ox = static_cast<std::int32_t>(at % made.w);
        const auto oy = static_cast<std::int32_t>(at / made.w % made.h);
        const auto image = static_cast<std::int32_t>(at / made.w / made.h);
        std::int64_t sum = 0;
        for (std::int32_t ic = c.ic - 1; ic >= 0; --ic)
          for (std::int32_t ky = c.kh - 1; ky >= 0; --ky)
            for (std::int32_t kx = c.kw - 1; kx >= 0; --kx) {
              const std::int32_t iy = rows.at(oy, ky), ix = columns.at(ox, kx);
              if (!rows.inside(iy) || !columns.inside(ix)) continue;
              const auto from = static_cast<std::size_t>(
                  ((std::int64_t{image} * c.ih + iy) * c.iw + ix) * c.ic + ic);
              const auto tap = static_cast<std::size_t>(
                  ((std::int64_t{oc} * c.kh + ky) * c.kw + kx) * c.ic + ic);
              sum += std::int64_t{x[from] - d.quantization.input.zero_point} *
                     (d.weights[tap] - d.quantization.filter_zero_point);
            }
        if (!d.bias.empty()) sum += d.bias[static_cast<std::size_t>(oc)];
        y[static_cast<std::size_t>(at * made.c + oc)] = static_cast<T>(to_code(sum, 0));
      }
    }
  }
};

TEST(conformance_kit, never_accuses_the_same_integers_summed_in_another_order) {
  const verdict v = check_conv2d<base>(written_another_way{});
  EXPECT_TRUE(v.passed) << v.text;
}

}  // namespace
