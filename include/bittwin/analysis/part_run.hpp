// SPDX-License-Identifier: Apache-2.0
// Runs some operators alone on recorded operands, sample by sample.
#pragma once

#include <bittwin/analysis/recording.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// The last output of a part by its inputs' recordings (one each, equal numbers of samples). Absent: the target
/// refuses the part, or a recording is not of its input's type and length.
[[nodiscard]] inline std::optional<recording> run_part(const graph::model& part,
                                                       const graph::target_rules& target,
                                                       std::span<const recording> operands,
                                                       std::size_t arena_limit) {
  if (operands.size() != part.inputs.size() || operands.empty()) return std::nullopt;
  result<graph::executor> run =
      graph::executor::prepare(part, target, graph::keep_tensors::outputs, arena_limit);
  if (!run) return std::nullopt;
  recording made;
  for (std::size_t sample = 0; sample < operands[0].samples; ++sample) {
    run->reset_variables();
    for (std::size_t n = 0; n < operands.size(); ++n) {
      const std::span<const std::byte> all(operands[n].values.data);
      const std::size_t bytes = all.size() / operands[n].samples;
      if (!run->set_input(n, all.subspan(sample * bytes, bytes))) return std::nullopt;
    }
    run->run();
    const graph::tensor_value value = run->value(part.outputs.back());
    made.append({value.type, value.extents, value.bytes});
  }
  return made;
}

}  // namespace bittwin::analysis::inline v1
