// SPDX-License-Identifier: Apache-2.0
// Packed pools and means give the integers of the scalar reference.
#include <bittwin/conformance/check_pool.hpp>
#include <bittwin/kernel/mean.hpp>
#include <bittwin/kernel/pack_pool.hpp>
#include <bittwin/kernel/sum.hpp>
#include <cstdio>
#include <random>
#include <vector>

#include "laws/targets.hpp"
#include "parity/parity.hpp"

namespace {

using namespace parity;
using conformance::pool_case;
using conformance::pool_kind;

template <class Target> void expect_same(pool_kind kind) {
  const forced reference(arch::scalar);
  for_each_arch([&](arch on) {
    int forms[simd::form_kinds] = {}, tables = 0;
    const auto kernel = [&]<class T>(const pool_case& c, std::span<const T> x, std::span<T> y) {
      const forced here(on);
      const auto k = conformance::detail::prepare_pool_case<Target>(c);
      ASSERT_TRUE(k.has_value());
      ASSERT_EQ(k->runs_on(), on);
      for (const auto& w : k->packed()->codes) {
        ++forms[static_cast<int>(w.forms[0].kind)];
        tables += w.table.empty() ? 0 : 1;
      }
      const auto before = simd::runs_of(on);
      (*k)(x, y);
      ASSERT_EQ(simd::runs_of(on), before + 1);
    };
    const auto v = kind == pool_kind::average ? conformance::check_average_pool2d<Target>(kernel)
                                              : conformance::check_max_pool2d<Target>(kernel);
    EXPECT_TRUE(v.passed) << simd::name_of(on) << ": " << v.text;
    std::printf("%s %-22s %-12s tables %d", kind == pool_kind::average ? "average" : "largest",
                std::string(Target::name).c_str(), simd::name_of(on).data(), tables);
    print_forms(forms);
  });
}

TEST(pools, averages_and_maxima_give_the_integers_of_the_reference) {
  laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
    if constexpr (room::average_pool2d::in<Target>) {
      expect_same<Target>(pool_kind::average);
      expect_same<Target>(pool_kind::max);
    }
  });
}

TEST(pools, every_number_of_channels) {
  const forced reference(arch::scalar);
  for_each_arch([&](arch on) {
    const auto kernel = [&]<class T>(const pool_case& c, std::span<const T> x, std::span<T> y) {
      const forced here(on);
      (*conformance::detail::prepare_pool_case<targets::tflite_reference>(c))(x, y);
    };
    for (const pool_kind kind : {pool_kind::average, pool_kind::max})
      for (std::int32_t channels = 1; channels <= 2 * 64 + 17; ++channels) {
        const pool_case c{.kind = kind,
                          .n = 2,
                          .ih = 4,
                          .iw = 11,
                          .c = channels,
                          .kh = 3,
                          .kw = 2,
                          .sw = 1,
                          .type = channels % 2 == 0 ? element_type::int8 : element_type::uint8,
                          .seed = 9};
        EXPECT_EQ(conformance::detail::judge_pool_case<targets::tflite_reference>(c, kernel), "")
            << simd::name_of(on) << ": " << to_line(c);
      }
  });
}

/// Codes spread evenly, or all at one end, where sums are largest.
template <class Operator, class T>
void expect_same_mean(const mean_spec& s, int spread, std::mt19937& random) {
  const code_range type = range_of(s.type);
  std::vector<T> x(static_cast<std::size_t>(s.input.elements()));
  for (T& code : x)
    code = static_cast<T>(spread == 0   ? static_cast<std::int64_t>(random())
                          : spread == 1 ? type.low
                                        : type.high);
  const auto run = [&](arch on) {
    const forced here(on);
    const auto k = Operator::prepare(s);
    EXPECT_TRUE(k.has_value());
    EXPECT_EQ(k->runs_on(), on);
    std::vector<T> y(static_cast<std::size_t>(s.output().elements()));
    std::vector<std::int64_t> sums(y.size());
    (*k)(std::span<const T>(x), std::span(y), std::span(sums));
    return y;
  };
  const std::vector<T> want = run(arch::scalar);
  for_each_arch([&](arch on) {
    EXPECT_EQ(run(on), want) << simd::name_of(on) << ", input " << to_string(s.input);
  });
}

TEST(means, axes_side_by_side_give_the_integers_of_the_reference) {
  std::mt19937 random(31);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  // From 1 element a mean to many more than words hold, and than are tabulated.
  const shape shapes[] = {{1, 1, 1, 8},   {1, 7, 7, 70},   {2, 3, 5, 33}, {1, 12, 11, 17},
                          {3, 16, 17, 5}, {1, 23, 24, 64}, {1, 40, 30, 3}};
  for (int trial = 0; trial < 12; ++trial)
    for (const shape& input : shapes)
      for (const std::array<bool, shape::max_rank>& axes :
           {std::array<bool, shape::max_rank>{false, true, true},
            {true},
            {false, false, false, true},
            {false, false, true, true}})
        laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
          const bool is_signed = trial % 2 == 0;
          const std::int32_t middle = is_signed ? 0 : 128;
          mean_spec s{.type = is_signed ? element_type::int8 : element_type::uint8,
                      .input = input,
                      .axes = axes,
                      .keep_dims = trial % 4 < 2};
          s.in = {static_cast<float>(uniform(0.01, 0.1)),
                  static_cast<std::int32_t>(uniform(-128, 127.9)) + middle};
          s.out = trial % 3 == 0 ? s.in
                                 : affine{static_cast<float>(uniform(0.01, 0.1)),
                                          static_cast<std::int32_t>(uniform(-128, 127.9)) + middle};
          if (is_signed)
            expect_same_mean<mean<Target>, std::int8_t>(s, trial % 5, random);
          else
            expect_same_mean<mean<Target>, std::uint8_t>(s, trial % 5, random);
        });
}

TEST(means, sums_that_wrap_are_no_form_but_a_table) {
  std::mt19937 random(32);
  mean_spec s{
      .input = {1, 5, 7, 37}, .axes = {false, true, true}, .in = {0.5F, 3}, .out = {0.5F, 3}};
  expect_same_mean<sum<targets::tflite_builtin>, std::int8_t>(s, 0, random);
  expect_same_mean<sum<targets::tflite_reference>, std::int8_t>(s, 0, random);
  s.out = {8.0F, -3};
  expect_same_mean<sum<targets::tflite_builtin>, std::int8_t>(s, 0, random);
  expect_same_mean<sum<targets::tflite_reference>, std::int8_t>(s, 0, random);
}

TEST(means, axes_apart_run_by_the_rule) {
  const forced here(simd::every_arch[simd::machine_has(arch::avx2) ? 1 : 0]);
  const auto k = mean<targets::tflite_reference>::prepare(
      {.input = {2, 3, 4, 5}, .axes = {true, false, true}, .in = {0.5F, 1}, .out = {0.25F, 2}});
  ASSERT_TRUE(k.has_value());
  EXPECT_EQ(k->runs_on(), arch::scalar);
}

}  // namespace
