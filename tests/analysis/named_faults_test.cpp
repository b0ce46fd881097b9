// SPDX-License-Identifier: Apache-2.0
// Boards with one fault are given its name, and healthy ones none. The boards are plain loops of this test.
#include <gtest/gtest.h>

#include <bittwin/analysis/segment_diagnosis.hpp>
#include <bittwin/targets/all.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analysis/planted_board.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
using graph::operator_code;
using test::random_layer, test::recorded, test::verdicts, test::model_of, test::relu6;

struct planted {
  std::string fault;
  test::naive_layer layer;
  activation fused = activation::none;
  std::set<std::string> codes = {};  ///< that name it; empty: the first word of `fault`

  [[nodiscard]] std::set<std::string> expected() const {
    return codes.empty() ? std::set{fault.substr(0, fault.find(' '))} : codes;
  }
};

std::vector<planted> planted_in_convolutions() {
  const test::naive_layer plain;
  test::naive_layer even = plain, dilated = plain, bytes = plain, depthwise = plain, biased = plain;
  biased.bias_reach = 90000, biased.output_scale = 0.08;
  even.size = 8;  // stride 2, kernel 3: one row of padding, and it belongs behind
  dilated.stride = 1, dilated.dilation = 2;
  bytes.is_unsigned = true, bytes.weight_zero = 121, bytes.input_zero = 130, bytes.output_zero = 99;
  depthwise.depthwise = true, depthwise.inputs = 3, depthwise.outputs = 6;
  test::naive_layer quiet = plain, loud = plain, bytes_loud = bytes, far_zero = plain;
  quiet.output_scale = 0.5;    // 256 times a sum of inputs still fits
  far_zero.input_zero = -100;  // inputs above 27 are too far from it
  loud.output_zero = 40, loud.output_scale = 0.012, bytes_loud.output_scale = 0.012;
  return {{"PAD_WITH_ZERO", plain},
          {"SAME_WRONG_SIDE", even},
          {"SAME_WRONG_SIDE",
           [&] {
             auto l = even;
             l.depthwise = true;
             l.outputs = 3;
             return l;
           }()},
          {"PER_CHANNEL_AS_PER_TENSOR", plain},
          {"INPUT_ZERO_POINT", plain},
          {"OUTPUT_ZERO_POINT", plain},
          {"BIAS_DROPPED", plain},
          {"BIAS_NARROW", biased},
          {"POWER_OF_TWO_SCALE", plain},
          {"DILATION_IGNORED", dilated},
          {"WEIGHT_ZERO_POINT", bytes},
          {"DEPTH_MULTIPLIER_ORDER", depthwise},
          {"UPPER_CLAMP_MISSING", relu6(plain), activation::relu6},
          {"LOWER_CLAMP_MISSING", relu6(plain), activation::relu6},
          {"CLAMP_LITERAL", relu6(plain), activation::relu6},
          {"UPPER_CLAMP_MISSING", relu6(depthwise), activation::relu6},
          {"PER_CHANNEL_AS_PER_TENSOR by the mean", plain},
          {"SCALE_AXIS", plain},
          {"SCALE_AXIS", depthwise},
          {"BIAS_SCALE", biased},
          {"OUTPUT_ZERO_POINT one less", plain},
          {"INPUT_ZERO_POINT in 8 bits", far_zero},
          {"WEIGHTS_AS_U8", quiet},
          {"CLAMP_BEFORE_ZERO_POINT", loud},
          {"OUTPUT_WRAP", loud},
          {"OUTPUT_WRAP", bytes_loud},
          {"PAIR_SATURATION", plain},
          {"PAIR_SATURATION", bytes},
          {"ACCUMULATOR_16", plain, activation::none, {"ACCUMULATOR_16", "ACCUMULATOR_WRAP"}},
          {"ACCUMULATOR_16 saturating",
           plain,
           activation::none,
           {"ACCUMULATOR_16", "ACCUMULATOR_SATURATE"}},
          {"ACCUMULATOR_16", depthwise, activation::none, {"ACCUMULATOR_16", "ACCUMULATOR_WRAP"}}};
}

TEST(named_faults, of_convolutions_get_their_names_and_healthy_twins_none) {
  for (const planted& p : planted_in_convolutions())
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(p.fault + ", seed " + std::to_string(seed));
      const test::naive_layer l = random_layer(seed, p.layer);
      EXPECT_EQ(verdicts(l, p.fused, p.fault), p.expected());
      const std::set<std::string> healthy = verdicts(l, p.fused, "");
      EXPECT_TRUE(healthy == std::set<std::string>{"EXACT"} ||
                  healthy == std::set<std::string>{"ROUNDING"})
          << *healthy.begin();
    }
}

