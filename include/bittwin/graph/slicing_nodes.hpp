// SPDX-License-Identifier: Apache-2.0
// SLICE, STRIDED_SLICE, SPLIT_V, PACK, UNPACK, GATHER, SELECT: elements of any type, picked out or put together.
#pragma once

#include <bittwin/graph/axes.hpp>
#include <bittwin/graph/element_map.hpp>
#include <bittwin/graph/movement_nodes.hpp>

namespace bittwin::graph::inline v1 {

/// begin and size an axis; a size of -1 reaches to the end
[[nodiscard]] inline result<node> build_slice(const node_context& c) {
  if (auto s = c.expect_one_type(1); !s) return s.error();
  const shape& x = c.in().extents;
  const auto begin = constant_integers(c, 1), size = constant_integers(c, 2);
  if (!begin) return begin.error();
  if (!size) return size.error();
  const auto rank = static_cast<std::size_t>(x.rank());
  if (begin->size() != rank || size->size() != rank)
    return c.fail(error_code::bad_shape,
                  sentence({"begin and size have ", number(begin->size()), " and ",
                            number(size->size()), " entries for a tensor of rank ", number(rank)}));
  auto axes = detail::identity_axes(x);
  shape made;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int32_t first = (*begin)[i], extent = x[static_cast<int>(i)];
    const std::int64_t count = (*size)[i] == -1 ? std::int64_t{extent} - first : (*size)[i];
    if (first < 0 || count < 0 || first + count > extent)
      return c.fail(
          error_code::bad_option,
          sentence({"the slice of axis ", number(i), " starts at ", number(first), " and has ",
                    number(count), " elements, outside its extent of ", number(extent)}));
    axes[i].start = first;
    axes[i].extent = count;
    made.push_back(static_cast<std::int32_t>(count));
  }
  if (auto s = c.expect_shape(made); !s) return s.error();
  return detail::mapped_node(c, 0, std::move(axes));
}

namespace detail {

[[nodiscard]] constexpr bool has_bit(std::int32_t mask, std::size_t i) noexcept {
  return i < 31 && (mask >> i & 1) != 0;
}

/// One entry of a strided slice on an axis of `extent` elements, counted from the end where negative,
/// then kept inside. At the end of a walk `extent` itself, or -1, is still inside.
/// source  tensorflow/lite/kernels/internal/strided_slice_logic.h
struct strided_range {
  std::int64_t first, count;

  static strided_range of(std::int64_t begin, std::int64_t end, std::int64_t stride,
                          std::int64_t extent, bool from_start, bool to_end, bool shrinks,
                          bool end_is_offset) noexcept {
    const std::int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? extent : extent - 1;
    const auto kept = [&](std::int64_t at) {
      return clamp_to<std::int64_t>(at < 0 ? at + extent : at, low, high < low ? low : high);
    };
    const std::int64_t first = from_start ? (stride > 0 ? 0 : extent - 1) : kept(begin);
    if (shrinks) return {first, 1};
    const std::int64_t last =
        to_end ? (stride > 0 ? extent : -1) : kept(end_is_offset ? first + end : end);
    const std::int64_t span = stride > 0 ? last - first : first - last;
    const std::int64_t step = stride > 0 ? stride : -stride;
    return {first, span <= 0 ? 0 : (span + step - 1) / step};
  }
};

/// The constants of a STRIDED_SLICE.
struct strided_entries {
  std::vector<std::int32_t> begin, end, stride;
};

[[nodiscard]] inline result<strided_entries> strided_entries_of(const node_context& c) {
  const auto begin = constant_integers(c, 1), end = constant_integers(c, 2),
             stride = constant_integers(c, 3);
  if (!begin) return begin.error();
  if (!end) return end.error();
  if (!stride) return stride.error();
  if (begin->size() != end->size() || begin->size() != stride->size() || begin->size() > 16)
    return c.fail(
        error_code::bad_shape,
        sentence({"begin, end and stride have ", number(begin->size()), ", ", number(end->size()),
                  " and ", number(stride->size()), " entries; they must be as many, at most 16"}));
  return strided_entries{*begin, *end, *stride};
}

/// How many axes the ellipsis stands for, of `rank` axes; negative: there are too many entries.
[[nodiscard]] inline int axes_of_ellipsis(std::size_t entries, const strided_slice_options& o,
                                          int rank) noexcept {
  int named = 0;
  for (std::size_t i = 0; i < entries; ++i)
    if (!has_bit(o.ellipsis_mask, i) && !has_bit(o.new_axis_mask, i)) ++named;
  return rank - named;
}

}  // namespace detail

/// Entries take the axes in order; an ellipsis, or the end of the list, stands for all axes that are left.
[[nodiscard]] inline result<node> build_strided_slice(const node_context& c) {
  if (auto s = c.expect_one_type(1); !s) return s.error();
  const shape& x = c.in().extents;
  const auto e = detail::strided_entries_of(c);
  if (!e) return e.error();
  const auto o = c.options<strided_slice_options>();
  int left = detail::axes_of_ellipsis(e->begin.size(), o, x.rank());
  if (left < 0)
    return c.fail(error_code::bad_shape,
                  sentence({"a slice of ", number(x.rank() - left), " axes of a tensor of rank ",
                            number(x.rank())}));
  auto axes = detail::identity_axes(x);
  std::vector<std::int32_t> made;
  std::size_t axis = 0;
  const auto keep = [&](int count) {
    for (int k = 0; k < count; ++k) made.push_back(x[static_cast<int>(axis++)]);
  };
  for (std::size_t i = 0; i < e->begin.size(); ++i) {
    if (detail::has_bit(o.ellipsis_mask, i)) {
      keep(std::exchange(left, 0));
      continue;
    }
    if (detail::has_bit(o.new_axis_mask, i)) {
      made.push_back(1);
      continue;
    }
    const bool shrinks = detail::has_bit(o.shrink_axis_mask, i);
    const std::int32_t extent = x[static_cast<int>(axis)], stride = e->stride[i];
    if (stride == 0 || (shrinks && stride < 0))
      return c.fail(error_code::bad_option,
                    sentence({"the stride of axis ", number(axis), " is ", number(stride),
                              shrinks ? " where the axis disappears; it must be above 0"
                                      : "; it must not be 0"}));
    const auto range = detail::strided_range::of(
        e->begin[i], e->end[i], stride, extent, detail::has_bit(o.begin_mask, i),
        detail::has_bit(o.end_mask, i), shrinks, o.end_is_offset);
    if (shrinks && range.first >= extent)
      return c.fail(error_code::bad_option,
                    sentence({"element ", number(e->begin[i]), " of axis ", number(axis),
                              " lies outside its extent of ", number(extent)}));
    axes[axis].start = range.first;
    axes[axis].step = stride;
    axes[axis].extent = range.count;
    if (!shrinks) made.push_back(static_cast<std::int32_t>(range.count));
    ++axis;
  }
  keep(left);
  if (made.size() > static_cast<std::size_t>(shape::max_rank))
    return c.fail(error_code::bad_shape,
                  sentence({"a slice of rank ", number(made.size()), "; this version holds ",
                            number(shape::max_rank)}));
  if (auto s = c.expect_shape(shape(std::span<const std::int32_t>(made))); !s) return s.error();
  return detail::mapped_node(c, 0, std::move(axes));
}

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
