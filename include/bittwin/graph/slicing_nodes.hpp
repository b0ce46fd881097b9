// SPDX-License-Identifier: Apache-2.0
// SLICE and STRIDED_SLICE: elements of any type, picked out of a tensor.
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

}  // namespace bittwin::graph::inline v1
