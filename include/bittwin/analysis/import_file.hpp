// SPDX-License-Identifier: Apache-2.0
// One file of a vendor's dump before anything is known of it: .npy, bytes without a header (.bin, .raw) or numbers as
// text (.txt, .csv).
#pragma once

#include <algorithm>
#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/types/sentence.hpp>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

struct import_file {
  enum class format : std::uint8_t { raw, npy, text };

  std::string name;  ///< without directories
  format kind = format::raw;
  std::optional<element_type> type;  ///< of .npy, or as the user says; text has none
  std::optional<shape> extents;      ///< of .npy
  std::vector<std::byte> data;       ///< of raw and .npy
  std::vector<double> numbers;       ///< of text
  int digits = 0;                    ///< of text: the most significant digits of a number

  [[nodiscard]] std::string stem() const { return std::filesystem::path(name).stem().string(); }
};

namespace detail {

[[nodiscard]] inline std::optional<import_file::format> format_named(std::string extension) {
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (extension == ".npy") return import_file::format::npy;
  if (extension == ".bin" || extension == ".raw") return import_file::format::raw;
  if (extension == ".txt" || extension == ".csv") return import_file::format::text;
  return std::nullopt;
}

[[nodiscard]] inline int significant_digits(std::string_view token) noexcept {
  int digits = 0;
  for (const char c : token) {
    if (c == 'e' || c == 'E') break;
    if (c >= '0' && c <= '9' && (digits > 0 || c != '0')) ++digits;
  }
  return digits;
}

/// Numbers between spaces, commas or semicolons; lines that start with '#' are left out.
[[nodiscard]] inline status read_numbers(std::string_view text, const std::string& name,
                                         import_file& to) {
  constexpr std::string_view between = " \t\r\n,;";
  std::int64_t line = 1;
  bool starts_line = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#' && starts_line) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (between.find(c) != std::string_view::npos) {
      line += c == '\n';
      starts_line = c == '\n' || (starts_line && c != ',' && c != ';');
      ++at;
      continue;
    }
    starts_line = false;
    std::size_t end = std::min(text.find_first_of(between, at), text.size());
    std::string_view token = text.substr(at, end - at);
    at = end;
    if (token[0] == '+') token.remove_prefix(1);
    double value = 0;
    const auto [stop, failure] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (failure != std::errc() || stop != token.data() + token.size())
      return error{error_code::bad_file,
                   sentence({name, " has ", graph::printable_name(token), " in line ", number(line),
                             ", which is not a number; remove what is not data, or "
                             "start such lines with #"})};
    to.numbers.push_back(value);
    to.digits = std::max(to.digits, significant_digits(token));
  }
  return ok();
}

}  // namespace detail

/// type    of files without a header, where the user says it
/// errors  unreadable; no data; a kind of file that is not read; text that is no number
[[nodiscard]] inline result<import_file> read_import_file(const std::filesystem::path& path,
                                                          std::optional<element_type> type) {
  import_file file;
  file.name = path.filename().string();
  const std::string label = graph::printable_name(file.name);
  const auto kind = detail::format_named(path.extension().string());
  if (!kind)
    return error{error_code::unsupported,
                 label + " is of a kind that is not read: .npy, .bin, .raw, .txt and .csv are"};
  file.kind = *kind;
  const result<graph::file_bytes> bytes = graph::read_file(path);
  if (!bytes) return bytes.error();
  if (file.kind == import_file::format::npy) {
    result<array> read = read_npy(**bytes, label);
    if (!read) return read.error();
    file.type = read->type;
    file.extents = read->extents;
    file.data = std::move(read->data);
  } else if (file.kind == import_file::format::raw) {
    file.type = type;
    file.data = **bytes;
  } else if (status read = detail::read_numbers(graph::as_text(**bytes), label, file); !read) {
    return read.error();
  }
  if (file.data.empty() && file.numbers.empty())
    return error{error_code::bad_file, label + " holds no data; write the dump again"};
  return file;
}

/// The types that the file's bytes may be of, `own` first; text is of reals.
[[nodiscard]] inline std::vector<element_type> types_of(const import_file& file, element_type own) {
  using enum element_type;
  if (file.kind == import_file::format::text) return {float64};
  if (file.type) {
    // Tools that know one 8-bit type put the bits of the other into it.
    if (file.kind == import_file::format::npy && file.type == int8 && own == uint8)
      return {uint8, int8};
    if (file.kind == import_file::format::npy && file.type == uint8 && own == int8)
      return {uint8, int8};
    return {*file.type};
  }
  std::vector<element_type> types{own};
  for (const element_type type : {int8, uint8, int16, float16, float32, int32, float64})
    if (type != own) types.push_back(type);
  std::erase_if(types, [&](element_type type) {
    return type == int4 || type == boolean ||
           file.data.size() % static_cast<std::size_t>(bytes_of(type)) != 0;
  });
  return types;
}

/// Every element of the file as a number, in the file's order.
[[nodiscard]] inline std::vector<double> numbers_of(const import_file& file, element_type type) {
  if (file.kind == import_file::format::text) return file.numbers;
  graph::tensor plain;
  plain.type = type;
  return graph::reals_of(plain, file.data);
}

/// Half a unit in the last place of a format, relative to a number.
[[nodiscard]] inline double rounding_of(const import_file& file, element_type type) noexcept {
  if (file.kind == import_file::format::text)
    // Of fewer than six digits nothing can be told: those may be integers.
    return file.digits < 6 ? 0 : 0.5 * std::pow(10.0, 1 - std::min(file.digits, 17));
  return type == element_type::float16 ? 0x1p-11 : type == element_type::float32 ? 0x1p-23 : 0;
}

[[nodiscard]] inline std::int64_t elements_of(const import_file& file, element_type type) noexcept {
  if (file.kind == import_file::format::text) return static_cast<std::int64_t>(file.numbers.size());
  return static_cast<std::int64_t>(file.data.size()) / bytes_of(type);
}

}  // namespace bittwin::analysis::inline v1
