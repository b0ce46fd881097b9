// SPDX-License-Identifier: Apache-2.0
// The folder of models and golden outputs that some tests read; it is not part of the project.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#ifndef BITTWIN_SHARED
#define BITTWIN_SHARED ""
#endif

namespace bittwin::test {

/// The environment's BITTWIN_SHARED, else the one of the build; empty where there is none.
[[nodiscard]] inline std::filesystem::path shared_folder() {
  const char* const set = std::getenv("BITTWIN_SHARED");
  std::filesystem::path folder = set != nullptr && *set != '\0' ? set : BITTWIN_SHARED;
  return std::filesystem::is_directory(folder) ? folder : std::filesystem::path{};
}

[[nodiscard]] inline std::vector<std::filesystem::path> files_of(
    const std::filesystem::path& folder, const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace bittwin::test
