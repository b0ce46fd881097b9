// SPDX-License-Identifier: Apache-2.0
// How recorded inputs are run: compiled once, with bittwin::analysis.
#pragma once

#include <bittwin/analysis/recorded_run.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

[[nodiscard]] inline result<array> recorded_input(const graph::model& m, std::int32_t index,
                                                  const dump& recorded, std::size_t sample) {
  const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
  if (!recorded.has(index, sample))
    return error{error_code::bad_file,
                 sentence({recorded.folder().string(), ": did not record the input tensor ",
                           number(index), " ", graph::printable_name(t.name), " of ", m.name,
                           "; put ", dump_file_name(index), " there"})};
  result<array> a = recorded.read(index, sample);
  if (a && (a->type != t.type || a->extents != t.extents))
    return error{
        error_code::bad_shape,
        sentence({recorded.folder().string(), ": tensor ", number(index), " is ", name_of(a->type),
                  to_string(a->extents), ", but in ", m.name, " it is ", name_of(t.type),
                  to_string(t.extents), "; give the model that the dump was made with"})};
  return a;
}

}  // namespace detail

result<dump> run_recorded(const graph::model& m, const graph::target_rules& target,
                          const dump& recorded, std::size_t arena_limit, std::string name) {
  result<graph::executor> run =
      graph::executor::prepare(m, target, graph::keep_tensors::outputs, arena_limit);
  if (!run) return run.error();
  std::set<std::int32_t> wanted(m.outputs.begin(), m.outputs.end());
  for (const std::int32_t index : recorded.indices()) wanted.insert(index);
  std::vector<dump::tensors> samples(recorded.samples().size());
  manifest description;
  description.model = m.name;
  description.sha256 = m.sha256;
  for (std::size_t sample = 0; sample < samples.size(); ++sample) {
    dump::tensors& to = samples[sample];
    run->reset_variables();
    for (std::size_t n = 0; n < m.inputs.size(); ++n) {
      result<array> given = detail::recorded_input(m, m.inputs[n], recorded, sample);
      if (!given) return given.error();
      if (status set = run->set_input(n, given->data); !set) return set.error();
      to[m.inputs[n]] = std::move(*given);
    }
    run->run([&](std::size_t k) {
      for (const std::int32_t index : m.operations[k].outputs) {
        if (wanted.count(index) == 0) continue;
        const graph::tensor_value v = run->value(index);
        to[index] = {v.type, v.extents, {v.bytes.begin(), v.bytes.end()}};
      }
    });
  }
  if (!samples.empty())
    for (const auto& [index, made] : samples[0]) {
      description.tensors.push_back(describe(m, index));
      description.tensors.back().type = made.type;
    }
  return dump::of(std::move(description), std::move(samples), std::move(name));
}

}  // namespace bittwin::analysis::inline v1
