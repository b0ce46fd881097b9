// SPDX-License-Identifier: Apache-2.0
// Reads a dump: tNNN.npy files, one a tensor, with or without a manifest, in one folder or in
// samples sNNNN. A dump may also be one that was never written.
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/manifest.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

class dump {
 public:
  /// The tensors of one sample, by index.
  using tensors = std::map<std::int32_t, array>;

  /// errors  no such folder; a bad manifest; no tensor in it
  [[nodiscard]] static result<dump> open(const std::filesystem::path& folder);
  /// A dump in memory. Its manifest lists every tensor, as each sample holds it: preconditions.
  /// name  stands for the folder in sentences
  [[nodiscard]] static dump of(manifest description, std::vector<tensors> samples,
                               std::string name);

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  [[nodiscard]] const std::optional<manifest>& description() const noexcept { return manifest_; }
  /// Folder names, in order; one empty name where the files are in the folder itself.
  [[nodiscard]] const std::vector<std::string>& samples() const noexcept { return samples_; }
  /// Tensor indices, ascending.
  [[nodiscard]] std::vector<std::int32_t> indices() const;
  [[nodiscard]] bool has(std::int32_t index, std::size_t sample = 0) const;
  /// The manifest's entry of a tensor, or null.
  [[nodiscard]] const manifest_tensor* entry(std::int32_t index) const noexcept;

  /// errors  absent, unreadable, or of another type or shape than the manifest says
  [[nodiscard]] result<array> read(std::int32_t index, std::size_t sample = 0) const;

 private:
  [[nodiscard]] std::optional<std::filesystem::path> path_of(std::int32_t index,
                                                             std::size_t sample) const;

  /// The digits between a prefix and a suffix, as a number.
  [[nodiscard]] static std::optional<std::int32_t> number_in(std::string_view name,
                                                             std::string_view prefix,
                                                             std::string_view suffix,
                                                             std::size_t least_digits);

  /// Files in the folder itself come first: sample folders beside them are somebody else's.
  void find_samples();

  void find_files();

  std::filesystem::path folder_;
  std::optional<manifest> manifest_;
  std::vector<std::string> samples_;
  std::map<std::int32_t, std::string> files_;
  std::vector<tensors> memory_;  ///< by sample; empty: files
};

}  // namespace bittwin::analysis::inline v1
