// SPDX-License-Identifier: Apache-2.0
// What a layer with a filter reads for each of its results, added up:  sum (x - zero point) over the window.
#pragma once

#include <bittwin/analysis/clamp_faults.hpp>
#include <bittwin/analysis/model_edit.hpp>
#include <bittwin/analysis/part_run.hpp>
#include <bittwin/analysis/scale_faults.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// The layer with ones for weights, in reals, divided by the input's scale. Empty: the part is no single layer with a
/// constant filter of bytes, or `real` refuses it.
[[nodiscard]] inline std::vector<double> input_sums_of(const graph::model& part,
                                                       const graph::target_rules& real,
                                                       std::span<const recording> operands,
                                                       std::size_t arena_limit) {
  model_edit e(part);
  if (part.operations.size() != 1 || !detail::has_filter(e.op(0)) || e.input(0, 1) == nullptr ||
      !e.input(0, 1)->is_constant() || bytes_of(e.input(0, 1)->type) != 1 ||
      !e.input(0, 0)->quantization.present())
    return {};
  graph::tensor& w = *e.own_input(0, 1);
  w.quantization = {{1.0F}, {0}, 0};
  e.set_constant(w, std::vector<std::int8_t>(static_cast<std::size_t>(w.extents.elements()), 1));
  if (e.op(0).inputs.size() > 2) e.op(0).inputs[2] = graph::no_tensor;
  detail::set_activation(e.op(0), activation::none);
  const auto made = run_part(e.m, real, operands, arena_limit);
  if (!made || made->values.type != element_type::float64) return {};
  std::vector<double> sums(made->values.data.size() / sizeof(double));
  if (!sums.empty()) std::memcpy(sums.data(), made->values.data.data(), made->values.data.size());
  for (double& sum : sums) sum /= double{e.input(0, 0)->quantization.scale()};
  return sums;
}

}  // namespace bittwin::analysis::inline v1
