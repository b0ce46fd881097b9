// SPDX-License-Identifier: Apache-2.0
// Every operator output of every model in the shared folder, 8-bit and int16, by its hash, against the
// runtime that each target describes. A model that the runtime runs and the executor refuses fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/sha256.hpp>
#include <bittwin/targets/all.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/shared_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;
using nlohmann::json;
namespace fs = std::filesystem;

json read_json(const fs::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

/// What one target was compared on. A tensor tells something if its elements are not all equal.
struct tally {
  int models = 0, runs = 0, tensors = 0, telling = 0, differing = 0;
};

bool is_constant(const tensor_value& value) {
  const auto size = static_cast<std::size_t>(bytes_of(value.type));
  for (std::size_t i = size; i < value.bytes.size(); ++i)
    if (value.bytes[i] != value.bytes[i - size]) return false;
  return true;
}

void compare_run(executor& run, const fs::path& input, const json& wanted, tally& t) {
  for (std::size_t i = 0; i < run.of().inputs.size(); ++i) {
    const auto array = analysis::read_npy_file(input / ("in" + std::to_string(i) + ".npy"));
    ASSERT_TRUE(array) << array.error().text;
    const auto set = run.set_input(i, array->data);
    ASSERT_TRUE(set) << set.error().text;
  }
  std::set<std::string> seen;
  std::string first_difference;
  run.run([&](std::size_t op) {
    for (const std::int32_t tensor : run.of().operations[op].outputs) {
      std::string key = std::to_string(tensor);
      key = "t" + std::string(key.size() < 3 ? 3 - key.size() : 0, '0') + key;
      if (!wanted.contains(key)) continue;
      seen.insert(key);
      const tensor_value value = run.value(tensor);
      ++t.tensors;
      t.telling += is_constant(value) ? 0 : 1;
      if (sha256_hex(value.bytes) == wanted[key].get<std::string>()) continue;
      ++t.differing;
      if (first_difference.empty()) first_difference = key + " " + run.of().operations[op].label;
    }
  });
  EXPECT_EQ(first_difference, "") << input;
  EXPECT_EQ(seen.size(), wanted.size()) << input << ": golden tensors that no operator made";
  ++t.runs;
}

tally compare_all(const fs::path& golden, const fs::path& models, const target_rules& rules,
                  const std::string& oracle) {
  tally t;
  std::vector<fs::path> names;
  for (const auto& entry : fs::directory_iterator(golden))
    if (fs::exists(entry.path() / "manifest.json")) names.push_back(entry.path());
  std::sort(names.begin(), names.end());
  for (const fs::path& name : names) {
    const auto m = read_tflite_file(models / (name.filename().string() + ".tflite"));
    EXPECT_TRUE(m) << m.error().text;
    if (!m) continue;
    const int runs = t.runs;
    for (const char* const folder : {"input0", "input1", "input2"}) {
      if (!fs::exists(name / folder)) continue;
      const json wanted = read_json(name / folder / "sha256.json");
      if (!wanted.contains(oracle)) continue;  // the runtime itself refuses, or is wrong there
      auto run = executor::prepare(*m, rules);
      EXPECT_TRUE(run) << run.error().text;
      if (run) compare_run(*run, name / folder, wanted[oracle], t);
    }
    t.models += t.runs > runs ? 1 : 0;
  }
  return t;
}

class golden : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = bittwin::test::shared_folder();
    if (folder_.empty() || !fs::exists(folder_ / "golden-ops"))
      GTEST_SKIP() << "BITTWIN_SHARED names no folder with golden/ and golden-ops/";
  }

  /// models: of golden-ops, as counted from the manifests and hashes by another program
  template <class Target> void expect_equal(const std::string& oracle, int models) {
    const target_rules& rules = rules_of<Target>();
    const tally whole = compare_all(folder_ / "golden", folder_ / "models", rules, oracle);
    const tally small = compare_all(folder_ / "golden-ops" / "golden",
                                    folder_ / "golden-ops" / "models", rules, oracle);
    std::printf("%-22s %-10s %9s %6s %8s %8s %8s\n", "target", "oracle", "models", "runs",
                "tensors", "telling", "differ");
    for (const tally& t : {whole, small})
      std::printf("%-22s %-10s %9d %6d %8d %8d %8d\n", std::string(Target::name).c_str(),
                  oracle.c_str(), t.models, t.runs, t.tensors, t.telling, t.differing);
    EXPECT_EQ(whole.differing + small.differing, 0);
    EXPECT_GE(whole.models, 19);
    EXPECT_GE(small.models, models);
    EXPECT_GE(whole.telling, 490);
    EXPECT_GE(small.telling, 370);
  }

 private:
  fs::path folder_;
};

// Each guards the arithmetic of one target in every room that the models reach.
TEST_F(golden, tflite_reference_is_the_micro_reference_build) {
  expect_equal<targets::tflite_reference>("ref", 170);
}
TEST_F(golden, tflite_single_rounding_is_the_single_rounding_build) {
  expect_equal<targets::tflite_single_rounding>("ref_single", 170);
}
TEST_F(golden, tflite_builtin_is_the_build_without_a_delegate) {
  expect_equal<targets::tflite_builtin>("builtin", 184);
}
TEST_F(golden, xnnpack_is_the_build_with_the_delegate) {
  expect_equal<targets::xnnpack>("xnnpack", 182);
}

}  // namespace
