// SPDX-License-Identifier: Apache-2.0
// Operators that move elements: RESHAPE, SQUEEZE, TRANSPOSE, CONCATENATION, SPLIT.
// They work on elements of any type by size; only CONCATENATION's grids know codes.
#pragma once

#include <bittwin/graph/axes.hpp>
#include <bittwin/graph/element_map.hpp>
#include <bittwin/graph/node_context.hpp>
#include <bittwin/reference/elementwise.hpp>
#include <cstring>
#include <utility>

namespace bittwin::graph::inline v1 {

namespace detail {

/// Extents before and behind an axis: a tensor is outer x axis x inner.
struct axis_split {
  std::size_t outer = 1, inner = 1;
};

[[nodiscard]] inline axis_split split_at(const shape& s, int axis) noexcept {
  axis_split split;
  for (int i = 0; i < s.rank(); ++i)
    if (i != axis) (i < axis ? split.outer : split.inner) *= static_cast<std::size_t>(s[i]);
  return split;
}

}  // namespace detail

/// RESHAPE and SQUEEZE: the elements stay in order.
[[nodiscard]] inline result<node> build_reshape(const node_context& c) {
  if (auto s = c.expect_one_type(1); !s) return s.error();
  if (c.in(0).extents.elements() != c.out().extents.elements())
    return c.fail(error_code::bad_shape,
                  sentence({c.name(c.output()), " is declared as ", to_string(c.out().extents),
                            ", which does not hold the ", number(c.in(0).extents.elements()),
                            " elements of the input"}));
  return node([i = c.input(0), y = c.output()](const workspace& s) {
    const auto from = s.bytes(i), to = s.bytes(y);
    if (!from.empty()) std::memmove(to.data(), from.data(), from.size());
  });
}

[[nodiscard]] inline result<node> build_transpose(const node_context& c) {
  if (auto s = c.expect_one_type(1); !s) return s.error();
  const shape& x = c.in(0).extents;
  const auto list = constant_integers(c, 1);
  if (!list) return list.error();
  if (static_cast<int>(list->size()) != x.rank())
    return c.fail(error_code::bad_shape,
                  sentence({"the permutation has ", number(list->size()),
                            " entries for a tensor of rank ", number(x.rank())}));
  std::array<std::int32_t, shape::max_rank> order{};
  std::array<bool, shape::max_rank> seen{};
  shape made;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto axis = resolve_axis(c, (*list)[i], x.rank());
    if (!axis) return axis.error();
    if (std::exchange(seen[static_cast<std::size_t>(*axis)], true))
      return c.fail(error_code::bad_option,
                    sentence({"the permutation names axis ", number(*axis), " twice"}));
    order[i] = *axis;
    made.push_back(x[*axis]);
  }
  if (auto s = c.expect_shape(made); !s) return s.error();
  const auto strides = detail::strides_of(x);
  std::vector<axis_source> axes(1);
  for (int i = 0; i < made.rank(); ++i)
    axes.push_back(
        {.extent = made[i],
         .limit = made[i],
         .stride = strides[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]});
  return detail::mapped_node(c, 0, std::move(axes));
}

namespace detail {

/// Copies `runs` pieces a step of the outer extents; each is one operand's extent along the axis.
struct concatenated_piece {
  std::int32_t tensor = 0;
  std::size_t bytes = 0;  ///< along the axis and inside it
};

/// The codes of one operand on the output's grid: what each of 256 codes becomes.
[[nodiscard]] inline result<std::array<std::byte, 256>> recode_table(const node_context& c,
                                                                     std::size_t i) {
  std::array<std::byte, 256> table{};
  const tensor& t = c.in(i);
  const auto in = c.grid(c.input(i)), out = c.grid(c.output());
  if (!in) return in.error();
  if (!out) return out.error();
  if (t.type == element_type::int8 && *in != *out)
    return c.fail(error_code::unsupported,
                  sentence({c.name(c.input(i)),
                            " is int8 and has another scale or zero point than "
                            "the output; insert a QUANTIZE"}));
  const recode_function recode =
      c.rules.concatenation(layer_facts{.input = t.type, .output = t.type});
  for (int byte = 0; byte < 256; ++byte) {
    const std::int64_t code = t.type == element_type::int8 ? static_cast<std::int8_t>(byte) : byte;
    table[static_cast<std::size_t>(byte)] =
        static_cast<std::byte>(recode(code, *in, *out, range_of(t.type)));
  }
  return table;
}

}  // namespace detail

