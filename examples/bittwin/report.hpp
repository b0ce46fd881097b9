// SPDX-License-Identifier: Apache-2.0
// How the tool writes: text for people, colour only on a terminal, JSON without surprises.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <bittwin/graph/model.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bittwin::cli {

using json = nlohmann::ordered_json;

/// One object and a newline. Names come out of files and may be no UTF-8: replaced.
inline void print_json(const json& object) {
  fmt::print("{}\n", object.dump(2, ' ', false, json::error_handler_t::replace));
}

/// "53 936": groups of three, since the figures of a model are long.
[[nodiscard]] inline std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, " ");
  return digits;
}

/// Colour where stdout is a terminal that wants it.
[[nodiscard]] inline std::string coloured(std::string_view text, std::string_view sgr) {
  static const bool terminal = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  return terminal ? fmt::format("\x1b[{}m{}\x1b[0m", sgr, text) : std::string(text);
}
[[nodiscard]] inline std::string bold(std::string_view text) { return coloured(text, "1"); }

/// "int8[1,49,10,1]"
[[nodiscard]] inline std::string type_and_shape(const graph::tensor& t) {
  return fmt::format("{}{}", name_of(t.type), to_string(t.extents));
}

/// "tensor 7 'conv2d/BiasAdd'"
[[nodiscard]] inline std::string tensor_label(const graph::model& m, std::int32_t index) {
  return fmt::format("tensor {} {}", index,
                     graph::printable_name(m.tensors[static_cast<std::size_t>(index)].name));
}

/// "operator 3 CONV_2D"
[[nodiscard]] inline std::string operator_label(const graph::model& m, std::size_t index) {
  return fmt::format("operator {} {}", index, m.operations[index].label);
}

[[nodiscard]] inline json shape_json(const shape& extents) {
  json list = json::array();
  for (const std::int32_t extent : extents.extents()) list.push_back(extent);
  return list;
}

}  // namespace bittwin::cli
