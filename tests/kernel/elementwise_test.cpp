// SPDX-License-Identifier: Apache-2.0
// SQUARED_DIFFERENCE, DIV, comparisons, SUM and RESIZE_BILINEAR: vectors of other implementations, and laws.
// Vectors: tensorflow/tflite-micro 90b983c2 (reference kernels, g++ 12 -O2; "single" built with
// TFLITE_SINGLE_ROUNDING=1) and npm @tensorflow/tfjs-tflite 0.0.1-alpha.10 ("builtin"), one operator a model,
// interpreter Invoke(), inputs and outputs as int8 or uint8 codes.
#include <gtest/gtest.h>

#include <array>
#include <bittwin/bittwin.hpp>
#include <bittwin/kernel/detection.hpp>
#include <bittwin/kernel/pairing.hpp>
#include <bittwin/kernel/resize_bilinear.hpp>
#include <bittwin/kernel/sum.hpp>
#include <vector>

namespace {

using namespace bittwin;
using targets::tflite_builtin;
using targets::tflite_reference;
using targets::tflite_single_rounding;

struct pair_vector {
  std::int64_t a, b, code;
};

constexpr binary_spec differences{.type = element_type::int8,
                                  .a_extents = {1},
                                  .b_extents = {1},
                                  .a = {0.029820099472999573F, -128},
                                  .b = {0.07672766596078873F, 0},
                                  .output = {0.35636094212532043F, -25}};

constexpr binary_spec quotients{.type = element_type::int8,
                                .a_extents = {1},
                                .b_extents = {1},
                                .a = {0.042750000953674316F, -122},
                                .b = {0.025244060903787613F, 127},
                                .output = {0.14548219740390778F, -117}};

TEST(squared_difference_vectors, reference_and_single_rounding_differ_by_one) {
  const auto twice = squared_difference<tflite_reference>::prepare(differences);
  const auto once = squared_difference<tflite_single_rounding>::prepare(differences);
  ASSERT_TRUE(twice && once);
  for (const pair_vector v :
       {pair_vector{74, 29, 16}, {105, -37, 127}, {-77, 7, -22}, {44, 18, 14}, {-83, -24, 3}})
    EXPECT_EQ((*twice)(v.a, v.b), v.code) << v.a << " " << v.b;
  EXPECT_EQ((*once)(74, 29), 15);
}

/// -119 / -120, -118 / -82, -125 / -49 have dividends so small that the shift passes 31 bits: both builds give
/// what their machine code gives, and both are far from the quotient of -117.
TEST(quotient_vectors, small_dividends_show_the_shift_modulo_the_width) {
  const auto twice = quotient<tflite_reference>::prepare(quotients);
  const auto once = quotient<tflite_single_rounding>::prepare(quotients);
  ASSERT_TRUE(twice && once);
  for (const pair_vector v : {pair_vector{-119, -120, -128},
                              {-118, -82, -128},
                              {-125, -49, 127},
                              {-122, -101, -116},
                              {68, 13, -128},
                              {-96, -82, -118},
                              {-6, -122, -122}})
    EXPECT_EQ((*twice)(v.a, v.b), v.code) << v.a << " " << v.b;
  for (const pair_vector v : {pair_vector{-119, -120, -117},
                              {-118, -82, -117},
                              {-125, -49, -117},
                              {-122, -101, -117},
                              {-116, 114, -122}})
    EXPECT_EQ((*once)(v.a, v.b), v.code) << v.a << " " << v.b;
}

TEST(quotient_vectors, uint8_with_relu6_under_builtin) {
  const auto kernel = quotient<tflite_builtin>::prepare({.type = element_type::uint8,
                                                         .a_extents = {1},
                                                         .b_extents = {1},
                                                         .a = {0.033830348402261734F, 185},
                                                         .b = {0.010970507748425007F, 135},
                                                         .output = {0.1193295270204544F, 128},
                                                         .fused = activation::relu6});
  ASSERT_TRUE(kernel);
  for (const pair_vector v :
       {pair_vector{76, 226, 128}, {41, 5, 157}, {47, 68, 178}, {44, 34, 164}, {131, 113, 178}})
    EXPECT_EQ((*kernel)(v.a, v.b), v.code) << v.a << " " << v.b;
}

TEST(quotient_laws, every_pair_of_codes_gives_a_code) {
  const auto kernel = quotient<tflite_reference>::prepare(quotients);
  ASSERT_TRUE(kernel);
  for (int a = -128; a < 128; ++a)
    for (int b = -128; b < 128; ++b) {  // 127 is a divisor of 0
      const std::int64_t code = (*kernel)(a, b);
      ASSERT_TRUE(-128 <= code && code <= 127) << a << " " << b;
    }
}

TEST(squared_difference_laws, operands_of_one_grid_commute) {
  binary_spec spec = differences;
  spec.b = spec.a;
  const auto kernel = squared_difference<tflite_reference>::prepare(spec);
  ASSERT_TRUE(kernel);
  for (int a = -128; a < 128; a += 3)
    for (int b = -128; b < 128; ++b) ASSERT_EQ((*kernel)(a, b), (*kernel)(b, a)) << a << " " << b;
}

TEST(comparison_laws, relations_exclude_each_other_on_unequal_grids) {
  for (const auto& [less_than, not_less] : {std::pair{relation::less, relation::greater_equal},
                                            std::pair{relation::greater, relation::less_equal},
                                            std::pair{relation::equal, relation::not_equal}}) {
    const auto one = compare<tflite_reference>::prepare(differences, less_than);
    const auto other = compare<tflite_reference>::prepare(differences, not_less);
    ASSERT_TRUE(one && other);
    for (int a = -128; a < 128; ++a)
      for (int b = -128; b < 128; b += 5) ASSERT_NE((*one)(a, b), (*other)(a, b)) << a << " " << b;
  }
}

/// 0.5 * (a - 3) < 0.25 * (b + 7)  exactly where  2 * (a - 3) < b + 7: powers of two lose nothing.
TEST(comparison_laws, powers_of_two_compare_as_reals) {
  const binary_spec spec{.type = element_type::int8,
                         .a_extents = {1},
                         .b_extents = {1},
                         .a = {0.5F, 3},
                         .b = {0.25F, -7}};
  const auto kernel = compare<tflite_builtin>::prepare(spec, relation::less);
  ASSERT_TRUE(kernel);
  for (int a = -128; a < 128; ++a)
    for (int b = -128; b < 128; ++b)
      ASSERT_EQ((*kernel)(a, b), 2 * (a - 3) < b + 7) << a << " " << b;
}

mean_spec whole_row(affine in, affine out) {
  mean_spec spec{.type = element_type::int8, .input = {4}, .in = in, .out = out};
  spec.axes[0] = true;
  return spec;
}

template <class Target> std::int8_t sum_of(const mean_spec& spec, std::array<std::int8_t, 4> x) {
  const auto kernel = sum<Target>::prepare(spec);
  std::int8_t y = 0;
  std::int64_t scratch = 0;
  (*kernel)(std::span<const std::int8_t>(x), std::span(&y, 1), std::span(&scratch, 1));
  return y;
}

/// Four times 100 at scale 1, zero point 0: 400 saturates in one kernel, wraps to 400 - 512 in the other.
TEST(sum_vectors, one_kernel_saturates_where_the_other_wraps) {
  const mean_spec equal = whole_row({1.0F, 0}, {1.0F, 0});
  EXPECT_EQ(sum_of<tflite_reference>(equal, {100, 100, 100, 100}), 127);
  EXPECT_EQ(sum_of<tflite_builtin>(equal, {100, 100, 100, 100}), 400 - 512);
}

/// Codes 1 to 4 with zero point 10 are -9, -8, -7, -6: -30, code -20. The built-in kernel adds raw codes.
TEST(sum_vectors, equal_grids_add_raw_codes_in_the_built_in_kernel) {
  const mean_spec equal = whole_row({1.0F, 10}, {1.0F, 10});
  EXPECT_EQ(sum_of<tflite_reference>(equal, {1, 2, 3, 4}), -20);
  EXPECT_EQ(sum_of<tflite_builtin>(equal, {1, 2, 3, 4}), 10);
  const mean_spec unequal = whole_row({1.0F, 10}, {2.0F, 10});
  EXPECT_EQ(sum_of<tflite_reference>(unequal, {1, 2, 3, 4}), -5);
  EXPECT_EQ(sum_of<tflite_builtin>(unequal, {1, 2, 3, 4}), -5);
}

template <class Target> std::vector<int> resized(resize_spec spec, std::vector<std::int64_t> x) {
  const auto kernel = resize_bilinear<Target>::prepare(spec);
  EXPECT_TRUE(kernel);
  std::vector<std::int64_t> y(static_cast<std::size_t>(spec.output().elements()));
  (*kernel)(std::span<const std::int64_t>(x), std::span(y));
  return {y.begin(), y.end()};
}

/// From two pixels 0 and -5 to four: positions 0, 1/2, 1, 3/2 (kept at 1). The tie of -5/2 = -2.5 goes away
/// from zero, up, and up again in XNNPACK's shift.
TEST(resize_bilinear_vectors, ties_of_negative_codes_tell_the_roundings_apart) {
  const resize_spec spec{
      .type = element_type::int8, .input = {1, 1, 2, 1}, .rows = 1, .columns = 4};
  EXPECT_EQ(resized<tflite_reference>(spec, {0, -5}), (std::vector<int>{0, -3, -5, -5}));
  EXPECT_EQ(resized<tflite_single_rounding>(spec, {0, -5}), (std::vector<int>{0, -2, -5, -5}));
  EXPECT_EQ(resized<targets::xnnpack>(spec, {0, -5}), (std::vector<int>{0, -2, -5, -5}));
}

/// Half-pixel centres: positions -1/4, 1/4, 3/4, 5/4 of pixels 0 and 8.
TEST(resize_bilinear_vectors, half_pixel_centres_and_aligned_corners) {
  resize_spec spec{.type = element_type::int8,
                   .input = {1, 1, 2, 1},
                   .rows = 1,
                   .columns = 4,
                   .half_pixel_centers = true};
  EXPECT_EQ(resized<tflite_reference>(spec, {0, 8}), (std::vector<int>{0, 2, 6, 8}));
  EXPECT_EQ(resized<targets::xnnpack>(spec, {0, 8}), (std::vector<int>{0, 2, 6, 8}));
  spec.half_pixel_centers = false;
  spec.align_corners = true;
  EXPECT_EQ(resized<tflite_reference>(spec, {0, 9}), (std::vector<int>{0, 3, 6, 9}));
}

template <class Target> void expect_identity(element_type type) {
  for (const bool half : {false, true}) {
    const resize_spec spec{
        .type = type, .input = {2, 3, 5, 2}, .rows = 3, .columns = 5, .half_pixel_centers = half};
    std::vector<std::int64_t> x;
    for (int i = 0; i < 60; ++i) x.push_back(i * 37 % 128);
    EXPECT_EQ(resized<Target>(spec, x), std::vector<int>(x.begin(), x.end())) << half;
  }
}

TEST(resize_bilinear_laws, the_same_extents_are_the_identity) {
  expect_identity<tflite_reference>(element_type::int8);
  expect_identity<tflite_reference>(element_type::uint8);
  expect_identity<tflite_builtin>(element_type::uint8);
  expect_identity<targets::xnnpack>(element_type::int8);
}

TEST(resize_bilinear_errors, both_flags_and_empty_extents_are_refused) {
  EXPECT_FALSE(resize_bilinear<tflite_reference>::prepare(
      {.align_corners = true, .half_pixel_centers = true}));
  EXPECT_FALSE(resize_bilinear<tflite_reference>::prepare({.input = {1, 0, 2, 1}}));
}

/// int16: (a - 0) / 2 + b, codes 3 and 10 on scales 2^-12 and 2^-11, result on 2^-11: 3/2 rounds away to 2.
TEST(power_of_two_addition, shifts_one_operand_half_away) {
  const binary_spec spec{.type = element_type::int16,
                         .a_extents = {1},
                         .b_extents = {1},
                         .a = {0x1p-12F, 0},
                         .b = {0x1p-11F, 0},
                         .output = {0x1p-11F, 0},
                         .power_of_two = true};
  const auto kernel = add<tflite_builtin>::prepare(spec);
  ASSERT_TRUE(kernel);
  EXPECT_EQ((*kernel)(3, 10), 12);
  EXPECT_EQ((*kernel)(-3, 10), 8);
  EXPECT_EQ((*kernel)(0, 32767), 32767);
  EXPECT_EQ((*kernel)(2, 32767), 32767);
}

TEST(numbers, a_sum_of_int32_is_clamped_by_the_built_in_kernel_alone) {
  const layer_facts numbers{.input = element_type::int32, .output = element_type::int32};
  const code_range all = range_of(element_type::int32);
  const auto reference = addition_rule_of<tflite_reference, room::add>(numbers);
  const auto builtin = addition_rule_of<tflite_builtin, room::add>(numbers);
  EXPECT_EQ(reference.bounds(activation::relu6, {}, all), all);
  EXPECT_EQ(builtin.bounds(activation::relu6, {}, all), (code_range{0, 6}));
}

/// Scores 1, 0, 1/2, 0, 1: the built-in kernel's library takes class 4 before class 0.
/// producer @tensorflow/tfjs-tflite 0.0.1-alpha.10, TFLite_Detection_PostProcess, three classes a box
TEST(detection_vectors, equal_scores_of_one_box) {
  const std::array<float, 5> scores{1.0F, 0.0F, 0.5F, 0.0F, 1.0F};
  const std::vector<detection_box> boxes{{0.0F, 0.0F, 1.0F, 1.0F}};
  detection_spec spec{.boxes = 1, .classes = 5, .most = 1, .classes_a_box = 3};
  const auto labels = [&] {
    std::vector<int> found;
    for (const detection& d : detect(spec, boxes, scores)) found.push_back(d.label);
    return found;
  };
  EXPECT_EQ(labels(), (std::vector<int>{0, 4, 2}));
  spec.stable = false;
  EXPECT_EQ(labels(), (std::vector<int>{4, 0, 2}));
}

/// Boxes [0,0,2,2] and [0,0,2,1] share half of the larger one; [5,5,6,6] stands apart.
TEST(detection_laws, an_overlap_above_the_threshold_hides_the_weaker_box) {
  const std::vector<detection_box> boxes{
      {0.0F, 0.0F, 2.0F, 2.0F}, {0.0F, 0.0F, 2.0F, 1.0F}, {5.0F, 5.0F, 6.0F, 6.0F}};
  detection_spec spec{.boxes = 3, .most = 3, .overlap_threshold = 0.5F};
  const std::vector<float> scores{0.5F, 0.75F, 0.25F};
  EXPECT_EQ(suppress(spec, boxes, scores, 3), (std::vector<std::int32_t>{1, 0, 2}));
  spec.overlap_threshold = 0.25F;
  EXPECT_EQ(suppress(spec, boxes, scores, 3), (std::vector<std::int32_t>{1, 2}));
  spec.score_threshold = 0.5F;
  EXPECT_EQ(suppress(spec, boxes, scores, 3), (std::vector<std::int32_t>{1}));
}

}  // namespace
