// SPDX-License-Identifier: Apache-2.0
// What changed between two releases, where the releases are made so that each change is the only one.
#include <gtest/gtest.h>

#include <bittwin/analysis/baseline.hpp>
#include <bittwin/analysis/drift.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analysis/two_operators.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

class drift_of_two_operators : public testing::Test {
 protected:
  graph::model model_ = test::two_operators();

  drift compare(const dump& a, const dump& b) {
    auto d = compare_releases(
        a, b, {&model_, &graph::rules_of<targets::tflite_reference>(), graph::all_shipped_rules()});
    EXPECT_TRUE(d.has_value()) << d.error().text;
    EXPECT_EQ(d->segments.size(), 2u);
    return std::move(*d);
  }
  drift compare(const dump::tensors& a, const dump::tensors& b) {
    return compare(test::dump_of(model_, {a}, "a"), test::dump_of(model_, {b}, "b"));
  }
  dump::tensors right(std::uint64_t seed = 1) { return test::run_of_two(model_, seed); }
  /// The convolution is off by far in an element, which RELU takes on.
  dump::tensors wrong(std::size_t element, std::uint64_t seed = 1) {
    dump::tensors all = right(seed);
    test::set_code(all[3], element, test::code_at(all[3], element) / 2 + 31);
    all[4] = test::relu_of(all[3]);
    return all;
  }
};

TEST_F(drift_of_two_operators, nothing_changed) {
  for (const dump::tensors& same : {right(), wrong(5)}) {
    const drift d = compare(same, same);
    for (const drifted_segment& s : d.segments) EXPECT_EQ(s.change, change::unchanged);
    EXPECT_EQ(d.first(), nullptr);
    EXPECT_TRUE(count_findings(d, fail_level::any, nullptr).none());
  }
}

TEST_F(drift_of_two_operators, what_breaks_is_told_from_what_inherits) {
  const drift broken = compare(right(), wrong(5));
  EXPECT_EQ(broken.segments[0].change, change::broken);
  EXPECT_EQ(broken.segments[0].between.mismatches, 1);
  EXPECT_EQ(broken.segments[1].change, change::inherited);
  EXPECT_EQ(broken.first(), &broken.segments[0]);
  EXPECT_FALSE(count_findings(broken, fail_level::named, nullptr).none());
  const drift fixed = compare(wrong(5), right());
  EXPECT_EQ(fixed.segments[0].change, change::fixed);
  EXPECT_EQ(fixed.segments[1].change, change::inherited);
  EXPECT_TRUE(count_findings(fixed, fail_level::named, nullptr).none());
  EXPECT_FALSE(count_findings(fixed, fail_level::any, nullptr).none());
}

TEST_F(drift_of_two_operators, other_bytes_of_the_same_operands_are_another_rule) {
  const drift d = compare(wrong(5), wrong(6));
  EXPECT_EQ(d.segments[0].change, change::changed_rule);
  EXPECT_EQ(d.segments[0].between.mismatches, 2);
  EXPECT_EQ(d.segments[1].change, change::inherited);
  EXPECT_FALSE(count_findings(d, fail_level::named, nullptr).none());
}

TEST_F(drift_of_two_operators, on_other_inputs_the_same_rule_is_no_change) {
  const drift healthy = compare(right(1), right(2));
  ASSERT_EQ(healthy.preflight.size(), 1u);
  EXPECT_EQ(healthy.preflight[0].code, "INPUT_DIFFERS");
  EXPECT_EQ(healthy.segments[0].change, change::inherited);
  EXPECT_EQ(healthy.segments[0].a.verdict, verdict::exact) << "each on its own input";
  EXPECT_EQ(healthy.segments[0].b.verdict, verdict::exact);
  const drift unknown = compare(wrong(5, 1), wrong(5, 2));
  EXPECT_EQ(unknown.segments[0].change, change::undetermined);
}

TEST_F(drift_of_two_operators, a_fault_behind_a_change_is_the_same_fault_where_it_has_a_name) {
  // RELU passes everything, before and after.
  dump::tensors a = right(), b = wrong(5);
  a[4] = a[3];
  b[4] = b[3];
  const drift named = compare(a, b);
  EXPECT_EQ(named.segments[0].change, change::broken);
  EXPECT_EQ(named.segments[1].a.verdict, verdict::named);
  EXPECT_EQ(named.segments[1].b.verdict, verdict::named);
  EXPECT_EQ(named.segments[1].change, change::inherited);
  // RELU is off in an element, and no fault is known to do that.
  for (dump::tensors* all : {&a, &b}) {
    (*all)[4] = test::relu_of((*all)[3]);
    test::set_code((*all)[4], 2, 99);
  }
  EXPECT_EQ(compare(a, b).segments[1].change, change::undetermined);
}

TEST_F(drift_of_two_operators, other_scales_are_no_fault) {
  const dump a = test::dump_of(model_, {right()}, "a");
  graph::model wider = model_;
  for (const std::size_t t : {std::size_t{3}, std::size_t{4}})
    wider.tensors[t].quantization.scales[0] = 0.17F;
  const dump b = test::dump_of(wider, {test::run_of_two(wider, 1)}, "b");
  const drift d = compare(a, b);
  for (const drifted_segment& s : d.segments) EXPECT_EQ(s.change, change::reparameterized);
  EXPECT_TRUE(count_findings(d, fail_level::named, nullptr).none());
  EXPECT_FALSE(count_findings(d, fail_level::any, nullptr).none());
}

TEST_F(drift_of_two_operators, what_one_side_did_not_record_is_not_judged) {
  dump::tensors cut = wrong(5);
  cut.erase(3);
  const drift d = compare(right(), cut);
  EXPECT_EQ(d.segments[0].change, change::not_observed);
  EXPECT_EQ(d.segments[1].change, change::broken);
  EXPECT_EQ(d.segments[1].b.ops, (std::vector<std::int32_t>{0, 1}));
  cut = right();
  cut.erase(0);
  const auto refused =
      compare_releases(test::dump_of(model_, {right()}, "a"), test::dump_of(model_, {cut}, "b"),
                       {&model_, &graph::rules_of<targets::tflite_reference>()});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text.find("b: did not record the input tensor 0"), std::string::npos);
}

}  // namespace
