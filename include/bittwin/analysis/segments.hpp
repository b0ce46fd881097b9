// SPDX-License-Identifier: Apache-2.0
// Divides a model between the tensors that two dumps recorded: which operators make which tensor
// from which.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/graph/model.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// What the manifests say of a tensor, REF's first; or null.
[[nodiscard]] inline const manifest_tensor* entry_of(std::int32_t index, const dump& reference,
                                                     const dump& test) noexcept {
  const manifest_tensor* const said = reference.entry(index);
  return said != nullptr ? said : test.entry(index);
}

/// One segment for each operator output. What was not recorded on both sides keeps the verdict
/// not_observed, and its operators count to the segments that read it.
[[nodiscard]] inline std::vector<segment> segments_of(const graph::model& m, const dump& reference,
                                                      const dump& test) {
  std::vector<segment> segments;
  std::map<std::int32_t, segment> hidden;  // by tensor
  for (std::size_t k = 0; k < m.operations.size(); ++k) {
    const graph::operation& op = m.operations[k];
    std::set<std::int32_t> ops{static_cast<std::int32_t>(k)};
    std::set<std::int32_t> from;
    for (const std::int32_t index : op.inputs) {
      if (index == graph::no_tensor || m.tensors[static_cast<std::size_t>(index)].is_constant())
        continue;
      if (const auto before = hidden.find(index); before != hidden.end()) {
        ops.insert(before->second.ops.begin(), before->second.ops.end());
        from.insert(before->second.from.begin(), before->second.from.end());
      } else {
        from.insert(index);
      }
    }
    for (const std::int32_t index : op.outputs) {
      segment s;
      s.ops.assign(ops.begin(), ops.end());
      s.from.assign(from.begin(), from.end());
      s.label = op.label;
      s.tensor = index;
      s.name = m.tensors[static_cast<std::size_t>(index)].name;
      if (!reference.has(index) || !test.has(index)) hidden.emplace(index, s);
      segments.push_back(std::move(s));
    }
  }
  return segments;
}

/// Without a model: one segment for each recorded tensor that a manifest does not call an input, in
/// the order of the manifest's operators.
[[nodiscard]] inline std::vector<segment> segments_of(const dump& reference, const dump& test) {
  std::set<std::int32_t> indices;
  for (const dump* d : {&reference, &test})
    for (const std::int32_t index : d->indices()) indices.insert(index);
  std::vector<segment> segments;
  for (const std::int32_t index : indices) {
    const manifest_tensor* const said = entry_of(index, reference, test);
    if (said != nullptr && !said->op_index) continue;
    segment s;
    s.tensor = index;
    if (said != nullptr) {
      s.name = said->name;
      s.label = said->op;
      s.ops.push_back(*said->op_index);
    }
    segments.push_back(std::move(s));
  }
  std::stable_sort(segments.begin(), segments.end(),
                   [](const segment& a, const segment& b) { return a.ops < b.ops; });
  return segments;
}

/// The model's inputs, as the model or else the manifests tell.
[[nodiscard]] inline std::vector<std::int32_t> inputs_of(const graph::model* m,
                                                         const dump& reference, const dump& test) {
  if (m != nullptr) return m->inputs;
  std::vector<std::int32_t> inputs;
  for (const std::int32_t index : reference.indices())
    if (const manifest_tensor* said = entry_of(index, reference, test);
        said != nullptr && !said->op_index)
      inputs.push_back(index);
  return inputs;
}

}  // namespace bittwin::analysis::inline v1