[[nodiscard]] inline result<node> build_concatenation(const node_context& c) {
  const bool codes = !c.rules.is_real &&
                     (c.in(0).type == element_type::int8 || c.in(0).type == element_type::uint8);
  if (codes && c.rules.concatenation == nullptr) return c.refuse();
  if (auto s = c.expect_one_type(1); !s) return s.error();
  const auto o = c.options<concatenation_options>();
  if (o.fused != activation::none)
    return c.fail(error_code::unsupported, "a fused activation; no runtime defines it here");
  const auto axis = resolve_axis(c, o.axis, c.in(0).extents.rank());
  if (!axis) return axis.error();
  shape made = c.in(0).extents;
  std::int64_t along = 0;
  std::vector<detail::concatenated_piece> pieces;
  std::vector<std::array<std::byte, 256>> tables;
  const detail::axis_split split = detail::split_at(made, *axis);
  for (std::size_t i = 0; i < c.op.inputs.size(); ++i) {
    shape part = c.in(i).extents;
    if (c.in(i).type != c.in(0).type) return c.wrong_type(c.input(i), name_of(c.in(0).type));
    if (part.rank() != made.rank() || (part[*axis] = made[*axis], !(part == made)))
      return c.fail(error_code::bad_shape,
                    sentence({c.name(c.input(i)), " of shape ", to_string(c.in(i).extents),
                              " does not match the first operand's ", to_string(c.in(0).extents)}));
    along += c.in(i).extents[*axis];
    pieces.push_back({c.input(i), static_cast<std::size_t>(c.in(i).extents[*axis]) * split.inner *
                                      detail::stored_size(c, c.input(i))});
    if (codes) {
      const auto table = detail::recode_table(c, i);
      if (!table) return table.error();
      tables.push_back(*table);
    }
  }
  made[*axis] = static_cast<std::int32_t>(along);
  if (auto s = c.expect_shape(made); !s) return s.error();
  return node([pieces, tables, outer = split.outer, y = c.output()](const workspace& s) {
    std::byte* to = s.bytes(y).data();
    for (std::size_t step = 0; step < outer; ++step)
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::byte* from = s.bytes(pieces[i].tensor).data() + step * pieces[i].bytes;
        for (std::size_t byte = 0; byte < pieces[i].bytes; ++byte)
          *to++ = tables.empty() ? from[byte] : tables[i][std::to_integer<std::size_t>(from[byte])];
      }
  });
}

[[nodiscard]] inline result<node> build_split(const node_context& c) {
  const auto list = constant_integers(c, 0);
  if (!list) return list.error();
  if (list->size() != 1) return c.fail(error_code::bad_shape, "the axis must be one integer");
  const shape& x = c.in(1).extents;
  const auto axis = resolve_axis(c, list->front(), x.rank());
  if (!axis) return axis.error();
  const auto parts = static_cast<std::int32_t>(c.op.outputs.size());
  if (x[*axis] % parts != 0)
    return c.fail(error_code::bad_shape,
                  sentence({"an extent of ", number(x[*axis]), " does not split into ",
                            number(parts), " equal parts"}));
  shape made = x;
  made[*axis] = x[*axis] / parts;
  for (std::size_t i = 0; i < c.op.outputs.size(); ++i) {
    if (c.out(i).type != c.in(1).type) return c.wrong_type(c.output(i), name_of(c.in(1).type));
    if (auto s = c.expect_shape(made, i); !s) return s.error();
  }
  const detail::axis_split split = detail::split_at(x, *axis);
  const std::size_t bytes =
      static_cast<std::size_t>(made[*axis]) * split.inner * detail::stored_size(c, c.input(1));
  return node(
      [i = c.input(1), outputs = c.op.outputs, outer = split.outer, bytes](const workspace& s) {
        const std::byte* from = s.bytes(i).data();
        for (std::size_t step = 0; step < outer; ++step)
          for (const std::int32_t y : outputs) {
            if (bytes != 0) std::memcpy(s.bytes(y).data() + step * bytes, from, bytes);
            from += bytes;
          }
      });
}

}  // namespace bittwin::graph::inline v1
