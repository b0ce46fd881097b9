// SPDX-License-Identifier: Apache-2.0
// What prepare() refuses, at the bounds: one past is refused, the bound itself is taken.
#include <gtest/gtest.h>

#include <bittwin/bittwin.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace {

using namespace bittwin;
using target = targets::tflite_reference;
using std::int32_t, std::int8_t;

struct layer {
  nhwc input{1, 4, 4, 4};
  ohwi filter{4, 3, 3, 4};
  padding_kind padding = padding_kind::valid;
  int32_t stride = 1, dilation = 1;
  std::vector<float> scales{0.5F};
  affine in{0.5F, 0}, out{0.5F, 0};
  int32_t filter_zero = 0;
  std::size_t bias_length = 4;
  int missing_weights = 0;

  [[nodiscard]] bool taken() const {
    const std::vector<int8_t> w(static_cast<std::size_t>(filter.elements() - missing_weights),
                                int8_t{1});
    const std::vector<int32_t> bias(bias_length, 3);
    return conv2d<target>::prepare({.input = input,
                                    .filter = filter,
                                    .stride_h = stride,
                                    .stride_w = stride,
                                    .dilation_h = dilation,
                                    .dilation_w = dilation,
                                    .padding = padding,
                                    .quantization = {.input = in,
                                                     .filter_scales = scales,
                                                     .filter_zero_point = filter_zero,
                                                     .output = out}},
                                   std::span(w), std::span(bias))
        .has_value();
  }
};

TEST(refusals, lengths_are_those_of_the_channels) {
  EXPECT_TRUE(layer{}.taken());
  for (const std::size_t length : {1U, 3U, 5U}) EXPECT_FALSE(layer{.bias_length = length}.taken());
  EXPECT_TRUE(layer{.bias_length = 0}.taken());
  EXPECT_TRUE((layer{.scales = std::vector<float>(4, 0.5F)}.taken()));
  for (const std::size_t count : {0U, 2U, 3U, 5U})
    EXPECT_FALSE((layer{.scales = std::vector<float>(count, 0.5F)}.taken())) << count;
  EXPECT_FALSE(layer{.missing_weights = 1}.taken());
  EXPECT_FALSE(layer{.missing_weights = -1}.taken());
}

TEST(refusals, windows_fit_into_their_input) {
  EXPECT_TRUE((layer{.input = {1, 3, 3, 4}}.taken()));
  EXPECT_FALSE((layer{.input = {1, 2, 3, 4}}.taken()));
  EXPECT_FALSE((layer{.input = {1, 3, 2, 4}}.taken()));
  EXPECT_TRUE((layer{.input = {1, 1, 1, 4}, .padding = padding_kind::same}.taken()));
  EXPECT_TRUE((layer{.input = {1, 5, 5, 4}, .dilation = 2}.taken()));
  EXPECT_FALSE((layer{.dilation = 2}.taken()));
  EXPECT_FALSE(layer{.stride = 0}.taken());
  EXPECT_FALSE(layer{.dilation = 0}.taken());
  EXPECT_FALSE((layer{.input = {1, 0, 4, 4}, .padding = padding_kind::same}.taken()));
  EXPECT_FALSE((layer{.filter = {4, 0, 3, 4}}.taken()));
}

// No memory is touched before the kernel runs, so the largest layers can be asked for.
TEST(refusals, windows_span_at_most_2_to_the_30) {
  constexpr int32_t most = 1 << 30;
  const auto row = [](int32_t width, int32_t taps, int32_t stride, int32_t dilation,
                      padding_kind padding) {
    return layer{.input = {1, 1, width, 4},
                 .filter = {4, 1, taps, 4},
                 .padding = padding,
                 .stride = stride,
                 .dilation = dilation}
        .taken();
  };
  constexpr padding_kind same = padding_kind::same, valid = padding_kind::valid;
  EXPECT_TRUE(row(most, 3, 1, 1, valid));
  EXPECT_FALSE(row(most + 1, 3, 1, 1, valid));
  EXPECT_TRUE(row(8, 2, 1, most - 1, same));
  EXPECT_FALSE(row(8, 2, 1, most, same));
  EXPECT_FALSE(row(8, 3, 1, most / 2, same));
  EXPECT_TRUE(row(8, 1, most, 1, same));
  EXPECT_FALSE(row(8, 1, most + 1, 1, same));
}

TEST(refusals, layers_of_16_bits_are_symmetric) {
  for (const int which : {0, 1, 2, 3}) {
    const auto grid = [&](int mine) { return affine{0x1p-10F, which == mine ? 1 : 0}; };
    const std::vector<float> scales{0.5F};
    const std::vector<int8_t> w(4, int8_t{1});
    const dot_product_quantization q{.type = element_type::int16,
                                     .input = grid(1),
                                     .filter_scales = scales,
                                     .filter_zero_point = which == 3 ? 1 : 0,
                                     .output = grid(2)};
    EXPECT_EQ(fully_connected<target>::prepare({.depth = 2, .outputs = 2, .quantization = q},
                                               std::span(w))
                  .has_value(),
              which == 0);
    EXPECT_EQ(batch_matmul<target>::prepare({.type = element_type::int16,
                                             .a_extents = {1, 2},
                                             .b_extents = {2, 1},
                                             .a = grid(1),
                                             .b = grid(3),
                                             .output = grid(2)})
                  .has_value(),
              which == 0);
  }
}

