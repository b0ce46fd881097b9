// SPDX-License-Identifier: Apache-2.0
// Each target once more, by a second derivation from its source: long integers, the C library's roundings and bits of
// floats instead of our policies.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "layers.hpp"

namespace {

using namespace bittwin;
using test::dense_layer, test::dense_options;
using wide = __int128;

/// What a formula may read of one output.
struct reals {
  std::int64_t acc, bias;  ///< the bias is in acc
  float input, filter, output;
  int zero, low, high;
};

std::int64_t bias_of(const dense_layer& l, std::size_t output) {
  return l.bias.empty() ? 0 : l.bias[output];
}

int clamped(std::int64_t value, const reals& r) {
  return static_cast<int>(value < r.low ? r.low : value > r.high ? r.high : value);
}

// ---- gemmlowp's primitives, from the words of its sources --------------------------------------------------------

std::int32_t doubled_high(std::int32_t a, std::int32_t b) {
  const std::int64_t ab = std::int64_t{a} * b;
  return static_cast<std::int32_t>((ab + (ab >= 0 ? 1LL << 30 : 1 - (1LL << 30))) / (1LL << 31));
}

std::int32_t divided(std::int32_t x, int e) {
  const std::int64_t mask = (1LL << e) - 1, rest = x & mask;
  return static_cast<std::int32_t>((x >> e) + (rest > (mask >> 1) + (x < 0)));
}

struct q31 {
  std::int32_t m;
  int e;
};

q31 as_q31(double real, bool renormalise) {
  q31 r{};
  const double f = std::frexp(real, &r.e);
  std::int64_t m = std::llround(f * 2147483648.0);
  if (renormalise && m == 1LL << 31) {
    m /= 2;
    ++r.e;
  }
  r.m = static_cast<std::int32_t>(m);
  return r;
}

std::int64_t twice(std::int64_t acc, q31 q) {
  const int left = q.e > 0 ? q.e : 0, right = q.e > 0 ? 0 : -q.e;
  return divided(doubled_high(static_cast<std::int32_t>(acc * (1LL << left)), q.m), right);
}

std::int64_t once(std::int64_t acc, q31 q) {
  return static_cast<std::int64_t>(((wide{acc} * q.m) + (wide{1} << (30 - q.e))) >> (31 - q.e));
}

double product(const reals& r) {
  return static_cast<double>(r.input) * static_cast<double>(r.filter) /
         static_cast<double>(r.output);
}
float product32(const reals& r) { return r.input * r.filter / r.output; }

int gemmlowp_or_qnnpack(const reals& r) {
  const auto bits = std::bit_cast<std::uint32_t>(product32(r));
  const q31 q{static_cast<std::int32_t>(((bits & 0x7FFFFFU) | 0x800000U) << 7),
              -static_cast<int>(126 - (bits >> 23))};
  return clamped(twice(r.acc, q) + r.zero, r);
}

int once_up(const reals& r) { return clamped(once(r.acc, as_q31(product(r), true)) + r.zero, r); }

/// FULLY_CONNECTED with one scale: TFLite forms the product of the operands' scales in float32.
int twice_of_float_product(const reals& r) {
  const double m = static_cast<double>(r.input * r.filter) / static_cast<double>(r.output);
  return clamped(twice(r.acc, as_q31(m, true)) + r.zero, r);
}
int once_of_float_product(const reals& r) {
  const double m = static_cast<double>(r.input * r.filter) / static_cast<double>(r.output);
  return clamped(once(r.acc, as_q31(m, true)) + r.zero, r);
}

int tosa_double(const reals& r) {
  return clamped(twice(r.acc, as_q31(product(r), true)) + r.zero, r);
}

int ethos_u(const reals& r) {
  return clamped(twice(r.acc, as_q31(static_cast<double>(product32(r)), false)) + r.zero, r);
}

int in_double(const reals& r) {
  return clamped(std::llround(static_cast<double>(r.acc) * product(r)) + r.zero, r);
}

int in_float(const reals& r) {
  float f = static_cast<float>(r.acc) * product32(r);
  f = std::fmin(std::fmax(f, static_cast<float>(r.low - r.zero)),
                static_cast<float>(r.high - r.zero));
  return static_cast<int>(std::lrintf(f)) + r.zero;
}

int of_24_bits(const reals& r) {
  const auto bits = std::bit_cast<std::uint32_t>(product32(r));
  const std::int64_t m = (bits & 0x7FFFFFU) | 0x800000U;
  const int shift = 150 - static_cast<int>(bits >> 23);
  return clamped(((r.acc * m + (1LL << (shift - 1))) >> shift) + r.zero, r);
}

int rk3588(const reals& r) {
  const auto bits = std::bit_cast<std::uint32_t>(product32(r));
  std::int64_t m = (((bits >> 9) & 0x3FFFU) | 0x4000U) + 1;
  int shift = 141 - static_cast<int>(bits >> 23);
  if (m == 0x8000) {
    m = 0x4000;
    --shift;
  }
  const std::int64_t x = r.acc * m, low = x & ((1LL << shift) - 1), half = 1LL << (shift - 1);
  std::int64_t q = x >> shift;
  if (low > half || (low == half && (q & 1) != 0)) ++q;
  return clamped(q + r.zero, r);
}

int half_even_power(const reals& r) {
  return clamped(std::llrint(static_cast<double>(r.acc) * product(r)), r);
}
int half_up_power(const reals& r) {
  return clamped(
      static_cast<std::int64_t>(std::floor(static_cast<double>(r.acc) * product(r) + 0.5)), r);
}

/// In several float32 steps; volatile keeps each of them a rounding of its own.
float real_bias(const reals& r) {
  return static_cast<float>(static_cast<double>(r.bias) *
                            (static_cast<double>(r.input) * static_cast<double>(r.filter)));
}
int onednn(const reals& r) {
  volatile float d = static_cast<float>(r.acc - r.bias) * r.input;
  d = d * r.filter;
  d = d + real_bias(r);
  d = d / r.output;
  d = d + static_cast<float>(r.zero);
  return clamped(std::lrintf(d), r);
}
int ncnn(const reals& r) {
  const volatile float bottom = 1.0F / r.input, weight = 1.0F / r.filter, top = 1.0F / r.output;
  const volatile float both = bottom * weight, in = 1.0F / both;
  volatile float v = static_cast<float>(r.acc - r.bias) * in;
  v = v + real_bias(r);
  v = v * top;
  const int code = clamped(std::lround(v), r);
  return code < -127 ? -127 : code;
}

int arm_compute(const reals& r) {
  return clamped(twice(r.acc, as_q31(static_cast<double>(product32(r)), true)) + r.zero, r);
}

int once_away(const reals& r) {
  const q31 q = as_q31(product(r), true);
  const wide p = wide{r.acc} * q.m, magnitude = p < 0 ? -p : p;
  const auto rounded =
      static_cast<std::int64_t>((magnitude + (wide{1} << (30 - q.e))) >> (31 - q.e));
  return clamped((p < 0 ? -rounded : rounded) + r.zero, r);
}

/// The skipped nudge: in 32 bits, which nothing here leaves.
int esp_nn(const reals& r) {
  const q31 q = as_q31(product(r), true);
  const std::int64_t h = (r.acc * q.m + (1LL << 30)) >> 31;
  const int right = -q.e;
  const std::int64_t nudged = right == 0 ? h : (h + (1LL << (right - 1)) - (h < 0)) >> right;
  return clamped(nudged + r.zero, r);
}

int away_in_float(const reals& r) {
  float f = static_cast<float>(r.acc) * product32(r);
  f = std::fmin(std::fmax(f, -128.0F), 127.0F);
  return static_cast<int>(std::lround(f));
}

int half_away_power(const reals& r) {
  return clamped(std::llround(static_cast<double>(r.acc) * product(r)), r);
}

/// 15 bits of the real, cut; ties to even.
int intel_npu(const reals& r) {
  int e = 0;
  const double f = std::frexp(product(r), &e);
  const auto m = static_cast<std::int64_t>(f * 32768.0);
  const int shift = 15 - e;
  const std::int64_t x = r.acc * m, low = x & ((1LL << shift) - 1), half = 1LL << (shift - 1);
  const std::int64_t q = x >> shift;
  return clamped(q + (low > half || (low == half && (q & 1) != 0)) + r.zero, r);
}

// ---- chips whose multipliers are exact: the real itself is in a double ---------------------------------------------

int floored(const reals& r) {
  return clamped(static_cast<std::int64_t>(std::floor(static_cast<double>(r.acc) * product(r))), r);
}
/// No saturation: the low byte.
int low_byte_of_floor(const reals& r) {
  return static_cast<std::int8_t>(
      static_cast<std::int64_t>(std::floor(static_cast<double>(r.acc) * product(r))));
}

/// The odd integer m with product = m / 2^d, and the int32 of acc m over 2^d, floored.
std::int64_t in_int32(const reals& r) {
  double m = product(r), power = 1;
  for (; m != std::floor(m); m *= 2) power *= 2;
  for (; std::fmod(m, 2) == 0; m /= 2) power /= 2;
  const auto low =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(r.acc) * static_cast<std::uint64_t>(m));
  return static_cast<std::int64_t>(
      std::floor(static_cast<double>(static_cast<std::int32_t>(low)) / power));
}
int pulp_quantised(const reals& r) { return clamped(static_cast<std::int16_t>(in_int32(r)), r); }
int pulp_normalised(const reals& r) { return clamped(in_int32(r), r); }

