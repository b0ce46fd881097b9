// SPDX-License-Identifier: Apache-2.0
// A test of the command-line tool, which BITTWIN_CLI names; skipped with that reason where it was not built.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/temporary_folder.hpp"

namespace bittwin::test {

class tool_program : public testing::Test {
 protected:
  void SetUp() override {
    const char* const program = std::getenv("BITTWIN_CLI");
    if (program == nullptr || !std::filesystem::exists(program))
      GTEST_SKIP() << "BITTWIN_CLI names no program: the tool was not built";
    program_ = program;
  }

  temporary_folder folder_;
  std::string program_;
};

}  // namespace bittwin::test
