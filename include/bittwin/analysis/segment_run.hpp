// SPDX-License-Identifier: Apache-2.0
// A segment as a model of its own, with the operands that a board recorded: what it takes to run it alone.
#pragma once

#include <bittwin/analysis/board_parameters.hpp>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/model_edit.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/graph/model.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// part      on the board's parameters; its constants live in the board_model that it was made of
/// operands  one for each input of the part
struct segment_run {
  graph::model part;
  std::vector<recording> operands;
};

/// fallback  gives the operands that `test` lacks: inputs of the model
/// Absent: a segment without operators, or an operand that is not recorded in the model's type and shape.
[[nodiscard]] inline std::optional<segment_run> run_of(const segment& s, const board_model& board,
                                                       const dump& test, const dump& fallback,
                                                       std::size_t samples) {
  if (s.ops.empty()) return std::nullopt;
  const std::int32_t made[] = {s.tensor};
  segment_run run{part_of(board.edit.m, s.ops, s.from, made), {}};
  for (const std::int32_t index : s.from) {
    recording operand;
    for (std::size_t sample = 0; sample < samples; ++sample) {
      const result<array> a = (test.has(index, sample) ? test : fallback).read(index, sample);
      const graph::tensor& t = board.edit.m.tensors[static_cast<std::size_t>(index)];
      if (!a || a->type != t.type || a->extents != t.extents) return std::nullopt;
      operand.append(*a);
    }
    run.operands.push_back(std::move(operand));
  }
  return run;
}

}  // namespace bittwin::analysis::inline v1
