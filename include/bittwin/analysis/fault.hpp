// SPDX-License-Identifier: Apache-2.0
// A fault that has a name: what a device does to an operator when it does it wrong, as a change of the model that
// the right rules then run. If that gives a board's bytes, the fault is what the board does.
#pragma once

#include <bittwin/analysis/model_edit.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// code   as documented: "UPPER_CLAMP_MISSING"
/// text   what the device does
/// apply  changes operator k; false where the fault makes no difference there
struct fault {
  std::string_view code;
  std::string text;
  std::function<bool(model_edit& e, std::size_t k)> apply;
};

using fault_list = std::vector<fault>;

}  // namespace bittwin::analysis::inline v1
