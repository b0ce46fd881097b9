// SPDX-License-Identifier: Apache-2.0
// How a bundle becomes a folder: compiled once, with bittwin::analysis.
#pragma once

#include <bittwin/analysis/bundle.hpp>
#include <bittwin/analysis/comparison_json.hpp>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/sha256.hpp>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// A folder beside the one that is meant, until finish() gives it that name. Destroyed before, it leaves nothing.
class staged_folder {
 public:
  explicit staged_folder(std::filesystem::path folder)
      : folder_(folder.has_filename() ? std::move(folder) : folder.parent_path()), stage_(folder_) {
    stage_ += ".incomplete";
  }
  staged_folder(const staged_folder&) = delete;
  staged_folder& operator=(const staged_folder&) = delete;
  ~staged_folder() {
    std::error_code ignored;
    if (begun_) std::filesystem::remove_all(stage_, ignored);
  }

  [[nodiscard]] status begin() {
    std::error_code failure;
    if (std::filesystem::exists(folder_, failure) &&
        !(std::filesystem::is_directory(folder_, failure) &&
          std::filesystem::is_empty(folder_, failure)))
      return error{error_code::bad_file,
                   folder_.string() + ": is there already; give a new folder with --out"};
    if (folder_.has_parent_path())
      std::filesystem::create_directories(folder_.parent_path(), failure);
    // Not create_directories: somebody else's unfinished folder is not ours to fill.
    if (!std::filesystem::create_directory(stage_, failure))
      return error{
          error_code::bad_file,
          stage_.string() + ": cannot be made; give another path with --out, or remove it"};
    begun_ = true;
    return ok();
  }
  [[nodiscard]] status add(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    std::error_code ignored;
    if (file.has_parent_path())
      std::filesystem::create_directories(stage_ / file.parent_path(), ignored);
    if (status written = graph::write_file(stage_ / file, bytes); !written) return written;
    files_.push_back(file.generic_string());
    sums_ += graph::sha256_hex(bytes) + "  " + files_.back() + "\n";
    return ok();
  }
  [[nodiscard]] status add(const std::filesystem::path& file, std::string_view text) {
    return add(file, std::as_bytes(std::span<const char>(text)));
  }
  [[nodiscard]] status finish() {
    const std::string sums = sums_;
    if (status written = add("SHA256SUMS", sums); !written) return written;
    std::error_code failure;
    std::filesystem::rename(stage_, folder_, failure);
    if (failure) return graph::detail::file_error(folder_, "cannot be written", failure.value());
    begun_ = false;
    return ok();
  }
  [[nodiscard]] const std::vector<std::string>& files() const noexcept { return files_; }

 private:
  std::filesystem::path folder_, stage_;
  bool begun_ = false;
  std::vector<std::string> files_;
  std::string sums_;
};

[[nodiscard]] inline status add_dump(staged_folder& to, const std::filesystem::path& place,
                                     const dump& d) {
  for (std::size_t sample = 0; sample < d.samples().size(); ++sample)
    for (const std::int32_t index : d.indices()) {
      const result<array> a = d.read(index, sample);
      if (!a) return a.error();
      const auto file = place / d.samples()[sample] / dump_file_name(index);
      if (status added = to.add(file, npy_bytes(*a)); !added) return added;
    }
  return to.add(place / "manifest.json", to_json(*d.description()));
}

/// What the expected results were made of; where REF did not record it, what the board was given.
[[nodiscard]] inline status add_inputs(staged_folder& to, const bundle& b) {
  const std::vector<std::string>& samples = b.expected.samples();
  for (std::size_t sample = 0; sample < samples.size(); ++sample)
    for (std::size_t n = 0; n < b.m.inputs.size(); ++n) {
      const std::int32_t index = b.m.inputs[n];
      const dump& from = b.expected.has(index, sample) ? b.expected : b.observed;
      if (!from.has(index, sample)) continue;
      const result<array> a = from.read(index, sample);
      if (!a) return a.error();
      const std::filesystem::path file =
          std::filesystem::path("inputs") / samples[sample] / ("in" + std::to_string(n) + ".npy");
      if (status added = to.add(file, npy_bytes(*a)); !added) return added;
    }
  return ok();
}

}  // namespace detail

result<std::vector<std::string>> write_bundle(const bundle& b,
                                              const std::filesystem::path& folder) {
  detail::staged_folder to(folder);
  if (status done = to.begin(); !done) return done.error();
  if (status done = to.add("README.md", page_of(b)); !done) return done.error();
  if (status done = to.add("model.tflite", *b.model); !done) return done.error();
  if (b.target_file)
    if (status done = to.add("target.json", *b.target_file); !done) return done.error();
  if (status done = detail::add_inputs(to, b); !done) return done.error();
  if (status done = detail::add_dump(to, "expected", b.expected); !done) return done.error();
  if (status done = detail::add_dump(to, "observed", b.observed); !done) return done.error();
  // Names come out of files and may be no UTF-8: replaced, never thrown about.
  const std::string compared =
      to_json(b.found).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (status done = to.add("comparison.json", compared); !done) return done.error();
  if (status done = to.finish(); !done) return done.error();
  return to.files();
}

}  // namespace bittwin::analysis::inline v1
