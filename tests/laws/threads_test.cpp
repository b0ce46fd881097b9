// SPDX-License-Identifier: Apache-2.0
// The integers of a kernel do not depend on the number of threads: parts write regions that share no element and are
// together the whole output, in whatever order they run.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bittwin/bittwin.hpp>
#include <bittwin/kernel/unary.hpp>
#include <bittwin/types/parallel_for.hpp>
#include <string>
#include <vector>

#include "laws/layers.hpp"

namespace {

using namespace laws;
using targets::tflite_reference;

constexpr std::int32_t numbers_of_parts[] = {1, 2, 3, 7};
constexpr std::int64_t however_short = 0;  // parts are made of any work

struct last_first {
  int most = 1;  ///< parts of a call

  void operator()(std::int32_t parts, parallel_work work) {
    most = std::max(most, int{parts});
    for (std::int32_t part = parts - 1; part >= 0; --part) work(part);
  }
};

/// Runs one of the parts alone.
struct only {
  std::int32_t part = 0, parts = 1;

  void operator()(std::int32_t n, parallel_work work) {
    parts = n;
    if (part < n) work(part);
  }
};

/// Fails unless call(y, parallel) writes the same whatever the parts, and each element in one part alone.
/// Returns the most parts that it made.
template <class T, class Call>
int check_parts(const std::vector<T>& want, const std::string& what, const Call& call) {
  int most = 1;
  for (const std::int32_t n : numbers_of_parts) {
    std::vector<T> y(want.size(), T{85});
    last_first backwards;
    call(std::span<T>(y), parallel_for(backwards, n, however_short));
    if (y != want) RC_FAIL(what + ": other integers in parts, of " + std::to_string(n));
    most = std::max(most, backwards.most);

    std::vector<int> writes(want.size());
    only alone;
    for (alone.part = 0; alone.part < n; ++alone.part) {
      // What a part did not write is what was there before, whatever it was.
      std::vector<T> a(want.size(), T{85}), b(want.size(), T{42});
      call(std::span<T>(a), parallel_for(alone, n, however_short));
      if (alone.parts < 2 && alone.part > 0) break;  // not divided: done as part 0
      call(std::span<T>(b), parallel_for(alone, n, however_short));
      if (alone.part >= alone.parts) break;
      for (std::size_t i = 0; i < a.size(); ++i) writes[i] += a[i] != T{85} || b[i] != T{42};
    }
    if (std::any_of(writes.begin(), writes.end(), [](int count) { return count != 1; }))
      RC_FAIL(what + ": some element is not written by one part alone, of " + std::to_string(n));
  }
  return most;
}

RC_GTEST_PROP(thread_laws, integers_do_not_depend_on_the_number_of_threads, ()) {
  const layer_case c = any_layer(any_kind());
  covered law("threads", {"telling conv2d", "telling depthwise_conv2d", "telling fully_connected",
                          "two parts", "seven parts"});
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto want = outputs<Target>(c, d);
      law.saw(telling_name(c), telling(c, want));
      const auto kernel = conformance::prepare_case<Target>(c, d);
      const int most =
          check_parts(want, to_line(c), [&](std::span<T> y, const parallel_for& parallel) {
            (*kernel)(std::span<const T>(d.input), y, parallel);
          });
      law.saw("two parts", most >= 2);
      law.saw("seven parts", most == 7);
    });
  });
}