TEST(refusals, channels_divide_into_groups) {
  EXPECT_TRUE((layer{.filter = {4, 3, 3, 2}}.taken()));
  EXPECT_TRUE((layer{.filter = {4, 3, 3, 1}}.taken()));
  EXPECT_FALSE((layer{.filter = {4, 3, 3, 3}}.taken()));
  EXPECT_FALSE((layer{.filter = {3, 3, 3, 2}, .bias_length = 3}.taken()));
  EXPECT_FALSE((layer{.filter = {4, 3, 3, 0}}.taken()));
  EXPECT_FALSE((layer{.filter = {0, 3, 3, 4}, .bias_length = 0}.taken()));
  EXPECT_FALSE((layer{.input = {1, 4, 4, 0}}.taken()));
  EXPECT_TRUE((layer{.input = {0, 4, 4, 4}}.taken())) << "a batch of none";
  EXPECT_FALSE((layer{.input = {-1, 4, 4, 4}}.taken()));
}

TEST(refusals, matrices_have_rows_and_columns) {
  const std::vector<float> scales{0.5F};
  const auto taken = [&](int32_t rows, int32_t depth, int32_t outputs) {
    const std::vector<int8_t> w(static_cast<std::size_t>(depth) *
                                static_cast<std::size_t>(outputs));
    return fully_connected<target>::prepare(
               {.rows = rows,
                .depth = depth,
                .outputs = outputs,
                .quantization = {.input = {0.5F, 0}, .filter_scales = scales, .output = {0.5F, 0}}},
               std::span(w))
        .has_value();
  };
  EXPECT_TRUE(taken(1, 1, 1) && taken(0, 1, 1));
  EXPECT_FALSE(taken(-1, 1, 1));
  EXPECT_FALSE(taken(1, 0, 1));
  EXPECT_FALSE(taken(1, 1, 0));
}

TEST(refusals, zero_points_are_codes) {
  for (const int32_t zero : {-128, 127}) {
    EXPECT_TRUE((layer{.in = {0.5F, zero}}.taken()));
    EXPECT_TRUE((layer{.out = {0.5F, zero}}.taken()));
    EXPECT_TRUE(layer{.filter_zero = zero}.taken());
  }
  for (const int32_t zero : {-129, 128}) {
    EXPECT_FALSE((layer{.in = {0.5F, zero}}.taken()));
    EXPECT_FALSE((layer{.out = {0.5F, zero}}.taken()));
    EXPECT_FALSE(layer{.filter_zero = zero}.taken());
  }
}

TEST(refusals, scales_are_finite_and_above_zero) {
  const float infinite = std::numeric_limits<float>::infinity();
  for (const float scale : {0.0F, -0.5F, infinite, std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_FALSE((layer{.in = {scale, 0}}.taken())) << scale;
    EXPECT_FALSE((layer{.out = {scale, 0}}.taken())) << scale;
    EXPECT_FALSE((layer{.scales = {scale}}.taken())) << scale;
  }
  EXPECT_TRUE((layer{.in = {std::numeric_limits<float>::denorm_min(), 0}}.taken()));
}

TEST(refusals, reductions_are_over_something) {
  const auto over = [](std::int32_t extent, affine in, affine out) {
    return mean<target>::prepare(
               {.input = {2, extent}, .axes = {false, true}, .in = in, .out = out})
        .has_value();
  };
  EXPECT_TRUE(over(1, {0.5F, 127}, {0.5F, -128}));
  EXPECT_FALSE(over(0, {0.5F, 0}, {0.5F, 0}));
  EXPECT_TRUE(over(1 << 30, {0.5F, 0}, {0.5F, 0}));
  const auto all = [](std::int32_t rows) {
    return mean<target>::prepare(
               {.input = {rows, 1 << 15}, .axes = {true, true}, .in = {0.5F, 0}, .out = {0.5F, 0}})
        .has_value();
  };
  EXPECT_TRUE(all(1 << 16));  // 2^31 elements
  EXPECT_FALSE(all((1 << 16) + 1));
  EXPECT_FALSE(over(1, {0.5F, 128}, {0.5F, 0}));
  EXPECT_FALSE(over(1, {0.5F, 0}, {0.5F, -129}));
}

TEST(refusals, operands_of_pairs_broadcast) {
  const auto pair = [](const shape& a, const shape& b) {
    return add<target>::prepare({.a_extents = a,
                                 .b_extents = b,
                                 .a = {1.0F, 0},
                                 .b = {1.0F, 0},
                                 .output = {1.0F, 0}})
        .has_value();
  };
  EXPECT_TRUE(pair({2, 3}, {2, 3}) && pair({2, 3}, {1, 3}) && pair({1, 3}, {2, 3}));
  EXPECT_TRUE(pair({2, 3}, {3}) && pair({}, {2, 3}));
  EXPECT_FALSE(pair({2, 3}, {3, 3}));
  EXPECT_FALSE(pair({2, 3}, {2}));
}

}  // namespace
