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

#include "analysis/naive_board.hpp"
#include "support/model_maker.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
using graph::operator_code;

recording recorded(const std::vector<int>& codes, const shape& extents, element_type type) {
  recording r;
  array a{type, extents, {}};
  for (const int code : codes) a.data.push_back(static_cast<std::byte>(code & 0xFF));
  r.append(a);
  return r;
}

/// Why a board's bytes are not the target's: "EXACT", "ROUNDING", or the codes of its faults.
std::set<std::string> verdicts(const graph::model& m, const std::vector<recording>& operands,
                               const recording& got) {
  const auto& rules = graph::all_shipped_rules();
  const diagnosis_rules by{&graph::rules_of<targets::tflite_reference>(), rules};
  const auto expected = run_part(m, *by.target, operands, by.arena_limit);
  if (!expected) return {"REFUSED"};
  if (codes_of(*expected) == codes_of(got)) return {"EXACT"};
  const diagnosis d = diagnose(m, operands, *expected, got, by);
  std::set<std::string> codes;
  for (const finding& f : d.signature) codes.insert(f.code);
  if (d.verdict == verdict::rounding) codes.insert("ROUNDING");
  if (codes.empty()) codes.insert("UNDETERMINED");
  return codes;
}

test::naive_layer random_layer(std::uint32_t seed, test::naive_layer l = {}) {
  std::mt19937 random(seed);
  const auto codes = [&](std::size_t n, int low, int high) {
    std::vector<int> values;
    for (std::size_t i = 0; i < n; ++i)
      values.push_back(std::uniform_int_distribution<>(low, high)(random));
    return values;
  };
  const auto count = [](int a, int b, int c = 1, int d = 1) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c) *
           static_cast<std::size_t>(d);
  };
  l.x = codes(count(l.size, l.size, l.inputs), l.type_low(), l.type_high());
  l.w = l.is_unsigned
            ? codes(count(l.outputs, l.kernel, l.kernel, l.depthwise ? 1 : l.inputs), 0, 255)
            : codes(count(l.outputs, l.kernel, l.kernel, l.depthwise ? 1 : l.inputs), -127, 127);
  l.bias = codes(count(l.outputs, 1), -l.bias_reach, l.bias_reach);
  for (int o = 0; o < (l.is_unsigned ? 1 : l.outputs); ++o)
    l.weight_scales.push_back(double{static_cast<float>(0.0011 * (1 + o % 4))});
  l.input_scale = double{static_cast<float>(l.input_scale)};
  l.output_scale = double{static_cast<float>(l.output_scale)};
  return l;
}

graph::model model_of(const test::naive_layer& l, activation fused) {
  test::model_maker m;
  const element_type type = l.is_unsigned ? element_type::uint8 : element_type::int8;
  const std::int32_t x =
      m.codes({1, l.size, l.size, l.inputs}, l.input_zero, type, static_cast<float>(l.input_scale));
  const std::int32_t filter = l.depthwise ? 3 : 0;
  const std::int32_t w = m.codes_of(l.depthwise ? shape{1, l.kernel, l.kernel, l.outputs}
                                                : shape{l.outputs, l.kernel, l.kernel, l.inputs},
                                    type, l.w, l.weight_scales, l.weight_zero, filter);
  std::vector<double> bias_scales;
  for (const double s : l.weight_scales) bias_scales.push_back(s * l.input_scale);
  const std::int32_t b = m.codes_of({l.outputs}, element_type::int32, l.bias, bias_scales, 0, 0);
  const std::int32_t y = m.codes({1, l.output_size(), l.output_size(), l.outputs}, l.output_zero,
                                 type, static_cast<float>(l.output_scale));
  if (l.depthwise)
    m.apply(operator_code::depthwise_conv_2d, {x, w, b}, {y},
            graph::depthwise_conv_2d_options{padding_kind::same, l.stride, l.stride, l.dilation,
                                             l.dilation, l.outputs / l.inputs, fused});
  else
    m.apply(operator_code::conv_2d, {x, w, b}, {y},
            graph::conv_2d_options{padding_kind::same, l.stride, l.stride, l.dilation, l.dilation,
                                   fused});
  return m.finish({x}, {y});
}

std::set<std::string> verdicts(const test::naive_layer& l, activation fused,
                               const std::string& fault) {
  const element_type type = l.is_unsigned ? element_type::uint8 : element_type::int8;
  const graph::model m = model_of(l, fused);
  return verdicts(m, {recorded(l.x, m.tensors[0].extents, type)},
                  recorded(test::run_naive(l, {fault}), m.tensors[3].extents, type));
}

test::naive_layer relu6(test::naive_layer l) {
  l.low = 0, l.high = 6;
  l.input_scale = 0.2;
  l.output_scale = 0.08;  // 6 is 75 codes above the zero point: the type does not stand in for it
  return l;
}

struct planted {
  std::string fault;
  test::naive_layer layer;
  activation fused = activation::none;
};

std::vector<planted> planted_in_convolutions() {
  const test::naive_layer plain;
  test::naive_layer even = plain, dilated = plain, bytes = plain, depthwise = plain, biased = plain;
  biased.bias_reach = 90000, biased.output_scale = 0.08;
  even.size = 8;  // stride 2, kernel 3: one row of padding, and it belongs behind
  dilated.stride = 1, dilated.dilation = 2;
  bytes.is_unsigned = true, bytes.weight_zero = 121, bytes.input_zero = 130, bytes.output_zero = 99;
  depthwise.depthwise = true, depthwise.inputs = 3, depthwise.outputs = 6;
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
          {"UPPER_CLAMP_MISSING", relu6(depthwise), activation::relu6}};
}

TEST(named_faults, of_convolutions_get_their_names_and_healthy_twins_none) {
  for (const planted& p : planted_in_convolutions())
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(p.fault + ", seed " + std::to_string(seed));
      const test::naive_layer l = random_layer(seed, p.layer);
      EXPECT_EQ(verdicts(l, p.fused, p.fault), std::set<std::string>{p.fault});
      const std::set<std::string> healthy = verdicts(l, p.fused, "");
      EXPECT_TRUE(healthy == std::set<std::string>{"EXACT"} ||
                  healthy == std::set<std::string>{"ROUNDING"})
          << *healthy.begin();
    }
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

}  // namespace
