// SPDX-License-Identifier: Apache-2.0
// Mismatches that people reported in public, as small models: the faulty device is named, its healthy twin never.
// Each number is from the report named beside it, or worked out here in plain arithmetic. What the tests of
// named_faults cover on random layers is not repeated: R38, R39, R41 (clamps), R49 (padding), R51 (SAME), R53
// (dilation), R55 (depth multiplier), R56 (weight zero point), R59 (scales of channels), R64 (powers of two).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analysis/planted_board.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
using graph::operator_code;
using test::recorded, test::verdicts;
using codes = std::vector<int>;
using names = std::set<std::string>;

bool is_healthy(const names& found) {
  return found == names{"EXACT"} || found == names{"ROUNDING"};
}

/// Rows of `depth` inputs by filters of as many weights; input and filter scales give the multiplier.
struct rows_by_filters {
  int depth;
  codes x, w;
  float multiplier;
  int x_zero = 0, w_zero = 0, y_zero = 0;
  element_type type = element_type::int8;

  using sum = std::function<std::int64_t(const int* x, const int* w)>;
  [[nodiscard]] std::int64_t right_sum(const int* row, const int* filter) const {
    std::int64_t acc = 0;
    for (int i = 0; i < depth; ++i) acc += std::int64_t{row[i] - x_zero} * (filter[i] - w_zero);
    return acc;
  }
  [[nodiscard]] codes run(const sum& acc, const std::function<int(double)>& store) const {
    codes y;
    for (std::size_t r = 0; r < x.size(); r += static_cast<std::size_t>(depth))
      for (std::size_t o = 0; o < w.size(); o += static_cast<std::size_t>(depth))
        y.push_back(store(std::round(static_cast<double>(acc(&x[r], &w[o])) * double{multiplier})));
    return y;
  }
  [[nodiscard]] codes run(const sum& acc) const {
    const double low = type == element_type::uint8   ? 0
                       : type == element_type::int16 ? -32768
                                                     : -128;
    const double high = type == element_type::uint8   ? 255
                        : type == element_type::int16 ? 32767
                                                      : 127;
    return run(acc, [&](double v) { return static_cast<int>(std::clamp(v + y_zero, low, high)); });
  }
  [[nodiscard]] codes healthy() const {
    return run([&](const int* a, const int* b) { return right_sum(a, b); });
  }
  [[nodiscard]] names verdict(const codes& y) const {
    test::model_maker m;
    const int rows = static_cast<int>(x.size()) / depth,
              filters = static_cast<int>(w.size()) / depth;
    const std::int32_t in = m.codes({rows, depth}, x_zero, type, multiplier);
    const std::int32_t weights =
        m.codes_of({filters, depth}, type == element_type::uint8 ? type : element_type::int8, w,
                   {1.0}, w_zero, 0);
    const std::int32_t out = m.codes({rows, filters}, y_zero, type, 1.0F);
    std::vector<std::int32_t> operands{in, weights};
    if (type == element_type::int16)
      operands.push_back(m.list(std::vector<std::int64_t>(static_cast<std::size_t>(filters), 0)));
    m.apply(operator_code::fully_connected, operands, {out}, graph::fully_connected_options{});
    const graph::model model = m.finish({in}, {out});
    return verdicts(model, {recorded(x, {rows, depth}, type)}, recorded(y, {rows, filters}, type));
  }
};

int wrapped_16(std::int64_t sum) { return static_cast<std::int16_t>(sum & 0xFFFF); }

TEST(reported_cases, r21_pairs_saturate_at_16_bits) {  // pytorch issue 44939
  // Bytes 211, 171 against weights 71, 107 sum to 33278: the pair instruction gives 32767.
  rows_by_filters layer{
      4,
      {211, 171, 10, 20, 255, 255, 200, 100, 130, 129, 90, 250, 129, 129, 3, 4, 255, 1, 77, 88},
      {71, 107, 5, -7, 64, 64, 64, 32, 127, 127, -50, -60, -128, -128, 100, 20},
      0.0018F,
      -128};
  for (int& code : layer.x) code -= 128;
  EXPECT_TRUE(is_healthy(layer.verdict(layer.healthy())));
  const auto pair = [](const int* x, const int* w) {
    return std::clamp((x[0] + 128) * w[0] + (x[1] + 128) * w[1], -32768, 32767);
  };
  EXPECT_EQ(pair(&layer.x[0], &layer.w[0]), 32767);
  const codes y =
      layer.run([&](const int* x, const int* w) { return pair(x, w) + pair(x + 2, w + 2); });
  EXPECT_EQ(layer.verdict(y), names{"PAIR_SATURATION"});
}