// The classes that random layers seldom have: few rows and many blocks of channels; several images; a last block that
// is smaller; rows that no number of parts divides.
TEST(thread_laws, few_rows_are_divided_by_channels) {
  struct division {
    layer_case layer;
    int parts;  ///< of seven asked for, by the packed kernels: 64 channels are not divided
  };
  const division all[] = {
      {{.kind = layer_kind::fully_connected, .ic = 40, .oc = 500, .seed = 1}, 7},
      {{.kind = layer_kind::fully_connected, .ic = 9, .oc = 129, .seed = 2}, 3},
      {{.kind = layer_kind::fully_connected, .n = 3, .ic = 20, .oc = 100, .seed = 3}, 6},
      {{.kind = layer_kind::conv2d,
        .ih = 3,
        .iw = 5,
        .ic = 16,
        .oc = 144,
        .kh = 3,
        .kw = 3,
        .seed = 4},
       7},
      {{.kind = layer_kind::conv2d,
        .n = 2,
        .ih = 7,
        .iw = 7,
        .ic = 3,
        .oc = 80,
        .kh = 3,
        .kw = 3,
        .seed = 5},
       7},
      {{.kind = layer_kind::conv2d, .ih = 80, .iw = 2, .ic = 8, .oc = 70, .seed = 6}, 7},
      {{.kind = layer_kind::depthwise_conv2d,
        .ih = 2,
        .iw = 3,
        .ic = 300,
        .kh = 3,
        .kw = 3,
        .seed = 7},
       5},
      {{.kind = layer_kind::depthwise_conv2d,
        .n = 2,
        .ih = 33,
        .iw = 4,
        .ic = 72,
        .kh = 3,
        .kw = 3,
        .sh = 2,
        .seed = 8},
       7}};
  for (division one : all) {
    layer_case& c = one.layer;
    c.per_channel = true;
    c.input_zero = -3;
    const auto d = conformance::make_data<std::int8_t>(c);
    const auto kernel = conformance::prepare_case<tflite_reference>(c, d);
    ASSERT_TRUE(kernel.has_value());
    const auto want = outputs<tflite_reference>(c, d);
    EXPECT_TRUE(telling(c, want)) << to_line(c);
    const int most =
        check_parts(want, to_line(c), [&](std::span<std::int8_t> y, const auto& parallel) {
          (*kernel)(std::span<const std::int8_t>(d.input), y, parallel);
        });
    if (kernel->runs_on() != simd::arch::scalar && c.kind != layer_kind::depthwise_conv2d) {
      EXPECT_EQ(most, one.parts) << to_line(c);
    }
    EXPECT_GE(most, 2) << to_line(c);
  }
}

/// Codes that look random, the same every time.
template <class T> std::vector<T> codes(std::int64_t count, std::uint32_t seed) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T& code : all) code = static_cast<T>((seed = seed * 1664525U + 1013904223U) >> 24);
  return all;
}

TEST(thread_laws, convolutions_of_groups_and_transposed_ones_are_divided) {
  const std::vector<float> scales{0.02F};
  const dot_product_quantization q{
      .input = {0.05F, 3}, .filter_scales = scales, .output = {0.9F, -4}};
  const conv2d_spec grouped{.input = {2, 9, 5, 6}, .filter = {8, 3, 3, 3}, .quantization = q};
  const transpose_conv_spec transposed{.input = {2, 5, 4, 6},
                                       .filter = {9, 3, 3, 6},
                                       .output_h = 10,
                                       .output_w = 8,
                                       .stride_h = 2,
                                       .stride_w = 2,
                                       .quantization = q};
  const auto check = [](const result<dot_product_kernel>& kernel, const char* what) {
    ASSERT_TRUE(kernel.has_value()) << kernel.error().text;
    const auto x = codes<std::int8_t>(kernel->input().elements(), 1);
    std::vector<std::int8_t> want(static_cast<std::size_t>(kernel->output().elements()));
    (*kernel)(std::span<const std::int8_t>(x), std::span(want));
    EXPECT_TRUE(telling(want, -128, 127)) << what;
    EXPECT_EQ(check_parts(want, what,
                          [&](std::span<std::int8_t> y, const parallel_for& parallel) {
                            (*kernel)(std::span<const std::int8_t>(x), y, parallel);
                          }),
              7);
  };
  const auto w = codes<std::int8_t>(8 * 3 * 3 * 3, 2), v = codes<std::int8_t>(9 * 3 * 3 * 6, 3);
  check(conv2d<tflite_reference>::prepare(grouped, std::span<const std::int8_t>(w)), "groups");
  check(transpose_conv<tflite_reference>::prepare(transposed, std::span<const std::int8_t>(v)),
        "transposed");
}

