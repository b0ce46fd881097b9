// SPDX-License-Identifier: Apache-2.0
// What the library makes on a dump's inputs, to tell readings and tensors of the dump apart by their values.
//   correlation = sum (x - mean x)(r - mean r) / sqrt(sum (x - mean x)^2 sum (r - mean r)^2)   blind to scale and offset
//   error       = sqrt( sum (x - r)^2 / sum (r - mean r)^2 )                                   not blind to them
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// Reals of every tensor that a run makes, inputs included.
using reference_reals = std::map<std::int32_t, std::vector<double>>;

struct agreement {
  double correlation = 0;
  double error = 0;
};

/// Where one side is constant there is no correlation: 1 where both are the same constant, else 0.
/// Precondition: equal lengths.
[[nodiscard]] inline agreement agreement_of(std::span<const double> x, std::span<const double> r) {
  if (x.empty()) return {};
  double mean_x = 0, mean_r = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i];
    mean_r += r[i];
  }
  mean_x /= static_cast<double>(x.size());
  mean_r /= static_cast<double>(x.size());
  double xx = 0, rr = 0, xr = 0, apart = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    rr += (r[i] - mean_r) * (r[i] - mean_r);
    xr += (x[i] - mean_x) * (r[i] - mean_r);
    apart += (x[i] - r[i]) * (x[i] - r[i]);
    size += r[i] * r[i];
  }
  // Sums of rounding errors are no variance.
  if (rr <= 1e-12 * size || xx <= 1e-12 * size) {
    const bool same = apart <= 1e-12 * size;
    return {same ? 1.0 : 0.0, same ? 0.0 : 1.0};
  }
  return {xr / std::sqrt(xx * rr), std::sqrt(apart / rr)};
}

/// Runs the model on `inputs`, in its order and its types.
/// errors  what the executor refuses
[[nodiscard]] inline result<reference_reals> run_reference(const graph::model& m,
                                                           const graph::target_rules& rules,
                                                           std::size_t arena_limit,
                                                           const std::vector<array>& inputs) {
  result<graph::executor> run =
      graph::executor::prepare(m, rules, graph::keep_tensors::outputs, arena_limit);
  if (!run) return run.error();
  reference_reals made;
  const auto keep = [&](std::int32_t index) {
    const graph::tensor_value v = run->value(index);
    graph::tensor t;
    t.type = v.type;
    t.extents = v.extents;
    if (is_integer(v.type))
      t.quantization = m.tensors[static_cast<std::size_t>(index)].quantization;
    made[index] = graph::reals_of(t, v.bytes);
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (status set = run->set_input(i, inputs[i].data); !set) return set.error();
    keep(m.inputs[i]);
  }
  run->run([&](std::size_t k) {
    for (const std::int32_t index : m.operations[k].outputs) keep(index);
  });
  return made;
}

}  // namespace bittwin::analysis::inline v1
