// SPDX-License-Identifier: Apache-2.0
// Walks that pair elements of tensors: broadcasting of two operands, and reductions over axes.
#pragma once

#include <array>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/shape.hpp>
#include <cstdint>

namespace bittwin::reference::inline v1 {

namespace detail {

/// Calls f with the multi-index of each element of `extents`, in order.
template <class F> constexpr void for_each_index(const shape& extents, F f) {
  std::array<std::int32_t, shape::max_rank> index{};
  const std::int64_t count = extents.elements();
  for (std::int64_t flat = 0; flat < count; ++flat) {
    f(flat, index);
    for (int axis = extents.rank() - 1; axis >= 0; --axis) {
      if (++index[static_cast<std::size_t>(axis)] < extents[axis]) break;
      index[static_cast<std::size_t>(axis)] = 0;
    }
  }
}

/// Flat steps of `part` when walked along `whole`: 0 on axes where it is repeated.
constexpr std::array<std::int64_t, shape::max_rank> broadcast_steps(const shape& part,
                                                                    const shape& whole) noexcept {
  std::array<std::int64_t, shape::max_rank> steps{};
  std::int64_t step = 1;
  for (int from_end = 1; from_end <= part.rank(); ++from_end) {
    const std::int32_t extent = part.from_end(from_end);
    steps[static_cast<std::size_t>(whole.rank() - from_end)] =
        BITTWIN_MUTABLE(extent == 1, broadcast_step, false) ? 0 : step;
    step *= extent;
  }
  return steps;
}

}  // namespace detail

/// The shape of an element-wise result: extents are equal or 1, missing ones are 1. False where
/// they clash.
[[nodiscard]] constexpr bool broadcast_shape(const shape& a, const shape& b, shape& out) noexcept {
  out = {};
  const int rank = a.rank() > b.rank() ? a.rank() : b.rank();
  for (int axis = rank; axis >= 1; --axis) {
    const std::int32_t x = a.from_end(axis), y = b.from_end(axis);
    if (x != y && BITTWIN_MUTABLE(x != 1, broadcast_clash, true) && y != 1) return false;
    out.push_back(x == 1 ? y : x);
  }
  return true;
}

/// f(flat index of the result, of a, of b) for each element of the result.
template <class F>
constexpr void for_each_pair(const shape& out, const shape& a, const shape& b, F f) {
  const auto step_a = detail::broadcast_steps(a, out), step_b = detail::broadcast_steps(b, out);
  detail::for_each_index(out, [&](std::int64_t flat, const auto& index) {
    std::int64_t at_a = 0, at_b = 0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(out.rank()); ++axis) {
      at_a += index[axis] * step_a[axis];
      at_b += index[axis] * step_b[axis];
    }
    f(flat, at_a, at_b);
  });
}

/// f(flat index of the input, flat index of the reduced result) for each element of the input.
/// reduced[axis] tells which axes disappear.
template <class F>
constexpr void for_each_reduced(const shape& in, const std::array<bool, shape::max_rank>& reduced,
                                F f) {
  shape kept = in;
  for (int axis = 0; axis < in.rank(); ++axis)
    if (reduced[static_cast<std::size_t>(axis)]) kept[axis] = 1;
  const auto step = detail::broadcast_steps(kept, in);
  detail::for_each_index(in, [&](std::int64_t flat, const auto& index) {
    std::int64_t at = 0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(in.rank()); ++axis)
      at += index[axis] * step[axis];
    f(flat, at);
  });
}

}  // namespace bittwin::reference::inline v1
