// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV, BATCH_MATMUL, int16 dot products, SVDF and LSTM through their doors: laws, and values derived
// here another way than the kernels compute them.
#include <gtest/gtest.h>

#include <bittwin/bittwin.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace {

using namespace bittwin;
using std::int16_t, std::int32_t, std::int64_t, std::int8_t;
using targets::tflite_builtin, targets::tflite_reference, targets::tflite_single_rounding;

template <class T>
std::vector<T> random_codes(std::mt19937& random, std::size_t count, int low, int high) {
  std::uniform_int_distribution<int> code(low, high);
  std::vector<T> codes(count);
  for (T& c : codes) c = static_cast<T>(code(random));
  return codes;
}

// A transposed convolution scatters: each input adds x * w to the outputs its window covers. The kernel gathers;
// the multiplier 1 and a wide output make codes equal to sums.
TEST(transpose_conv, gathers_what_scattering_adds) {
  std::mt19937 random(1);
  for (const auto padding : {padding_kind::same, padding_kind::valid})
    for (const int stride : {1, 2, 3})
      for (const int kernel : {1, 2, 3, 4}) {
        const int x_h = 3, x_w = 4, channels = 2, outputs = 3;
        const int y_h = padding == padding_kind::same ? x_h * stride : (x_h - 1) * stride + kernel;
        const int y_w = padding == padding_kind::same ? x_w * stride : (x_w - 1) * stride + kernel;
        const auto x = random_codes<int16_t>(random, std::size_t(x_h * x_w * channels), -100, 100);
        const auto w =
            random_codes<int8_t>(random, std::size_t(outputs * kernel * kernel * channels), -5, 5);
        std::vector<int64_t> want(std::size_t(y_h * y_w * outputs));
        const auto padding_before = [&](int x_extent, int y_extent) {
          const int needed = (x_extent - 1) * stride + kernel - y_extent;
          return padding == padding_kind::same && needed > 0 ? needed / 2 : 0;
        };
        for (int iy = 0; iy < x_h; ++iy)
          for (int ix = 0; ix < x_w; ++ix)
            for (int oc = 0; oc < outputs; ++oc)
              for (int ky = 0; ky < kernel; ++ky)
                for (int kx = 0; kx < kernel; ++kx) {
                  const int oy = iy * stride - padding_before(x_h, y_h) + ky;
                  const int ox = ix * stride - padding_before(x_w, y_w) + kx;
                  if (oy < 0 || oy >= y_h || ox < 0 || ox >= y_w) continue;
                  for (int ic = 0; ic < channels; ++ic)
                    want[std::size_t((oy * y_w + ox) * outputs + oc)] +=
                        x[std::size_t((iy * x_w + ix) * channels + ic)] *
                        w[std::size_t(((oc * kernel + ky) * kernel + kx) * channels + ic)];
                }
        const std::vector<float> scales{1.0F};
        const transpose_conv_spec spec{
            .input = {1, x_h, x_w, channels},
            .filter = {outputs, kernel, kernel, channels},
            .output_h = y_h,
            .output_w = y_w,
            .stride_h = stride,
            .stride_w = stride,
            .padding = padding,
            .quantization = {.type = element_type::int16, .filter_scales = scales}};
        const auto layer = transpose_conv<tflite_reference>::prepare(spec, std::span(w));
        ASSERT_TRUE(layer) << layer.error().text;
        std::vector<int16_t> y(want.size());
        (*layer)(std::span(x), std::span(y));
        EXPECT_EQ(std::vector<int64_t>(y.begin(), y.end()), want)
            << "stride " << stride << " kernel " << kernel;
      }
}

// The built-in kernels of that version know no activation there.
TEST(transpose_conv, only_the_reference_clamps) {
  const std::vector<float> scales{1.0F};
  const transpose_conv_spec spec{
      .quantization = {.filter_scales = scales, .fused = activation::relu6}};
  const std::vector<int8_t> w{1}, x{-9};
  std::vector<int8_t> y(1);
  const auto reference = transpose_conv<tflite_reference>::prepare(spec, std::span(w));
  const auto builtin = transpose_conv<tflite_builtin>::prepare(spec, std::span(w));
  ASSERT_TRUE(reference && builtin);
  (*reference)(std::span(x), std::span(y));
  EXPECT_EQ(y[0], 0);
  (*builtin)(std::span(x), std::span(y));
  EXPECT_EQ(y[0], -9);
}