struct formula_case {
  const char* target;
  dense_options layer;
  int (*formula)(const reals&);
};

const dense_options s8{}, channels{.per_channel = true},
    u8{.type = element_type::uint8, .weights_symmetric = false},
    powers{.symmetric = true, .powers_of_two = true, .most = 0.5},
    few{.symmetric = true, .powers_of_two = true, .least = 1e-3, .most = 0.5, .depth = 3},
    above{.least = 0.5, .most = 60}, below{.most = 0.49},
    no_bias{.symmetric = true,
            .powers_of_two = true,
            .without_bias = true,
            .least = 1e-3,
            .most = 8e-3},
    bytes{.type = element_type::uint8,
          .symmetric = true,
          .signed_weights = true,
          .few_bits = true,
          .without_bias = true,
          .least = 5e-4,
          .most = 4e-3},
    bytes_and_bias{.type = element_type::uint8,
                   .symmetric = true,
                   .weights_symmetric = false,
                   .few_bits = true,
                   .least = 5e-4,
                   .most = 0.9};

const std::vector<formula_case> cases{
    {"gemmlowp", u8, gemmlowp_or_qnnpack},
    {"qnnpack", u8, gemmlowp_or_qnnpack},
    {"ruy", s8, once_up},
    {"ruy", u8, once_up},
    {"ruy", channels, once_up},
    {"ruy", above, once_up},
    {"cmsis-nn", s8, twice_of_float_product},
    {"cmsis-nn", above, twice_of_float_product},
    {"cmsis-nn", channels, tosa_double},
    {"cmsis-nn-single", s8, once_of_float_product},
    {"cmsis-nn-single", above, once_of_float_product},
    {"tosa", s8, once_up},
    {"tosa", above, once_up},
    {"tosa-double", s8, tosa_double},
    {"tosa-double", above, tosa_double},
    {"litert-head", s8, in_double},
    {"litert-head", channels, in_double},
    {"litert-head", above, in_double},
    {"ort-mlas-x86", s8, in_float},
    {"ort-mlas-x86", u8, in_float},
    {"ort-mlas-arm", channels, in_float},
    {"xnnpack-x86", s8, in_float},
    {"xnnpack-x86", u8, in_float},
    {"xnnpack-neon", s8, in_float},
    {"xnnpack-neon", u8, of_24_bits},
    {"ethos-u", s8, ethos_u},
    {"ethos-u", u8, ethos_u},
    {"onednn-vnni", s8, onednn},
    {"onednn-vnni", channels, onednn},
    {"ncnn", {.symmetric = true}, ncnn},
    {"ncnn", {.symmetric = true, .per_channel = true}, ncnn},
    {"fbgemm", {.type = element_type::uint8, .signed_weights = true}, in_float},
    {"arm-compute", s8, arm_compute},
    {"arm-compute", u8, arm_compute},
    {"tvm", s8, once_up},
    {"tvm", channels, once_up},
    {"tvm-to-nearest", s8, once_away},
    {"tvm-to-nearest", u8, once_away},
    {"esp-nn", below, esp_nn},
    {"hifi4-nnlib", below, tosa_double},
    {"hifi4-nnlib-single", below, once_up},
    {"gemmini", {.symmetric = true}, in_float},
    {"gap-sq8", powers, half_up_power},
    {"nvdla", powers, half_away_power},
    {"max78000", no_bias, half_up_power},
    {"intel-npu", s8, intel_npu},
    {"intel-npu", u8, intel_npu},
    {"esp-dl-p4", powers, half_even_power},
    {"esp-dl-s3", few, half_up_power},
    {"pulp-nn", bytes, pulp_quantised},
    {"pulp-nn-bn", bytes, pulp_normalised},
    {"aie-xdna", powers, low_byte_of_floor},
    {"aie-xdna-even", powers, half_even_power},
    {"embarc-mli", no_bias, half_up_power},
    {"embarc-mli-convergent", no_bias, half_even_power},
};

