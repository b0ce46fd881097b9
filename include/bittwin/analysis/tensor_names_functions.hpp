// SPDX-License-Identifier: Apache-2.0
// How a table of names is read and applied: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/analysis/tensor_names.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/sentence.hpp>
#include <charconv>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// The fields of a line; nothing where a quote stays open.
[[nodiscard]] inline std::optional<std::vector<std::string>> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += line[i];
  }
  if (quoted) return std::nullopt;
  return fields;
}

class named_dump {
 public:
  named_dump(const std::filesystem::path& folder, const tensor_names& names,
             std::span<const named_tensor> known)
      : folder_(folder), names_(names), known_(known) {}

  [[nodiscard]] result<dump> open() {
    std::error_code failure;
    if (!std::filesystem::is_directory(folder_, failure))
      return error{error_code::bad_file,
                   sentence({folder_.string(), ": is not a folder; give a folder of NAME.npy"})};
    if (std::filesystem::exists(folder_ / "manifest.json", failure)) {
      result<dump> own = dump::open(folder_);
      if (!own) return own.error();
      own_.emplace(std::move(*own));
    }
    std::vector<dump::tensors> samples(own_ ? own_->samples().size() : 1);
    manifest description;
    for (const tensor_alias& alias : names_.all) {
      const result<std::int32_t> index = index_of(alias);
      if (!index) return index.error();
      manifest_tensor entry;
      if (status added = read(alias, *index, samples, entry); !added) return added.error();
      description.tensors.push_back(std::move(entry));
    }
    return dump::of(std::move(description), std::move(samples), folder_.string());
  }

 private:
  [[nodiscard]] error refuse(const tensor_alias& alias,
                             std::initializer_list<std::string_view> text) const {
    return {error_code::bad_file,
            sentence({names_.file, " line ", number(alias.line), ": ", sentence(text)})};
  }

  [[nodiscard]] result<std::int32_t> index_of(const tensor_alias& alias) {
    std::optional<std::int32_t> found;
    for (const named_tensor& t : known_) {
      if (t.name != alias.tensor) continue;
      if (found)
        return refuse(alias, {"two tensors are called ", graph::printable_name(alias.tensor),
                              "; give the number of one"});
      found = t.index;
    }
    std::int32_t value = 0;
    const char* const end = alias.tensor.data() + alias.tensor.size();
    if (const auto [at, fault] = std::from_chars(alias.tensor.data(), end, value);
        !found && fault == std::errc{} && at == end &&
        std::any_of(known_.begin(), known_.end(),
                    [&](const named_tensor& t) { return t.index == value; }))
      found = value;
    if (!found)
      return refuse(alias, {"there is no tensor ", graph::printable_name(alias.tensor),
                            "; see 'bittwin info MODEL --verbose'"});
    if (!taken_.insert(*found).second)
      return refuse(alias, {"tensor ", number(*found), " has a name already; leave one out"});
    return *found;
  }

  [[nodiscard]] status read(const tensor_alias& alias, std::int32_t index,
                            std::vector<dump::tensors>& samples, manifest_tensor& entry) const {
    if (own_) {
      const manifest_tensor* said = nullptr;
      for (const manifest_tensor& t : own_->description()->tensors) {
        if (t.name != alias.name) continue;
        if (said != nullptr)
          return refuse(alias, {"two tensors of ", folder_.string(), " are called ",
                                graph::printable_name(alias.name), "; rename one in its manifest"});
        said = &t;
      }
      if (said == nullptr) return missing(alias);
      for (std::size_t sample = 0; sample < samples.size(); ++sample) {
        result<array> a = own_->read(said->index, sample);
        if (!a) return a.error();
        samples[sample][index] = std::move(*a);
      }
      entry = *said;
    } else {
      std::error_code failure;
      const std::filesystem::path file = alias.name + ".npy";
      // The table may be somebody else's: it names files of this folder alone.
      const bool inside =
          file.is_relative() &&
          std::none_of(file.begin(), file.end(), [](const auto& part) { return part == ".."; });
      if (!inside || !std::filesystem::exists(folder_ / file, failure)) return missing(alias);
      result<array> a = read_npy_file(folder_ / file);
      if (!a) return a.error();
      entry.name = alias.name;
      entry.type = a->type;
      entry.extents = a->extents;
      samples[0][index] = std::move(*a);
    }
    entry.index = index;
    entry.file = dump_file_name(index);
    // Which operator writes it is the model's to say.
    entry.op_index.reset();
    return ok();
  }

  [[nodiscard]] error missing(const tensor_alias& alias) const {
    return refuse(alias, {folder_.string(), " holds no tensor ", graph::printable_name(alias.name),
                          "; take the line out, or correct the name"});
  }

  const std::filesystem::path& folder_;
  const tensor_names& names_;
  std::span<const named_tensor> known_;
  std::optional<dump> own_;
  std::set<std::int32_t> taken_;
};

}  // namespace detail

result<tensor_names> tensor_names::parse(std::string_view csv, const std::string& file) {
  tensor_names to{file, {}};
  std::set<std::string> seen;
  for (std::size_t line = 1; !csv.empty(); ++line) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    std::string_view text = csv.substr(0, end);
    csv.remove_prefix(std::min(end + 1, csv.size()));
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty() || text[0] == '#') continue;
    const auto fields = detail::fields_of(text);
    if (!fields || fields->size() != 2 || (*fields)[0].empty() || (*fields)[1].empty())
      return error{error_code::bad_file,
                   sentence({file, " line ", number(line),
                             ": is not NAME,TENSOR; write the dump's name, a comma and the model's "
                             "tensor, quoted where they hold a comma"})};
    if (!seen.insert((*fields)[0]).second)
      return error{error_code::bad_file,
                   sentence({file, " line ", number(line), ": ",
                             graph::printable_name((*fields)[0]), " stands there twice"})};
    to.all.push_back({(*fields)[0], (*fields)[1], line});
  }
  if (to.all.empty())
    return error{error_code::bad_file, sentence({file, ": holds no line NAME,TENSOR"})};
  return to;
}

result<tensor_names> tensor_names::read(const std::filesystem::path& file) {
  const auto bytes = graph::read_file(file, std::uintmax_t{1} << 26);
  if (!bytes) return bytes.error();
  return parse(graph::as_text(**bytes), file.string());
}

result<dump> open_dump(const std::filesystem::path& folder, const tensor_names& names,
                       std::span<const named_tensor> known) {
  return detail::named_dump(folder, names, known).open();
}

}  // namespace bittwin::analysis::inline v1