/// A layer whose fault shows only at sums, or by multipliers, that random layers do not have.
void expect_named(const test::naive_layer& l, const std::string& fault) {
  SCOPED_TRACE(fault);
  EXPECT_EQ(verdicts(l, activation::none, fault), std::set<std::string>{fault});
  const std::set<std::string> healthy = verdicts(l, activation::none, "");
  EXPECT_TRUE(healthy == std::set<std::string>{"EXACT"} ||
              healthy == std::set<std::string>{"ROUNDING"})
      << *healthy.begin();
}

/// FULLY_CONNECTED on int16: sums of 64 bits, on a device that has 32.
TEST(named_faults, of_sums_beyond_32_bits_get_their_name) {
  constexpr int rows = 8, depth = 4000, outputs = 6;
  std::mt19937 random(11);
  std::vector<int> x, w;
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < depth; ++k)
      x.push_back(std::uniform_int_distribution<>(0, 32767 * (row + 1) / rows)(random));
  for (int o = 0; o < outputs; ++o)
    for (int k = 0; k < depth; ++k)
      w.push_back((o % 2 == 0 ? 1 : -1) * std::uniform_int_distribution<>(-20, 127)(random));
  test::model_maker m;
  const double input_scale = 0x1p-10, weight_scale = 0x1p-7, output_scale = 0x1p-1;
  const std::int32_t from = m.codes({rows, depth}, 0, element_type::int16, 0x1p-10F);
  const std::int32_t filter =
      m.codes_of({outputs, depth}, element_type::int8, w, {weight_scale}, 0, 0);
  const std::int32_t to = m.codes({rows, outputs}, 0, element_type::int16, 0x1p-1F);
  m.apply(operator_code::fully_connected, {from, filter, graph::no_tensor}, {to},
          graph::fully_connected_options{});
  const graph::model model = m.finish({from}, {to});
  const auto board = [&](std::int64_t bound) {
    std::vector<int> y;
    for (int row = 0; row < rows; ++row)
      for (int o = 0; o < outputs; ++o) {
        std::int64_t sum = 0;
        for (int k = 0; k < depth; ++k)
          sum = std::clamp(sum + std::int64_t{x[static_cast<std::size_t>(row * depth + k)]} *
                                     w[static_cast<std::size_t>(o * depth + k)],
                           -bound - 1, bound);
        const double real = static_cast<double>(sum) * input_scale * weight_scale / output_scale;
        y.push_back(static_cast<int>(std::clamp(std::round(real), -32768.0, 32767.0)));
      }
    return verdicts(model, {recorded(x, {rows, depth}, element_type::int16)},
                    recorded(y, {rows, outputs}, element_type::int16));
  };
  EXPECT_EQ(board(INT64_C(2147483647)), std::set<std::string>{"ACCUMULATOR_SATURATE"});
  const std::set<std::string> healthy = board(INT64_C(1) << 60);
  EXPECT_TRUE(healthy == std::set<std::string>{"EXACT"} ||
              healthy == std::set<std::string>{"ROUNDING"})
      << *healthy.begin();
}

TEST(named_faults, of_clamps_before_the_scale_get_their_name) {
  test::naive_layer form;
  form.bias_reach = 60;
  form.output_scale = 0.0004;  // multipliers of 0.14 to 0.55
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    test::naive_layer l = random_layer(seed, form);
    for (int& x : l.x) x /= 8;
    for (int& w : l.w) w /= 42;  // -3 to 3
    expect_named(l, "CLAMP_BEFORE_SCALE");
  }
}

TEST(named_faults, of_multipliers_of_16_bits_that_turn_negative_get_their_name) {
  test::naive_layer form;
  form.input_scale = form.output_scale = 0.0625;
  form.bias_reach = 4000;
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    test::naive_layer l = random_layer(seed, form);
    l.weight_scales[2] = 0x1p-8 * (1 - 0x1p-18);
    expect_named(l, "MULTIPLIER_16BIT");
  }
}

