// SPDX-License-Identifier: Apache-2.0
// The first elements of an order that ignores ties, as one well-known library finds them: a heap of the best
// `count`, whose root is the worst of them, takes each better one that follows; then the heap is sorted.
// Which of equal elements stay, and in which order, is a matter of these very steps.
// source  the behaviour of std::partial_sort in LLVM's libc++ before version 15
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bittwin::inline v1 {

namespace detail {

/// Restores the heap below `at`, where better(a, b) puts the worse one above.
template <class Better>
void sift_down(std::vector<std::int32_t>& heap, std::size_t length, std::size_t at, Better better) {
  const auto worse_child = [&](std::size_t parent) {
    const std::size_t child = 2 * parent + 1;
    return child + 1 < length && better(heap[child], heap[child + 1]) ? child + 1 : child;
  };
  if (2 * at + 1 >= length) return;
  std::size_t child = worse_child(at);
  if (better(heap[child], heap[at])) return;
  const std::int32_t moved = heap[at];
  do {
    heap[at] = heap[child];
    at = child;
    if (2 * at + 1 >= length) break;
    child = worse_child(at);
  } while (!better(heap[child], moved));
  heap[at] = moved;
}

}  // namespace detail

/// The `count` best of 0 … size - 1, best first.  better(a, b): a stands before b; false for equals
template <class Better>
[[nodiscard]] std::vector<std::int32_t> select_by_heap(std::int32_t size, std::int32_t count,
                                                       Better better) {
  std::vector<std::int32_t> order;
  for (std::int32_t i = 0; i < size; ++i) order.push_back(i);
  const auto length = static_cast<std::size_t>(count < size ? count : size);
  for (std::size_t at = length / 2; at-- > 0;) detail::sift_down(order, length, at, better);
  for (std::size_t i = length; i < order.size(); ++i) {
    if (!better(order[i], order[0])) continue;
    std::swap(order[i], order[0]);
    detail::sift_down(order, length, 0, better);
  }
  for (std::size_t left = length; left > 1; --left) {
    std::swap(order[0], order[left - 1]);
    detail::sift_down(order, left - 1, 0, better);
  }
  order.resize(length);
  return order;
}

}  // namespace bittwin::inline v1
