// SPDX-License-Identifier: Apache-2.0
// What an element passes on its way from accumulator to code.
#pragma once

#include <string>

namespace bittwin::analysis::inline v1 {

/// One stage of an element: what it is, and its value as text.
struct stage {
  std::string name;
  std::string value;

  friend bool operator==(const stage&, const stage&) = default;
};

}  // namespace bittwin::analysis::inline v1