/// Averages of 3 x 3 codes. No target here rounds them down.
TEST(named_faults, of_pools_are_ways_to_round) {
  test::model_maker m;
  const shape from{1, 9, 9, 4}, to{1, 3, 3, 4};
  const std::int32_t x = m.codes(from, -5, element_type::int8, 0.1F);
  const std::int32_t y = m.codes(to, -5, element_type::int8, 0.1F);
  m.apply(operator_code::average_pool_2d, {x}, {y},
          graph::pool_2d_options{padding_kind::valid, 3, 3, 3, 3, activation::none});
  const graph::model model = m.finish({x}, {y});
  std::mt19937 random(3);
  std::vector<int> codes;
  for (int i = 0; i < 9 * 9 * 4; ++i)
    codes.push_back(std::uniform_int_distribution<>(-128, 127)(random));
  const auto board = [&](auto round) {
    std::vector<int> averages;
    for (int oy = 0; oy < 3; ++oy)
      for (int ox = 0; ox < 3; ++ox)
        for (int c = 0; c < 4; ++c) {
          double sum = 0;
          for (int i = 0; i < 9; ++i)
            sum += codes[static_cast<std::size_t>(((3 * oy + i / 3) * 9 + 3 * ox + i % 3) * 4 + c)];
          averages.push_back(static_cast<int>(round(sum / 9)));
        }
    return verdicts(model, {recorded(codes, from, element_type::int8)},
                    recorded(averages, to, element_type::int8));
  };
  EXPECT_EQ(board([](double a) { return std::round(a); }), std::set<std::string>{"EXACT"});
  EXPECT_EQ(board([](double a) { return std::floor(a); }),
            (std::set<std::string>{"ROUNDING", "POOL_ROUNDING"}));
  EXPECT_EQ(board([](double a) { return std::round(a / 2); }),
            std::set<std::string>{"UNDETERMINED"});
}

TEST(named_faults, cutting_off_is_a_way_to_round) {
  EXPECT_EQ(verdicts(random_layer(4), activation::none, "TRUNCATION"),
            (std::set<std::string>{"ROUNDING", "TRUNCATION"}));
}

/// The result of a healthy layer, changed afterwards.
std::set<std::string> verdicts_of_changed(
    const test::naive_layer& l, const std::function<void(std::vector<int>&, int)>& change) {
  const graph::model m = model_of(l, activation::none);
  std::vector<int> y = test::run_naive(l);
  change(y, l.outputs);
  return verdicts(m, {recorded(l.x, m.tensors[0].extents, element_type::int8)},
                  recorded(y, m.tensors[3].extents, element_type::int8));
}

TEST(named_faults, of_results_get_their_names) {
  test::naive_layer wide;
  wide.outputs = 20, wide.output_scale = 0.05, wide.output_zero = 0;
  // Rounded as the target rounds, so that the change is all that differs.
  const test::naive_layer form = wide;
  for (std::uint32_t seed = 5; seed < 50; ++seed) {
    wide = random_layer(seed, form);
    if (verdicts_of_changed(wide, [](auto&, int) {}) == std::set<std::string>{"EXACT"}) break;
  }
  ASSERT_EQ(verdicts_of_changed(wide, [](auto&, int) {}), std::set<std::string>{"EXACT"});
  const auto name = [&](const char* code,
                        const std::function<void(std::vector<int>&, int)>& change) {
    SCOPED_TRACE(code);
    EXPECT_EQ(verdicts_of_changed(wide, change), std::set<std::string>{code});
  };
  name("LAYOUT", [](std::vector<int>& y, int channels) {
    std::vector<int> turned;
    for (int c = 0; c < channels; ++c)
      for (std::size_t i = static_cast<std::size_t>(c); i < y.size();
           i += static_cast<std::size_t>(channels))
        turned.push_back(y[i]);
    y = turned;
  });
  name("CHANNEL_ORDER", [](std::vector<int>& y, int channels) {
    for (std::size_t i = 0; i < y.size(); i += static_cast<std::size_t>(channels))
      std::swap(y[i], y[i + 2]);
  });
  name("DEAD_CHANNEL", [](std::vector<int>& y, int channels) {
    for (std::size_t i = 4; i < y.size(); i += static_cast<std::size_t>(channels)) y[i] = -128;
  });
  name("TAIL", [](std::vector<int>& y, int channels) {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (static_cast<int>(i) % channels >= 16)
        y[i] = (y[i] * 7 + static_cast<int>(i) * 3 + 60) % 128;
  });
  name("U8_AS_I8", [](std::vector<int>& y, int) {
    for (int& code : y) code = static_cast<std::int8_t>(static_cast<std::uint8_t>(code ^ 0x80));
  });
  name("UNDETERMINED", [](std::vector<int>& y, int) { y[3] += y[3] > 0 ? -7 : 7; });
}

