// SPDX-License-Identifier: Apache-2.0
// GATHER and SELECT: which element is copied is a matter of data.
//   GATHER  y[batch, outer, index, inner] = x[batch, outer, indices[batch, index], inner]
//   SELECT  y = condition ? a : b
#pragma once

#include <bittwin/graph/element_map.hpp>
#include <bittwin/graph/movement_nodes.hpp>

namespace bittwin::graph::inline v1 {

namespace detail {

/// Extents of a gather, each a product of neighbouring axes.
struct gather_extents {
  std::int64_t batch = 1, outer = 1, indices = 1, axis = 1;
  std::size_t inner = 1;  ///< bytes
};

[[nodiscard]] inline status expect_indices(const node_context& c, std::int64_t extent) {
  std::vector<std::int64_t> indices;
  if (c.in(1).type == element_type::int64)
    indices = constant_as<std::int64_t>(c.in(1));
  else
    for (const std::int32_t index : constant_as<std::int32_t>(c.in(1))) indices.push_back(index);
  for (const std::int64_t index : indices)
    if (index < 0 || index >= extent)
      return c.fail(
          error_code::bad_option,
          sentence({"index ", number(index), " lies outside an extent of ", number(extent)}));
  return ok();
}

}  // namespace detail

/// An index computed at run time that lies outside the axis gives elements of zero bytes.
[[nodiscard]] inline result<node> build_gather(const node_context& c) {
  if (auto s = c.expect_one_type(1); !s) return s.error();
  if (c.in(1).type != element_type::int32 && c.in(1).type != element_type::int64)
    return c.wrong_type(c.input(1), "int32 or int64");
  const shape &x = c.in(0).extents, &indices = c.in(1).extents;
  const auto o = c.options<gather_options>();
  const auto axis = resolve_axis(c, o.axis, x.rank());
  if (!axis) return axis.error();
  const int batch_dims = o.batch_dims < 0 ? o.batch_dims + indices.rank() : o.batch_dims;
  if (batch_dims < 0 || batch_dims > *axis || batch_dims > indices.rank() ||
      x.rank() + indices.rank() - 1 - batch_dims > shape::max_rank)
    return c.fail(
        error_code::bad_option,
        sentence({"batch_dims ", number(o.batch_dims), " with axis ", number(*axis),
                  ", operands of rank ", number(x.rank()), " and ", number(indices.rank())}));
  detail::gather_extents e;
  e.axis = x[*axis];
  e.inner = detail::stored_size(c, c.input());
  shape made;
  for (int i = 0; i < x.rank(); ++i) {
    if (i < batch_dims && x[i] != indices[i])
      return c.fail(error_code::bad_shape,
                    sentence({"operands of shape ", to_string(x), " and ", to_string(indices),
                              " differ on batch axis ", number(i)}));
    if (i < batch_dims) e.batch *= x[i];
    if (i >= batch_dims && i < *axis) e.outer *= x[i];
    if (i > *axis) e.inner *= static_cast<std::size_t>(x[i]);
    if (i != *axis) {
      made.push_back(x[i]);
      continue;
    }
    for (int k = batch_dims; k < indices.rank(); ++k) {
      made.push_back(indices[k]);
      e.indices *= indices[k];
    }
  }
  if (auto s = c.expect_shape(made); !s) return s.error();
  if (c.in(1).is_constant())
    if (auto s = detail::expect_indices(c, e.axis); !s) return s.error();
  return node([e, x_index = c.input(), i_index = c.input(1), y = c.output()](const workspace& s) {
    const std::vector<std::int64_t> at = s.codes(i_index);
    const std::byte* const from = s.bytes(x_index).data();
    std::byte* to = s.bytes(y).data();
    if (e.inner == 0) return;
    for (std::int64_t step = 0; step < e.batch * e.outer; ++step)
      for (std::int64_t k = 0; k < e.indices; ++k) {
        const std::int64_t index = at[static_cast<std::size_t>(step / e.outer * e.indices + k)];
        if (index >= 0 && index < e.axis)
          std::memcpy(to, from + static_cast<std::size_t>(step * e.axis + index) * e.inner,
                      e.inner);
        else
          std::memset(to, 0, e.inner);
        to += e.inner;
      }
  });
}

/// SELECT takes a condition of the operands' shape, a scalar, or a vector that picks whole rows;
/// SELECT_V2 broadcasts all three.
[[nodiscard]] inline result<node> build_select(const node_context& c) {
  if (auto s = c.expect_type(c.input(0), element_type::boolean); !s) return s.error();
  for (const std::int32_t t : {c.input(2), c.output()})
    if (auto s = c.expect_type(t, c.in(1).type); !s) return s.error();
  shape condition = c.in(0).extents, operands, made;
  const shape &a = c.in(1).extents, &b = c.in(2).extents;
  if (c.op.code == operator_code::select && condition.rank() == 1 && a.rank() > 1 &&
      condition[0] == a[0])
    while (condition.rank() < a.rank()) condition.push_back(1);
  if (!reference::broadcast_shape(a, b, operands) ||
      !reference::broadcast_shape(condition, operands, made))
    return c.fail(error_code::bad_shape, sentence({"a condition of shape ", to_string(condition),
                                                   " and operands of shape ", to_string(a), " and ",
                                                   to_string(b), " do not broadcast"}));
  if (auto s = c.expect_shape(made); !s) return s.error();
  return node([made, condition, a, b, size = detail::stored_size(c, c.input(1)),
               inputs = c.op.inputs, y = c.output()](const workspace& s) {
    const std::byte* const choice = s.bytes(inputs[0]).data();
    const std::byte* const from[] = {s.bytes(inputs[2]).data(), s.bytes(inputs[1]).data()};
    std::byte* to = s.bytes(y).data();
    // Two walks over the result: which of its elements are chosen, then the copies.
    std::vector<bool> chosen(static_cast<std::size_t>(made.elements()));
    reference::for_each_pair(made, condition, condition, [&](auto o, auto i, auto) {
      chosen[static_cast<std::size_t>(o)] = choice[i] != std::byte{0};
    });
    reference::for_each_pair(made, a, b, [&](auto o, auto i, auto j) {
      const bool first = chosen[static_cast<std::size_t>(o)];
      const auto at = static_cast<std::size_t>(first ? i : j);
      std::memcpy(to + static_cast<std::size_t>(o) * size, from[first ? 1 : 0] + at * size, size);
    });
  });
}

}  // namespace bittwin::graph::inline v1
