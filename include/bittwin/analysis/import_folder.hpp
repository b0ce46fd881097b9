// SPDX-License-Identifier: Apache-2.0
// Reads the files of a vendor's dump, names them, and finds all that each may be.
#pragma once

#include <algorithm>
#include <bittwin/analysis/import.hpp>
#include <bittwin/analysis/import_candidate.hpp>
#include <bittwin/analysis/import_map.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1::detail {

/// Inputs and what operators make, ascending: what a board can dump.
[[nodiscard]] inline std::vector<std::int32_t> tensors_to_find(const graph::model& m) {
  std::vector<std::int32_t> all = m.inputs;
  for (const graph::operation& op : m.operations)
    all.insert(all.end(), op.outputs.begin(), op.outputs.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::erase_if(all, [&](std::int32_t index) {
    return index < 0 || m.tensors[static_cast<std::size_t>(index)].is_constant();
  });
  return all;
}

/// Files that are no candidates go to `made`, with the reason.
class import_folder {
 public:
  import_folder(const import_settings& settings, const std::vector<std::int32_t>& tensors,
                imported_dump& made)
      : settings_(settings), m_(*settings.model), tensors_(tensors), made_(made), names_(m_) {}

  /// errors  no such folder, nothing in it; a map or a pattern that does not fit
  [[nodiscard]] status read(const std::filesystem::path& folder) {
    if (status read = read_settings(); !read) return read.error();
    return read_files(folder);
  }
  [[nodiscard]] std::vector<import_candidate> take_files() { return std::move(files_); }

 private:
  [[nodiscard]] bool is_value(std::int32_t index) const noexcept {
    return std::binary_search(tensors_.begin(), tensors_.end(), index);
  }

  [[nodiscard]] status read_settings() {
    if (!settings_.map.empty()) {
      result<import_map> map = read_import_map(settings_.map, names_);
      if (!map) return map.error();
      map_ = std::move(*map);
    }
    if (!settings_.pattern.empty()) {
      result<import_pattern> pattern = import_pattern::from(settings_.pattern);
      if (!pattern) return pattern.error();
      pattern_ = std::move(*pattern);
    }
    return ok();
  }

  [[nodiscard]] status read_files(const std::filesystem::path& folder) {
    std::error_code failure;
    if (!std::filesystem::is_directory(folder, failure))
      return error{error_code::bad_file,
                   folder.string() + ": is not a folder; give the folder of a board's files"};
    std::vector<std::filesystem::path> paths;
    for (std::filesystem::directory_iterator at(folder, failure), end; !failure && at != end;
         at.increment(failure))
      paths.push_back(at->path());
    if (failure)
      return error{error_code::bad_file,
                   folder.string() + ": cannot be read: " + failure.message()};
    std::sort(paths.begin(), paths.end());
    std::size_t hidden = 0;
    for (const std::filesystem::path& path : paths) {
      const std::string name = path.filename().string();
      if (name.starts_with('.'))
        ++hidden;
      else if (!is_the_map(path))
        read_one(path, name);
    }
    for (const auto& [name, tensor] : map_)
      if (std::none_of(paths.begin(), paths.end(), [&, &name = name](const auto& path) {
            return path.filename().string() == name;
          }))
        return error{error_code::bad_file, settings_.map.string() + ": names " +
                                               graph::printable_name(name) + ", which is not in " +
                                               folder.string() + "; correct the map"};
    if (paths.size() == hidden)
      return error{error_code::bad_file,
                   folder.string() + ": holds no file; give the folder of a board's files"};
    if (hidden > 0)
      made_.assumptions.push_back(number(hidden) + " hidden files were not looked at");
    return ok();
  }

  [[nodiscard]] bool is_the_map(const std::filesystem::path& path) const {
    std::error_code failure;
    return !settings_.map.empty() && std::filesystem::equivalent(path, settings_.map, failure);
  }

  void read_one(const std::filesystem::path& path, const std::string& name) {
    const std::string label = graph::printable_name(name);
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) {
      made_.left_over.push_back(
          {name, label + " is a folder, which is not looked into; import it on its own"});
      return;
    }
    if (!format_named(path.extension().string())) {
      made_.left_over.push_back(
          {name, label + " is of a kind that is not read: .npy, .bin, .raw, .txt and .csv are"});
      return;
    }
    result<import_file> file = read_import_file(path, settings_.type);
    if (!file) {
      made_.refused.push_back({name, file.error().text});
      return;
    }
    import_candidate one{std::move(*file), label, {}, {}, {}};
    if (name_file(one)) {
      find_readings(one, m_, tensors_, settings_.layouts);
      files_.push_back(std::move(one));
    }
  }

  /// False where the file is left over: then it is said why.
  [[nodiscard]] bool name_file(import_candidate& one) {
    const std::string& name = one.file.name;
    if (const auto at = map_.find(name); at != map_.end()) {
      one.names = {{at->second.tensor}, "as the map says", at->second.sure};
    } else if (pattern_) {
      const auto group = pattern_->group_in(name);
      if (!group) {
        made_.left_over.push_back({name, one.label + " does not match --pattern"});
        return false;
      }
      const result<std::int32_t> chosen = names_.chosen(*group);
      if (!chosen) {
        made_.refused.push_back({name, one.label + ": " + chosen.error().text});
        return false;
      }
      one.names = {{*chosen}, "as the pattern says", false};
    } else {
      one.names = names_.named(one.file.stem());
      // "conv:0.bin" has lost nothing, "conv.1" has lost its end.
      if (!one.is_named()) one.names = names_.named(name);
    }
    const std::vector<std::int32_t> named = one.names.tensors;
    std::erase_if(one.names.tensors, [&](std::int32_t index) { return !is_value(index); });
    if (named.empty() || one.is_named()) return true;
    made_.left_over.push_back({name, one.label + " is named after " + tensor_text(m_, named[0]) +
                                         ", which is no input and no operator's output"});
    return false;
  }

  const import_settings& settings_;
  const graph::model& m_;
  const std::vector<std::int32_t>& tensors_;
  imported_dump& made_;
  model_names names_;
  import_map map_;
  std::optional<import_pattern> pattern_;
  std::vector<import_candidate> files_;
};

}  // namespace bittwin::analysis::inline v1::detail
