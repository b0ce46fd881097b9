// SPDX-License-Identifier: Apache-2.0
// How often the conv rescales of two targets give different int8 codes, over accumulators that fill the output's
// range. What was reported of two of them stands in tests/issues.cpp.
#include <gtest/gtest.h>

#include <bittwin/bittwin.hpp>
#include <bittwin/targets/all.hpp>
#include <cmath>
#include <cstdio>
#include <random>
#include <string_view>
#include <vector>

namespace {

using namespace bittwin;

/// code of an accumulator at zero point 0 under a rule bound to a multiplier
struct bound_rule {
  std::string_view name;
  requantizer rule;
  [[nodiscard]] std::int64_t operator()(std::int64_t acc) const { return rule(acc, 0); }
};

/// m  as the real multiplier itself: a product of float32 scales lies beside it, and so do its ties
template <class Target> bound_rule bound(double m) {
  const requantize_rule rule = requantizer_of<Target, room::conv2d>(
      {.input = element_type::int8, .output = element_type::int8, .per_channel = true});
  const code_range s8{-128, 127};
  return {Target::name, {rule.apply, {rule.construct(m)}, 0, s8, s8, rule.steps}};
}

/// Share of uniform accumulators in [-128/m, 127/m] on which two rules differ.
double share(const bound_rule& a, const bound_rule& b, double m, unsigned seed, int draws) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> acc(static_cast<std::int64_t>(std::ceil(-128 / m)),
                                                  static_cast<std::int64_t>(std::floor(127 / m)));
  int differing = 0;
  for (int i = 0; i < draws; ++i) {
    const std::int64_t value = acc(random);
    differing += a(value) != b(value);
  }
  return static_cast<double>(differing) / draws;
}

template <class... Targets>
std::vector<bound_rule> bound_rules(double m, targets::list<Targets...>) {
  std::vector<bound_rule> all;
  const auto add = [&]<class T>(std::type_identity<T>) {
    // A shift alone cannot hold these multipliers; rules that take scales apart have none.
    if constexpr (room::conv2d::in<T>)
      if (const auto rule = requantizer_of<T, room::conv2d>({});
          !rule.takes_scales && (!rule.accepts || rule.accepts(m)))
        all.push_back(bound<T>(m));
  };
  (add(std::type_identity<Targets>{}), ...);
  return all;
}

TEST(rescale_shares, of_all_pairs_of_targets_are_printed) {
  constexpr unsigned seed = 7;
  int differing_pairs = 0;
  for (const double m : {0.11, 0.0072, 0.00144}) {
    const auto all = bound_rules(m, targets::all{});
    std::printf("multiplier %g, 2e4 draws, seed %u\n", m, seed);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        const double s = share(all[i], all[j], m, seed, 20'000);
        std::printf("  %-24s %-24s %8.4f %%\n", all[i].name.data(), all[j].name.data(), 100 * s);
        differing_pairs += s > 0;
        EXPECT_LT(s, 0.1) << "two roundings of one value part in more than the ties";
      }
  }
  EXPECT_GT(differing_pairs, 0);
}

}  // namespace
