// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets check, on a fixed set of changed files: a slice of fuzzing for every build,
// and each file that a fuzzer ever found.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutator.hpp"
#include "fuzz/reading_check.hpp"
#include "fuzz/regressions.hpp"
#include "fuzz/running_check.hpp"
#include "support/operator_models.hpp"

namespace {

using namespace bittwin;
using bittwin::test::check_reading, bittwin::test::check_running;
using bittwin::test::reached, bittwin::test::verdict;

/// Changed models, `rounds` for each operator; the last byte goes through the targets.
template <class Check> std::map<reached, int> check_changed_models(int rounds, Check check) {
  std::map<reached, int> counts;
  std::uint32_t seed = 0;
  for (const graph::model& m : test::operator_models()) {
    const auto whole = graph::write_tflite(m);
    EXPECT_TRUE(whole);
    for (int round = 0; round < rounds; ++round) {
      test::mutator random(++seed);
      std::vector<std::byte> bytes = random.change(*whole);
      if (round % 3 == 0) bytes = random.change(bytes);
      bytes.push_back(static_cast<std::byte>(round));
      const verdict found = check(bytes);
      EXPECT_EQ(found.fault, "") << m.name << ", seed " << seed;
      ++counts[found.how_far];
    }
  }
  return counts;
}

TEST(fuzz_regression, changed_models_are_refused_or_read_and_written) {
  auto counts = check_changed_models(200, check_reading);
  // A test in which nothing is refused, or nothing accepted, tests little.
  EXPECT_GT(counts[reached::refused], 2000);
  EXPECT_GT(counts[reached::read], 2000);
}

TEST(fuzz_regression, changed_models_are_refused_or_run) {
  auto counts = check_changed_models(100, check_running);
  EXPECT_GT(counts[reached::refused], 1000);
  EXPECT_GT(counts[reached::read] + counts[reached::prepared], 1000);
  EXPECT_GT(counts[reached::prepared], 200);
}

TEST(fuzz_regression, files_found_by_fuzzers_stay_harmless) {
  for (const std::string_view hex : test::found_by_fuzzers) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      bytes.push_back(
          static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    EXPECT_EQ(check_reading(bytes).fault, "") << hex;
    EXPECT_EQ(check_running(bytes).fault, "") << hex;
  }
}

}  // namespace
