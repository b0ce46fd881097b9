// SPDX-License-Identifier: Apache-2.0
// A model that was written and read again runs to the same integers as before.
#include <gtest/gtest.h>

#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <memory>
#include <string>
#include <vector>

#include "support/shared_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;

/// Every operator's outputs on the input that the tool takes without --input; or the refusal.
std::vector<std::string> run(const model& m) {
  auto run = executor::prepare(m, rules_of<targets::tflite_reference>());
  if (!run) return {run.error().text};
  for (std::size_t i = 0; i < m.inputs.size(); ++i)
    EXPECT_TRUE(run->set_input(
        i, analysis::sample_input(m.tensors[static_cast<std::size_t>(m.inputs[i])], 1, i).data));
  std::vector<std::string> outputs;
  run->run([&](std::size_t k) {
    for (const std::int32_t index : m.operations[k].outputs) {
      const auto bytes = run->value(index).bytes;
      outputs.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  });
  return outputs;
}

TEST(rewritten_models, run_to_the_same_integers) {
  const std::filesystem::path folder = test::shared_folder();
  if (folder.empty()) GTEST_SKIP() << "BITTWIN_SHARED names no folder of models";
  std::size_t ran = 0;
  for (const char* const name : {"models", "models-float", "golden-ops/models"})
    for (const auto& path : test::files_of(folder / name, ".tflite")) {
      const result<model> m = read_tflite_file(path);
      ASSERT_TRUE(m) << m.error().text;
      // The sanitized build runs this too.
      if (macs_of(*m) > 10'000'000) continue;
      auto bytes = write_tflite(*m);
      ASSERT_TRUE(bytes) << bytes.error().text;
      const result<model> again =
          read_tflite(std::make_shared<const std::vector<std::byte>>(std::move(*bytes)), m->name);
      ASSERT_TRUE(again) << again.error().text;
      const std::vector<std::string> before = run(*m);
      EXPECT_TRUE(before == run(*again)) << path;
      ran += before.size() >= m->operations.size() ? 1 : 0;
    }
  EXPECT_GE(ran, 100u);
}

}  // namespace