TEST(reported_cases, r23_two_products_share_an_int16_lane) {  // gemmlowp issue 174
  const rows_by_filters layer{2,
                              {-128, -128, -128, -127, 100, 90, -50, 3},
                              {-128, -128, -127, -128, 40, -30, 11, 5},
                              0.003F};
  EXPECT_TRUE(is_healthy(layer.verdict(layer.healthy())));
  const codes y =
      layer.run([](const int* x, const int* w) { return wrapped_16(x[0] * w[0] + x[1] * w[1]); });
  EXPECT_EQ(y[0], std::round(-32768 * 0.003) + 0) << "32768 wraps";
  EXPECT_TRUE(layer.verdict(y).contains("ACCUMULATOR_16"));
}

TEST(reported_cases, r24_sums_of_16_bits) {  // Tencent/ncnn issues 717, 783; alibaba/MNN issue 301
  rows_by_filters layer{9, {}, {}, 0.0008F};
  for (const int taps : {9, 3, 2, 1, 5, 7})
    for (int i = 0; i < 9; ++i) layer.x.push_back(i < taps ? 127 : i % 2);
  for (const int weight : {127, 90, -101})
    for (int i = 0; i < 9; ++i) layer.w.push_back(weight - i * (weight == 127 ? 0 : 3));
  EXPECT_TRUE(is_healthy(layer.verdict(layer.healthy())));
  EXPECT_EQ(layer.right_sum(&layer.x[0], &layer.w[0]), 145161);
  const auto summed = [&](const std::function<int(std::int64_t)>& keep) {
    return [&, keep](const int* x, const int* w) {
      std::int64_t sum = 0;
      for (int i = 0; i < 9; ++i) sum = keep(sum + x[i] * w[i]);
      return sum;
    };
  };
  EXPECT_EQ(summed(wrapped_16)(&layer.x[0], &layer.w[0]), 14089);
  EXPECT_EQ(layer.verdict(layer.run(summed(wrapped_16))),
            (names{"ACCUMULATOR_16", "ACCUMULATOR_WRAP"}));
  EXPECT_EQ(layer.verdict(layer.run(summed([](std::int64_t s) {
    return static_cast<int>(std::clamp<std::int64_t>(s, -32768, 32767));
  }))),
            (names{"ACCUMULATOR_16", "ACCUMULATOR_SATURATE"}));
}

TEST(reported_cases, r25_int16_activations_summed_in_32_bits) {  // tflite-micro pull request 3598
  rows_by_filters layer{600, {}, codes(1200, 127), 1.0F / 131072};
  layer.type = element_type::int16;
  for (std::size_t i = 600; i < 1200; ++i) layer.w[i] = 126 - static_cast<int>(i % 7);
  for (const int peak : {32767, 20000, -32768, 5000})
    for (int i = 0; i < 600; ++i) layer.x.push_back(peak);
  EXPECT_EQ(layer.healthy()[0], 19049);
  EXPECT_TRUE(is_healthy(layer.verdict(layer.healthy())));
  const codes y = layer.run([&](const int* x, const int* w) -> std::int64_t {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(layer.right_sum(x, w)));
  });
  EXPECT_EQ(y[0], -13719);
  EXPECT_EQ(layer.verdict(y), names{"ACCUMULATOR_WRAP"});
}

TEST(reported_cases, r33_clamp_before_the_zero_point) {  // ROCm/rocMLIR pull request 1034
  const rows_by_filters layer{1, {100, -100, 3, -7, 6, 50}, {40, -6, 2}, 0.5F, 0, 0, -5};
  const codes right = layer.healthy();
  EXPECT_EQ(right[0], 127);
  EXPECT_TRUE(is_healthy(layer.verdict(right)));
  const codes y = layer.run(
      [&](const int* x, const int* w) { return layer.right_sum(x, w); },
      [](double v) { return std::max(static_cast<int>(std::clamp(v, -128.0, 127.0)) - 5, -128); });
  EXPECT_EQ(y[0], 122) << "of 2000";
  EXPECT_EQ(layer.verdict(y), names{"CLAMP_BEFORE_ZERO_POINT"});
}

