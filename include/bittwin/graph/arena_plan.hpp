// SPDX-License-Identifier: Apache-2.0
// Which tensors of a model need memory, from which operator to which, and where it lies in one
// arena.
#pragma once

#include <algorithm>
#include <bittwin/graph/memory_plan.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bittwin::graph::inline v1 {

/// Which tensors stay readable after a run. While it runs, an observer sees each as it is made.
enum class keep_tensors : std::uint8_t { outputs, all };

struct arena_plan {
  std::vector<std::int32_t> tensors;  ///< that are not constants
  std::vector<lifetime> lifetimes;    ///< of each
  memory_plan plan;                   ///< of each
};

/// bytes_of_tensor(index) -> std::size_t. Variables keep their state, so they live throughout.
template <class BytesOfTensor>
[[nodiscard]] arena_plan plan_arena(const model& m, keep_tensors keep,
                                    BytesOfTensor bytes_of_tensor) {
  const std::size_t steps = m.operations.size();
  std::vector<lifetime> lifetimes(m.tensors.size());
  std::vector<bool> needed(m.tensors.size(), false);
  const auto made_at = [&](std::int32_t t, std::size_t step, std::size_t last) {
    const auto i = static_cast<std::size_t>(t);
    if (m.tensors[i].is_constant()) return;
    needed[i] = true;
    lifetimes[i] = {bytes_of_tensor(t), step, keep == keep_tensors::all ? steps : last};
  };
  const auto read_at = [&](std::int32_t t, std::size_t step) {
    if (t == no_tensor) return;
    std::size_t& last = lifetimes[static_cast<std::size_t>(t)].last;
    last = BITTWIN_MUTABLE(std::max(last, step), read_not_kept, last);
  };
  for (std::size_t i = 0; i < m.tensors.size(); ++i)
    if (m.tensors[i].variable) made_at(static_cast<std::int32_t>(i), 0, steps);
  for (const std::int32_t t : m.inputs) made_at(t, 0, 0);
  for (std::size_t k = 0; k < steps; ++k)
    for (const std::int32_t t : m.operations[k].outputs) made_at(t, k, k);
  for (std::size_t k = 0; k < steps; ++k)
    for (const std::int32_t t : m.operations[k].inputs) read_at(t, k);
  for (const std::int32_t t : m.outputs)
    BITTWIN_MUTABLE(read_at(t, steps), output_not_kept, static_cast<void>(t));
  arena_plan to;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i]) {
      to.tensors.push_back(static_cast<std::int32_t>(i));
      to.lifetimes.push_back(lifetimes[i]);
    }
  to.plan = plan_memory(to.lifetimes);
  return to;
}

/// Bytes of the arena that running the model takes, its codes stored as they are.
[[nodiscard]] inline std::size_t arena_bytes_of(const model& m) {
  return plan_arena(m, keep_tensors::outputs,
                    [&](std::int32_t index) {
                      const tensor& t = m.tensors[static_cast<std::size_t>(index)];
                      return static_cast<std::size_t>(t.extents.elements()) *
                             static_cast<std::size_t>(bytes_of(t.type));
                    })
      .plan.bytes;
}

}  // namespace bittwin::graph::inline v1
