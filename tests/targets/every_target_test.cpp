// SPDX-License-Identifier: Apache-2.0
// What holds of every shipped target, asked of its table of rules.
#include <gtest/gtest.h>

#include <bittwin/graph/any_target.hpp>
#include <bittwin/targets/description.hpp>
#include <set>
#include <string>

#include "layers.hpp"

namespace {

using namespace bittwin;
using test::dense_layer;

TEST(every_target, has_a_name_of_its_own_and_says_where_each_axis_comes_from) {
  std::set<std::string_view> names;
  for (const target_description& d : graph::shipped_descriptions()) {
    EXPECT_TRUE(names.insert(d.name).second) << d.name;
    EXPECT_FALSE(d.version.empty()) << d.name;
    for (const room_description& r : d.rooms)
      for (const axis_description& a : r.axes) {
        SCOPED_TRACE(std::string(d.name) + " " + std::string(r.room) + "." + std::string(a.axis));
        EXPECT_FALSE(a.value.empty());
        EXPECT_EQ(a.level == confidence::unknown, a.value == "unknown");
        EXPECT_EQ(a.level == confidence::assumed, a.source.empty());
        // Nothing is inherited but by targets that say so.
        EXPECT_TRUE(a.level != confidence::assumed || d.name == "litert-head");
      }
  }
  EXPECT_GE(names.size(), 21U);
}

/// Codes that wrap fall.
bool wraps(std::string_view target) {
  for (const target_description& d : graph::shipped_descriptions())
    if (d.name == target)
      for (const axis_description& axis : find_room(d, "fully_connected")->axes)
        if (axis.value == "wrap") return true;
  return false;
}

/// Codes lie within the type and rise with the accumulator, for every dense layer that a target takes.
TEST(every_target, gives_codes_of_the_type_that_rise_with_the_accumulator) {
  std::set<std::string_view> ran;
  for (const graph::target_rules* rules : test::all_targets()) {
    if (rules->fully_connected == nullptr) continue;
    SCOPED_TRACE(std::string(rules->name));
    test::dense_layers draw(3);
    const bool falls = wraps(rules->name);
    for (int round = 0; round < 400; ++round) {
      const bool u8 = round % 2 == 1, powers = round % 4 == 0;
      const dense_layer l = draw({.type = u8 ? element_type::uint8 : element_type::int8,
                                  .symmetric = powers,
                                  .powers_of_two = powers,
                                  .most = 0.5,
                                  .depth = 2,
                                  .fused = round % 8 < 4 ? activation::none : activation::relu});
      const auto kernel = test::prepare(*rules, l);
      if (!kernel) continue;
      ran.insert(rules->name);
      const requantizer& r = kernel->plan().requantize;
      std::int64_t before = r.clamp.low;
      for (std::int64_t acc = -70000; acc < 70000; acc += 1 + (round % 7) * 50) {
        const std::int64_t code = r(acc, 0);
        ASSERT_GE(code, falls ? r.type.low : before) << acc;
        ASSERT_LE(code, r.clamp.high) << acc;
        before = code;
      }
    }
  }
  EXPECT_EQ(ran.size(), test::all_targets().size() - 16)
      << "all but real and those without dense layers or with other weights";
}

}  // namespace
