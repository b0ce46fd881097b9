// SPDX-License-Identifier: Apache-2.0
// Packed requantizations and tables give the integers of the scalar reference.
#include <bittwin/conformance/check_elementwise.hpp>
#include <bittwin/kernel/activation.hpp>
#include <bittwin/kernel/pack_stream.hpp>
#include <bittwin/kernel/unary.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "laws/targets.hpp"
#include "parity/parity.hpp"

namespace {

using namespace parity;
using conformance::elementwise_case;

TEST(streams, bytes_to_bytes_give_the_integers_of_the_reference) {
  const forced reference(arch::scalar);
  laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
    for_each_arch([&](arch on) {
      const auto v = conformance::check_requantize<Target>(
          [&]<class T>(const elementwise_case& c, std::span<const T> x, std::span<T> y) {
            const forced here(on);
            const auto k = requantize<Target>::prepare({c.type, c.type, c.a(), c.y()});
            ASSERT_TRUE(k.has_value());
            ASSERT_EQ(k->runs_on(), on);
            const auto before = simd::runs_of(on);
            (*k)(x, y);
            ASSERT_EQ(simd::runs_of(on), before + 1);
          });
      EXPECT_TRUE(v.passed) << simd::name_of(on) << ": " << v.text;
    });
  });
}

/// Accumulators of one layer: around every threshold, at the ends of int32, and anywhere.
std::vector<std::int32_t> accumulators(const requantizer& rule, std::int64_t zero,
                                       std::mt19937& random) {
  std::vector<std::int32_t> all{std::numeric_limits<std::int32_t>::min(),
                                std::numeric_limits<std::int32_t>::max(), 0, -1, 1};
  const double real = rule.multipliers[0].real;
  for (int code = -140; code < 270; ++code)
    for (int step = -2; step <= 2; ++step) {
      const double at =
          std::floor((code + 0.5 - rule.zero_point) / real) + step + static_cast<double>(zero);
      if (std::fabs(at) < 2e9) all.push_back(static_cast<std::int32_t>(at));
    }
  for (int i = 0; i < 500; ++i) all.push_back(static_cast<std::int32_t>(random()));
  while (all.size() % 64 != 37) all.push_back(static_cast<std::int32_t>(random()));
  return all;
}

TEST(streams, int32_to_bytes_give_the_integers_of_the_rule) {
  std::mt19937 random(21);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int packed = 0, all = 0, forms[simd::form_kinds] = {};
  for (int trial = 0; trial < 120; ++trial)
    laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
      const bool is_signed = trial % 2 == 0;
      const double exponent = uniform(-20, 1);
      requantize_spec s{.from = element_type::int32,
                        .to = is_signed ? element_type::int8 : element_type::uint8};
      s.out = {1.0F, static_cast<std::int32_t>(uniform(-128, 127.9)) + (is_signed ? 0 : 128)};
      s.in = {static_cast<float>(trial % 3 == 0 ? std::exp2(std::floor(exponent))
                                                : std::exp2(exponent)),
              trial % 5 == 0 ? static_cast<std::int32_t>(uniform(-1e5, 1e5)) : 0};
      const auto rule = bind(requantize_room_of<Target>(facts_of(s)).rule, s.in.scale, 1.0F, s.out,
                             activation::none, s.to);
      const std::vector<std::int32_t> x = accumulators(rule, s.in.zero_point, random);
      const auto run = [&]<class T>(T) {
        std::vector<T> want(x.size());
        {
          const forced reference(arch::scalar);
          (*requantize<Target>::prepare(s))(std::span<const std::int32_t>(x), std::span(want));
        }
        for_each_arch([&](arch on) {
          const forced here(on);
          const auto k = requantize<Target>::prepare(s);
          ++all;
          packed += k->runs_on() == on;
          const auto p =
              pack_scale({rule, s.in.zero_point, requantize_room_of<Target>(facts_of(s)).monotone});
          if (p) ++forms[static_cast<int>(p->form.kind)];
          // Every count of a tail; results before and behind stay as they are.
          for (std::size_t count :
               {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{63}, std::size_t{64},
                std::size_t{65}, x.size() - 3, x.size()}) {
            std::vector<T> y(x.size() + 2, T{85});
            (*k)(std::span<const std::int32_t>(x).first(count), std::span(y).subspan(1, count));
            for (std::size_t i = 0; i < count; ++i)
              ASSERT_EQ(y[i + 1], want[i]) << Target::name << " on " << simd::name_of(on)
                                           << ", trial " << trial << ", x " << x[i];
            ASSERT_EQ(y[0], T{85});
            ASSERT_EQ(y[count + 1], T{85});
          }
        });
      };
      if (is_signed)
        run(std::int8_t{});
      else
        run(std::uint8_t{});
    });
  std::printf("%d of %d packed", packed, all);
  print_forms(forms);
  // Left to the rule: multipliers above 1, and zero points that take accumulators out of int32.
  EXPECT_GT(packed, all * 6 / 10);
}

TEST(streams, tables_of_every_unary_operator_in_place_and_at_every_count) {
  std::mt19937 random(22);
  for (const element_type type : {element_type::int8, element_type::uint8}) {
    const std::int32_t middle = type == element_type::int8 ? 0 : 128;
    const unary_spec s{
        .type = type, .in = {0.05F, middle - 3}, .out = {0.03F, middle + 5}, .alpha = 0.1F};
    for_each_arch([&](arch on) {
      const forced here(on);
      const auto k = leaky_relu<targets::tflite_reference>::prepare(s);
      ASSERT_TRUE(k.has_value());
      ASSERT_EQ(k->runs_on(), on);
      const auto run = [&]<class T>(T) {
        for (std::size_t count = 0; count < 300; ++count) {
          std::vector<T> x(count);
          for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<T>(count > 256 ? i : random());
          const std::vector<T> before = x;
          (*k)(std::span<const T>(before), std::span(x));
          for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(x[i], (*k)(std::int64_t{before[i]}));
        }
      };
      if (type == element_type::int8)
        run(std::int8_t{});
      else
        run(std::uint8_t{});
    });
  }
}

}  // namespace
