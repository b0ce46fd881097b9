// SPDX-License-Identifier: Apache-2.0
// Operators that only move elements, as one map: the flat index of an element's source is the sum of one
// offset an axis of the result, and on any axis it may lie in the padding.
//   result[i, j, …] = source[ offset_0(i) + offset_1(j) + … ],  or the fill where an offset is outside
// Offsets are found when a node runs, in room proportional to the extents of the result.
#pragma once

#include <array>
#include <bittwin/graph/node_context.hpp>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/ieee.hpp>
#include <cstring>
#include <utility>
#include <vector>

namespace bittwin::graph::inline v1 {

/// One axis of a result. Coordinates are of the source; offset = coordinate * stride.
///   linear    start + i * step; outside [0, limit) it is padding
///   mirrored  start + i, folded back at the ends of [0, limit); step 1 repeats the edge, 0 does not
///   blocks    start + i = b * step + k: offset = b * stride + k * inner
///   nearest   floor or round(float32((i + half) * scale)), cut to [0, limit); start 1: half pixel centers
struct axis_source {
  enum class kind : std::uint8_t { linear, mirrored, blocks, nearest_floor, nearest_round };
  kind how = kind::linear;
  std::int64_t extent = 1;
  std::int64_t start = 0, step = 1, limit = 1, stride = 1, inner = 0;
  float scale = 1.0F;

  static constexpr std::int64_t outside = -1;

  [[nodiscard]] std::int64_t offset(std::int64_t i) const noexcept {
    std::int64_t at = start + i * step;
    switch (how) {
      case kind::linear: return at < 0 || at >= limit ? outside : at * stride;
      case kind::mirrored:
        at = start + i;
        if (at < 0) at = -at - step;
        if (at >= limit) at = 2 * limit - 2 + step - at;
        return at * stride;
      case kind::blocks: at = start + i; return at / step * stride + at % step * inner;
      case kind::nearest_floor:
      case kind::nearest_round: break;
    }
    const float position =
        ieee::multiply(ieee::add(ieee::from_integer<float>(i), start != 0 ? 0.5F : 0.0F), scale);
    at = how == kind::nearest_floor ? rounding::to_integer<rounding::floor>(position)
                                    : rounding::to_integer<rounding::half_away>(position);
    return clamp_to<std::int64_t>(at, 0, limit - 1) * stride;
  }
};

/// Where all elements of a result come from. Axes outermost first, at least one; extents not negative.
class element_map {
 public:
  element_map(std::vector<axis_source> axes, std::size_t element_bytes)
      : axes_(std::move(axes)), size_(element_bytes) {}

  /// fill  one element, read only where the map leads outside
  void copy(const std::byte* from, std::byte* to, const std::byte* fill) const {
    std::vector<std::vector<std::int64_t>> offsets;
    for (const axis_source& axis : axes_) {
      if (axis.extent < 1) return;
      std::vector<std::int64_t> of(static_cast<std::size_t>(axis.extent));
      for (std::size_t i = 0; i < of.size(); ++i) of[i] = axis.offset(static_cast<std::int64_t>(i));
      offsets.push_back(std::move(of));
    }
    const std::vector<std::int64_t> last = std::move(offsets.back());
    offsets.pop_back();
    std::vector<std::size_t> index(offsets.size());
    while (true) {
      copy_run(from, sum_of(offsets, index), last, to, fill);
      to += last.size() * size_;
      std::size_t axis = offsets.size();
      while (axis > 0 && ++index[axis - 1] == offsets[axis - 1].size()) index[--axis] = 0;
      if (axis == 0) return;
    }
  }

 private:
  [[nodiscard]] static std::int64_t sum_of(const std::vector<std::vector<std::int64_t>>& offsets,
                                           const std::vector<std::size_t>& index) noexcept {
    std::int64_t sum = 0;
    for (std::size_t axis = 0; axis < offsets.size(); ++axis) {
      const std::int64_t offset = offsets[axis][index[axis]];
      if (offset == axis_source::outside) return axis_source::outside;
      sum += offset;
    }
    return sum;
  }
  void copy_run(const std::byte* from, std::int64_t base, const std::vector<std::int64_t>& last,
                std::byte* to, const std::byte* fill) const noexcept {
    for (const std::int64_t offset : last) {
      const bool inside = base != axis_source::outside && offset != axis_source::outside;
      std::memcpy(to, inside ? from + static_cast<std::size_t>(base + offset) * size_ : fill,
                  size_);
      to += size_;
    }
  }

  std::vector<axis_source> axes_;
  std::size_t size_;
};

namespace detail {

/// Bytes of one element in the workspace: reals are float64 there.
[[nodiscard]] inline std::size_t stored_size(const node_context& c, std::int32_t tensor) {
  return static_cast<std::size_t>(bytes_of(c.stored(tensor)));
}

/// Elements between neighbours along each axis of a dense tensor.
[[nodiscard]] inline std::array<std::int64_t, shape::max_rank> strides_of(const shape& s) noexcept {
  std::array<std::int64_t, shape::max_rank> strides{};
  std::int64_t step = 1;
  for (int axis = s.rank() - 1; axis >= 0; --axis) {
    strides[static_cast<std::size_t>(axis)] = step;
    step *= s[axis];
  }
  return strides;
}

/// Every axis of x as it is.
[[nodiscard]] inline std::vector<axis_source> identity_axes(const shape& x) {
  const auto strides = strides_of(x);
  std::vector<axis_source> axes;
  for (int axis = 0; axis < x.rank(); ++axis)
    axes.push_back(
        {.extent = x[axis], .limit = x[axis], .stride = strides[static_cast<std::size_t>(axis)]});
  if (axes.empty()) axes.push_back({});
  return axes;
}

using one_element = std::array<std::byte, 8>;

/// The first result, from the elements of input i. fill  the element of the padding
[[nodiscard]] inline node mapped_node(const node_context& c, std::size_t i,
                                      std::vector<axis_source> axes, one_element fill = {}) {
  return node([map = element_map(std::move(axes), stored_size(c, c.input(i))), fill, x = c.input(i),
               y = c.output()](const workspace& s) {
    if (!s.bytes(y).empty()) map.copy(s.bytes(x).data(), s.bytes(y).data(), fill.data());
  });
}

}  // namespace detail

}  // namespace bittwin::graph::inline v1
