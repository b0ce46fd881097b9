// SPDX-License-Identifier: Apache-2.0
// What must hold of any bytes: they are refused with a sentence, or what was read can be written
// and read again. Undefined behaviour is for the sanitizers to see.
#pragma once

#include <algorithm>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/same_model.hpp"

namespace bittwin::test {

/// How far the bytes came.
enum class reached : unsigned char { refused, read, prepared };

struct verdict {
  reached how_far = reached::refused;
  std::string fault;  ///< empty: nothing wrong
};

[[nodiscard]] inline result<graph::model> read_bytes(std::span<const std::byte> bytes) {
  return graph::read_tflite(
      std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end()), "fuzz.tflite");
}

/// One sentence: it names the file, has some length and no control characters.
[[nodiscard]] inline std::string fault_of_sentence(const std::string& text) {
  if (!text.starts_with("fuzz.tflite: ")) return "does not name the file: " + text;
  if (text.size() < 30) return "says too little: " + text;
  if (std::any_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }))
    return "holds control characters: " + text;
  return {};
}

[[nodiscard]] inline verdict check_reading(std::span<const std::byte> bytes) {
  const result<graph::model> m = read_bytes(bytes);
  if (!m) return {reached::refused, fault_of_sentence(m.error().text)};
  const auto written = graph::write_tflite(*m);
  if (!written) {
    // Operators outside the enumeration have options that cannot be written.
    return {reached::read, written.error().code == error_code::unsupported
                               ? fault_of_sentence(written.error().text)
                               : written.error().text};
  }
  const result<graph::model> again = read_bytes(*written);
  if (!again) return {reached::read, "is refused once rewritten: " + again.error().text};
  const std::string difference = difference_of(*m, *again);
  return {reached::read, difference.empty() ? "" : "changed when rewritten: " + difference};
}

}  // namespace bittwin::test