std::string name_of_case(const testing::TestParamInfo<std::size_t>& one) {
  std::string name = cases[one.param].target;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name + "_" + std::to_string(one.param);
}

const graph::target_rules& rules_named(std::string_view name) { return graph::shipped_rules(name); }

/// The formula on the accumulators of `layers` random layers; how many codes lay inside the range, and differing ones.
class formulas : public testing::TestWithParam<std::size_t> {};

TEST_P(formulas, agree_with_the_target_on_random_layers) {
  const formula_case& c = cases[GetParam()];
  const graph::target_rules& rules = rules_named(c.target);
  test::dense_layers draw(1 + static_cast<unsigned>(GetParam()));
  int inside = 0, differing = 0, refused = 0;
  for (int round = 0; round < 1200; ++round) {
    dense_options drawn = c.layer;
    if (round % 2 == 1) drawn.powers_of_two = true;  // ties
    const dense_layer l = draw(drawn);
    const auto kernel = test::prepare(rules, l);
    if (!kernel) {
      ++refused;
      continue;
    }
    const auto y = test::run(*kernel, l);
    const auto& q = l.spec.quantization;
    const code_range type = range_of(q.type);
    for (std::size_t o = 0; o < y.size(); ++o) {
      const reals r{l.accumulator(o),
                    bias_of(l, o),
                    q.input.scale,
                    l.scales[l.scales.size() > 1 ? o : 0],
                    q.output.scale,
                    q.output.zero_point,
                    static_cast<int>(type.low),
                    static_cast<int>(type.high)};
      const int want = c.formula(r);
      inside += want > r.low && want < r.high;
      if (y[o] != want && ++differing == 1)
        ADD_FAILURE() << "accumulator " << r.acc << ", scales " << r.input << " " << r.filter << " "
                      << r.output << ": " << y[o] << " instead of " << want;
    }
  }
  EXPECT_EQ(differing, 0);
  EXPECT_GT(inside, 8000) << refused << " layers refused";
}

