// SPDX-License-Identifier: Apache-2.0
// The second proof against brute force: where a form is said to be the rule, it is the rule on every accumulator of
// the interval, not only on those that the proof looked at.
#include <algorithm>
#include <bittwin/simd/float_environment.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <utility>
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
  std::map<std::pair<arch, simd::form_kind>, int> proved;
  int refused[simd::form_kinds] = {}, wrong_when_refused = 0;
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
            ++proved[{a, static_cast<simd::form_kind>(k)}];
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
  for (const simd::form_kind kind : simd::every_form) {
    const int k = static_cast<int>(kind);
    for_each_arch([&](arch a) {
      EXPECT_GT((proved[{a, kind}]), 0)
          << simd::name_of(kind) << " was never proved on " << simd::name_of(a);
      std::printf("%s on %s: proved %d, refused after trying, on all, %d\n",
                  std::string(simd::name_of(kind)).c_str(), std::string(simd::name_of(a)).c_str(),
                  proved[{a, kind}], refused[k]);
    });
    all_refused += refused[k];
  }
  EXPECT_GT(all_refused, 0);
  EXPECT_EQ(wrong_when_refused, all_refused);
}

/// The formulas of simd/channel_form.hpp, one lane at a time.
std::int8_t code_by_formula(const simd::channel_form& f, int i, std::int32_t acc, int low,
                            int high) {
  double code = 0;
  switch (f.kind) {
    case simd::form_kind::float32:
      code = std::nearbyint(std::fma(static_cast<float>(acc), f.scale[i], f.offset[i]));
      break;
    case simd::form_kind::float32_product:
      code = std::nearbyint(static_cast<float>(acc) * f.scale[i]) + static_cast<float>(f.seam[i]);
      break;
    case simd::form_kind::float32_two_sided:
      code = std::nearbyint(std::fma(static_cast<float>(acc), f.scale[i],
                                     acc < f.seam[i] ? f.offset_below[i] : f.offset[i]));
      break;
    case simd::form_kind::fixed:
    case simd::form_kind::fixed_two_sided: {
      const bool below = f.kind == simd::form_kind::fixed_two_sided && acc < 0;
      const std::int64_t product = (std::int64_t{acc} * f.multiplier[i]) >> 30;
      code = static_cast<double>((product + (below ? f.add_below[i] : f.add[i])) >> f.shift[i]);
      break;
    }
    case simd::form_kind::float64:
      code = std::nearbyint(std::fma(static_cast<double>(acc), f.scale64[i], f.offset64[i]));
      break;
    case simd::form_kind::float64_two_sided:
      code = std::nearbyint(std::fma(static_cast<double>(acc), f.scale64[i],
                                     acc < f.seam64[i] ? f.offset64_below[i] : f.offset64[i]));
      break;
    case simd::form_kind::scalar: break;
  }
  return static_cast<std::int8_t>(std::clamp(code, double(low), double(high)));
}

TEST(forms, every_kernel_is_the_formula) {
  std::mt19937 random(9);
  const auto real = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  constexpr int pixels = 300;
  for (const int vectors : {1, 2, 4})
    for (const simd::form_kind kind : simd::every_form)
      for (const bool clamps : {false, true}) {
        const int low = clamps ? -100 : -128, high = clamps ? 90 : 127;
        const int channels = vectors * simd::lanes;
        std::vector<simd::channel_form> forms(static_cast<std::size_t>(vectors));
        for (simd::channel_form& f : forms) {
          f.kind = kind;
          for (int i = 0; i < simd::lanes; ++i) {
            const double scale = std::exp2(real(-12, -3)), offset = real(-60, 60);
            const double below = offset - real(5, 40);
            f.scale[i] = static_cast<float>(scale), f.scale64[i] = scale;
            f.offset[i] = static_cast<float>(offset), f.offset64[i] = offset;
            f.offset_below[i] = static_cast<float>(below), f.offset64_below[i] = below;
            const double seam = std::floor(real(-30, 30) / scale);
            f.seam64[i] = seam;
            f.seam[i] = kind == simd::form_kind::float32_product ? 17 : static_cast<int>(seam);
            f.shift[i] = -std::ilogb(scale);
            f.multiplier[i] = static_cast<std::int32_t>(std::ldexp(scale, 30 + f.shift[i]));
            f.add[i] = static_cast<std::int32_t>(std::ldexp(offset, f.shift[i]));
            f.add_below[i] = static_cast<std::int32_t>(std::ldexp(below, f.shift[i]));
          }
        }
        alignas(64) static std::int32_t acc[pixels * 4 * simd::lanes];
        int inside = 0;
        std::vector<std::int8_t> want;
        for (int p = 0; p < pixels; ++p)
          for (int c = 0; c < channels; ++c) {
            const simd::channel_form& f = forms[static_cast<std::size_t>(c / simd::lanes)];
            const int i = c % simd::lanes;
            std::int32_t& a = acc[p * channels + c];
            a = static_cast<std::int32_t>(real(-110, 110) / f.scale64[i]);
            if (p % 8 == 0) a = p % 16 == 0 ? static_cast<std::int32_t>(f.seam64[i]) : -1;
            want.push_back(code_by_formula(f, i, a, low, high));
            inside += want.back() != low && want.back() != high;
          }
        EXPECT_GT(inside, pixels * channels / 2) << simd::name_of(kind);
        for_each_arch([&](arch on) {
          const simd::float_environment environment;
          std::vector<std::int8_t> codes(want.size());
          simd::code_tile tile;
          tile.acc = acc, tile.pixels = pixels, tile.vectors = vectors, tile.channels = channels;
          tile.forms = forms.data(), tile.codes = reinterpret_cast<std::uint8_t*>(codes.data());
          tile.pixel_step = channels;
          tile.low = static_cast<std::int8_t>(low), tile.high = static_cast<std::int8_t>(high);
          simd::kernels_of(on)->requantize(tile);
          EXPECT_EQ(codes, want) << simd::name_of(kind) << " on " << simd::name_of(on) << ", "
                                 << vectors << " vectors";
        });
      }
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
