// SPDX-License-Identifier: Apache-2.0
// What a file seems to be, by its first bytes: for the sentence that refuses it.
#pragma once

#include <algorithm>
#include <array>
#include <bittwin/graph/byte_text.hpp>
#include <cstddef>
#include <span>
#include <string_view>

namespace bittwin::graph::inline v1 {

namespace detail {

struct signature {
  std::size_t at;
  std::string_view bytes;
  std::string_view kind;
};

inline constexpr std::array signatures{
    signature{4, "TFL3", "a .tflite model"},
    signature{4, "TFL2", "a .tflite model of schema version 2, older than 2018"},
    signature{4, "TFL1", "a .tflite model of schema version 1, older than 2018"},
    signature{0, "PK\x03\x04", "a zip archive (a .keras or PyTorch file, or a packed model)"},
    signature{0, "\x89HDF\r\n", "an HDF5 file (a Keras .h5 model)"},
    signature{0, "\x93NUMPY", "a NumPy array"},
    signature{0, "version https://git-lfs", "a Git LFS pointer and not the file itself"},
    signature{0, "\x1f\x8b", "gzip-compressed data"},
    signature{0,
              "\x7f"
              "ELF",
              "a program"},
    signature{0, "\x08\x03", "an ONNX model"},
    signature{0, "\x08\x04", "an ONNX model"},
    signature{0, "\x08\x05", "an ONNX model"},
    signature{0, "\x08\x06", "an ONNX model"},
    signature{0, "\x08\x07", "an ONNX model"},
    signature{0, "\x08\x08", "an ONNX model"},
    signature{0, "\x08\x09", "an ONNX model"},
    signature{0, "\x08\x0a", "an ONNX model"},
    signature{0, "\x08\x01\x12", "a TensorFlow SavedModel"},
    signature{0, "<!DOCTYPE", "a web page"},
    signature{0, "<html", "a web page"},
    signature{0, "{", "JSON"},
};

}  // namespace detail

[[nodiscard]] inline std::string_view kind_of_file(std::span<const std::byte> bytes) noexcept {
  const std::string_view text = as_text(bytes);
  if (text.empty()) return "an empty file";
  for (const detail::signature& known : detail::signatures)
    if (text.size() > known.at && text.substr(known.at).starts_with(known.bytes)) return known.kind;
  const std::string_view start = text.substr(0, 512);
  const bool readable = std::all_of(start.begin(), start.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
  });
  if (readable) return "a text";
  const bool zero = std::all_of(start.begin(), start.end(), [](char c) { return c == '\0'; });
  return zero ? "a run of zero bytes" : "of a kind this reader does not know";
}

}  // namespace bittwin::graph::inline v1
