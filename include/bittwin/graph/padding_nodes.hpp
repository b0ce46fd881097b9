// SPDX-License-Identifier: Apache-2.0
// PAD, PADV2, MIRROR_PAD: elements of any type, with a border of zeros, of a given element, or of the image
// itself.
#pragma once

#include <bittwin/graph/axes.hpp>
#include <bittwin/graph/element_map.hpp>

namespace bittwin::graph::inline v1 {

namespace detail {

/// How many elements stand before and behind an axis.
struct border {
  std::int32_t before = 0, behind = 0;
};

/// Operand i as two integers an axis. `axes`: as many as the operand must name
[[nodiscard]] inline result<std::vector<border>> borders_of(const node_context& c, std::size_t i,
                                                            int axes) {
  const auto list = constant_integers(c, i);
  if (!list) return list.error();
  if (list->size() != 2 * static_cast<std::size_t>(axes))
    return c.fail(error_code::bad_shape,
                  sentence({c.name(c.input(i)), " has ", number(list->size()), " entries; ",
                            number(axes), " axes need two each"}));
  std::vector<border> borders;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(axes); ++axis) {
    const border b{(*list)[2 * axis], (*list)[2 * axis + 1]};
    constexpr std::int32_t limit = 1 << 30;
    if (b.before < 0 || b.behind < 0 || b.before > limit || b.behind > limit)
      return c.fail(
          error_code::bad_option,
          sentence({c.name(c.input(i)), " says (", number(b.before), ", ", number(b.behind),
                    ") for axis ", number(axis), "; both must lie in 0 to 2^30"}));
    borders.push_back(b);
  }
  return borders;
}

/// The axes of a padded tensor, and its shape.
struct padded {
  std::vector<axis_source> axes;
  shape made;
};

[[nodiscard]] inline result<padded> padded_of(const node_context& c) {
  if (auto s = c.expect_one_type(1); !s) return s.error();
  const shape& x = c.in(0).extents;
  const auto borders = borders_of(c, 1, x.rank());
  if (!borders) return borders.error();
  padded p{identity_axes(x), {}};
  for (std::size_t i = 0; i < borders->size(); ++i) {
    const std::int64_t extent = p.axes[i].extent + (*borders)[i].before + (*borders)[i].behind;
    if (extent > (std::int64_t{1} << 30))
      return c.fail(error_code::too_large, sentence({"a padded extent of ", number(extent),
                                                     " on axis ", number(i), " is above 2^30"}));
    p.axes[i].start = -std::int64_t{(*borders)[i].before};
    p.axes[i].extent = extent;
    p.made.push_back(static_cast<std::int32_t>(extent));
  }
  if (auto s = c.expect_shape(p.made); !s) return s.error();
  return p;
}

/// The code that a room of padding names for the zero point of x, as bytes of one stored element; 0 where
/// nothing is quantized.
[[nodiscard]] inline one_element padding_element(const node_context& c, const tensor& x,
                                                 rule_for<padding_function> rule) {
  one_element element{};
  if (c.rules.is_real || rule == nullptr || !x.quantization.present()) return element;
  const std::int64_t code = rule(layer_facts{.input = x.type, .output = x.type})(
      static_cast<std::int32_t>(x.quantization.zero_point()));
  if (is_integer(x.type)) std::memcpy(element.data(), &code, sizeof code);
  return element;
}

}  // namespace detail

[[nodiscard]] inline result<node> build_pad(const node_context& c) {
  auto p = detail::padded_of(c);
  if (!p) return p.error();
  return detail::mapped_node(c, 0, std::move(p->axes), detail::padding_element(c, c.in(), c.rules.pad));
}

/// The third operand is the element that fills; it may be computed at run time.
[[nodiscard]] inline result<node> build_pad_v2(const node_context& c) {
  auto p = detail::padded_of(c);
  if (!p) return p.error();
  if (auto s = c.expect_type(c.input(2), c.in(0).type); !s) return s.error();
  if (c.in(2).extents.elements() != 1)
    return c.fail(error_code::bad_shape,
                  sentence({c.name(c.input(2)), " has ", number(c.in(2).extents.elements()),
                            " elements; the fill must be one"}));
  return node([map = element_map(std::move(p->axes), detail::stored_size(c, c.input())),
               x = c.input(), fill = c.input(2), y = c.output()](const workspace& s) {
    if (!s.bytes(y).empty()) map.copy(s.bytes(x).data(), s.bytes(y).data(), s.bytes(fill).data());
  });
}

[[nodiscard]] inline result<node> build_mirror_pad(const node_context& c) {
  auto p = detail::padded_of(c);
  if (!p) return p.error();
  const int edge = c.options<mirror_pad_options>().repeats_edge ? 1 : 0;
  for (std::size_t i = 0; i < p->axes.size(); ++i) {
    axis_source& axis = p->axes[i];
    const std::int64_t behind = axis.extent + axis.start - axis.limit;
    const std::int64_t most = axis.limit - 1 + edge;
    if (-axis.start > most || behind > most)
      return c.fail(
          error_code::bad_option,
          sentence({"a mirrored border of (", number(-axis.start), ", ", number(behind),
                    ") on axis ", number(i), " of ", number(axis.limit), " elements; at most ",
                    number(most < 0 ? 0 : most), " can be mirrored"}));
    if (-axis.start == 0 && behind == 0) continue;
    axis.how = axis_source::kind::mirrored;
    axis.step = edge;
  }
  return detail::mapped_node(c, 0, std::move(p->axes));
}

}  // namespace bittwin::graph::inline v1
