// SPDX-License-Identifier: Apache-2.0
// Writes a dump: files gather in a hidden folder inside it and get their names when all are
// complete.
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/manifest.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// create(), then add() each tensor, then finish(). Destroyed without finish(), it leaves nothing.
class dump_writer {
 public:
  /// The model must outlive the writer.
  [[nodiscard]] static result<dump_writer> create(std::filesystem::path folder,
                                                  const graph::model& model, std::string target,
                                                  std::string tool_version);

  dump_writer(dump_writer&& other) noexcept
      : folder_(std::move(other.folder_)),
        stage_(std::exchange(other.stage_, {})),
        sample_(std::move(other.sample_)),
        created_(other.created_),
        model_(other.model_),
        manifest_(std::move(other.manifest_)),
        files_(std::move(other.files_)) {}
  dump_writer& operator=(dump_writer&&) = delete;
  ~dump_writer();

  /// What follows belongs to sample `n`, in the folder sNNNN.
  [[nodiscard]] status start_sample(int n);

  /// Precondition: the index is one of the model. board: parameters of the board's own, if it has any.
  [[nodiscard]] status add(std::int32_t index, const array_view& value,
                           const quantization& board = {});

  [[nodiscard]] status finish();

 private:
  dump_writer(std::filesystem::path folder, std::filesystem::path stage, bool created,
              const graph::model& model, std::string target, std::string tool_version)
      : folder_(std::move(folder)), stage_(std::move(stage)), created_(created), model_(model) {
    manifest_.model = model.name;
    manifest_.sha256 = model.sha256;
    manifest_.tool_version = std::move(tool_version);
    manifest_.target = std::move(target);
  }

  std::filesystem::path folder_;
  std::filesystem::path stage_;  ///< empty: finished or moved from
  std::string sample_;
  bool created_;
  const graph::model& model_;
  manifest manifest_;
  std::vector<std::filesystem::path> files_;  ///< relative to both folders
};

}  // namespace bittwin::analysis::inline v1
