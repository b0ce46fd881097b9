// SPDX-License-Identifier: Apache-2.0
// Where computed tensors lie in one arena, so that tensors alive at the same time never overlap.
// Greedy: largest first, each at the lowest free offset among those placed that it meets in time.
#pragma once

#include <algorithm>
#include <bittwin/types/mutation.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bittwin::graph::inline v1 {

/// A buffer needed from step `first` to step `last`, both included.
struct lifetime {
  std::size_t bytes = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

struct memory_plan {
  std::vector<std::size_t> offsets;  ///< one a lifetime, multiples of `alignment`
  std::size_t bytes = 0;             ///< of the whole arena

  static constexpr std::size_t alignment = 64;
};

[[nodiscard]] inline memory_plan plan_memory(const std::vector<lifetime>& buffers) {
  constexpr std::size_t alignment = memory_plan::alignment;
  memory_plan plan;
  plan.offsets.assign(buffers.size(), 0);
  std::vector<std::size_t> order(buffers.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return BITTWIN_MUTABLE(buffers[a].bytes > buffers[b].bytes, smallest_first,
                           buffers[a].bytes < buffers[b].bytes);
  });
  std::vector<std::size_t> placed;  // by offset
  for (const std::size_t i : order) {
    const lifetime& mine = buffers[i];
    std::size_t offset = 0;
    for (const std::size_t other : placed) {
      const lifetime& theirs = buffers[other];
      if (BITTWIN_MUTABLE(theirs.last < mine.first, lifetime_end, theirs.last <= mine.first) ||
          BITTWIN_MUTABLE(mine.last < theirs.first, lifetime_begin, mine.last <= theirs.first))
        continue;
      if (BITTWIN_MUTABLE(offset + mine.bytes <= plan.offsets[other], gap_too_small,
                          offset + mine.bytes <= plan.offsets[other] + 1))
        break;
      const std::size_t end = plan.offsets[other] + theirs.bytes;
      offset = std::max(offset, (BITTWIN_MUTABLE(end + alignment - 1, alignment_down, end)) /
                                    alignment * alignment);
    }
    plan.offsets[i] = offset;
    plan.bytes = std::max(plan.bytes, offset + mine.bytes);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i,
                                   [&](std::size_t a, std::size_t b) {
                                     return plan.offsets[a] < plan.offsets[b];
                                   }),
                  i);
  }
  return plan;
}

}  // namespace bittwin::graph::inline v1
