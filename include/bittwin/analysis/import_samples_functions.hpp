// SPDX-License-Identifier: Apache-2.0
// How a vendor's samples are imported: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/import_samples.hpp>
#include <bittwin/analysis/importer.hpp>
#include <system_error>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// Folders in a folder that holds nothing else, sorted; hidden files aside. None: its files are what there is.
[[nodiscard]] inline std::vector<std::filesystem::path> sample_folders(
    const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> all;
  std::error_code failure;
  for (std::filesystem::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().filename().string().starts_with('.')) continue;
    if (!at->is_directory(failure)) return {};
    all.push_back(at->path());
  }
  std::sort(all.begin(), all.end());
  return all;
}

class sample_importer {
 public:
  explicit sample_importer(const import_settings& settings)
      : settings_(settings), m_(*settings.model) {}

  [[nodiscard]] result<imported_samples> run(const std::vector<std::filesystem::path>& folders) {
    for (const std::filesystem::path& folder : folders)
      made_.folders.push_back(folder.filename().string());
    // What each sample decides alone; then all of them again, by what is decided.
    if (status done = import_all(folders); !done) return done.error();
    const bool open = std::any_of(made_.samples.begin(), made_.samples.end(),
                                  [](const imported_dump& s) { return !s.refused.empty(); });
    if (open) {
      learn();
      if (status done = import_all(folders); !done) return done.error();
    }
    refuse_contradictions();
    leave_out();
    return std::move(made_);
  }

 private:
  [[nodiscard]] status import_all(const std::vector<std::filesystem::path>& folders) {
    made_.samples.clear(), readings_.clear();
    for (const std::filesystem::path& folder : folders) {
      importer one(settings_, known_);
      result<imported_dump> made = one.run(folder);
      if (!made)
        return error{made.error().code,
                     "sample " + folder.filename().string() + ": " + made.error().text};
      made_.samples.push_back(std::move(*made));
      readings_.push_back(one.readings());
    }
    return ok();
  }

  /// The samples that read a tensor first and in another way; equal numbers where all agree.
  [[nodiscard]] std::pair<std::size_t, std::size_t> parting_of(std::int32_t tensor) const {
    std::size_t first = readings_.size();
    for (std::size_t s = 0; s < readings_.size(); ++s) {
      const auto at = readings_[s].find(tensor);
      if (at == readings_[s].end()) continue;
      if (first == readings_.size()) first = s;
      if (!is_same_way(readings_[first].at(tensor), at->second)) return {first, s};
    }
    return {first, first};
  }

  void learn() {
    for (const known_readings& sample : readings_)
      for (const auto& [tensor, reading] : sample) {
        const auto [a, b] = parting_of(tensor);
        if (a == b) known_.emplace(tensor, reading);
      }
  }

  /// Takes a tensor away from every sample that found it. saying(sample's file): the sentence
  template <class Saying> void refuse(std::int32_t tensor, Saying saying) {
    for (imported_dump& s : made_.samples) {
      const auto at = std::find_if(s.found.begin(), s.found.end(),
                                   [&](const imported_tensor& t) { return t.tensor == tensor; });
      if (at == s.found.end()) continue;
      if (const std::string text = saying(at->file); !text.empty())
        s.refused.push_back({at->file, text});
      s.not_found.insert(std::upper_bound(s.not_found.begin(), s.not_found.end(), tensor), tensor);
      s.found.erase(at);
    }
  }

  [[nodiscard]] std::vector<std::int32_t> tensors_found() const {
    std::vector<std::int32_t> all;
    for (const imported_dump& s : made_.samples)
      for (const imported_tensor& t : s.found) all.push_back(t.tensor);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  [[nodiscard]] static const imported_tensor* found_in(const imported_dump& s,
                                                       std::int32_t tensor) {
    for (const imported_tensor& t : s.found)
      if (t.tensor == tensor) return &t;
    return nullptr;
  }

  void refuse_contradictions() {
    for (const std::int32_t tensor : tensors_found()) {
      const auto [a, b] = parting_of(tensor);
      if (a != b) {
        const auto way = [&](std::size_t s) {
          const import_reading& r = readings_[s].at(tensor);
          return std::string(name_of(r.type)) + ", " + to_string(r.layout) + " in " +
                 made_.folders[s];
        };
        const std::string ways = way(a) + ", " + way(b);
        refuse(tensor, [&](const std::string& file) {
          return graph::printable_name(file) + " is " + tensor_text(m_, tensor) +
                 ", which samples hold in different ways (" + ways +
                 "); write all of them alike, or say which with --layout and --dtype";
        });
        continue;
      }
      const imported_tensor* first = nullptr;
      for (const imported_dump& s : made_.samples) {
        const imported_tensor* const t = found_in(s, tensor);
        if (t == nullptr) continue;
        if (first == nullptr) first = t;
        if (t->board == first->board && t->values.type == first->values.type) continue;
        refuse(tensor, [&](const std::string& file) {
          return graph::printable_name(file) + " is " + tensor_text(m_, tensor) +
                 ", whose values lie on other scales in other samples; write codes on the board";
        });
        break;
      }
    }
  }

  /// A dump's samples have the same tensors.
  void leave_out() {
    for (const std::int32_t tensor : tensors_found()) {
      const bool everywhere =
          std::all_of(made_.samples.begin(), made_.samples.end(),
                      [&](const imported_dump& s) { return found_in(s, tensor) != nullptr; });
      if (everywhere) continue;
      made_.left_out.push_back(tensor);
      refuse(tensor, [](const std::string&) { return std::string(); });
    }
  }

  const import_settings& settings_;
  const graph::model& m_;
  known_readings known_;
  std::vector<known_readings> readings_;  ///< by sample
  imported_samples made_;
};

}  // namespace detail

result<imported_samples> import_samples(const std::filesystem::path& folder,
                                        const import_settings& settings) {
  const std::vector<std::filesystem::path> folders = detail::sample_folders(folder);
  if (folders.empty()) {
    result<imported_dump> one = import_dump(folder, settings);
    if (!one) return one.error();
    imported_samples made;
    made.folders.emplace_back();
    made.samples.push_back(std::move(*one));
    return made;
  }
  if (!settings.inputs.empty())
    return error{error_code::bad_option,
                 folder.string() +
                     ": holds samples, and --input is that of one; put each sample's "
                     "input into its folder, or import them one by one"};
  return detail::sample_importer(settings).run(folders);
}

status write_import(const imported_samples& from, const graph::model& m,
                    const std::filesystem::path& folder, std::string tool_version) {
  if (from.folders.size() == 1 && from.folders[0].empty())
    return write_import(from.samples[0], m, folder, std::move(tool_version));
  result<dump_writer> writer = dump_writer::create(folder, m, "imported", std::move(tool_version));
  if (!writer) return writer.error();
  for (std::size_t s = 0; s < from.samples.size(); ++s) {
    if (status started = writer->start_sample(static_cast<int>(s)); !started) return started;
    for (const imported_tensor& t : from.samples[s].found)
      if (status added = writer->add(t.tensor, t.values, t.board); !added) return added;
  }
  return writer->finish();
}

}  // namespace bittwin::analysis::inline v1
