// SPDX-License-Identifier: Apache-2.0
// What a baseline accepts: the same findings and smaller ones; never a larger, another or a new one.
#include <gtest/gtest.h>

#include <bittwin/analysis/baseline.hpp>
#include <bittwin/analysis/comparison_json.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using namespace bittwin::analysis;

segment named(std::int32_t tensor, std::int64_t mismatches) {
  segment s;
  s.ops = {1};
  s.tensor = tensor;
  s.name = "conv";
  s.verdict = verdict::named;
  s.metrics.mismatches = mismatches;
  s.metrics.elements = 100;
  s.signature = {{"BIAS_DROPPED", "the bias is not added"}};
  return s;
}

/// As scripts keep it: text that another program wrote.
constexpr const char* earlier = R"({
  "preflight": [{"code": "DETERMINISM_NOT_CHECKED", "text": "run it twice"}],
  "segments": [{"tensor": 3, "name": "conv", "verdict": "NAMED", "mismatches": 7,
                "signature": [{"code": "BIAS_DROPPED", "text": "in other words"}]},
               {"tensor": 5, "name": "pool", "verdict": "ROUNDING", "mismatches": 2}]
})";

TEST(baseline, knows_the_same_finding_and_a_smaller_one_alone) {
  const auto known = baseline::parse(earlier, "known.json");
  ASSERT_TRUE(known.has_value()) << known.error().text;
  EXPECT_TRUE(known->of_comparison());
  EXPECT_FALSE(known->of_audit());
  EXPECT_TRUE(known->knows(named(3, 7)));
  EXPECT_TRUE(known->knows(named(3, 1)));
  EXPECT_FALSE(known->knows(named(3, 8))) << "more mismatches";
  EXPECT_FALSE(known->knows(named(4, 7))) << "another tensor";
  segment s = named(3, 7);
  s.name = "other";
  EXPECT_FALSE(known->knows(s)) << "another model";
  s = named(3, 7);
  s.verdict = verdict::undetermined;
  EXPECT_FALSE(known->knows(s)) << "another verdict";
  s = named(3, 7);
  s.signature[0].code = "BIAS_SCALE";
  EXPECT_FALSE(known->knows(s)) << "another fault";
  EXPECT_TRUE(known->knows(finding{"DETERMINISM_NOT_CHECKED", "run it twice"}));
  EXPECT_FALSE(known->knows(finding{"INPUT_DIFFERS", "run it twice"}));
}

TEST(baseline, takes_accepted_findings_out_of_what_counts) {
  const auto known = baseline::parse(earlier, "known.json");
  comparison c;
  c.segments = {named(3, 7), named(4, 1)};
  segment rounding;
  rounding.tensor = 5;
  rounding.name = "pool";
  rounding.verdict = verdict::rounding;
  rounding.metrics.mismatches = 3;
  c.segments.push_back(rounding);
  const counted_findings at_named = count_findings(c, fail_level::named, &*known);
  EXPECT_EQ(at_named.accepted, 1u);
  ASSERT_EQ(at_named.segments.size(), 1u);
  EXPECT_EQ(at_named.segments[0]->tensor, 4);
  const counted_findings at_rounding = count_findings(c, fail_level::rounding, &*known);
  EXPECT_EQ(at_rounding.segments.size(), 2u) << "3 mismatches are more than 2";
  EXPECT_EQ(count_findings(c, fail_level::named, nullptr).segments.size(), 2u);
  c.segments.resize(1);
  EXPECT_TRUE(count_findings(c, fail_level::named, &*known).none());
}

TEST(baseline, reads_what_a_comparison_writes) {
  comparison c;
  c.preflight = {{"STALE_BUFFER", "as before"}};
  c.segments = {named(3, 7)};
  const auto known = baseline::parse(to_json(c).dump(), "known.json");
  ASSERT_TRUE(known.has_value()) << known.error().text;
  EXPECT_TRUE(count_findings(c, fail_level::any, &*known).none());
  c.segments[0].metrics.mismatches = 8;
  EXPECT_FALSE(count_findings(c, fail_level::any, &*known).none());
}

TEST(baseline, knows_hazards_by_code_operator_tensor_and_channel) {
  const auto known = baseline::parse(
      R"({"hazards": [{"code": "DEAD_CHANNEL", "op": 2, "tensor": 4, "channel": 1},
                      {"code": "CLAMP_EXPOSED", "op": 0, "tensor": 3}]})",
      "known.json");
  ASSERT_TRUE(known.has_value()) << known.error().text;
  EXPECT_TRUE(known->of_audit());
  hazard h = hazard_of("DEAD_CHANNEL", 2, 4, 0.5, "", "");
  EXPECT_FALSE(known->knows(h)) << "of no channel";
  h.channel = 1;
  EXPECT_TRUE(known->knows(h));
  h.channel = 2;
  EXPECT_FALSE(known->knows(h));
  EXPECT_TRUE(known->knows(hazard_of("CLAMP_EXPOSED", 0, 3, 1, "", "")));
  EXPECT_FALSE(known->knows(hazard_of("CLAMP_EXPOSED", 1, 3, 1, "", "")));
}

TEST(baseline, refuses_what_no_verb_printed) {
  for (const char* text :
       {"", "[]", "{", "7", R"({"segments": 3})", R"({"first": null})", R"({"segments": [7]})",
        R"({"segments": [{"tensor": -1, "mismatches": 0}]})",
        R"({"segments": [{"tensor": 1, "mismatches": "many"}]})",
        R"({"hazards": [{"code": "DEAD_CHANNEL"}]})"}) {
    const auto known = baseline::parse(text, "known.json");
    ASSERT_FALSE(known.has_value()) << text;
    EXPECT_TRUE(known.error().text.starts_with("known.json: ")) << known.error().text;
  }
}

}  // namespace
