// SPDX-License-Identifier: Apache-2.0
// The element type that a tensor has during a run: its own, or float64 where the target works on
// reals.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>

namespace bittwin::graph::inline v1 {

/// Codes and floats become reals; integers that say how (axes, shapes) and booleans stay.
[[nodiscard]] inline element_type stored_type(const model& m, std::int32_t index,
                                              const target_rules& rules) noexcept {
  const element_type own = m.tensors[static_cast<std::size_t>(index)].type;
  if (!rules.is_real) return own;
  switch (own) {
    case element_type::int32:
    case element_type::int64:
    case element_type::boolean:
      return own;
    default:
      return element_type::float64;
  }
}

}  // namespace bittwin::graph::inline v1
