// SPDX-License-Identifier: Apache-2.0
// Operators of the installed XNNPACK (Debian libxnnpack-dev), linked in and compared with targets::xnnpack_x86: more than
// a million codes each, 0 differences. The library takes its kernels for this machine; all x86 ones are fp32.
#include <gtest/gtest.h>
#include <xnnpack.h>

#include <bittwin/bittwin.hpp>
#include <bittwin/targets/xnnpack_x86.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

namespace {

using namespace bittwin;

struct operator_delete {
  void operator()(xnn_operator* op) const { xnn_delete_operator(op); }
};
using owned = std::unique_ptr<xnn_operator, operator_delete>;

/// XNNPACK may read past the ends of its inputs.
std::vector<std::int8_t> random_codes(std::mt19937& random, std::size_t count, int low = -128) {
  std::vector<std::int8_t> codes(count + XNN_EXTRA_BYTES);
  for (std::int8_t& code : codes)
    code = static_cast<std::int8_t>(low +
                                    static_cast<int>(random() % static_cast<unsigned>(128 - low)));
  return codes;
}

float random_scale(std::mt19937& random) {
  constexpr float simple[] = {0.5F, 0.25F, 0.125F, 0.0625F};  // ratios with ties
  if (random() % 3 == 0) return simple[random() % 4];
  return 0.01F + static_cast<float>(random() % 100000) * 1e-6F;
}
std::int32_t random_zero(std::mt19937& random) {
  return static_cast<std::int32_t>(random() % 256) - 128;
}

/// What was compared: a code at the end of the clamp tells less.
struct tally {
  std::int64_t compared = 0, inside = 0, differing = 0;
  void add(std::span<const std::int8_t> ours, std::span<const std::int8_t> theirs) {
    for (std::size_t i = 0; i < ours.size(); ++i) {
      ++compared;
      inside += ours[i] > -128 && ours[i] < 127;
      differing += ours[i] != theirs[i];
    }
  }
  void expect_equal() const {
    std::printf("%lld codes, %lld inside the clamp, %lld differ\n",
                static_cast<long long>(compared), static_cast<long long>(inside),
                static_cast<long long>(differing));
    EXPECT_EQ(differing, 0);
    EXPECT_GE(inside, 1'000'000);
  }
};

class xnnpack : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(xnn_initialize(nullptr), xnn_status_success); }
};

TEST_F(xnnpack, conv2d_of_qs8) {
  std::mt19937 random(11);
  tally t;
  for (int round = 0; round < 60; ++round) {
    const std::int32_t ic = 1 + static_cast<std::int32_t>(random() % 24),
                       oc = 1 + static_cast<std::int32_t>(random() % 24);
    const std::int32_t side = 48, taps = round % 3 == 0 ? 3 : 1;
    const affine x{random_scale(random), random_zero(random)};
    const float w = random_scale(random);
    // The output's scale follows the spread of the sums, so that most codes lie inside the type.
    const affine y{x.scale * w * 70.0F * std::sqrt(static_cast<float>(ic * taps * taps)),
                   random_zero(random) / 4};
    const auto input = random_codes(random, static_cast<std::size_t>(side * side * ic));
    const auto weights =
        random_codes(random, static_cast<std::size_t>(oc * taps * taps * ic), -127);
    std::vector<std::int32_t> bias(static_cast<std::size_t>(oc));
    for (std::int32_t& b : bias) b = static_cast<std::int32_t>(random() % 4000) - 2000;
    const std::size_t outputs = static_cast<std::size_t>(side * side * oc);
    std::vector<std::int8_t> ours(outputs), theirs(outputs + XNN_EXTRA_BYTES);

    const auto pad = static_cast<std::uint32_t>(taps / 2), k = static_cast<std::uint32_t>(taps);
    const auto in = static_cast<std::size_t>(ic), out = static_cast<std::size_t>(oc);
    xnn_operator_t made = nullptr;
    ASSERT_EQ(xnn_create_convolution2d_nhwc_qs8(
                  pad, pad, pad, pad, k, k, 1, 1, 1, 1, 1, in, out, in, out,
                  static_cast<std::int8_t>(x.zero_point), x.scale, w, weights.data(), bias.data(),
                  static_cast<std::int8_t>(y.zero_point), y.scale, -128, 127, 0, &made),
              xnn_status_success);
    const owned op(made);
    const auto extent = static_cast<std::size_t>(side);
    ASSERT_EQ(xnn_setup_convolution2d_nhwc_qs8(made, 1, extent, extent, input.data(), theirs.data(),
                                               nullptr),
              xnn_status_success);
    ASSERT_EQ(xnn_run_operator(made, nullptr), xnn_status_success);

    const conv2d_spec spec{.input = {.n = 1, .h = side, .w = side, .c = ic},
                           .filter = {.o = oc, .h = taps, .w = taps, .i = ic},
                           .quantization = {.input = x, .filter_scales = {&w, 1}, .output = y}};
    const auto layer = conv2d<targets::xnnpack_x86>::prepare(
        spec,
        std::span<const std::int8_t>(weights.data(),
                                     static_cast<std::size_t>(oc * taps * taps * ic)),
        std::span<const std::int32_t>(bias));
    ASSERT_TRUE(layer) << layer.error().text;
    (*layer)(std::span<const std::int8_t>(input.data(), static_cast<std::size_t>(side * side * ic)),
             std::span(ours));
    t.add(ours, std::span(theirs).first(outputs));
  }
  t.expect_equal();
}

TEST_F(xnnpack, add_of_qs8) {
  std::mt19937 random(12);
  tally t;
  for (int round = 0; round < 60; ++round) {
    constexpr std::size_t count = 40000;
    const affine a{random_scale(random), random_zero(random) / 4},
        b{random_scale(random), random_zero(random) / 4};
    const affine y{a.scale + b.scale, random_zero(random) / 4};
    const auto first = random_codes(random, count), second = random_codes(random, count);
    std::vector<std::int8_t> ours(count), theirs(count + XNN_EXTRA_BYTES);
    xnn_operator_t made = nullptr;
    ASSERT_EQ(
        xnn_create_add_nd_qs8(static_cast<std::int8_t>(a.zero_point), a.scale,
                              static_cast<std::int8_t>(b.zero_point), b.scale,
                              static_cast<std::int8_t>(y.zero_point), y.scale, -128, 127, 0, &made),
        xnn_status_success);
    const owned op(made);
    ASSERT_EQ(xnn_setup_add_nd_qs8(made, 1, &count, 1, &count, first.data(), second.data(),
                                   theirs.data(), nullptr),
              xnn_status_success);
    ASSERT_EQ(xnn_run_operator(made, nullptr), xnn_status_success);
    const shape extents{static_cast<std::int32_t>(count)};
    const auto layer = add<targets::xnnpack_x86>::prepare(
        {.a_extents = extents, .b_extents = extents, .a = a, .b = b, .output = y});
    ASSERT_TRUE(layer) << layer.error().text;
    (*layer)(std::span(first).first(count), std::span(second).first(count), std::span(ours));
    t.add(ours, std::span(theirs).first(count));
  }
  t.expect_equal();
}

}  // namespace
