// SPDX-License-Identifier: Apache-2.0
// How a dump is read: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/file.hpp>
#include <system_error>
#include <utility>

namespace bittwin::analysis::inline v1 {

result<dump> dump::open(const std::filesystem::path& folder) {
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
        parse_manifest(graph::as_text(**bytes), (folder / "manifest.json").string());
    if (!parsed) return parsed.error();
    d.manifest_ = std::move(*parsed);
    for (const manifest_tensor& t : d.manifest_->tensors)
      if (!d.files_.emplace(t.index, t.file).second)
        return error{error_code::bad_file, (folder / "manifest.json").string() + " lists tensor " +
                                               std::to_string(t.index) +
                                               " twice; write the dump again"};
  }
  d.find_samples();
  if (!d.manifest_) d.find_files();
  if (d.files_.empty())
    return error{error_code::bad_file,
                 folder.string() + ": holds no tNNN.npy; give a folder that run --dump wrote"};
  return d;
}

dump dump::of(manifest description, std::vector<tensors> samples, std::string name) {
  dump d;
  d.folder_ = std::move(name);
  for (const manifest_tensor& t : description.tensors) d.files_.emplace(t.index, t.file);
  for (std::size_t n = 0; n < samples.size(); ++n)
    d.samples_.push_back(samples.size() == 1 ? std::string() : sample_folder_name(n));
  d.manifest_ = std::move(description);
  d.memory_ = std::move(samples);
  return d;
}

std::vector<std::int32_t> dump::indices() const {
  std::vector<std::int32_t> all;
  for (const auto& [index, file] : files_) all.push_back(index);
  return all;
}

bool dump::has(std::int32_t index, std::size_t sample) const {
  if (!memory_.empty()) return sample < memory_.size() && memory_[sample].count(index) != 0;
  std::error_code failure;
  const auto path = path_of(index, sample);
  return path && std::filesystem::exists(*path, failure);
}

const manifest_tensor* dump::entry(std::int32_t index) const noexcept {
  if (!manifest_) return nullptr;
  for (const manifest_tensor& t : manifest_->tensors)
    if (t.index == index) return &t;
  return nullptr;
}

result<array> dump::read(std::int32_t index, std::size_t sample) const {
  if (!memory_.empty() && has(index, sample)) return memory_[sample].at(index);
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

std::optional<std::filesystem::path> dump::path_of(std::int32_t index, std::size_t sample) const {
  const auto file = files_.find(index);
  if (file == files_.end() || sample >= samples_.size()) return std::nullopt;
  return folder_ / samples_[sample] / file->second;
}

std::optional<std::int32_t> dump::number_in(std::string_view name, std::string_view prefix,
                                            std::string_view suffix, std::size_t least_digits) {
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

void dump::find_samples() {
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

void dump::find_files() {
  std::error_code failure;
  for (std::filesystem::directory_iterator at(folder_ / samples_[0], failure), end;
       !failure && at != end; at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (const auto index = number_in(name, "t", ".npy", 3)) files_.emplace(*index, name);
  }
}

}  // namespace bittwin::analysis::inline v1
