// SPDX-License-Identifier: Apache-2.0
// What must hold of any bytes under any target: they are refused with a sentence, or they run, and
// run to the same outputs again.
#pragma once

#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/targets/all.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/reading_check.hpp"

namespace bittwin::test {

/// The outputs of one run on the input that the tool takes without --input.
[[nodiscard]] inline result<std::vector<std::vector<std::byte>>> outputs_of(
    const graph::model& m, const graph::target_rules& rules) {
  // What takes long in proportion to its arena finds nothing more.
  constexpr std::size_t arena_limit = std::size_t{4} << 20;
  auto run = graph::executor::prepare(m, rules, graph::keep_tensors::outputs, arena_limit);
  if (!run) return run.error();
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const auto& t = m.tensors[static_cast<std::size_t>(m.inputs[i])];
    if (status set = run->set_input(i, analysis::sample_input(t, 1, i).data); !set)
      return set.error();
  }
  run->run();
  std::vector<std::vector<std::byte>> outputs;
  for (const std::int32_t index : m.outputs) {
    const auto bytes = run->value(index).bytes;
    outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return outputs;
}

/// The last byte chooses the target, the others are the file.
[[nodiscard]] inline verdict check_running(std::span<const std::byte> bytes) {
  if (bytes.empty()) return {};
  const auto& all = graph::all_shipped_rules();
  const auto& rules = *all[std::to_integer<std::size_t>(bytes.back()) % all.size()];
  const result<graph::model> m = read_bytes(bytes.first(bytes.size() - 1));
  if (!m) return {reached::refused, fault_of_sentence(m.error().text)};
  constexpr std::int64_t mac_limit = 10'000'000;
  if (graph::macs_of(*m) > mac_limit) return {reached::read, {}};
  const auto first = outputs_of(*m, rules);
  if (!first) return {reached::read, fault_of_sentence(first.error().text)};
  // What was never written differs between two runs, sooner or later.
  const auto second = outputs_of(*m, rules);
  if (!second || *first != *second) return {reached::prepared, "two runs differ"};
  return {reached::prepared, {}};
}

}  // namespace bittwin::test
