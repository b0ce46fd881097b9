// SPDX-License-Identifier: Apache-2.0
// Something about a model that one chip gets right and another may get wrong, found without running it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// code           of cli.md: "CLAMP_EXPOSED"
/// low, high      codes between which the activation keeps its results
/// exposed_codes  codes of the type outside them: what a chip shows that leaves the clamp out
/// value          the number that the code is about; its text says which
struct hazard {
  std::string_view code;
  std::size_t op = 0;
  std::int32_t tensor = 0;  ///< or -1: none
  std::optional<std::int64_t> channel, low, high, exposed_codes;
  std::optional<double> value;
  std::string text;  ///< what, and for which kind of target it matters
  std::string fix;   ///< what to do
};

/// One about a single number.
[[nodiscard]] inline hazard hazard_of(std::string_view code, std::size_t op, std::int32_t tensor,
                                      double value, std::string text, std::string_view fix) {
  hazard h;
  h.code = code;
  h.op = op;
  h.tensor = tensor;
  h.value = value;
  h.text = std::move(text);
  h.fix = fix;
  return h;
}

/// checked  how many things of each kind were looked at, so that silence can be told from absence
struct audit_report {
  std::map<std::string_view, std::size_t> checked;
  std::vector<hazard> hazards;
};

}  // namespace bittwin::analysis::inline v1
