// SPDX-License-Identifier: Apache-2.0
// The value of an axis that nobody outside a vendor knows. A room that holds it is open: the operator is refused, with
// the name of the axis, until a base stands in for it.
#pragma once

#include <string_view>
#include <type_traits>

namespace bittwin::inline v1 {

struct unknown {
  static constexpr std::string_view name = "unknown";
};

template <class Value> inline constexpr bool is_unknown = std::is_same_v<Value, unknown>;

}  // namespace bittwin::inline v1