TEST(reported_cases, r34_results_wrap) {  // onnx issue 6169; ARM-software/ComputeLibrary issue 1012
  const rows_by_filters layer{1, {100, -118, 3, -7, 60, 50}, {2, -1, 1}, 1.0F};
  EXPECT_TRUE(is_healthy(layer.verdict(layer.healthy())));
  const codes y =
      layer.run([&](const int* x, const int* w) { return layer.right_sum(x, w); },
                [](double v) { return static_cast<std::int8_t>(static_cast<int>(v) & 0xFF); });
  EXPECT_EQ(y[0], -56) << "of 200";
  EXPECT_EQ(y[3], 20) << "of -236";
  EXPECT_EQ(layer.verdict(y), names{"OUTPUT_WRAP"});
}

TEST(reported_cases, r60_int8_weights_packed_as_uint8) {  // openvino pull request 36764
  const rows_by_filters layer{
      4, {10, 20, 30, 40, 1, 2, 3, 4, 5, 0, 9, -7}, {50, -60, -70, 80, 3, -1, 7, -30}, 0.005F};
  EXPECT_EQ(layer.right_sum(&layer.x[0], &layer.w[0]), 400);
  EXPECT_TRUE(is_healthy(layer.verdict(layer.healthy())));
  const auto with = [&](const std::function<int(int)>& read) {
    return layer.run([&](const int* x, const int* w) {
      std::int64_t sum = 0;
      for (int i = 0; i < 4; ++i) sum += x[i] * read(w[i]);
      return sum;
    });
  };
  EXPECT_EQ(layer.verdict(with([](int w) { return w < 0 ? w + 256 : w; })), names{"WEIGHTS_AS_U8"});
  EXPECT_EQ(layer.verdict(with([](int w) { return std::max(w, 0); })), names{"WEIGHTS_AS_U8"});
}

TEST(reported_cases,
     r32_zero_point_subtracted_in_8_bits) {  // pytorch/executorch pull request 20655
  const rows_by_filters layer{2, {127, 4, -100, 50, 20, 30, -128, 127}, {3, -2, 1, 7}, 0.1F, -128};
  EXPECT_TRUE(is_healthy(layer.verdict(layer.healthy())));
  const codes y = layer.run([](const int* x, const int* w) {
    std::int64_t sum = 0;
    for (int i = 0; i < 2; ++i) sum += static_cast<std::int8_t>((x[i] + 128) & 0xFF) * w[i];
    return sum;
  });
  EXPECT_EQ(layer.verdict(y), names{"INPUT_ZERO_POINT"});
}

names verdict_of_sum(const codes& a, const codes& b, const float (&scales)[3], const codes& y) {
  test::model_maker m;
  const shape extents{1, static_cast<std::int32_t>(a.size())};
  const std::int32_t first = m.codes(extents, 0, element_type::int8, scales[0]);
  const std::int32_t second = m.codes(extents, 0, element_type::int8, scales[1]);
  const std::int32_t out = m.codes(extents, 0, element_type::int8, scales[2]);
  m.apply(operator_code::add, {first, second}, {out}, graph::binary_options{});
  const graph::model model = m.finish({first, second}, {out});
  return verdicts(
      model, {recorded(a, extents, element_type::int8), recorded(b, extents, element_type::int8)},
      recorded(y, extents, element_type::int8));
}

TEST(reported_cases, r07_operands_rounded_on_their_own) {  // tensorflow pull request 59859
  const codes a{1, 3, 7, 5}, b{1, 1, 7, -1};
  EXPECT_TRUE(is_healthy(verdict_of_sum(a, b, {0.5F, 0.5F, 1.0F}, {1, 2, 7, 2})));
  EXPECT_EQ(verdict_of_sum(a, b, {0.5F, 0.5F, 1.0F}, {2, 3, 8, 2}), names{"ADD_NO_HEADROOM"});
}

