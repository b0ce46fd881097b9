// SPDX-License-Identifier: Apache-2.0
// A test of the command-line tool, which BITTWIN_CLI names; skipped with that reason where it was not built.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <bittwin/graph/file.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/temporary_folder.hpp"

namespace bittwin::test {

struct outcome {
  int code = -1;
  std::string out;
  std::string err;
};

[[nodiscard]] inline std::string read_text(const std::filesystem::path& path) {
  const auto bytes = graph::read_file(path);
  return bytes ? std::string(graph::as_text(**bytes)) : std::string();
}

class tool_program : public testing::Test {
 protected:
  void SetUp() override {
    const char* const program = std::getenv("BITTWIN_CLI");
    if (program == nullptr || !std::filesystem::exists(program))
      GTEST_SKIP() << "BITTWIN_CLI names no program: the tool was not built";
    program_ = program;
  }

  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return folder_.path() / name;
  }
  /// Arguments as a shell would take them, in a folder relative to that of this test.
  outcome run(const std::string& arguments, const std::string& in = ".") {
    const std::string command = "cd '" + path(in).string() + "' && '" + program_ + "' " +
                                arguments + " >'" + path(".out").string() + "' 2>'" +
                                path(".err").string() + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(path(".out")),
            read_text(path(".err"))};
  }
  void expect_refusal(const std::string& arguments, const std::string& because) {
    const outcome o = run(arguments);
    EXPECT_EQ(o.code, 2) << arguments << "\n" << o.out << o.err;
    EXPECT_NE(o.err.find(because), std::string::npos) << arguments << "\n" << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << "one sentence: " << o.err;
    EXPECT_TRUE(o.out.empty()) << o.out;
  }

  temporary_folder folder_;
  std::string program_;
};

}  // namespace bittwin::test