/// ADD of two operands on grids of their own, in doubles.
TEST(named_faults, of_sums_get_their_names) {
  std::mt19937 random(7);
  test::model_maker m;
  const shape extents{1, 4, 4, 8};
  const float scales[] = {0.052F, 0.099F, 0.11F};
  const std::int32_t a = m.codes(extents, 4, element_type::int8, scales[0]);
  const std::int32_t b = m.codes(extents, -6, element_type::int8, scales[1]);
  const std::int32_t y = m.codes(extents, 2, element_type::int8, scales[2]);
  m.apply(operator_code::add, {a, b}, {y}, graph::binary_options{});
  const graph::model model = m.finish({a, b}, {y});
  std::vector<int> xa, xb;
  for (int i = 0; i < 128; ++i) {
    xa.push_back(std::uniform_int_distribution<>(-128, 127)(random));
    xb.push_back(std::uniform_int_distribution<>(-128, 127)(random));
  }
  const auto sum = [&](double sa, double sb) {
    std::vector<int> codes;
    for (std::size_t i = 0; i < xa.size(); ++i)
      codes.push_back(static_cast<int>(
          std::clamp(std::round(((xa[i] - 4) * sa + (xb[i] + 6) * sb) / double{scales[2]}) + 2,
                     -128.0, 127.0)));
    return verdicts(
        model,
        {recorded(xa, extents, element_type::int8), recorded(xb, extents, element_type::int8)},
        recorded(codes, extents, element_type::int8));
  };
  const double sa = double{scales[0]}, sb = double{scales[1]};
  const std::set<std::string> healthy = sum(sa, sb);
  EXPECT_TRUE(healthy == std::set<std::string>{"EXACT"} ||
              healthy == std::set<std::string>{"ROUNDING"});
  EXPECT_EQ(sum(sa, sa), std::set<std::string>{"ADD_SCALE_IGNORED"});
  EXPECT_EQ(sum(sb, sb), std::set<std::string>{"ADD_SCALE_IGNORED"});
  EXPECT_EQ(sum(sb, sa), std::set<std::string>{"ADD_SCALES_SWAPPED"});
  EXPECT_EQ(sum(sa, 0), std::set<std::string>{"ADD_OPERAND_LOST"});
}

/// Codes are quartered, in two roundings or in one, and then taken eightfold: where the two differ, by 8 codes.
TEST(named_faults, one_rule_through_two_operators_is_rounding_and_a_mixture_is_not) {
  test::model_maker m;
  const shape extents{1, 64};
  const std::int32_t x = m.codes(extents, 0, element_type::int8, 0.125F);
  const std::int32_t quarter = m.codes(extents, 0, element_type::int8, 0.5F);
  const std::int32_t y = m.codes(extents, 0, element_type::int8, 0.0625F);
  m.apply(operator_code::quantize, {x}, {quarter});
  m.apply(operator_code::quantize, {quarter}, {y});
  const graph::model model = m.finish({x}, {y});
  std::vector<int> codes, once, twice, away, mixed;
  for (int i = 0; i < 64; ++i) {
    const int code = i % 31 - 15;
    codes.push_back(code);
    once.push_back(8 * static_cast<int>(std::floor(code / 4.0 + 0.5)));
    away.push_back(8 * static_cast<int>(std::round(code / 4.0)));
    // Ties up, then ties away from zero.
    twice.push_back(8 * static_cast<int>(std::round(std::floor(code / 2.0 + 0.5) / 2)));
    mixed.push_back(i % 3 == 0 ? once.back() : twice.back());
  }
  const auto verdict = [&](const std::vector<int>& got) {
    return verdicts(model, {recorded(codes, extents, element_type::int8)},
                    recorded(got, extents, element_type::int8));
  };
  EXPECT_EQ(verdict(twice), std::set<std::string>{"EXACT"});
  EXPECT_EQ(verdict(once), std::set<std::string>{"ROUNDING"});
  EXPECT_EQ(verdict(mixed), std::set<std::string>{"UNDETERMINED"});
  EXPECT_FALSE(verdict(away).contains("CLAMP_BEFORE_SCALE")) << "whose replay rounds like this";
}

}  // namespace
