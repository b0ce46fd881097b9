// SPDX-License-Identifier: Apache-2.0
// Reads mutants.txt: one mutant a line,
//   name | header | what it does | tests that must kill it, as --gtest_filter
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace mutants {

struct mutant {
  std::string name, header, what, tests;
};

inline std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string{}
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Lines that are empty or begin with # are comments.
inline std::vector<mutant> read_table(const std::string& path) {
  std::vector<mutant> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream cells(line);
    mutant m;
    for (std::string* const cell : {&m.name, &m.header, &m.what, &m.tests}) {
      std::getline(cells, *cell, '|');
      *cell = trimmed(*cell);
    }
    all.push_back(m);
  }
  return all;
}

}  // namespace mutants