// [1 2 3; 4 5 6] * [1 0; 0 1; 1 1] = [4 5; 10 11], however the operands are stored; zero points 1 and 2 added to
// the codes change nothing.
TEST(batch_matmul, a_product_done_by_hand_in_each_storage) {
  const std::vector<int8_t> a{2, 3, 4, 5, 6, 7}, a_adjoint{2, 5, 3, 6, 4, 7};
  const std::vector<int8_t> b{3, 2, 2, 3, 3, 3}, b_adjoint{3, 2, 3, 2, 3, 3};
  for (const bool left : {false, true})
    for (const bool right : {false, true}) {
      const auto kernel =
          batch_matmul<tflite_reference>::prepare({.a_extents = left ? shape{3, 2} : shape{2, 3},
                                                   .b_extents = right ? shape{2, 3} : shape{3, 2},
                                                   .adjoint_a = left,
                                                   .adjoint_b = right,
                                                   .a = {1.0F, 1},
                                                   .b = {1.0F, 2},
                                                   .output = {1.0F, 0}});
      ASSERT_TRUE(kernel) << kernel.error().text;
      std::vector<int8_t> y(4);
      (*kernel)(std::span(left ? a_adjoint : a), std::span(right ? b_adjoint : b), std::span(y));
      EXPECT_EQ(y, (std::vector<int8_t>{4, 5, 10, 11}));
    }
}

TEST(batch_matmul, batches_of_one_are_repeated) {
  const auto kernel = batch_matmul<tflite_reference>::prepare(
      {.a_extents = {2, 1, 1, 1}, .b_extents = {3, 1, 1}, .output = {1.0F, 0}});
  ASSERT_TRUE(kernel) << kernel.error().text;
  EXPECT_EQ(kernel->output(), (shape{2, 3, 1, 1}));
  const std::vector<int8_t> a{1, 10}, b{1, 2, 3};
  std::vector<int8_t> y(6);
  (*kernel)(std::span(a), std::span(b), std::span(y));
  EXPECT_EQ(y, (std::vector<int8_t>{1, 2, 3, 10, 20, 30}));
}

// 0.25 * {1, 2, -2}: twice rounded {1, 1, -1}, once {0, 1, 0}.
TEST(batch_matmul, the_built_in_rounds_once) {
  const auto codes = [](auto kernel) {
    const std::vector<int8_t> a{1, 2, -2}, b{1};
    std::vector<int8_t> y(3);
    EXPECT_TRUE(kernel);
    if (kernel) (*kernel)(std::span(a), std::span(b), std::span(y));
    return y;
  };
  const batch_matmul_spec spec{
      .a_extents = {3, 1}, .b_extents = {1, 1}, .a = {0.25F, 0}, .output = {1.0F, 0}};
  EXPECT_EQ(codes(batch_matmul<tflite_reference>::prepare(spec)), (std::vector<int8_t>{1, 1, -1}));
  EXPECT_EQ(codes(batch_matmul<tflite_builtin>::prepare(spec)), (std::vector<int8_t>{0, 1, 0}));
}

TEST(batch_matmul, operands_that_do_not_fit_are_refused) {
  EXPECT_FALSE(batch_matmul<tflite_reference>::prepare({.a_extents = {2, 3}, .b_extents = {2, 3}}));
  EXPECT_FALSE(batch_matmul<tflite_reference>::prepare({.a_extents = {3}, .b_extents = {3, 1}}));
  EXPECT_FALSE(
      batch_matmul<tflite_reference>::prepare({.a_extents = {2, 1, 1}, .b_extents = {3, 1, 1}}));
}

// 2^-1 cut to 16 bits is exact, so 64-bit sums of any size halve exactly, ties up.
TEST(int16_layers, sums_beyond_32_bits_are_exact) {
  const std::vector<float> scales{0x1p-30F};
  const fully_connected_spec spec{
      .outputs = 3, .quantization = {.type = element_type::int16, .filter_scales = scales}};
  const std::vector<int8_t> w(3);
  const std::vector<int64_t> sums{int64_t{3} << 40, -(int64_t{3} << 40), (int64_t{1} << 29) + 1};
  const std::vector<int16_t> x(1);
  std::vector<int16_t> y(3);
  const auto kernel = fully_connected<tflite_reference>::prepare(spec, std::span(w),
                                                                 std::span<const int64_t>(sums));
  ASSERT_TRUE(kernel) << kernel.error().text;
  (*kernel)(std::span(x), std::span(y));
  EXPECT_EQ(y, (std::vector<int16_t>{3072, -3072, 1}));
}