TEST(reported_cases, r44_a_network_collapses_at_its_sums) {  // NXP community 2200021
  const codes a{20, -5, 33, 8}, b{-15, 40, -30, 2};
  const float scales[] = {0.06F, 0.11F, 0.09F};
  EXPECT_TRUE(is_healthy(verdict_of_sum(a, b, scales, {-5, 46, -15, 8})));
  EXPECT_EQ(verdict_of_sum(a, b, scales, {3, 23, 2, 7}), names{"ADD_SCALE_IGNORED"});
  EXPECT_EQ(verdict_of_sum(a, b, scales, {13, -3, 22, 5}), names{"ADD_OPERAND_LOST"});
  EXPECT_EQ(verdict_of_sum(a, b, scales, {-5, 38, -14, 6}), names{"POWER_OF_TWO_SCALE"});
  EXPECT_EQ(verdict_of_sum(a, b, scales, {-5, 37, -13, 6}), names{"POWER_OF_TWO_SCALE"});
}

TEST(reported_cases, r45_x_plus_x_is_x) {  // pytorch/executorch issue 21151
  const codes x{10, 40, 63};
  EXPECT_TRUE(is_healthy(verdict_of_sum(x, x, {0.037F, 0.037F, 0.074F}, x)));
  EXPECT_EQ(verdict_of_sum(x, x, {0.037F, 0.037F, 0.074F}, {5, 20, 32}), names{"ADD_OPERAND_LOST"});
}

names verdict_of_pool(const codes& y) {
  test::model_maker m;
  const std::int32_t x = m.codes({1, 2, 2, 1}, -128), out = m.codes({1, 2, 2, 1}, -128);
  m.apply(operator_code::average_pool_2d, {x}, {out},
          graph::pool_2d_options{padding_kind::same, 1, 1, 3, 3, activation::none});
  const graph::model model = m.finish({x}, {out});
  return verdicts(model, {recorded({-28, -48, -8, -68}, {1, 2, 2, 1}, element_type::int8)},
                  recorded(y, {1, 2, 2, 1}, element_type::int8));
}

TEST(reported_cases, r46_padding_counts_in_the_average) {  // VeriSilicon/TIM-VX issue 423
  EXPECT_TRUE(is_healthy(verdict_of_pool(codes(4, -38))));
  EXPECT_EQ(verdict_of_pool(codes(4, -88)), names{"POOL_INCLUDES_PAD"})
      << "padded with the zero point";
  EXPECT_EQ(verdict_of_pool(codes(4, -17)), names{"POOL_INCLUDES_PAD"}) << "padded with code 0";
}

names verdict_of_mean(const codes& y) {
  test::model_maker m;
  const std::int32_t x = m.codes({2, 3}, -128, element_type::int8, 0.0353F);
  const std::int32_t axes = m.list(std::vector<std::int32_t>{1});
  const std::int32_t out = m.codes({2}, -100, element_type::int8, 1.4F * 0.0353F);
  m.apply(operator_code::mean, {x, axes}, {out}, graph::reduce_options{});
  const graph::model model = m.finish({x}, {out});
  return verdicts(model, {recorded({70, 70, -43, 20, -40, 50}, {2, 3}, element_type::int8)},
                  recorded(y, {2}, element_type::int8));
}

TEST(reported_cases, r47_a_mean_without_zero_point_or_scale) {  // tensorflow issue 33588
  // Means of the codes 32.33 and 10: (32.33 + 128) / 1.4 - 100 = 14.5, (10 + 128) / 1.4 - 100 = -1.4.
  EXPECT_TRUE(is_healthy(verdict_of_mean({15, -1})));
  EXPECT_EQ(verdict_of_mean({32, 10}), names{"MEAN_SCALE"}) << "the plain mean of the codes";
  EXPECT_EQ(verdict_of_mean({-77, -93}), names{"INPUT_ZERO_POINT"});
  EXPECT_EQ(verdict_of_mean({60, 38}), names{"MEAN_SCALE"}) << "the zero points alone";
}

names verdict_of_concatenation(const codes& a, const codes& b, const codes& y) {
  test::model_maker m;
  const auto n = static_cast<std::int32_t>(a.size());
  const std::int32_t first = m.codes({1, n}, 0, element_type::uint8, 0.02F);
  const std::int32_t second = m.codes({1, n}, 0, element_type::uint8, 0.1F);
  const std::int32_t out = m.codes({1, 2 * n}, 0, element_type::uint8, 0.1F);
  m.apply(operator_code::concatenation, {first, second}, {out},
          graph::concatenation_options{1, activation::none});
  const graph::model model = m.finish({first, second}, {out});
  return verdicts(
      model, {recorded(a, {1, n}, element_type::uint8), recorded(b, {1, n}, element_type::uint8)},
      recorded(y, {1, 2 * n}, element_type::uint8));
}

