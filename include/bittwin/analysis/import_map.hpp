// SPDX-License-Identifier: Apache-2.0
// Which tensor a file holds, as the user says: line by line, or by a pattern of file names.
#pragma once

#include <algorithm>
#include <bittwin/analysis/import_names.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

namespace bittwin::analysis::inline v1 {

/// sure  whatever the file's values say of it
struct mapped_tensor {
  std::int32_t tensor = 0;
  bool sure = false;
};
/// By file, as a CSV file of lines "file,tensor" or "file,tensor,sure" says; a first line of the first two words is a
/// heading.
using import_map = std::map<std::string, mapped_tensor, std::less<>>;

/// errors  unreadable; a line without a comma, a tensor that is none, a file twice
[[nodiscard]] inline result<import_map> read_import_map(const std::filesystem::path& path,
                                                        const model_names& names) {
  const result<graph::file_bytes> bytes = graph::read_file(path, std::uintmax_t{1} << 26);
  if (!bytes) return bytes.error();
  const std::string_view text = graph::as_text(**bytes);
  const auto trimmed = [](std::string_view word) {
    while (!word.empty() && (word.front() == ' ' || word.front() == '"')) word.remove_prefix(1);
    while (!word.empty() && (word.back() == ' ' || word.back() == '"' || word.back() == '\r'))
      word.remove_suffix(1);
    return std::string(word);
  };
  import_map map;
  std::int64_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view row = text.substr(at, end - at);
    at = end + 1;
    ++line;
    if (trimmed(row).empty() || (line == 1 && trimmed(row) == "file,tensor")) continue;
    const auto refuse = [&](std::string_view why) {
      return error{error_code::bad_file,
                   sentence({path.string(), ": line ", number(line), ": ", why})};
    };
    const std::size_t comma = row.find(',');
    if (comma == std::string_view::npos) return refuse("has no comma; write file,tensor");
    const std::size_t last = row.rfind(',');
    const bool sure = last != comma && trimmed(row.substr(last + 1)) == "sure";
    const std::size_t end_of_tensor = sure ? last : row.size();
    const result<std::int32_t> tensor =
        names.chosen(trimmed(row.substr(comma + 1, end_of_tensor - comma - 1)));
    if (!tensor) return refuse(tensor.error().text);
    const std::string file = trimmed(row.substr(0, comma));
    if (!map.emplace(file, mapped_tensor{*tensor, sure}).second)
      return refuse(graph::printable_name(file) + " stands there twice; keep one line");
  }
  return map;
}

/// The first group of `pattern` in a file's name, where the whole name matches; nothing where it does not.
class import_pattern {
 public:
  /// errors  no regular expression of ECMAScript; not one group
  [[nodiscard]] static result<import_pattern> from(const std::string& text) {
    const auto refuse = [&](std::string_view why) {
      return error{error_code::bad_option,
                   sentence({"--pattern ", graph::printable_name(text), " ", why})};
    };
    import_pattern made;
    try {
      made.expression_.assign(text);
    } catch (const std::regex_error&) {
      return refuse("is not a regular expression (ECMAScript); an example is 'layer(.*)\\.bin'");
    }
    if (made.expression_.mark_count() != 1)
      return refuse("has to have one group, around the tensor's name or index; others are (?:...)");
    return made;
  }

  [[nodiscard]] std::optional<std::string> group_in(const std::string& name) const {
    std::smatch match;
    try {
      if (!std::regex_match(name, match, expression_)) return std::nullopt;
    } catch (const std::regex_error&) {  // too complex for this name: as if it did not match
      return std::nullopt;
    }
    return match[1].str();
  }

 private:
  import_pattern() = default;
  std::regex expression_;
};

}  // namespace bittwin::analysis::inline v1