TEST(int16_layers, zero_points_are_refused) {
  const std::vector<float> scales{1.0F};
  const conv2d_spec spec{
      .quantization = {.type = element_type::int16, .input = {1.0F, 1}, .filter_scales = scales}};
  const std::vector<int8_t> w(1);
  EXPECT_FALSE(conv2d<tflite_reference>::prepare(spec, std::span(w)));
}

// Scales of 1: the state holds the last three inputs, the output is their weighted sum.
TEST(svdf, the_state_is_a_window_of_the_past) {
  svdf_spec spec;
  spec.memory = 3;
  const auto kernel = svdf<tflite_reference>::prepare(spec, {1}, {1, 10, 100}, {5});
  ASSERT_TRUE(kernel) << kernel.error().text;
  std::vector<int64_t> state(3), y(1);
  const auto step = [&](int64_t x) {
    (*kernel)(std::vector<int64_t>{x}, state, y);
    return y[0];
  };
  EXPECT_EQ(step(1), 105);
  EXPECT_EQ(state, (std::vector<int64_t>{0, 0, 1}));
  EXPECT_EQ(step(0), 15);
  EXPECT_EQ(step(-1), -94);
  EXPECT_EQ(state, (std::vector<int64_t>{1, 0, -1}));
}

/// float64 LSTM of one cell and one input, from the definition.
struct real_cell {
  double hidden = 0, cell = 0;
  static double logistic(double q) { return 1 / (1 + std::exp(-q)); }
  double step(double x, const double (&wx)[4], const double (&wh)[4]) {
    const auto q = [&](int g) { return wx[g] * x + wh[g] * hidden; };
    cell = logistic(q(1)) * cell + logistic(q(0)) * std::tanh(q(2));
    hidden = logistic(q(3)) * std::tanh(cell);
    return hidden;
  }
};

template <class Target> void expect_follows_the_definition() {
  lstm_spec spec;
  spec.steps = 20;
  spec.input = {1.0F / 64, 3};
  spec.hidden = {1.0F / 128, -2};
  spec.intermediate = {1.0F / 128, 2};
  spec.input_scales = {0.02F, 0.02F, 0.02F, 0.02F};
  spec.recurrent_scales = spec.input_scales;
  const int wx[]{40, -60, 100, 50}, wh[]{30, 90, -70, 10};
  std::array<lstm_weights, 4> weights;
  double real_x[4], real_h[4];
  for (std::size_t g = 0; g < 4; ++g) {
    weights[g] = {{wx[g]}, {wh[g]}, {0}};
    real_x[g] = wx[g] * double{0.02F};
    real_h[g] = wh[g] * double{0.02F};
  }
  const auto kernel = lstm<Target>::prepare(spec, weights);
  ASSERT_TRUE(kernel) << kernel.error().text;
  std::mt19937 random(2);
  const auto x = random_codes<int64_t>(random, 20, -128, 127);
  std::vector<int64_t> hidden{-2}, cell{0}, y(20);
  (*kernel)(x, hidden, cell, y);
  real_cell real;
  for (std::size_t t = 0; t < x.size(); ++t) {
    const double want = real.step(static_cast<double>(x[t] - 3) / 64, real_x, real_h);
    // A step of the hidden grid is 1/128; the fed-back rounding of it stays below two of them.
    EXPECT_NEAR(static_cast<double>(y[t] + 2) / 128, want, 2.0 / 128) << "step " << t;
  }
  EXPECT_EQ(hidden[0], y.back());
}

TEST(lstm, codes_follow_the_definition) {
  expect_follows_the_definition<tflite_reference>();
  expect_follows_the_definition<tflite_single_rounding>();
  expect_follows_the_definition<tflite_builtin>();
}

TEST(lstm, a_clip_bounds_the_cell) {
  lstm_spec spec;
  spec.steps = 50;
  spec.input = {1.0F, 0};
  spec.hidden = {1.0F / 128, 0};
  spec.intermediate = spec.hidden;
  spec.cell_clip = 0.5F;
  std::array<lstm_weights, 4> weights;
  for (lstm_weights& w : weights) w = {{127}, {0}, {}};
  const auto kernel = lstm<tflite_reference>::prepare(spec, weights);
  ASSERT_TRUE(kernel) << kernel.error().text;
  std::vector<int64_t> hidden{0}, cell{0}, y(50);
  (*kernel)(std::vector<int64_t>(50, 100), hidden, cell, y);
  EXPECT_EQ(cell[0], 2048);  // 0.5 / 2^-12
}

}  // namespace