template <class T> void check_pools() {
  const element_type type = element_type_of<T>;
  const pool2d_spec spec{.type = type,
                         .input = {2, 21, 7, 35},
                         .filter_h = 3,
                         .filter_w = 2,
                         .stride_h = 2,
                         .grid = {0.1F, 0}};
  const auto x = codes<T>(spec.input.elements(), 4);
  for (const auto& kernel : {average_pool2d<tflite_reference>::prepare(spec),
                             max_pool2d<tflite_reference>::prepare(spec)}) {
    ASSERT_TRUE(kernel.has_value()) << kernel.error().text;
    std::vector<T> want(static_cast<std::size_t>(kernel->output().elements()));
    (*kernel)(std::span<const T>(x), std::span(want));
    EXPECT_EQ(check_parts(want, "pool",
                          [&](std::span<T> y, const parallel_for& parallel) {
                            (*kernel)(std::span<const T>(x), y, parallel);
                          }),
              7);
  }
}
TEST(thread_laws, pools_are_divided) {
  check_pools<std::int8_t>();
  check_pools<std::uint8_t>();
  check_pools<std::int16_t>();
}

TEST(thread_laws, means_sums_and_functions_of_codes_are_divided_where_they_are_packed) {
  if (simd::which_arch() == simd::arch::scalar) GTEST_SKIP() << "no packed kernels here";
  constexpr std::int32_t count = 64 * 9 + 13;
  const auto x = codes<std::int8_t>(count, 5), z = codes<std::int8_t>(count, 6);
  const auto of = [](const std::vector<std::int8_t>& v) { return std::span<const std::int8_t>(v); };
  const auto check = [&](const char* what, std::size_t outputs, const auto& call) {
    std::vector<std::int8_t> want(outputs);
    call(std::span(want), parallel_for{});
    EXPECT_TRUE(telling(want, -128, 127)) << what;
    EXPECT_EQ(check_parts(want, what, call), 7) << what;
  };
  const auto sum = add<tflite_reference>::prepare({.a_extents = {count},
                                                   .b_extents = {count},
                                                   .a = {0.1F, 3},
                                                   .b = {0.13F, -5},
                                                   .output = {0.21F, 2}});
  ASSERT_TRUE(sum.has_value());
  check("add", count, [&](std::span<std::int8_t> y, const parallel_for& parallel) {
    (*sum)(of(x), of(z), y, parallel);
  });
  const auto curve =
      logistic<tflite_reference>::prepare({.in = {0.05F, 3}, .out = {1.0F / 256, -128}});
  ASSERT_TRUE(curve.has_value());
  check("logistic", count, [&](std::span<std::int8_t> y, const parallel_for& parallel) {
    (*curve)(of(x), y, parallel);
  });
  const auto narrowed = requantize<tflite_reference>::prepare(
      {.from = element_type::int32, .in = {0.000021F, 0}, .out = {0.02F, -3}});
  ASSERT_TRUE(narrowed.has_value());
  std::vector<std::int32_t> wide;
  for (const std::int8_t code : x) wide.push_back(700 * code);
  check("requantize", count, [&](std::span<std::int8_t> y, const parallel_for& parallel) {
    (*narrowed)(std::span<const std::int32_t>(wide), y, parallel);
  });
  const auto average = mean<tflite_reference>::prepare(
      {.input = {19, 3, 10}, .axes = {false, true}, .in = {0.1F, 0}, .out = {0.08F, 4}});
  ASSERT_TRUE(average.has_value());
  check("mean", 190, [&](std::span<std::int8_t> y, const parallel_for& parallel) {
    std::vector<std::int64_t> sums(190);
    (*average)(of(x).first(570), y, std::span(sums), parallel);
  });
}

}  // namespace