INSTANTIATE_TEST_SUITE_P(targets, formulas, testing::Range<std::size_t>(0, cases.size()),
                         name_of_case);

struct convolution_case {
  const char* target;
  dense_options layer;
  int (*formula)(const reals&);
};

/// Targets that have convolutions alone.
void expect_convolutions(const convolution_case& one) {
  test::dense_layers draw(99);
  int inside = 0;
  for (int round = 0; round < 1200; ++round) {
    dense_options drawn = one.layer;
    drawn.powers_of_two = drawn.powers_of_two || round % 2 == 1;
    dense_layer l = draw(drawn);
    const auto& q = l.spec.quantization;
    conv2d_spec spec{.input = {.n = 1, .h = 1, .w = 1, .c = l.spec.depth},
                     .filter = {.o = l.spec.outputs, .h = 1, .w = 1, .i = l.spec.depth},
                     .quantization = q};
    spec.quantization.filter_scales = l.scales;
    std::vector<std::byte> bytes;
    for (const std::int32_t w : l.w) bytes.push_back(static_cast<std::byte>(w));
    const auto kernel =
        prepare_conv2d(rules_named(one.target).conv2d(facts_of(spec)), spec, bytes, l.bias);
    ASSERT_TRUE(kernel) << kernel.error().text;
    const auto y = test::run(*kernel, l);
    const code_range type = range_of(q.type);
    for (std::size_t o = 0; o < y.size(); ++o) {
      const reals r{l.accumulator(o),
                    bias_of(l, o),
                    q.input.scale,
                    l.scales[0],
                    q.output.scale,
                    q.output.zero_point,
                    static_cast<int>(type.low),
                    static_cast<int>(type.high)};
      const int want = one.formula(r);
      inside += want > r.low && want < r.high;
      ASSERT_EQ(y[o], want) << r.acc;
    }
  }
  EXPECT_GT(inside, 8000);
}

