// SPDX-License-Identifier: Apache-2.0
// Reads the one-line case that a failure prints, so that the line is its reproducer:
//   parse_case(to_line(c)) == c   for every case that runs
#pragma once

#include <bittwin/conformance/layer_case.hpp>
#include <bittwin/types/result.hpp>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace bittwin::conformance::inline v1 {

namespace detail {

/// The number behind `key` where `word` is that key and a number within [low, high].
template <class Number>
[[nodiscard]] bool read_number(std::string_view word, std::string_view key, std::int64_t low,
                               std::int64_t high, Number& to) {
  if (!word.starts_with(key)) return false;
  std::int64_t value = 0;
  const char* const last = word.data() + word.size();
  const auto [end, fault] = std::from_chars(word.data() + key.size(), last, value);
  if (fault != std::errc{} || end != last || value < low || value > high) return false;
  to = static_cast<Number>(value);
  return true;
}

[[nodiscard]] inline bool read_kind(std::string_view word, layer_case& c) {
  for (const layer_kind kind :
       {layer_kind::conv2d, layer_kind::depthwise_conv2d, layer_kind::fully_connected})
    if (word == name_of(kind)) {
      c.kind = kind;
      return true;
    }
  return false;
}

[[nodiscard]] inline bool read_option(std::string_view word, layer_case& c) {
  for (const activation kind :
       {activation::none, activation::relu, activation::relu_n1_to_1, activation::relu6})
    if (word == name_of(kind)) {
      c.fused = kind;
      return true;
    }
  if (word == "same" || word == "valid") {
    c.padding = word == "same" ? padding_kind::same : padding_kind::valid;
  } else if (word == "s8" || word == "u8") {
    c.type = word == "s8" ? element_type::int8 : element_type::uint8;
  } else if (word == "per_channel" || word == "per_tensor") {
    c.per_channel = word == "per_channel";
  } else if (word == "bias" || word == "nobias") {
    c.has_bias = word == "bias";
  } else {
    return false;
  }
  return true;
}

[[nodiscard]] inline bool read_word(std::string_view word, layer_case& c) {
  if (read_option(word, c)) return true;
  bool found = false;
  for_each_number(c, [&](std::string_view key, std::int32_t& field) {
    const bool zero = key.front() == 'z';
    found = found || read_number(word, key, zero ? -128 : 1, zero ? 127 : 4096, field);
  });
  return found || read_number(word, "scale", 0, scale_kinds - 1, c.scales) ||
         read_number(word, "data", 0, data_kinds - 1, c.data) ||
         read_number(word, "seed", 0, highest<std::int64_t>, c.seed);
}

}  // namespace detail

/// line    words as to_line prints them; those that are left out keep the defaults of layer_case
/// errors  a word that is none of them, a number outside its range, a window that does not fit
[[nodiscard]] inline result<layer_case> parse_case(std::string_view line) {
  layer_case c;
  bool first = true;
  while (!line.empty()) {
    const std::size_t end = line.find(' ');
    const std::string_view word = line.substr(0, end);
    line = end == std::string_view::npos ? std::string_view{} : line.substr(end + 1);
    if (word.empty()) continue;
    if (!(first ? detail::read_kind(word, c) : detail::read_word(word, c)))
      return error{
          error_code::bad_option,
          sentence({"\"", word, "\" is not a word of a case",
                    first ? "; it begins with conv2d, depthwise_conv2d or fully_connected" : ""})};
    first = false;
  }
  if (first) return error{error_code::bad_option, "the line of the case is empty"};
  if (!c.runs())
    return error{error_code::bad_shape, "the window of the case does not fit into its input"};
  return c;
}

}  // namespace bittwin::conformance::inline v1
