// SPDX-License-Identifier: Apache-2.0
// A model on the scales and zero points that a board says it used; biases move to the accumulators' new scale.
//   bias'[c] = round(bias[c] * scale / scale'),   scale' = input' * weight[c]
#pragma once

#include <algorithm>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/model_edit.hpp>
#include <bittwin/analysis/scale_faults.hpp>
#include <bittwin/graph/constant.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bittwin::analysis::inline v1 {

struct board_model {
  model_edit edit;
  bool differs = false;  ///< from the model's own parameters, in any computed tensor
};

[[nodiscard]] inline board_model with_board_parameters(const graph::model& m, const dump& board) {
  board_model b{model_edit(m), false};
  graph::model& to = b.edit.m;
  for (std::size_t i = 0; i < to.tensors.size(); ++i) {
    graph::tensor& t = to.tensors[i];
    const manifest_tensor* const said = board.entry(static_cast<std::int32_t>(i));
    if (said == nullptr || t.is_constant() || !said->quantization.present() ||
        !t.quantization.present() || said->quantization == t.quantization)
      continue;
    t.quantization = said->quantization;
    b.differs = true;
  }
  if (!b.differs) return b;
  for (std::size_t k = 0; k < to.operations.size(); ++k) {
    if (!detail::has_filter(to.operations[k])) continue;
    const graph::tensor* const bias = b.edit.input(k, 2);
    const quantization& from =
        m.tensors[static_cast<std::size_t>(m.operations[k].inputs[0])].quantization;
    const quantization& now = b.edit.input(k, 0)->quantization;
    if (bias == nullptr || !bias->is_constant() || bias->type != element_type::int32 ||
        !from.present() || !now.present() || from.scale() == now.scale())
      continue;
    const double by = double{from.scale()} / double{now.scale()};
    std::vector<std::int32_t> values = graph::constant_as<std::int32_t>(*bias);
    for (std::int32_t& v : values)
      v = static_cast<std::int32_t>(
          std::clamp(std::round(v * by), double{INT32_MIN}, double{INT32_MAX}));
    graph::tensor& own = *b.edit.own_input(k, 2);
    for (float& scale : own.quantization.scales) scale = static_cast<float>(scale / by);
    b.edit.set_constant(own, values);
  }
  return b;
}

}  // namespace bittwin::analysis::inline v1
