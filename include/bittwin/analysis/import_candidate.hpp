// SPDX-License-Identifier: Apache-2.0
// A file of a vendor's dump with everything that it may be, and how such readings are put into words.
#pragma once

#include <bittwin/analysis/import_names.hpp>
#include <bittwin/analysis/import_reading.hpp>
#include <bittwin/analysis/import_reference.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

struct import_candidate {
  import_file file;
  std::string label;    ///< "'conv1.bin'"
  named_tensors names;  ///< tensors that are no constants; none: values alone can tell
  std::vector<import_reading> readings;
  std::string why_not;  ///< where no reading fits, if it is not the size

  [[nodiscard]] bool is_named() const noexcept { return !names.tensors.empty(); }
  [[nodiscard]] result<read_tensor> read(const graph::model& m, const import_reading& how) const {
    return read_as(file, numbers_of(file, how.type),
                   m.tensors[static_cast<std::size_t>(how.tensor)], how);
  }
};

namespace detail {

/// Four decimals: correlations of healthy tensors are told apart by the third.
[[nodiscard]] inline std::string correlation_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

[[nodiscard]] inline std::string tensor_text(const graph::model& m, std::int32_t index) {
  return "tensor " + number(index) + " " +
         graph::printable_name(m.tensors[static_cast<std::size_t>(index)].name);
}

/// "uint8, nchw, codes 128 too high"
[[nodiscard]] inline std::string way_text(const import_candidate& of, const graph::model& m,
                                          const import_reading& how) {
  const graph::tensor& t = m.tensors[static_cast<std::size_t>(how.tensor)];
  const bool text = of.file.kind == import_file::format::text;
  std::string said = sentence(
      {text ? std::string_view("numbers") : name_of(how.type), ", ", to_string(how.layout)});
  if (how.meaning == number_meaning::shifted)
    said += t.type == element_type::int8 ? ", codes 128 too high" : ", codes 128 too low";
  if (how.meaning == number_meaning::codes && !is_integer(how.type)) said += ", codes";
  if (how.meaning == number_meaning::reals && is_integer(t.type)) said += ", reals";
  return said;
}

/// "tensor 3 'conv' as uint8, nchw, codes 128 too high"
[[nodiscard]] inline std::string reading_text(const import_candidate& of, const graph::model& m,
                                              const import_reading& how) {
  return tensor_text(m, how.tensor) + " as " + way_text(of, m, how);
}

/// Why a file of this size is none of its tensors.
[[nodiscard]] inline std::string size_text(const import_candidate& of, const graph::model& m) {
  const import_file& file = of.file;
  std::string text = of.label + " ";
  if (file.extents)
    text += "is " + std::string(name_of(*file.type)) + to_string(*file.extents);
  else if (file.kind == import_file::format::text)
    text += "has " + number(file.numbers.size()) + " numbers";
  else
    text += "has " + number(file.data.size()) + " bytes";
  if (!of.is_named()) return text + ", and no tensor of " + m.name + " is laid out so";
  const std::int32_t index = of.names.tensors.front();
  const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
  return sentence({text, ", but ", tensor_text(m, index), " is ", name_of(t.type),
                   to_string(t.extents),
                   ", and no known type and layout makes that of it: it may be cut short or of "
                   "another tensor; say its strides with --layout, or its tensor with --map"});
}

}  // namespace detail

/// Fills in the readings: of the tensors that the file is named after, else of all that are computed or inputs.
inline void find_readings(import_candidate& of, const graph::model& m,
                          const std::vector<std::int32_t>& all,
                          const std::vector<import_layout>& layouts) {
  for (const std::int32_t index : of.is_named() ? of.names.tensors : all) {
    readings_of_file found = readings_of(of.file, m, index, layouts, true);
    if (of.is_named() && !found.why_not.empty()) of.why_not = std::move(found.why_not);
    of.readings.insert(of.readings.end(), std::make_move_iterator(found.fit.begin()),
                       std::make_move_iterator(found.fit.end()));
  }
}

}  // namespace bittwin::analysis::inline v1
