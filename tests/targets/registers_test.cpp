// SPDX-License-Identifier: Apache-2.0
// Numbers that registers of chips hold, and sums as libraries form them: by hand, and by their sources' words.
#include <gtest/gtest.h>

#include <bittwin/kernel/addition.hpp>
#include <bittwin/policy/accumulator_halved.hpp>
#include <bittwin/policy/rescale_converter.hpp>
#include <bittwin/targets/all.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>

namespace {

using namespace bittwin;

TEST(registers, hold_what_their_sources_hold) {
  // Run-time values: constants would be computed by the compiler.
  const auto of = [](auto construct, double real) { return construct(real); };
  EXPECT_EQ(of(&multipliers::vela_q31::of, 0.375), (multiplier{3 << 29, -1, 0.375}));
  EXPECT_TRUE(of(&multipliers::vela_q31::accepts, 0.375));
  // Rounds up to 2^31, which Vela leaves standing.
  EXPECT_FALSE(of(&multipliers::vela_q31::accepts, std::nextafter(1.0, 0.0)));

  EXPECT_EQ(of(&multipliers::tosa_32::of, 0.375), (multiplier{3 << 29, -32, 0.375}));
  // 3 * 2^-41 = (3 * 2^29) * 2^-70: eight bits of the mantissa are lost, the shift stays 62.
  EXPECT_EQ(of(&multipliers::tosa_32::of, 3 * 0x1p-41), (multiplier{3 << 21, -62, 3 * 0x1p-41}));
  EXPECT_TRUE(of(&multipliers::tosa_32::accepts, 0x1p28));
  EXPECT_FALSE(of(&multipliers::tosa_32::accepts, 0x1p29));  // a shift of 1

  EXPECT_EQ(of(&multipliers::exponent_alone::of, 0x1p-9), (multiplier{1, -9, 0x1p-9}));
  EXPECT_FALSE(of(&multipliers::exponent_alone::accepts, 3 * 0x1p-9));

  EXPECT_EQ(of(&multipliers::of_bits<8>::of, 0.25 * 255 / 256),
            (multiplier{255, -10, 0.25 * 255 / 256}));
  EXPECT_FALSE(of(&multipliers::of_bits<8>::accepts, 257 * 0x1p-11));

  using qnnpack = multipliers::in_q31_registers<mantissas::q31_of_float32>;
  EXPECT_EQ(of(&qnnpack::of, 1.5 * 0x1p-32), (multiplier{3 << 29, -31, 1.5 * 0x1p-32}));
  EXPECT_FALSE(of(&qnnpack::accepts, 1.5 * 0x1p-33));
  EXPECT_FALSE(of(&qnnpack::accepts, 1.0));

  // 2^-43 is the farthest that a shift of 43 reaches.
  using k210 = multipliers::shifted_at_most<43, multipliers::of_bits<15>>;
  EXPECT_EQ(of(&k210::of, 5 * 0x1p-43), (multiplier{5, -43, 5 * 0x1p-43}));
  EXPECT_FALSE(of(&k210::accepts, 5 * 0x1p-44));
  EXPECT_EQ(of(&multipliers::right_shift_alone::of, 1.0), (multiplier{1, 0, 1.0}));
  EXPECT_FALSE(of(&multipliers::right_shift_alone::accepts, 2.0));

  // By hand: 1/3 = 43690.67 / 2^17; the number below 1 carries; 3 * 2^-49 is 0.75 / 2^47, and rounds to 1.
  using ethos_n = multipliers::in_registers<mantissas::rounded_16>;
  EXPECT_EQ(of(&ethos_n::of, 1.0 / 3), (multiplier{43691, -17, 1.0 / 3}));
  EXPECT_EQ(of(&ethos_n::of, std::nextafter(1.0, 0.0)).mantissa, 1 << 15);
  EXPECT_EQ(of(&ethos_n::of, std::nextafter(1.0, 0.0)).exponent, -15);
  EXPECT_EQ(of(&ethos_n::of, 3 * 0x1p-49), (multiplier{1, -47, 3 * 0x1p-49}));
  EXPECT_EQ(of(&ethos_n::of, 0x1p-60), (multiplier{0, -47, 0x1p-60}));
}

/// Random grids, all of one type; every fourth has ties.
struct grids {
  affine a, b, out;
};
grids draw_grids(std::mt19937& random, int low, int high) {
  const auto zero = [&] {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const bool ties = random() % 4 == 0;
  const auto scale = [&] {
    return ties ? std::ldexp(1.0F, -static_cast<int>(random() % 5))
                : 0.005F + static_cast<float>(random() % 100000) * 1e-6F;
  };
  grids g{{scale(), zero()}, {scale(), zero()}, {1.0F, zero()}};
  g.out.scale = ties ? 2 * std::fmax(g.a.scale, g.b.scale) : g.a.scale + g.b.scale;
  return g;
}

int clamped(long value, int low, int high) {
  return static_cast<int>(value < low ? low : value > high ? high : value);
}

/// qnnp_compute_scalar_add_quantization_params and qnnp_add_quantize, in their own terms.
int qnnpack_sum(const grids& g, int a, int b, int low, int high) {
  const float ra = g.a.scale / g.out.scale, rb = g.b.scale / g.out.scale;
  const int shift = 21 - std::ilogb(std::fmax(ra, rb));
  const std::int32_t ma = static_cast<std::int32_t>(std::lrintf(std::ldexp(ra, shift)));
  const std::int32_t mb = static_cast<std::int32_t>(std::lrintf(std::ldexp(rb, shift)));
  const std::int32_t acc = (a - g.a.zero_point) * ma + (b - g.b.zero_point) * mb;
  const std::int32_t mask = static_cast<std::int32_t>((1U << shift) - 1);
  const std::int32_t rest = (acc & mask) - (acc < 0);
  return clamped((acc >> shift) + (rest > (mask >> 1)) + g.out.zero_point, low, high);
}

/// _mm_cvtps_epi32 of (fixed part + a * ratio) + b * ratio.
int mlas_sum(const grids& g, int a, int b, int low, int high) {
  const float ra = g.a.scale / g.out.scale, rb = g.b.scale / g.out.scale;
  const float pa = ra * static_cast<float>(g.a.zero_point);
  const float pb = rb * static_cast<float>(g.b.zero_point);
  const volatile float zeros = pa + pb;  // a rounding of its own
  const volatile float fixed = static_cast<float>(g.out.zero_point) - zeros;
  const volatile float xa = static_cast<float>(a) * ra, xb = static_cast<float>(b) * rb;
  const volatile float first = fixed + xa;
  return clamped(std::lrintf(first + xb), low, high);
}

template <class Target, class F> void expect_sums(element_type type, F formula) {
  std::mt19937 random(8);
  const code_range range = range_of(type);
  const int low = static_cast<int>(range.low), high = static_cast<int>(range.high);
  std::int64_t inside = 0;
  for (int round = 0; round < 300; ++round) {
    const grids g = draw_grids(random, low, high);
    const auto kernel = add<Target>::prepare(
        {.type = type, .a_extents = {1}, .b_extents = {1}, .a = g.a, .b = g.b, .output = g.out});
    ASSERT_TRUE(kernel) << kernel.error().text;
    for (int i = 0; i < 500; ++i) {
      const int a = low + static_cast<int>(random() % 256),
                b = low + static_cast<int>(random() % 256);
      const int want = formula(g, a, b, low, high);
      inside += want > low && want < high;
      ASSERT_EQ((*kernel)(a, b), want) << Target::name << ": " << a << " " << b;
    }
  }
  EXPECT_GT(inside, 75000);
}

TEST(sums, of_qnnpack_and_mlas_on_arm_have_22_bits) {
  expect_sums<targets::qnnpack>(element_type::uint8, qnnpack_sum);
  expect_sums<targets::ort_mlas_arm>(element_type::int8, qnnpack_sum);
}

TEST(sums, of_mlas_on_x86_are_float32) {
  expect_sums<targets::ort_mlas_x86>(element_type::int8, mlas_sum);
  expect_sums<targets::ort_mlas_x86>(element_type::uint8, mlas_sum);
}

/// Both roundings of an operand are one, half up, while 16 bits hold it; ratios are cut to 16 bits.
int ethos_n_sum(const grids& g, int a, int b, int low, int high) {
  const auto scaled = [&](int code, const affine& in) {
    int e = 0;
    const double f =
        std::frexp(static_cast<double>(in.scale) / static_cast<double>(g.out.scale), &e);
    const double cut = std::ldexp(std::floor(std::ldexp(f, 16)), e - 16);
    return std::floor((code - in.zero_point) * cut + 0.5);
  };
  return clamped(static_cast<long>(scaled(a, g.a) + scaled(b, g.b)) + g.out.zero_point, low, high);
}

TEST(sums, of_ethos_n_round_each_operand_half_up) {
  expect_sums<targets::ethos_n>(element_type::int8, ethos_n_sum);
  expect_sums<targets::ethos_n>(element_type::uint8, ethos_n_sum);
}

TEST(sums, of_ethos_n_leave_16_bits_at_large_ratios) {
  const auto sum = [](float ratio, int zero, int a, int b) {
    const affine in{ratio, 127}, out{1.0F, zero};
    const auto kernel = add<targets::ethos_n>::prepare(
        {.a_extents = {1}, .b_extents = {1}, .a = in, .b = in, .output = out});
    return kernel ? static_cast<int>((*kernel)(a, b)) : 1000;
  };
  // (-128 - 127) * 128 ends at -2^15, of which -2^14 is half; twice that and -100 wraps to 32668.
  EXPECT_EQ(sum(128.0F, 0, -128, 127), -128);
  EXPECT_EQ(sum(128.0F, -100, -128, -128), 127);
  EXPECT_EQ(sum(16384.0F, 0, 127, 127), 0);
  EXPECT_EQ(sum(32768.0F, 0, 127, 127), 1000);  // no half left to shift by: refused
}

TEST(sums, of_esp_dl_are_plain_on_one_grid) {
  const affine grid{0.125F, 0};
  const auto kernel = add<targets::esp_dl_s3>::prepare(
      {.a_extents = {1}, .b_extents = {1}, .a = grid, .b = grid, .output = grid});
  ASSERT_TRUE(kernel) << kernel.error().text;
  EXPECT_EQ((*kernel)(100, -30), 70);
  EXPECT_EQ((*kernel)(100, 30), 127);
  addition_constants difference{grid, grid, grid, -1, {}, {}, {}, 0, 0};
  ASSERT_TRUE(addition::saturating_sum::prepare(difference));
  EXPECT_EQ(addition::saturating_sum::apply(difference, 100, 30), 70);
  EXPECT_FALSE(add<targets::esp_dl_s3>::prepare(
      {.a_extents = {1}, .b_extents = {1}, .a = grid, .b = {0.25F, 0}, .output = grid}));
}

TEST(rescales, by_parts_round_behind_the_zero_point) {
  using rule = rescale::by_parts<rounding::half_even>;
  multiplier m;
  m.scales = {0.5F, 1.0F, 1.0F, 0.0F, 0};
  EXPECT_EQ(rule::apply(5, m), 2);  // 2.5 is between 2 and 3
  m.scales.zero_point = 1;
  EXPECT_EQ(rule::apply(5, m), 3);  // 3.5 is between 3 and 4
  m.scales.bias = 0.25F;
  EXPECT_EQ(rule::apply(4, m), 2);
}

TEST(rescales, in_float32_round_behind_the_zero_point) {
  using rule = rescale::float32_then_offset<rounding::half_even>;
  multiplier m{0, 0, 0.5};
  EXPECT_EQ(rule::apply(5, m), 2);  // 2.5 is between 2 and 3
  m.scales.zero_point = 1;
  EXPECT_EQ(rule::apply(5, m), 3);  // 3.5 is between 3 and 4
  // 0.5 less 2^-25 is 100.5 in float32 with 100 added.
  m = {0, 0, 0.5 - 0x1p-25};
  EXPECT_EQ(rule::apply(1, m), 0);
  m.scales.zero_point = 101;
  EXPECT_EQ(rule::apply(1, m), 1);
}

TEST(rescales, by_reciprocals_divide_by_the_output) {
  multiplier m;
  m.scales = {0.5F, 1.0F, 2.0F, 0.0F, 0};
  EXPECT_EQ(rescale::by_reciprocals<rounding::half_away>::apply(10, m), 3);    // 2.5
  EXPECT_EQ(rescale::by_reciprocals<rounding::half_away>::apply(-10, m), -3);  // -2.5
}

TEST(rescales, of_a_segment_carry_on_the_product) {
  // 5 * 3 / 4 = 3.75: 4.  7 * 3 / 2 = 10.5: 10, even.
  EXPECT_EQ(rescale::carry_shift::apply(5, {3, -2, 0}), 4);
  EXPECT_EQ(rescale::carry_shift::apply(7, {3, -1, 0}), 10);
  EXPECT_EQ(rescale::carry_shift::apply(-7, {3, -3, 0}), -3);   // -2.625: rest below the middle
  EXPECT_EQ(rescale::carry_shift::apply(-11, {3, -3, 0}), -6);  // -4.125: floor -5, rest above
  EXPECT_EQ(rescale::carry_shift::apply(6, {3, 0, 0}), 18);
}

/// A converter's range of int32 clips nothing that is left of 16 bits.
TEST(rescales, in_a_converter_are_its_value_before_the_clip) {
  using quant = rescale::in_converter<converter::int16_before_clip>;
  using normal = rescale::in_converter<converter::folded_normalisation>;
  EXPECT_EQ(quant::apply(100000, {5, -3, 0}), 62500 - 65536);
  EXPECT_EQ(normal::apply(100000, {5, -3, 0}), 62500);
  EXPECT_EQ(quant::apply(-7, {3, -1, 0}), -11);
  // 5 acc / 8 stays below 2^15 up to acc = 52428; beyond it falls.
  EXPECT_EQ(quant::monotone_interval({5, -3, 0}), (code_range{-52428, 52428}));
  EXPECT_EQ(quant::apply(52428, {5, -3, 0}), 32767);
  EXPECT_EQ(quant::apply(52429, {5, -3, 0}), -32768);
  EXPECT_EQ(quant::monotone_interval({1, -20, 0}), (code_range{-2147483647, 2147483647}));
}

TEST(rescales, of_xmos_round_and_end_at_16_bits_between_their_steps) {
  using rule = rescale::steps_of_16_bits;
  const multiplier one{1 << 14, 0, 0};
  EXPECT_EQ(rule::apply(384, one), 2);    // 1.5
  EXPECT_EQ(rule::apply(-384, one), -1);  // -1.5, up
  // Past 16 bits, 32767 goes on: 128 of it is half a code.
  EXPECT_EQ(rule::apply(1 << 20, one), 128);
  EXPECT_EQ(rule::apply(1 << 20, {64, 0, 0}), 1);
  EXPECT_EQ(rule::apply(-(1 << 20), {64, 0, 0}), 0);
  EXPECT_EQ(rule::apply(3 << 6, {(1 << 14) + (1 << 13), -1, 0}), 1);  // 96, then 144
  EXPECT_EQ(rule::apply(255, {1 << 14, -1, 0}), 1);                   // 127.5 is 128
}

TEST(accumulators, of_xmos_end_at_the_same_distance_from_zero) {
  accumulator::saturating_symmetric low(-2147483647), over(0x80000000LL);
  low.add({-1, 0, 1, 0});
  EXPECT_EQ(low.value(), -2147483647);
  low.add({7, 0, 1, 0});
  EXPECT_EQ(low.value(), -2147483640);
  EXPECT_EQ(over.value(), 2147483647);
}

TEST(accumulators, of_halved_weights_lose_the_last_bit) {
  accumulator::halved_weights sum(7);
  sum.add({10, 3, 5, 0});  // 5 / 2 is 2
  EXPECT_EQ(sum.value(), 7 + 7 * 4);
  sum.add({1, 0, 7, 0});   // 4
  sum.add({1, 0, -5, 0});  // -2
  EXPECT_EQ(sum.value(), 7 + 28 + 8 - 4);
}

TEST(accumulators, of_saturating_pairs_take_the_zero_point_off_the_whole) {
  accumulator::uint8_saturating_pairs few(7), many(0);
  few.add({10, 3, 5 + 128, 128});
  few.add({20, 3, -2 + 128, 128});
  EXPECT_EQ(few.value(), 7 + 7 * 5 + 17 * -2);
  many.add({255, 3, 127 + 128, 128});
  many.add({255, 3, 127 + 128, 128});
  EXPECT_EQ(many.value(), 32767 - 3 * 254);
}

}  // namespace
