// SPDX-License-Identifier: Apache-2.0
// How a dump is written: compiled once, with bittwin::analysis.
#pragma once

#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/file.hpp>
#include <cstddef>
#include <span>
#include <system_error>
#include <utility>

namespace bittwin::analysis::inline v1 {

result<dump_writer> dump_writer::create(std::filesystem::path folder, const graph::model& model,
                                        std::string target, std::string tool_version) {
  std::error_code failure;
  const bool created = std::filesystem::create_directories(folder, failure);
  if (failure || !std::filesystem::is_directory(folder, failure))
    return error{error_code::bad_file,
                 folder.string() + ": cannot be made a folder; give another path for the dump"};
  for (int i = 0; i < 1000; ++i) {
    const std::filesystem::path stage = folder / (".incomplete" + std::to_string(i));
    if (std::filesystem::create_directory(stage, failure))
      return dump_writer(std::move(folder), stage, created, model, std::move(target),
                         std::move(tool_version));
    if (failure) break;
  }
  return error{error_code::bad_file,
               folder.string() + ": cannot be written to; give another path for the dump"};
}

dump_writer::~dump_writer() {
  std::error_code ignored;
  if (stage_.empty()) return;
  std::filesystem::remove_all(stage_, ignored);
  if (created_) std::filesystem::remove(folder_, ignored);  // only where it is empty
}

status dump_writer::start_sample(int n) {
  sample_ = sample_folder_name(static_cast<std::size_t>(n));
  std::error_code failure;
  std::filesystem::create_directory(stage_ / sample_, failure);
  if (failure)
    return graph::detail::file_error(stage_ / sample_, "cannot be made", failure.value());
  return ok();
}

status dump_writer::add(std::int32_t index, const array_view& value, const quantization& board) {
  const std::filesystem::path file = std::filesystem::path(sample_) / dump_file_name(index);
  if (status written = write_npy_file(stage_ / file, value); !written) return written;
  files_.push_back(file);
  for (const manifest_tensor& known : manifest_.tensors)
    if (known.index == index) return ok();
  manifest_.tensors.push_back(describe(model_, index));
  // A target on reals computes float64 where the model has codes.
  manifest_.tensors.back().type = value.type;
  if (board.present()) manifest_.tensors.back().quantization = board;
  return ok();
}

status dump_writer::finish() {
  const std::filesystem::path description = "manifest.json";
  const std::string text = to_json(manifest_);
  if (status written =
          graph::write_file(stage_ / description, std::as_bytes(std::span<const char>(text)));
      !written)
    return written;
  std::error_code failure;
  // From here to the last rename the folder has no manifest: never one of other files.
  std::filesystem::remove(folder_ / description, failure);
  files_.push_back(description);
  for (const std::filesystem::path& file : files_) {
    if (file.has_parent_path())
      std::filesystem::create_directory(folder_ / file.parent_path(), failure);
    std::filesystem::rename(stage_ / file, folder_ / file, failure);
    if (failure)
      return graph::detail::file_error(folder_ / file, "cannot be written", failure.value());
  }
  std::filesystem::remove_all(stage_, failure);
  stage_.clear();
  return ok();
}

}  // namespace bittwin::analysis::inline v1
