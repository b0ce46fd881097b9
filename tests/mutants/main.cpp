// SPDX-License-Identifier: Apache-2.0
// Tests the tests: one fault at a time, chosen at run time, must make them fail.
//   test_mutants TABLE            every mutant of the table
//   test_mutants TABLE NAME...    these
// A mutant is killed where its tests pass without it and fail, crash or take too long with it. Exit code 1 when one
// survives. BITTWIN_MUTANT=NAME test_mutants [GoogleTest's options] runs the tests under one mutant and prints all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "mutants/suite_run.hpp"
#include "mutants/table.hpp"

namespace {

using namespace mutants;

constexpr int seconds_a_run = 60;

const char* word_of(ending end) {
  switch (end) {
    case ending::failed: return "killed";
    case ending::crashed: return "killed (crash)";
    case ending::timed_out: return "killed (time-out)";
    case ending::skipped: return "skipped";
    default: return "SURVIVED";
  }
}

int run_table(const std::vector<mutant>& table, const std::vector<std::string>& names) {
  std::map<std::string, suite_run> unmutated;
  int killed = 0, skipped = 0, tried = 0;
  for (const mutant& m : table) {
    if (!names.empty() && std::find(names.begin(), names.end(), m.name) == names.end()) continue;
    ++tried;
    auto [sound, first] = unmutated.try_emplace(m.tests);
    if (first) sound->second = run_suite("", m.tests, seconds_a_run);
    suite_run run = sound->second;
    const bool can_tell = run.end == ending::passed;
    if (can_tell) run = run_suite(m.name, m.tests, seconds_a_run);
    const bool is_skipped = !can_tell && run.end == ending::skipped;
    const bool is_killed = can_tell && (run.end == ending::failed || run.end == ending::crashed ||
                                        run.end == ending::timed_out);
    killed += is_killed ? 1 : 0;
    skipped += is_skipped ? 1 : 0;
    std::printf("%-18s %-28s %-32s %-62s %6ld ms  %s\n",
                can_tell || is_skipped ? word_of(run.end) : "UNSOUND TESTS", m.name.c_str(),
                m.header.c_str(), m.what.c_str(), run.milliseconds, run.test.c_str());
    std::fflush(stdout);
  }
  std::printf("%d of %d mutants killed, %d skipped\n", killed, tried, skipped);
  const int asked = names.empty() ? static_cast<int>(table.size()) : static_cast<int>(names.size());
  return tried > 0 && tried == asked && killed + skipped == tried ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (const char* const name = std::getenv("BITTWIN_MUTANT")) {
    bittwin::mutation::chosen = bittwin::mutation::number_of(name);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
  }
  if (argc < 2) {
    std::fputs("usage: test_mutants TABLE [NAME...]\n", stderr);
    return 2;
  }
  // Failures are not shrunk, and the same inputs are drawn at every run.
  setenv("RC_PARAMS", "seed=4 noshrink=1", 0);
  const std::vector<std::string> names(argv + 2, argv + argc);
  return run_table(read_table(argv[1]), names);
}
