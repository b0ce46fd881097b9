// SPDX-License-Identifier: Apache-2.0
// The file of --baseline.
#pragma once

#include <fmt/format.h>

#include <bittwin/analysis/baseline.hpp>
#include <optional>
#include <string>

#include "report.hpp"
#include "verb.hpp"

namespace bittwin::cli {

/// Nothing without a path. Throws refusal where the file is not what the verb printed before.
[[nodiscard]] inline std::optional<analysis::baseline> baseline_of(
    const std::string& path, bool (analysis::baseline::*is_of)() const noexcept, const char* verb) {
  if (path.empty()) return std::nullopt;
  analysis::baseline known = must(analysis::baseline::read(path));
  if (!(known.*is_of)())
    throw refusal(
        fmt::format("{}: is of another verb; give what 'bittwin {} --json' printed", path, verb));
  return known;
}

/// What is new or worse than in a baseline. tensor_of(segment)
template <class Counted, class TensorOf>
[[nodiscard]] json baseline_json(const Counted& found, TensorOf tensor_of) {
  json preflight = json::array(), tensors = json::array();
  for (const analysis::finding* f : found.preflight) preflight.push_back(f->code);
  for (const auto* s : found.segments) tensors.push_back(tensor_of(*s));
  return {{"accepted", found.accepted}, {"preflight", preflight}, {"tensors", tensors}};
}
template <class Counted> void print_accepted(const Counted& found) {
  fmt::print("baseline   {} accepted, {} new or worse\n", found.accepted,
             found.preflight.size() + found.segments.size());
}

}  // namespace bittwin::cli
