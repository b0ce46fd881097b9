// SPDX-License-Identifier: Apache-2.0
// A page about the layers of a model as plain data, and its writer: one HTML file that needs nothing else, no network,
// no mouse. comparison_page.hpp, audit_page.hpp and run_page.hpp make such data.
//   top      the sentence, facts, notes
//   strip    a bar for each layer in execution order: height = error, colour, pattern and letter = mark
//   layer    facts, findings, and the picture: counts in bins, never elements
//   table    every layer in one line, for readers without a screen or without JavaScript
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/tensor_picture.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// A line of a list: "Target", "xnnpack".
struct page_fact {
  std::string name, value;
};

/// The inks of the page, each with a pattern of its own and a value for a light and for a dark ground. All but grey are
/// of a palette that colour-blind people tell apart (Okabe and Ito, Color Universal Design, 2008).
enum class page_ink : std::uint8_t { green, sky, blue, purple, red, orange, yellow, grey };

/// What a layer can be said to be.
/// letter   one character, which stands where colour is not seen
/// meaning  one clause for the legend
struct page_mark {
  std::string name;
  char letter = '?';
  page_ink ink = page_ink::grey;
  std::string meaning;
};

/// A place on the axis of a layer's values, in the picture's unit.
struct page_line {
  double at = 0;
  std::string text;
};

struct page_layer {
  std::string label;     ///< "operator 3 CONV_2D"
  std::string name;      ///< of the tensor; out of a file: may be any bytes
  std::size_t mark = 0;  ///< index into page::marks
  double height = 0;     ///< >= 0, what page::height says
  std::string summary;   ///< the layer in one line
  std::vector<page_fact> facts;
  std::vector<finding> findings;
  std::optional<code_range> type;  ///< codes that the type can hold, where values are codes
  std::vector<page_line> lines;    ///< bounds of the activation, the zero point
  std::optional<tensor_picture> picture;
};

/// reference, test  how the two sides are called
/// height           what the height of a bar is, with its unit
/// logarithmic      the scale of heights: log(1 + 100 height), else linear
/// first            the layer that is open from the start
struct page {
  std::string title;
  std::string sentence;
  std::string reference = "REF", test = "TEST";
  std::vector<page_fact> facts;
  std::vector<finding> notes;
  std::string height;
  bool logarithmic = false;
  std::vector<page_mark> marks;
  std::vector<page_layer> layers;
  std::optional<std::size_t> first;
};

/// The whole file. Text of any bytes is shown as text: it is escaped for HTML and for the script's data, and what is no
/// UTF-8, control or direction character becomes U+FFFD.
[[nodiscard]] std::string to_html(const page& p);

/// errors  a path that cannot be written to; then there is no new file
[[nodiscard]] status write_page_file(const std::filesystem::path& path, const page& p);

}  // namespace bittwin::analysis::inline v1
