// SPDX-License-Identifier: Apache-2.0
// How an element is explained: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/explain.hpp>
#include <bittwin/analysis/probed_rules.hpp>
#include <bittwin/graph/delegated_rules.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/types/sentence.hpp>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// The code of one element, of 8, 16, 32 or 64 bits; empty for floats.
[[nodiscard]] inline std::string element_text(const graph::tensor_value& v, std::int64_t element) {
  const auto size = static_cast<std::size_t>(bytes_of(v.type));
  const std::byte* const at = v.bytes.data() + static_cast<std::size_t>(element) * size;
  if (is_floating(v.type) || size == 0 || size > 8) return {};
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) bits |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
  if (v.type == element_type::uint8 || size == 8)
    return std::to_string(static_cast<std::int64_t>(bits));
  const int unused = 64 - 8 * static_cast<int>(size);
  return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

/// One operator as a model: what it reads are the inputs.
[[nodiscard]] inline graph::model alone(const graph::model& m, const graph::operation& op) {
  graph::model one = m;
  one.operations = {op};
  one.outputs = op.outputs;
  one.inputs.clear();
  for (const std::int32_t x : op.inputs)
    if (x != graph::no_tensor && !m.tensors[static_cast<std::size_t>(x)].is_constant())
      one.inputs.push_back(x);
  return one;
}

[[nodiscard]] inline result<explained> explain_one(const graph::model& m,
                                                   const graph::operation& op, std::int32_t tensor,
                                                   std::int64_t element,
                                                   const operand_function& operands,
                                                   const graph::target_rules& rules) {
  const graph::delegated_rules chosen =
      graph::rules_for(m, op, rules, graph::abandoned_because(m, rules));
  const graph::model one = alone(m, op);
  const rules_alone scalar;
  const graph::target_rules table = watched(*chosen.rules);
  auto run = graph::executor::prepare(one, table, graph::keep_tensors::all);
  if (!run) return run.error();
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    auto bytes = operands(one.inputs[i]);
    if (!bytes) return bytes.error();
    if (auto s = run->set_input(i, *bytes); !s) return s.error();
  }
  watching.wanted = element;
  watching.seen = 0;
  watching.stages.clear();
  run->run();
  explained made{chosen.as, std::move(watching.stages)};
  watching = {};
  made.stages.push_back({"code", element_text(run->value(tensor), element)});
  return made;
}

}  // namespace detail

result<explanation> explain(const graph::model& m, std::int32_t tensor, std::int64_t element,
                            const operand_function& operands, const graph::target_rules& first,
                            const graph::target_rules& second) {
  if (tensor < 0 || static_cast<std::size_t>(tensor) >= m.tensors.size())
    return error{error_code::bad_option,
                 sentence({m.name, ": there is no tensor ", number(tensor)})};
  const std::int64_t elements = m.tensors[static_cast<std::size_t>(tensor)].extents.elements();
  if (element < 0 || element >= elements)
    return error{error_code::bad_option,
                 sentence({m.name, ": tensor ", number(tensor), " has ", number(elements),
                           " elements, and ", number(element), " is none of them"})};
  for (std::size_t k = 0; k < m.operations.size(); ++k)
    for (const std::int32_t written : m.operations[k].outputs) {
      if (written != tensor) continue;
      auto a = detail::explain_one(m, m.operations[k], tensor, element, operands, first);
      if (!a) return a.error();
      auto b = detail::explain_one(m, m.operations[k], tensor, element, operands, second);
      if (!b) return b.error();
      explanation made{k, std::move(*a), std::move(*b), std::nullopt};
      const std::size_t stages = std::min(made.first.stages.size(), made.second.stages.size());
      for (std::size_t i = 0; i < stages && !made.parts_at; ++i)
        if (!(made.first.stages[i] == made.second.stages[i]) &&
            // Two ways to hold one multiplier do not part by themselves.
            made.first.stages[i].name != "multiplier")
          made.parts_at = i;
      return made;
    }
  return error{error_code::bad_option,
               sentence({m.name, ": no operator writes tensor ", number(tensor)})};
}

}  // namespace bittwin::analysis::inline v1
