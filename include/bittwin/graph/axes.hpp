// SPDX-License-Identifier: Apache-2.0
// Operands that say how, not what: axes, permutations, paddings. They must be constants of the
// model.
#pragma once

#include <array>
#include <bittwin/graph/node_context.hpp>
#include <vector>

namespace bittwin::graph::inline v1 {

/// A constant int32 or int64 operand as int32 values.
[[nodiscard]] inline result<std::vector<std::int32_t>> constant_integers(const node_context& c,
                                                                         std::size_t i) {
  const tensor& t = c.in(i);
  if (t.type != element_type::int32 && t.type != element_type::int64)
    return c.wrong_type(c.input(i), "int32 or int64");
  if (!t.is_constant() && t.extents.elements() != 0)
    return c.fail(
        error_code::unsupported,
        sentence({c.name(c.input(i)), " is computed at run time; fold it into a constant"}));
  return constant_as<std::int32_t>(t);
}

/// An axis counted from the front; negative ones count from the end.
[[nodiscard]] inline result<std::int32_t> resolve_axis(const node_context& c, std::int32_t axis,
                                                       int rank) {
  const std::int32_t resolved = axis < 0 ? axis + rank : axis;
  if (resolved >= 0 && resolved < rank) return resolved;
  return c.fail(error_code::bad_option,
                sentence({"axis ", number(axis), " lies outside a tensor of rank ", number(rank)}));
}

/// Whether an axis of operand i is written as a negative number.
[[nodiscard]] inline bool counted_from_end(const node_context& c, std::size_t i) {
  for (const std::int32_t axis : constant_as<std::int32_t>(c.in(i)))
    if (axis < 0) return true;
  return false;
}

/// Operand i as a set of axes.
[[nodiscard]] inline result<std::array<bool, shape::max_rank>> axes_of(const node_context& c,
                                                                       std::size_t i, int rank) {
  const auto list = constant_integers(c, i);
  if (!list) return list.error();
  std::array<bool, shape::max_rank> set{};
  for (const std::int32_t axis : *list) {
    const auto resolved = resolve_axis(c, axis, rank);
    if (!resolved) return resolved.error();
    set[static_cast<std::size_t>(*resolved)] = true;
  }
  return set;
}

}  // namespace bittwin::graph::inline v1
