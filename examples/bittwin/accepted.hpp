// SPDX-License-Identifier: Apache-2.0
// The file of --baseline.
#pragma once

#include <fmt/format.h>

#include <bittwin/analysis/baseline.hpp>
#include <optional>
#include <string>

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

}  // namespace bittwin::cli
