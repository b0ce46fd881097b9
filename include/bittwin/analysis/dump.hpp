// SPDX-License-Identifier: Apache-2.0
// Reads a dump: tNNN.npy files, one a tensor, with or without a manifest, in one folder or in
// samples sNNNN.
#pragma once

#include <algorithm>
#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/manifest.hpp>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

class dump {
 public:
  /// errors  no such folder; a bad manifest; no tensor in it
  [[nodiscard]] static result<dump> open(const std::filesystem::path& folder) {
    std::error_code failure;
    if (!std::filesystem::is_directory(folder, failure))
      return error{error_code::bad_file,
                   folder.string() + ": is not a folder; give a folder of tNNN.npy files"};
    dump d;
    d.folder_ = folder;
    if (std::filesystem::exists(folder / "manifest.json", failure)) {
      const auto bytes = graph::read_file(folder / "manifest.json", std::uintmax_t{1} << 28);
      if (!bytes) return bytes.error();
      result<manifest> parsed =
          parse_manifest({reinterpret_cast<const char*>((*bytes)->data()), (*bytes)->size()},
                         (folder / "manifest.json").string());
      if (!parsed) return parsed.error();
      d.manifest_ = std::move(*parsed);
      for (const manifest_tensor& t : d.manifest_->tensors)
        if (!d.files_.emplace(t.index, t.file).second)
          return error{error_code::bad_file, (folder / "manifest.json").string() +
                                                 " lists tensor " + std::to_string(t.index) +
                                                 " twice; write the dump again"};
    }
    d.find_samples();
    if (!d.manifest_) d.find_files();
    if (d.files_.empty())
      return error{error_code::bad_file,
                   folder.string() + ": holds no tNNN.npy; give a folder that run --dump wrote"};
    return d;
  }

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  [[nodiscard]] const std::optional<manifest>& description() const noexcept { return manifest_; }
  /// Folder names, in order; one empty name where the files are in the folder itself.
  [[nodiscard]] const std::vector<std::string>& samples() const noexcept { return samples_; }
  /// Tensor indices, ascending.
  [[nodiscard]] std::vector<std::int32_t> indices() const {
    std::vector<std::int32_t> all;
    for (const auto& [index, file] : files_) all.push_back(index);
    return all;
  }
  [[nodiscard]] bool has(std::int32_t index, std::size_t sample = 0) const {
    std::error_code failure;
    const auto path = path_of(index, sample);
    return path && std::filesystem::exists(*path, failure);
  }
  /// The manifest's entry of a tensor, or null.
  [[nodiscard]] const manifest_tensor* entry(std::int32_t index) const noexcept {
    if (!manifest_) return nullptr;
    for (const manifest_tensor& t : manifest_->tensors)
      if (t.index == index) return &t;
    return nullptr;
  }

  /// errors  absent, unreadable, or of another type or shape than the manifest says
  [[nodiscard]] result<array> read(std::int32_t index, std::size_t sample = 0) const {
    const auto path = path_of(index, sample);
    if (!path)
      return error{error_code::bad_file, folder_.string() + ": holds no tensor " +
                                             std::to_string(index) + "; write the dump again"};
    result<array> a = read_npy_file(*path);
    const manifest_tensor* const said = entry(index);
    if (!a || said == nullptr) return a;
    // Numpy has no four-bit type: int4 is stored as int8.
    const element_type stored = said->type == element_type::int4 ? element_type::int8 : said->type;
    if (a->type != stored || a->extents != said->extents)
      return error{error_code::bad_shape, path->string() + " is " + std::string(name_of(a->type)) +
                                              to_string(a->extents) + ", but manifest.json says " +
                                              std::string(name_of(stored)) +
                                              to_string(said->extents) + "; write the dump again"};
    return a;
  }

 private:
  [[nodiscard]] std::optional<std::filesystem::path> path_of(std::int32_t index,
                                                             std::size_t sample) const {
    const auto file = files_.find(index);
    if (file == files_.end() || sample >= samples_.size()) return std::nullopt;
    return folder_ / samples_[sample] / file->second;
  }

  /// The digits between a prefix and a suffix, as a number.
  [[nodiscard]] static std::optional<std::int32_t> number_in(std::string_view name,
                                                             std::string_view prefix,
                                                             std::string_view suffix,
                                                             std::size_t least_digits) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
    if (name.size() < prefix.size() + suffix.size() + least_digits) return std::nullopt;
    name.remove_prefix(prefix.size());
    name.remove_suffix(suffix.size());
    if (name.size() > 9) return std::nullopt;
    std::int32_t value = 0;
    for (const char c : name) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    return value;
  }

  /// Files in the folder itself come first: sample folders beside them are somebody else's.
  void find_samples() {
    std::error_code failure;
    std::vector<std::string> found;
    bool flat = false;
    for (std::filesystem::directory_iterator at(folder_, failure), end; !failure && at != end;
         at.increment(failure)) {
      const std::string name = at->path().filename().string();
      if (number_in(name, "s", "", 4) && at->is_directory(failure)) found.push_back(name);
      flat = flat || number_in(name, "t", ".npy", 3);
    }
    std::sort(found.begin(), found.end());
    if (flat || found.empty()) found.assign(1, std::string());
    samples_ = std::move(found);
  }

  void find_files() {
    std::error_code failure;
    for (std::filesystem::directory_iterator at(folder_ / samples_[0], failure), end;
         !failure && at != end; at.increment(failure)) {
      const std::string name = at->path().filename().string();
      if (const auto index = number_in(name, "t", ".npy", 3)) files_.emplace(*index, name);
    }
  }

  std::filesystem::path folder_;
  std::optional<manifest> manifest_;
  std::vector<std::string> samples_;
  std::map<std::int32_t, std::string> files_;
};

}  // namespace bittwin::analysis::inline v1
