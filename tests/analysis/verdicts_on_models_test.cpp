// SPDX-License-Identifier: Apache-2.0
// Targets that only round otherwise are never accused: each real model under one against the same under another.
#include <gtest/gtest.h>

#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/targets/all.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/shared_folder.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;

/// Whether the target ran the model; its tensors are in `folder`.
bool record(const graph::model& m, const graph::target_rules& rules,
            const std::filesystem::path& folder) {
  auto run = graph::executor::prepare(m, rules, graph::keep_tensors::all);
  if (!run) return false;
  auto writer = dump_writer::create(folder, m, "", "");
  const auto add = [&](std::int32_t index) {
    const graph::tensor_value v = run->value(index);
    EXPECT_TRUE(writer->add(index, {v.type, v.extents, v.bytes}));
  };
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const auto& t = m.tensors[static_cast<std::size_t>(m.inputs[i])];
    EXPECT_TRUE(run->set_input(i, sample_input(t, 11, i).data));
    add(m.inputs[i]);
  }
  run->run([&](std::size_t k) {
    for (const std::int32_t index : m.operations[k].outputs) add(index);
  });
  EXPECT_TRUE(writer->finish());
  return true;
}

TEST(verdicts, of_rounding_targets_on_real_models_accuse_nobody) {
  const auto folder = test::shared_folder();
  if (folder.empty()) GTEST_SKIP() << "BITTWIN_SHARED names no folder with models/";
  const auto& rules = graph::all_shipped_rules();
  int compared = 0;
  std::map<verdict, int> seen;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "models")) {
    const auto m = graph::read_tflite_file(entry.path());
    if (!m || graph::macs_of(*m) > 50'000'000) continue;
    test::temporary_folder dumps;
    std::vector<dump> recorded;
    for (const std::string name : {"tflite-reference", "tflite-builtin", "xnnpack"})
      for (const graph::target_rules* target : rules)
        if (target->name == name && record(*m, *target, dumps.path() / name))
          recorded.push_back(*dump::open(dumps.path() / name));
    for (const dump& reference : recorded)
      for (const dump& test : recorded) {
        comparison_settings settings{&*m, &graph::rules_of<targets::tflite_reference>()};
        settings.rules = rules;
        const auto c = compare_dumps(reference, test, settings);
        ASSERT_TRUE(c.has_value()) << c.error().text;
        EXPECT_TRUE(c->preflight.empty());
        for (const segment& s : c->segments) {
          ++seen[s.verdict];
          EXPECT_FALSE(is_unexplained(s.verdict))
              << entry.path() << " operator " << s.ops.back() << " " << s.label << ", "
              << reference.folder() << " against " << test.folder();
        }
        ++compared;
      }
  }
  EXPECT_GT(compared, 50);
  EXPECT_GT(seen[verdict::rounding], 50);
  EXPECT_GT(seen[verdict::inherited], 50);
}

}  // namespace
