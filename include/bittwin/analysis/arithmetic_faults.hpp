// SPDX-License-Identifier: Apache-2.0
// Faults of a device's arithmetic: what it does to every sum, every rescale, every window. Unlike the faults of
// fault.hpp they are changes of the rules, and the model stays.
#pragma once

#include <bittwin/analysis/changed_target.hpp>
#include <bittwin/graph/model.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// code   as documented: "ACCUMULATOR_16"
/// also   a second code that says as much, or empty: 16 bits is one thing to say of a sum, that it wraps another
/// text   what the device does
/// rounds in a way of its own: where rounding is not ruled out first, as over several operators, it says nothing
struct arithmetic_fault {
  std::string_view code;
  std::string_view also;
  std::string text;
  rule_change change;
  bool rounds = false;

  /// Whether the operator has a rule that is changed.
  [[nodiscard]] bool concerns(const graph::operation& op) const;
};

[[nodiscard]] const std::vector<arithmetic_fault>& arithmetic_faults();

}  // namespace bittwin::analysis::inline v1
