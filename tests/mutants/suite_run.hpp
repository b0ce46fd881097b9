// SPDX-License-Identifier: Apache-2.0
// Runs some tests of this program in a process of their own, under one mutant, and says how it ended.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bittwin/types/mutation.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace mutants {

enum class ending { passed, failed, crashed, timed_out, ran_nothing, skipped };

struct suite_run {
  ending end = ending::passed;
  std::string test;  ///< that failed, or that ran last
  long milliseconds = 0;
};

/// Behind the last line that begins with `mark`.
inline std::string last_after(const std::string& output, std::string_view mark) {
  const auto at = output.rfind(mark);
  if (at == std::string::npos) return {};
  const auto first = at + mark.size();
  return output.substr(first, output.find_first_of(" ,\n", first) - first);
}

/// In the child: GoogleTest has not been initialised before.
[[noreturn]] inline void run_tests(std::string_view mutant, std::string filter) {
  if (!mutant.empty()) bittwin::mutation::chosen = bittwin::mutation::number_of(mutant);
  filter = "--gtest_filter=" + filter;
  std::string program = "test_mutants", fast = "--gtest_fail_fast", plain = "--gtest_color=no";
  char* arguments[] = {program.data(), filter.data(), fast.data(), plain.data(), nullptr};
  int count = 4;
  testing::InitGoogleTest(&count, arguments);
  const int failed = RUN_ALL_TESTS();
  std::fflush(nullptr);
  _exit(failed);
}

/// mutant  empty: none
inline suite_run run_suite(std::string_view mutant, const std::string& filter, int seconds) {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    run_tests(mutant, filter);
  }
  close(ends[1]);
  std::string output;
  bool late = false;
  const auto limit = begin + std::chrono::seconds(seconds);
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(limit - clock::now());
    pollfd wait{ends[0], POLLIN, 0};
    late = left.count() <= 0 || poll(&wait, 1, static_cast<int>(left.count())) == 0;
    if (late) break;
    char some[4096];
    const ssize_t got = read(ends[0], some, sizeof some);
    if (got <= 0) break;
    output.append(some, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  if (late) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);

  suite_run run;
  run.milliseconds = static_cast<long>(
      std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - begin).count());
  run.test = last_after(output, "[ RUN      ] ");
  if (late)
    run.end = ending::timed_out;
  else if (!WIFEXITED(status))
    run.end = ending::crashed;
  else if (WEXITSTATUS(status) != 0)
    run.end = ending::failed;
  else if (run.test.empty())
    run.end = ending::ran_nothing;
  else if (output.find("[  SKIPPED ] ") != std::string::npos)
    run.end = ending::skipped;
  if (run.end == ending::failed) {
    const std::string failed = last_after(output, "[  FAILED  ] ");
    if (!failed.empty()) run.test = failed;
  }
  if (std::getenv("BITTWIN_MUTANTS_VERBOSE") != nullptr) std::fputs(output.c_str(), stdout);
  return run;
}

}  // namespace mutants
