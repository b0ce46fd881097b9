// SPDX-License-Identifier: Apache-2.0
// The second proof against brute force: where a form is said to be the rule, it is the rule on every accumulator of
// the interval, not only on those that the proof looked at.
#include <algorithm>
#include <bittwin/simd/float_environment.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "laws/targets.hpp"
#include "parity/parity.hpp"

namespace {

using namespace parity;

/// Sixteen channels of one rule under random scales.
struct channels {
  requantizer rule;
  proof::monotone_function monotone = nullptr;
  code_range interval;
};

template <class Target> channels random_channels(std::mt19937& random, int kind) {
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  channels c;
  const layer_facts facts{.per_channel = true};
  const dot_product_rule rule = conv2d_rule<Target>(facts);
  const affine grid{1.0F, static_cast<std::int32_t>(uniform(-128, 127.99))};
  const activation fused = kind % 3 == 0 ? activation::relu6 : activation::none;
  c.rule = bind(rule.requantize, 1.0F, 1.0F, grid, fused, element_type::int8);
  c.rule.multipliers.clear();
  c.monotone = rule.monotone;
  // Multipliers from 2^-10 to 2, one round of ten down to 2^-14; a quarter are powers of two, whose ties are many.
  const double exponent = uniform(kind % 10 == 7 ? -14 : -10, 1);
  for (int i = 0; i < simd::lanes; ++i) {
    const double real =
        kind % 4 == 1 ? std::exp2(std::floor(exponent)) : std::exp2(exponent) * uniform(0.7, 1.4);
    c.rule.multipliers.push_back(rule.requantize.construct(
        rule.requantize.scale_product(static_cast<float>(real), 1.0F, 1.0F)));
  }
  const double reach = 160 / std::exp2(exponent) * uniform(0.05, 2);
  const double middle = reach * uniform(-1, 1);
  c.interval = {static_cast<std::int64_t>(middle - reach),
                static_cast<std::int64_t>(middle + reach)};
  return c;
}

/// Claims and thresholds of them, as prepare() makes them.
struct claims {
  std::vector<proof::thresholds> rules;
  std::vector<proof::channel_claim> list;

  explicit claims(const channels& c) : rules(simd::lanes) {
    for (int i = 0; i < simd::lanes; ++i) {
      const auto at = static_cast<std::size_t>(i);
      rules[at] = proof::thresholds_of(c.rule, i, c.rule.multipliers[at].real, c.interval);
      list.push_back({&rules[at], c.interval, c.rule.zero_point, 0, c.rule.multipliers[at].real});
    }
  }
};

/// The number of accumulators at which form and rule differ.
std::int64_t differences(const channels& c, const simd::channel_form& form, simd::code_tile tile,
                         const simd::kernel_set& kernels) {
  constexpr std::int64_t rows = 256;
  alignas(64) static std::int32_t acc[rows * simd::lanes];
  static std::uint8_t codes[rows * simd::lanes];
  std::int64_t wrong = 0;
  const simd::float_environment environment;
  for (std::int64_t first = c.interval.low; first <= c.interval.high; first += rows) {
    const std::int64_t count = std::min(rows, c.interval.high - first + 1);
    for (std::int64_t r = 0; r < count; ++r)
      for (int i = 0; i < simd::lanes; ++i)
        acc[r * simd::lanes + i] = static_cast<std::int32_t>(first + r - form.centre[i]);
    tile.acc = acc;
    tile.codes = codes;
    tile.pixels = static_cast<std::int32_t>(count);
    tile.vectors = 1;
    tile.channels = simd::lanes;
    tile.pixel_step = simd::lanes;
    tile.forms = &form;
    kernels.requantize(tile);
    for (std::int64_t r = 0; r < count; ++r)
      for (int i = 0; i < simd::lanes; ++i)
        wrong += static_cast<std::int8_t>(codes[r * simd::lanes + i]) != c.rule(first + r, i);
  }
  return wrong;
}

TEST(forms, a_proved_form_is_the_rule_on_every_accumulator) {
  std::mt19937 random(7);
  int proved[simd::form_kinds] = {}, refused[simd::form_kinds] = {}, wrong_when_refused = 0;
  for (int kind = 0; kind < 40; ++kind)
    laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
      const channels c = random_channels<Target>(random, kind);
      for (const auto& m : c.rule.multipliers)
        if (c.monotone == nullptr || !c.monotone(c.interval, m)) return;
      const claims made(c);
      simd::code_tile tile;
      tile.low = static_cast<std::int8_t>(c.rule.clamp.low);
      tile.high = static_cast<std::int8_t>(c.rule.clamp.high);
      for_each_arch([&](arch a) {
        const simd::kernel_set& kernels = *simd::kernels_of(a);
        for (int k = 0; k < static_cast<int>(simd::form_kind::scalar); ++k) {
          simd::channel_form form;
          proof::form_scratch scratch;
          const simd::float_environment environment;
          if (proof::prove(static_cast<simd::form_kind>(k), made.list, tile, kernels.requantize,
                           form, scratch)) {
            ++proved[k];
            EXPECT_EQ(differences(c, form, tile, kernels), 0)
                << Target::name << " on " << simd::name_of(a) << ", form " << k;
          } else if (form.kind == static_cast<simd::form_kind>(k)) {
            // A form that was tried and refused does differ: the check asks no more than it must.
            ++refused[k];
            wrong_when_refused += differences(c, form, tile, kernels) > 0;
          }
        }
      });
    });
  int all_refused = 0;
  for (int k = 0; k < static_cast<int>(simd::form_kind::scalar); ++k) {
    EXPECT_GT(proved[k], 0) << "form " << k << " was never proved";
    all_refused += refused[k];
    std::printf("form %d: proved %d, refused after trying %d\n", k, proved[k], refused[k]);
  }
  EXPECT_GT(all_refused, 0);
  EXPECT_EQ(wrong_when_refused, all_refused);
}

TEST(forms, thresholds_are_where_codes_begin) {
  std::mt19937 random(8);
  for (int kind = 0; kind < 30; ++kind)
    laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
      const channels c = random_channels<Target>(random, kind);
      for (const auto& m : c.rule.multipliers)
        if (c.monotone == nullptr || !c.monotone(c.interval, m)) return;
      const claims made(c);
      const proof::thresholds& t = made.rules[0];
      int next = 0;
      std::int32_t code = t.code_at_low;
      for (std::int64_t acc = c.interval.low; acc <= c.interval.high; ++acc) {
        if (next < t.count && acc == t.list[next].at) {
          ASSERT_EQ(t.list[next].before, code);
          code = t.list[next++].from;
        }
        ASSERT_EQ(c.rule(acc, 0), code) << Target::name << " at " << acc;
      }
      ASSERT_EQ(next, t.count);
    });
}

}  // namespace