TEST(reported_cases, r48_operands_are_copied_side_by_side) {  // pytorch issue 46604
  const codes a{100, 50, 200}, b{100, 7, 9};
  EXPECT_TRUE(is_healthy(verdict_of_concatenation(a, b, {20, 10, 40, 100, 7, 9})));
  EXPECT_EQ(verdict_of_concatenation(a, b, {100, 50, 200, 100, 7, 9}), names{"CONCAT_SCALE"});
}

names verdict_of_one(operator_code code, graph::operator_options options, const codes& x,
                     const shape& extents, float x_scale, int x_zero, const codes& y, float y_scale,
                     int y_zero) {
  test::model_maker m;
  const std::int32_t in = m.codes(extents, x_zero, element_type::int8, x_scale);
  const std::int32_t out = m.codes(extents, y_zero, element_type::int8, y_scale);
  m.apply(code, {in}, {out}, std::move(options));
  const graph::model model = m.finish({in}, {out});
  return verdicts(model, {recorded(x, extents, element_type::int8)},
                  recorded(y, extents, element_type::int8));
}

TEST(reported_cases, r35_the_winning_class_wraps) {  // microsoft/onnxruntime issue 29727
  // One logit 100 above the others: p = 1, code 128 - 128 = 0 above the type's end. Two equal ones: p = 1/2, code 0.
  const codes x{127, -73, -73, -73, 127, -73, -73, 127, 127, -73, 127, 127};
  const auto verdict = [&](const codes& y) {
    return verdict_of_one(operator_code::softmax, graph::softmax_options{1.0F}, x, {4, 3}, 0.5F, 0,
                          y, 1.0F / 256, -128);
  };
  EXPECT_TRUE(is_healthy(verdict({127, -128, -128, -128, 127, -128, -128, 0, 0, -128, 0, 0})));
  EXPECT_EQ(verdict({-128, -128, -128, -128, -128, -128, -128, 0, 0, -128, 0, 0}),
            names{"OUTPUT_WRAP"});
}

TEST(reported_cases, r57_a_zero_point_of_127_for_128) {  // microsoft/onnxruntime issue 25823
  // QUANTIZE from scale 1/64 at 0 to scale 1/32 at 0: codes halve.
  const codes x{-64, -32, 0, 32, 64, 20, -10, 4};
  codes right, low;
  for (const int code : x) right.push_back(code / 2), low.push_back(code / 2 - 1);
  const auto verdict = [&](const codes& y) {
    return verdict_of_one(operator_code::quantize, {}, x, {1, 8}, 1.0F / 64, 0, y, 1.0F / 32, 0);
  };
  EXPECT_TRUE(is_healthy(verdict(right)));
  EXPECT_EQ(verdict(low), names{"OUTPUT_ZERO_POINT"});
  EXPECT_EQ(verdict(x), names{"REQUANTIZE_LOST"});
}

/// Codes -128 to 127 twice, through tanh in doubles.
TEST(reported_cases, a_table_with_wrong_entries) {
  codes x, y, moved, shifted;
  const auto result = [](int code) {
    return static_cast<int>(std::clamp(std::round(std::tanh(code * 0.02) * 128), -128.0, 127.0));
  };
  for (int i = 0; i < 512; ++i) {
    const int code = i % 256 - 128;
    x.push_back(code);
    y.push_back(result(code));
    moved.push_back(result(code < 127 ? code + 1 : -128));
    shifted.push_back(code == 17 || code == -80 ? y.back() + 9 : y.back());
  }
  const auto verdict = [&](const codes& got) {
    return verdict_of_one(operator_code::tanh, {}, x, {2, 256}, 0.02F, 0, got, 1.0F / 128, 0);
  };
  EXPECT_TRUE(is_healthy(verdict(y)));
  EXPECT_EQ(verdict(shifted), names{"TABLE"});
  EXPECT_EQ(verdict(moved), names{"TABLE"}) << "read one entry further on";
  codes other = y;  // one of the two places of a code alone: no table does that
  other[40] += 9;
  EXPECT_EQ(verdict(other), names{"UNDETERMINED"});
}

}  // namespace
