// SPDX-License-Identifier: Apache-2.0
// The assumptions under which a file became a tensor, one line each.
#pragma once

#include <bittwin/analysis/import_decision.hpp>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// As %g prints it, with the digits that a line needs.
[[nodiscard]] inline std::string short_decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

[[nodiscard]] inline std::string grid_line(const graph::tensor& t, const read_tensor& read) {
  if (read.on_no_grid(t)) return "holds reals that are on no grid: kept as float32";
  const code_grid& grid = *read.grid;
  const std::string within = ", within " + short_decimal(grid.worst) + " of a code";
  if (!read.board.present()) return "holds reals on the model's grid" + within;
  std::string line = "holds reals on a grid of the board's own: scale " +
                     short_decimal(grid.scale) + " where the model has " +
                     short_decimal(static_cast<double>(t.quantization.scale())) + ", zero point " +
                     number(grid.zero_point);
  if (grid.lowest_zero != grid.highest_zero)
    line += " (" + number(grid.lowest_zero) + " to " + number(grid.highest_zero) +
            " would give the same reals)";
  return line + within;
}

}  // namespace detail

[[nodiscard]] inline std::vector<std::string> lines_of(const import_candidate& of,
                                                       const graph::model& m,
                                                       const import_decision& decision,
                                                       const read_tensor& read) {
  const import_reading& how = *decision.reading;
  const graph::tensor& t = m.tensors[static_cast<std::size_t>(how.tensor)];
  std::vector<std::string> lines;
  const auto say = [&](const std::string& text) { lines.push_back(of.label + " " + text); };
  if (!of.is_named())
    say("is " + detail::tensor_text(m, how.tensor) + ", by its values (correlation " +
        detail::correlation_text(decision.agreed->correlation) + ")");
  else if (!of.names.how.empty())
    say("is " + detail::tensor_text(m, how.tensor) + ", " + of.names.how);
  const bool says_all = of.file.kind == import_file::format::npy && how.type == t.type &&
                        of.file.extents == t.extents && of.readings.size() == 1;
  if (!says_all)
    say("is read as " + detail::way_text(of, m, how) + ": " +
        (decision.because.empty() ? "no other known way fits" : decision.because));
  if (how.meaning == number_meaning::shifted)
    say(std::string("holds codes of the other 8-bit type: 128 is ") +
        (t.type == element_type::int8 ? "taken from" : "added to") + " each");
  if (read.grid || read.on_no_grid(t)) say(detail::grid_line(t, read));
  if (read.padding > 0)
    say("has " + number(read.padding) + " elements of padding, " +
        (read.padding_low == read.padding_high
             ? "all " + detail::short_decimal(read.padding_low)
             : "not constant, from " + detail::short_decimal(read.padding_low) + " to " +
                   detail::short_decimal(read.padding_high)) +
        "; they are compared with nothing");
  if (decision.agreed && decision.agreed->correlation < near_correlation)
    say("is not near the run on the dump's inputs (correlation " +
        detail::correlation_text(decision.agreed->correlation) + ")");
  return lines;
}

}  // namespace bittwin::analysis::inline v1
