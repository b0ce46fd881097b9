// SPDX-License-Identifier: Apache-2.0
// Asks two dumps what would make a comparison of operators meaningless.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump_pair.hpp>
#include <bittwin/analysis/preflight.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// Reals on one side, and on the other the codes that they are rounded to: within half a step, and half a millionth of
/// one for the product of scale and code.
[[nodiscard]] inline bool are_reals_and_their_codes(const recording& a, const recording& b,
                                                    const quantization& map, const measured& m) {
  return m.on_reals && is_integer(a.values.type) != is_integer(b.values.type) &&
         map.scales.size() == 1 && m.metrics.max_abs <= double{map.scales[0]} * 0.5000005;
}

}  // namespace detail

/// One input of the model. Sets `differs`. Reals are the same input as the codes that they are rounded to.
[[nodiscard]] inline status check_input(const dump_pair& dumps, std::int32_t index,
                                        std::vector<finding>& findings, bool& differs) {
  const result<std::optional<recorded_pair>> both = dumps.read(index, findings);
  if (!both) return both.error();
  if (!*both) return ok();
  const auto& [reference, test] = **both;
  const measured m = measure(reference, dumps.reference_map(index), test, dumps.test_map(index));
  differs = !m.metrics.equal();
  if (differs && !detail::are_reals_and_their_codes(reference, test, dumps.test_map(index), m))
    findings.push_back({"INPUT_DIFFERS", "input " + dumps.label(index) + " differs in " +
                                             std::to_string(m.metrics.mismatches) + " of " +
                                             std::to_string(m.metrics.elements) + " elements" +
                                             how_input_differs(reference, test) +
                                             ": give both sides the same input first"});
  return ok();
}

namespace detail {

[[nodiscard]] inline bool are_swapped(const recorded_pair& a, const recorded_pair& b) {
  return a.reference.values.data == b.test.values.data &&
         b.reference.values.data == a.test.values.data &&
         a.reference.values.data != b.reference.values.data;
}

}  // namespace detail

/// Results that changed places, lag a sample behind, or were never written.
[[nodiscard]] inline status check_buffers(const dump_pair& dumps, std::span<const segment> segments,
                                          const graph::model* m, std::vector<finding>& findings) {
  std::vector<recorded_pair> outputs;
  std::vector<finding> unread;  // found again, and said, where the segment is judged
  for (const segment& s : segments) {
    result<std::optional<recorded_pair>> both = dumps.read(s.tensor, unread);
    if (!both) return both.error();
    if (!*both || !is_integer((*both)->reference.values.type) ||
        (*both)->reference.values.type != (*both)->test.values.type)
      continue;
    const auto& [reference, test] = **both;
    const std::string label = dumps.label(s.tensor);
    auto found = find_constant_buffer(reference, test, label);
    if (!found) found = find_stale_buffer(reference, test, label);
    if (!found) found = find_sample_lag(reference, test, label);
    if (found) findings.push_back(std::move(*found));
    if (m != nullptr &&
        std::find(m->outputs.begin(), m->outputs.end(), s.tensor) != m->outputs.end())
      outputs.push_back(std::move(**both));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t k = i + 1; k < outputs.size(); ++k)
      if (detail::are_swapped(outputs[i], outputs[k]))
        findings.push_back({"OUTPUT_ORDER", "outputs " + std::to_string(i) + " and " +
                                                std::to_string(k) +
                                                " have changed places in TEST"});
  return ok();
}

/// Two runs of one board on the same input.
[[nodiscard]] inline status check_determinism(const dump_pair& runs,
                                              std::vector<finding>& findings) {
  for (const std::int32_t index : runs.test().indices()) {
    const result<std::optional<recorded_pair>> both = runs.read(index, findings);
    if (!both) return both.error();
    if (!*both || (*both)->reference.values.data == (*both)->test.values.data) continue;
    findings.push_back({"NONDETERMINISTIC",
                        runs.label(index) +
                            " differs between two runs of the board on the same input: no rule "
                            "explains that; look for a race, or memory that is not written"});
    break;
  }
  return ok();
}

}  // namespace bittwin::analysis::inline v1
