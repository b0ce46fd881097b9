// SPDX-License-Identifier: Apache-2.0
// Reads and writes NumPy's .npy, versions 1 and 2: little-endian elements in C order.
//   "\x93NUMPY" version(2) length(2 or 4) header, a Python dictionary of descr, fortran_order,
//   shape; data
// source  numpy.lib.format
#pragma once

#include <bit>
#include <bittwin/analysis/array.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

static_assert(std::endian::native == std::endian::little, ".npy data are copied as they are");

/// name  how sentences call the file
/// errors  not .npy; another version, byte order, element order or type; data longer or shorter
/// than the shape
[[nodiscard]] result<array> read_npy(std::span<const std::byte> bytes, const std::string& name);

[[nodiscard]] result<array> read_npy_file(const std::filesystem::path& path);

/// The file's bytes, byte for byte what numpy.save writes.
[[nodiscard]] std::vector<std::byte> npy_bytes(const array_view& from);

[[nodiscard]] status write_npy_file(const std::filesystem::path& path, const array_view& from);

}  // namespace bittwin::analysis::inline v1
