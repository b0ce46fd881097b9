// SPDX-License-Identifier: Apache-2.0
// A vendor's dump of several samples, a folder each, as one dump of ours. All samples are read by the same assumptions:
// what one leaves open another may decide, and what they decide differently is refused.
#pragma once

#include <bittwin/analysis/import.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

struct imported_samples {
  std::vector<std::string>
      folders;  ///< by name; one empty name: the files are in the folder itself
  std::vector<imported_dump> samples;  ///< of these; each found what all of them found
  std::vector<std::int32_t> left_out;  ///< tensors that only some samples have

  [[nodiscard]] bool complete() const noexcept {
    for (const imported_dump& s : samples)
      if (!s.complete()) return false;
    return left_out.empty();
  }
};

/// folder  of files, or of nothing but folders: each is a sample, in the order of their names
/// errors  those of import_dump; --input with several samples
[[nodiscard]] result<imported_samples> import_samples(const std::filesystem::path& folder,
                                                      const import_settings& settings);

/// Writes what was found as a dump, samples as s0000, s0001 ..., whole or not at all. Precondition: something was found.
[[nodiscard]] status write_import(const imported_samples& from, const graph::model& m,
                                  const std::filesystem::path& folder, std::string tool_version);

}  // namespace bittwin::analysis::inline v1