TEST(formulas, of_convolutions_agree_where_a_target_has_no_dense_layers) {
  expect_convolutions({"rk3588", s8, rk3588});
  expect_convolutions({"mnn-arm64", {.symmetric = true}, away_in_float});
  expect_convolutions({"vitis-dpu", no_bias, half_up_power});
  expect_convolutions({"ne16", bytes, floored});
  expect_convolutions({"k210", bytes_and_bias, half_even_power});
}

/// Scaled values past 2^15 wrap before the clip, and with batch normalisation they do not.
TEST(formulas, of_pulp_nn_part_where_16_bits_end) {
  dense_options large = bytes;
  large.least = 0.5;
  large.most = 0.99;
  test::dense_layers draw(97);
  int wrapped = 0;
  for (int round = 0; round < 200; ++round) {
    const dense_layer l = draw(large);
    const auto cast = test::prepare(rules_named("pulp-nn"), l);
    const auto normalised = test::prepare(rules_named("pulp-nn-bn"), l);
    ASSERT_TRUE(cast && normalised) << (cast ? normalised : cast).error().text;
    const auto y = test::run(*cast, l), z = test::run(*normalised, l);
    for (std::size_t o = 0; o < y.size(); ++o) {
      const auto& q = l.spec.quantization;
      const reals r{l.accumulator(o), 0, q.input.scale, l.scales[0], q.output.scale, 0, 0, 255};
      ASSERT_EQ(y[o], pulp_quantised(r)) << r.acc;
      ASSERT_EQ(z[o], pulp_normalised(r)) << r.acc;
      wrapped += y[o] != z[o];
    }
  }
  EXPECT_GT(wrapped, 500);
}

/// Before VNNI: pairs of neighbours saturate at 16 bits, in their own words.
TEST(formulas, of_onednn_before_vnni_saturate_pairs) {
  test::dense_layers draw(98);
  int inside = 0, saturated = 0;
  for (int round = 0; round < 1200; ++round) {
    const dense_layer l = draw({.type = element_type::uint8, .signed_weights = true});
    const auto kernel = test::prepare(rules_named("onednn-avx2"), l);
    ASSERT_TRUE(kernel) << kernel.error().text;
    const auto y = test::run(*kernel, l);
    const auto& q = l.spec.quantization;
    const auto depth = static_cast<std::size_t>(l.spec.depth);
    for (std::size_t o = 0; o < y.size(); ++o) {
      std::int64_t sum = 0, weights = 0;
      for (std::size_t i = 0; i < depth; i += 2) {
        const int a = l.x[i] * (l.w[o * depth + i] - 128);
        const int b = l.x[i + 1] * (l.w[o * depth + i + 1] - 128);
        const int pair = a + b < -32768 ? -32768 : a + b > 32767 ? 32767 : a + b;
        saturated += pair != a + b;
        sum += pair;
        weights += l.w[o * depth + i] + l.w[o * depth + i + 1] - 256;
      }
      const reals r{sum - q.input.zero_point * weights + bias_of(l, o),
                    bias_of(l, o),
                    q.input.scale,
                    l.scales[0],
                    q.output.scale,
                    q.output.zero_point,
                    0,
                    255};
      const int want = onednn(r);
      inside += want > 0 && want < 255;
      ASSERT_EQ(y[o], want);
    }
  }
  EXPECT_GT(inside, 5000);
  EXPECT_GT(saturated, 1000);
}

}  // namespace
