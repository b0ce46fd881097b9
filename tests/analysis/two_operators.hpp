// SPDX-License-Identifier: Apache-2.0
// A convolution and a RELU behind it (input 0, CONV_2D -> 3, RELU -> 4), and boards that ran it, in memory.
#pragma once

#include <algorithm>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/tflite_builder.hpp"

namespace bittwin::test {

/// Codes of both results: scale 0.1, zero point -28, so RELU changes some of them.
inline constexpr int relu_zero = -28;

[[nodiscard]] inline graph::model two_operators() {
  tflite_description d = small_convolution();
  for (const std::size_t t : {std::size_t{3}, std::size_t{4}})
    d.tensors[t].zero_points = {relu_zero};
  d.operators[0].options[3].value = 0;  // no activation: RELU has something to do
  return *graph::read_tflite(shared_bytes(tflite_builder::build(d)), "two.tflite");
}

[[nodiscard]] inline int code_at(const analysis::array& a, std::size_t i) {
  return static_cast<std::int8_t>(a.data[i]);
}
inline void set_code(analysis::array& a, std::size_t i, int code) {
  a.data[i] = static_cast<std::byte>(code & 0xFF);
}

/// What RELU makes of codes on one grid: max(code, zero point).
[[nodiscard]] inline analysis::array relu_of(analysis::array a) {
  for (std::size_t i = 0; i < a.data.size(); ++i)
    set_code(a, i, std::max(code_at(a, i), relu_zero));
  return a;
}

/// Input 0 and what a target makes of the convolution; RELU by relu_of().
[[nodiscard]] inline analysis::dump::tensors run_of_two(const graph::model& m, std::uint64_t seed) {
  auto run = graph::executor::prepare(m, graph::rules_of<targets::tflite_reference>(),
                                      graph::keep_tensors::all);
  analysis::dump::tensors all;
  all[0] = analysis::sample_input(m.tensors[0], seed, 0);
  if (!run || !run->set_input(0, all[0].data)) return all;
  run->run();
  const graph::tensor_value v = run->value(3);
  all[3] = {v.type, v.extents, {v.bytes.begin(), v.bytes.end()}};
  all[4] = relu_of(all[3]);
  return all;
}

/// A dump on the parameters of `m`, listing what the first sample holds.
[[nodiscard]] inline analysis::dump dump_of(const graph::model& m,
                                            std::vector<analysis::dump::tensors> samples,
                                            const char* name) {
  analysis::manifest description;
  for (const auto& [index, a] : samples.at(0))
    description.tensors.push_back(analysis::describe(m, index));
  return analysis::dump::of(std::move(description), std::move(samples), name);
}

}  // namespace bittwin::test
