// SPDX-License-Identifier: Apache-2.0
// Means whose folded zero point zi si / so has a fraction of a half or more: they tell a rounded bias from a
// truncated one.
// Producer: npm @tensorflow/tfjs-tflite 0.0.1-alpha.10 (WebAssembly SIMD, node 20), the model's outputs read after
// a MEAN over axes {1, 2} of a 4-D tensor with keep_dims, the delegate kept away by a RESHAPE of run-time shape.
#include <gtest/gtest.h>

#include <bittwin/kernel/mean.hpp>
#include <bittwin/targets/tflite_builtin.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <vector>

namespace {

using namespace bittwin;

/// The code of a mean over rows * columns codes with that sum.
template <class Target>
int mean_of(std::int32_t rows, std::int32_t columns, std::int64_t sum, affine in, affine out) {
  mean_spec spec;
  spec.input = {1, rows, columns, 1};
  spec.axes = {false, true, true, false};
  spec.keep_dims = true;
  spec.in = in;
  spec.out = out;
  const auto kernel = mean<Target>::prepare(spec);
  EXPECT_TRUE(kernel);
  // Any codes with that sum will do: the rule sees nothing else.
  const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  std::vector<std::int8_t> x(count);
  std::int64_t left = sum;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t share = left / static_cast<std::int64_t>(count - i);
    x[i] = static_cast<std::int8_t>(share);
    left -= share;
  }
  std::vector<std::int8_t> y(1);
  std::vector<std::int64_t> sums(1);
  (*kernel)(std::span<const std::int8_t>(x), std::span(y), std::span(sums));
  return y[0];
}

TEST(mean, the_built_in_kernel_rounds_the_folded_zero_point) {
  using builtin = targets::tflite_builtin;
  const affine in1{0.046875F, 15}, out1{0.0375F, 15};  // 18.75: 19, not 18
  EXPECT_EQ(mean_of<builtin>(6, 6, 1062, in1, out1), 33);
  EXPECT_EQ(mean_of<builtin>(6, 6, 2332, in1, out1), 77);
  const affine in2{0.029575F, 30}, out2{0.02366F, 30};  // 37.5: 38, not 37
  EXPECT_EQ(mean_of<builtin>(10, 8, 1678, in2, out2), 18);
  const affine in3{0.03125F, -47}, out3{0.025F, -47};  // -58.75: -59, not -58
  EXPECT_EQ(mean_of<builtin>(12, 10, -3028, in3, out3), -20);
}

// -637 / 5 = -127.4. The first step keeps one more bit, -254.8: -255; half of that is a tie, away from zero: -128.
// A reciprocal of one bit less would keep none: -127.
TEST(mean, the_reference_kernel_rounds_twice) {
  const affine grid{0.5F, 0};
  EXPECT_EQ(mean_of<targets::tflite_reference>(1, 5, -637, grid, grid), -128);
  EXPECT_EQ(mean_of<targets::tflite_reference>(1, 5, -622, grid, grid), -125);
}

// si / so = 2^-31: the multiplier's exponent is at its end, and the mean of anything is 0.
TEST(mean, a_tiny_ratio_of_scales_gives_the_zero_point) {
  for (const float scale : {0x1p-31F, 0x1p-30F, 0x1.8p-29F})
    EXPECT_EQ(mean_of<targets::tflite_reference>(2, 4, 800, {scale, 0}, {1.0F, 5}), 5) << scale;
}

TEST(mean, the_reference_kernel_subtracts_the_zero_point_first) {
  // (1062 - 36 * 15) * 1.25 / 36 + 15 = 33.125; (2332 - 540) * 1.25 / 36 + 15 = 77.22
  const affine in{0.046875F, 15}, out{0.0375F, 15};
  EXPECT_EQ(mean_of<targets::tflite_reference>(6, 6, 1062, in, out), 33);
  EXPECT_EQ(mean_of<targets::tflite_reference>(6, 6, 2332, in, out), 77);
}

}  // namespace
