// SPDX-License-Identifier: Apache-2.0
// Whole files in and out; a file that is written gets its name only when it is complete.
#pragma once

#include <bittwin/graph/byte_text.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/result.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace bittwin::graph::inline v1 {

using file_bytes = std::shared_ptr<const std::vector<std::byte>>;

namespace detail {

struct closer {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using file_handle = std::unique_ptr<std::FILE, closer>;

inline error file_error(const std::filesystem::path& path, std::string_view what, int number) {
  return {error_code::bad_file, path.string() + ": " + std::string(what) + ": " +
                                    std::generic_category().message(number)};
}

}  // namespace detail

/// The bytes of a regular file.
/// errors  absent, unreadable or not a regular file; above `limit` bytes
[[nodiscard]] inline result<file_bytes> read_file(const std::filesystem::path& path,
                                                  std::uintmax_t limit = std::uintmax_t{1} << 36) {
  std::error_code failure;
  const auto kind = std::filesystem::status(path, failure).type();
  if (kind == std::filesystem::file_type::not_found)
    return error{error_code::bad_file, path.string() + ": no such file; check the path"};
  if (failure) return detail::file_error(path, "cannot be read", failure.value());
  if (kind != std::filesystem::file_type::regular)
    return error{error_code::bad_file,
                 path.string() + ": is not a regular file; give the path of a file"};
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  if (failure) return detail::file_error(path, "cannot be read", failure.value());
  if (size > limit)
    return error{error_code::too_large, path.string() + ": is " + std::to_string(size) +
                                            " bytes, above the limit of " + std::to_string(limit)};
  const detail::file_handle file(std::fopen(path.c_str(), "rb"));
  if (!file) return detail::file_error(path, "cannot be opened", errno);
  auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(size));
  const std::size_t read = std::fread(bytes->data(), 1, bytes->size(), file.get());
  if (read != bytes->size()) return detail::file_error(path, "cannot be read to its end", errno);
  return file_bytes(std::move(bytes));
}

/// Writes `bytes` beside `path` and renames. A reader of `path` sees the old file or the new one.
[[nodiscard]] inline status write_file(const std::filesystem::path& path,
                                       std::span<const std::byte> bytes) {
  std::filesystem::path part = path;
  part += ".part";
  detail::file_handle file(std::fopen(part.c_str(), "wb"));
  if (!file) return detail::file_error(part, "cannot be written", errno);
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  // fclose reports what the buffer could not hold, a full disk for one.
  const bool closed = std::fclose(file.release()) == 0;
  std::error_code failure;
  if (!written || !closed) {
    const int number = errno;
    std::filesystem::remove(part, failure);
    return detail::file_error(path, "cannot be written", number);
  }
  std::filesystem::rename(part, path, failure);
  if (failure) {
    const int number = failure.value();
    std::filesystem::remove(part, failure);
    return detail::file_error(path, "cannot be written", number);
  }
  return ok();
}

}  // namespace bittwin::graph::inline v1
