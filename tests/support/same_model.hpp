// SPDX-License-Identifier: Apache-2.0
// Whether two models are the same in all that they say; the files they came from may differ.
#pragma once

#include <algorithm>
#include <bittwin/graph/model.hpp>
#include <span>
#include <string>

namespace bittwin::test {

[[nodiscard]] inline bool same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// Empty, or what differs first: "tensor 3", "options of operator 0".
[[nodiscard]] inline std::string difference_of(const graph::model& a, const graph::model& b) {
  if (a.tensors.size() != b.tensors.size()) return "number of tensors";
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    const graph::tensor &x = a.tensors[i], &y = b.tensors[i];
    if (x.name != y.name || x.type != y.type || !(x.extents == y.extents) ||
        !(x.quantization == y.quantization) || x.variable != y.variable ||
        !same_bytes(x.constant, y.constant))
      return "tensor " + std::to_string(i);
  }
  if (a.operations.size() != b.operations.size()) return "number of operators";
  for (std::size_t k = 0; k < a.operations.size(); ++k) {
    const graph::operation &x = a.operations[k], &y = b.operations[k];
    if (x.code != y.code || x.label != y.label || x.custom_name != y.custom_name ||
        x.version != y.version)
      return "code of operator " + std::to_string(k);
    if (x.inputs != y.inputs || x.outputs != y.outputs || x.intermediates != y.intermediates)
      return "tensors of operator " + std::to_string(k);
    if (!(x.options == y.options) || !same_bytes(x.custom_options, y.custom_options))
      return "options of operator " + std::to_string(k);
  }
  if (a.inputs != b.inputs) return "inputs";
  if (a.outputs != b.outputs) return "outputs";
  if (a.description != b.description) return "description";
  return {};
}

}  // namespace bittwin::test
