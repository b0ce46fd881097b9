// SPDX-License-Identifier: Apache-2.0
// The element-wise half of the kit against planted faults, shrunk to one element where that suffices, and healthy twins.
#include <gtest/gtest.h>

#include <bittwin/conformance/check_elementwise.hpp>
#include <bittwin/targets/all.hpp>

namespace {

using namespace bittwin;
using base = targets::tflite_reference;
using conformance::elementwise_case;
using conformance::elementwise_verdict;

/// The base's sums, by a table of both operands, with a fault.
template <class Fault> struct adds {
  template <class T>
  void operator()(const elementwise_case& c, std::span<const T> a, std::span<const T> b,
                  std::span<T> y) const {
    binary_spec spec{.type = c.type,
                     .a_extents = {1},
                     .b_extents = {1},
                     .a = c.a(),
                     .b = c.b(),
                     .output = c.y(),
                     .fused = c.fused};
    Fault::before(spec);
    const auto kernel = add<base>::prepare(spec);
    for (std::size_t i = y.size(); i-- > 0;)
      y[i] = static_cast<T>(Fault::after((*kernel)(std::int64_t{a[i]}, std::int64_t{b[i]}), i));
  }
};

struct healthy {
  static void before(binary_spec&) {}
  static std::int64_t after(std::int64_t code, std::size_t) { return code; }
};
struct scale_of_the_first : healthy {
  static void before(binary_spec& s) { s.b.scale = s.a.scale; }
};
struct activation_lost : healthy {
  static void before(binary_spec& s) { s.fused = activation::none; }
};
struct zero_point_lost : healthy {
  static void before(binary_spec& s) { s.b.zero_point = s.type == element_type::uint8 ? 128 : 0; }
};
struct tail_lost : healthy {
  static std::int64_t after(std::int64_t code, std::size_t i) { return i >= 16 ? 0 : code; }
};

void expect_found(const elementwise_verdict& v, std::int32_t most = 1) {
  ASSERT_FALSE(v.passed);
  EXPECT_LE(v.smallest.count, most) << v.text;
  EXPECT_NE(v.text.find("case: "), std::string::npos);
}

TEST(elementwise_kit, finds_planted_faults_on_one_element) {
  expect_found(conformance::check_add<base>(adds<scale_of_the_first>{}));
  expect_found(conformance::check_add<base>(adds<activation_lost>{}));
  expect_found(conformance::check_add<base>(adds<zero_point_lost>{}));
  expect_found(conformance::check_add<base>(adds<tail_lost>{}), 17);
  expect_found(conformance::check_sub<base>(adds<healthy>{}));
}

TEST(elementwise_kit, never_accuses_sums_computed_backwards) {
  const auto v = conformance::check_add<base>(adds<healthy>{});
  EXPECT_TRUE(v.passed) << v.text;
}

/// A grid change in plain float64, ties away from zero, that is not the two-step rule.
struct requantizes_in_float64 {
  template <class T>
  void operator()(const elementwise_case& c, std::span<const T> x, std::span<T> y) const {
    const code_range r = range_of(c.type);
    const double ratio = static_cast<double>(c.a().scale) / static_cast<double>(c.y().scale);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double real = static_cast<double>(x[i] - c.a().zero_point) * ratio;
      y[i] = static_cast<T>(
          clamp_to(static_cast<std::int64_t>(std::round(real)) + c.y().zero_point, r.low, r.high));
    }
  }
};

/// The target's own kernel, one element at a time.
template <class Target> struct requantizes_one_by_one {
  template <class T>
  void operator()(const elementwise_case& c, std::span<const T> x, std::span<T> y) const {
    const auto kernel = requantize<Target>::prepare({c.type, c.type, c.a(), c.y()});
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<T>((*kernel)(std::int64_t{x[i]}));
  }
};

TEST(elementwise_kit, tells_one_rounding_of_a_grid_change_from_two) {
  // One round of 100 draws meets a value between both roundings nearly always: a few rounds always.
  auto verdict = conformance::check_requantize<base>(requantizes_in_float64{});
  for (int round = 1; round < 5 && verdict; ++round)
    verdict = conformance::check_requantize<base>(requantizes_in_float64{});
  expect_found(verdict, 8);
  EXPECT_TRUE(conformance::check_requantize<base>(requantizes_one_by_one<base>{}));
  EXPECT_TRUE(
      conformance::check_requantize<targets::xnnpack>(requantizes_one_by_one<targets::xnnpack>{}));
}

}  // namespace
