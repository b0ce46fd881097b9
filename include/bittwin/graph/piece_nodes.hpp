// SPDX-License-Identifier: Apache-2.0
// SPLIT_V, PACK, UNPACK: tensors of any type put together along an axis, or taken apart.
//   whole = outer steps of (part, part, ...)
#pragma once

#include <bittwin/graph/axes.hpp>
#include <bittwin/graph/movement_nodes.hpp>

namespace bittwin::graph::inline v1 {

namespace detail {

/// A tensor and its bytes inside one step of the outer extents.
struct piece {
  std::int32_t tensor = 0;
  std::size_t bytes = 0;
};

/// whole = piece, piece, … repeated `outer` times; into the pieces, or out of them.
[[nodiscard]] inline node pieces_node(std::int32_t whole, std::vector<piece> pieces,
                                      std::size_t outer, bool apart) {
  return node([whole, pieces = std::move(pieces), outer, apart](const workspace& s) {
    std::byte* at = s.bytes(whole).data();
    for (std::size_t step = 0; step < outer; ++step)
      for (const piece& p : pieces) {
        if (p.bytes == 0) continue;
        std::byte* const part = s.bytes(p.tensor).data() + step * p.bytes;
        std::memcpy(apart ? part : at, apart ? at : part, p.bytes);
        at += p.bytes;
      }
  });
}

}  // namespace detail

/// sizes of the parts along the axis; one of them may be -1 and takes what is left
[[nodiscard]] inline result<node> build_split_v(const node_context& c) {
  const auto sizes = constant_integers(c, 1), list = constant_integers(c, 2);
  if (!sizes) return sizes.error();
  if (!list) return list.error();
  if (list->size() != 1) return c.fail(error_code::bad_shape, "the axis must be one integer");
  if (auto s = c.expect_one_type(1); !s) return s.error();
  const shape& x = c.in().extents;
  const auto axis = resolve_axis(c, list->front(), x.rank());
  if (!axis) return axis.error();
  std::int64_t open = 0, sum = 0;
  for (const std::int32_t size : *sizes) (size == -1 ? open : sum) += size == -1 ? 1 : size;
  if (sizes->size() != c.op.outputs.size() || open > 1 || sum > x[*axis] ||
      (open == 0 && sum != x[*axis]))
    return c.fail(
        error_code::bad_option,
        sentence({"an extent of ", number(x[*axis]), " does not split into ", number(sizes->size()),
                  " parts of ", number(sum), " elements and ", number(open), " open ones"}));
  const detail::axis_split split = detail::split_at(x, *axis);
  const std::size_t unit = split.inner * detail::stored_size(c, c.input());
  std::vector<detail::piece> pieces;
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    shape made = x;
    made[*axis] = (*sizes)[i] == -1 ? static_cast<std::int32_t>(x[*axis] - sum) : (*sizes)[i];
    if (made[*axis] < 0)
      return c.fail(error_code::bad_option,
                    sentence({"part ", number(i), " has a size of ", number(made[*axis])}));
    if (auto s = c.expect_shape(made, i); !s) return s.error();
    pieces.push_back({c.output(i), static_cast<std::size_t>(made[*axis]) * unit});
  }
  return detail::pieces_node(c.input(), std::move(pieces), split.outer, true);
}

namespace detail {

/// PACK and UNPACK: tensors of shape `part`, as many as `count`, along a new axis of the whole.
[[nodiscard]] inline result<node> build_stack(const node_context& c, const shape& part,
                                              std::int32_t axis, std::int32_t whole,
                                              const std::vector<std::int32_t>& parts, bool apart) {
  const auto at = resolve_axis(c, axis, part.rank() + 1);
  if (!at) return at.error();
  if (part.rank() == shape::max_rank)
    return c.fail(error_code::bad_shape, "the operands have as many axes as this version holds");
  shape made;
  for (int i = 0; i <= part.rank(); ++i) {
    if (i == *at) made.push_back(static_cast<std::int32_t>(parts.size()));
    if (i < part.rank()) made.push_back(part[i]);
  }
  if (!(c.at(whole).extents == made))
    return c.fail(error_code::bad_shape,
                  sentence({c.name(whole), " of shape ", to_string(c.at(whole).extents),
                            " does not hold ", number(parts.size()), " tensors of shape ",
                            to_string(part), " along axis ", number(*at)}));
  const axis_split split = split_at(made, *at);
  std::vector<piece> pieces;
  for (const std::int32_t tensor : parts) {
    if (!(c.at(tensor).extents == part) || c.at(tensor).type != c.at(whole).type)
      return c.fail(error_code::bad_shape,
                    sentence({c.name(tensor), " is ", name_of(c.at(tensor).type), " of shape ",
                              to_string(c.at(tensor).extents), "; every part must be ",
                              name_of(c.at(whole).type), " of shape ", to_string(part)}));
    pieces.push_back({tensor, split.inner * stored_size(c, tensor)});
  }
  return pieces_node(whole, std::move(pieces), split.outer, apart);
}

}  // namespace detail

[[nodiscard]] inline result<node> build_pack(const node_context& c) {
  return detail::build_stack(c, c.in().extents, c.options<pack_options>().axis, c.output(),
                             c.op.inputs, false);
}

[[nodiscard]] inline result<node> build_unpack(const node_context& c) {
  return detail::build_stack(c, c.out().extents, c.options<unpack_options>().axis, c.input(),
                             c.op.outputs, true);
}

}  // namespace bittwin::graph::inline v1
