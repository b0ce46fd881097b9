// SPDX-License-Identifier: Apache-2.0
// How .npy arrays are read and written: compiled once, with bittwin::analysis.
#pragma once

#include <array>
#include <bit>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/analysis/npy_header.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/file_kind.hpp>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace bittwin::analysis::inline v1 {

namespace detail {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// "|i1" of a type, as numpy.dtype.str writes it.
[[nodiscard]] constexpr std::string_view npy_descr(element_type type) noexcept {
  switch (type) {
    case element_type::float16: return "<f2";
    case element_type::float32: return "<f4";
    case element_type::float64: return "<f8";
    case element_type::int16: return "<i2";
    case element_type::int32: return "<i4";
    case element_type::int64: return "<i8";
    case element_type::uint8: return "|u1";
    case element_type::boolean: return "|b1";
    case element_type::int4:
    case element_type::int8: break;
  }
  return "|i1";
}

[[nodiscard]] constexpr std::optional<element_type> npy_type(std::string_view descr) noexcept {
  constexpr std::array types{element_type::int8,    element_type::uint8,   element_type::int16,
                             element_type::int32,   element_type::int64,   element_type::float16,
                             element_type::float32, element_type::float64, element_type::boolean};
  for (const element_type type : types) {
    const std::string_view known = npy_descr(type);
    // A single byte has no order: '<' and '|' mean the same there.
    const bool order =
        descr.size() == 3 && (descr[0] == known[0] || (descr[0] == '<' && known[2] == '1'));
    if (order && descr.substr(1) == known.substr(1)) return type;
  }
  return std::nullopt;
}

}  // namespace detail

result<array> read_npy(std::span<const std::byte> bytes, const std::string& name) {
  const auto refuse = [&](error_code code, const std::string& text) {
    return error{code, name + " " + text};
  };
  const std::string_view text = graph::as_text(bytes);
  if (!text.starts_with(detail::npy_magic) || text.size() < 10)
    return refuse(error_code::bad_file, "is not a .npy array: it seems to be " +
                                            std::string(graph::kind_of_file(bytes)) +
                                            "; write it with numpy.save");
  const int version = text[6];
  if ((version != 1 && version != 2) || text[7] != 0)
    return refuse(error_code::unsupported, "is of .npy version " + std::to_string(version) +
                                               "; versions 1 and 2 are read: save the array again");
  const std::size_t start = version == 1 ? 10 : 12;
  std::size_t length = 0;
  if (text.size() < start)
    return refuse(error_code::bad_file, "ends inside its header (truncated); copy it again");
  for (std::size_t at = start; at > 8; --at)
    length = length << 8 | std::to_integer<std::size_t>(bytes[at - 1]);
  if (length > text.size() - start)
    return refuse(error_code::bad_file, "ends inside its header (truncated); copy it again");

  result<npy_header> header = npy_header::parse(text.substr(start, length));
  if (!header) return refuse(header.error().code, header.error().text);
  const std::optional<element_type> type = detail::npy_type(header->descr);
  if (!type)
    return refuse(error_code::unsupported,
                  header->descr.starts_with('>')
                      ? "is big-endian (" + header->descr + "); save it with a.astype('<" +
                            header->descr.substr(1) + "')"
                      : "has the type '" + header->descr +
                            "'; bool, int8, uint8, int16, int32, int64 and floats are read");
  if (header->fortran_order)
    return refuse(error_code::unsupported,
                  "is in Fortran order; save it with numpy.ascontiguousarray");
  array result{*type, header->extents, {}};
  const auto expected = static_cast<std::uint64_t>(header->extents.elements()) *
                        static_cast<std::uint64_t>(bytes_of(*type));
  const std::span<const std::byte> data = bytes.subspan(start + length);
  if (data.size() != expected)
    return refuse(error_code::bad_file, "has " + std::to_string(data.size()) +
                                            " bytes of data, but " + to_string(header->extents) +
                                            " " + std::string(name_of(*type)) + " takes " +
                                            std::to_string(expected) + "; save the array again");
  result.data.assign(data.begin(), data.end());
  return result;
}

result<array> read_npy_file(const std::filesystem::path& path) {
  const result<graph::file_bytes> bytes = graph::read_file(path);
  if (!bytes) return bytes.error();
  return read_npy(**bytes, path.string());
}

std::vector<std::byte> npy_bytes(const array_view& from) {
  std::string header = "{'descr': '" + std::string(detail::npy_descr(from.type)) +
                       "', 'fortran_order': False, 'shape': (";
  for (int axis = 0; axis < from.extents.rank(); ++axis) {
    if (axis > 0) header += ", ";
    header += std::to_string(from.extents[axis]);
  }
  header += from.extents.rank() == 1 ? ",), }" : "), }";
  // Data start at a multiple of 64; the header ends with a newline.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string start(detail::npy_magic);
  start += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF),
            static_cast<char>(header.size() >> 8)};
  start += header;
  std::vector<std::byte> bytes(start.size() + from.data.size());
  std::memcpy(bytes.data(), start.data(), start.size());
  if (!from.data.empty())
    std::memcpy(bytes.data() + start.size(), from.data.data(), from.data.size());
  return bytes;
}

status write_npy_file(const std::filesystem::path& path, const array_view& from) {
  return graph::write_file(path, npy_bytes(from));
}

}  // namespace bittwin::analysis::inline v1
