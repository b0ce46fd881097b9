// SPDX-License-Identifier: Apache-2.0
// How a piece is cut out of a model: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/extract.hpp>
#include <bittwin/analysis/model_edit.hpp>
#include <bittwin/types/sentence.hpp>
#include <map>
#include <set>
#include <utility>
#include <variant>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// Operators of the piece, ascending.
[[nodiscard]] inline std::vector<std::int32_t> operators_in(const graph::model& whole, cut by,
                                                            std::size_t k) {
  std::vector<std::int32_t> ops;
  if (by == cut::suffix) {
    for (std::size_t i = k; i < whole.operations.size(); ++i)
      ops.push_back(static_cast<std::int32_t>(i));
    return ops;
  }
  ops.push_back(static_cast<std::int32_t>(k));
  if (by == cut::single) return ops;
  // Backwards: an operator before k is needed where something needed reads what it writes.
  std::set<std::int32_t> read(whole.operations[k].inputs.begin(), whole.operations[k].inputs.end());
  for (std::size_t i = k; i-- > 0;) {
    const graph::operation& op = whole.operations[i];
    if (std::none_of(op.outputs.begin(), op.outputs.end(),
                     [&](std::int32_t made) { return read.count(made) != 0; }))
      continue;
    ops.push_back(static_cast<std::int32_t>(i));
    read.insert(op.inputs.begin(), op.inputs.end());
  }
  std::reverse(ops.begin(), ops.end());
  return ops;
}

/// What the piece reads and does not make.
[[nodiscard]] inline std::vector<std::int32_t> inputs_of_piece(
    const graph::model& whole, const std::vector<std::int32_t>& ops) {
  std::set<std::int32_t> made;
  std::vector<std::int32_t> from;
  for (const std::int32_t k : ops) {
    const graph::operation& op = whole.operations[static_cast<std::size_t>(k)];
    for (const std::int32_t index : op.inputs) {
      if (index == graph::no_tensor || made.count(index) != 0) continue;
      const graph::tensor& t = whole.tensors[static_cast<std::size_t>(index)];
      if (t.is_constant() || t.variable) continue;
      if (std::find(from.begin(), from.end(), index) == from.end()) from.push_back(index);
    }
    made.insert(op.outputs.begin(), op.outputs.end());
  }
  return from;
}

/// What the operator k makes; of a suffix, the outputs of the model that it makes.
[[nodiscard]] inline std::vector<std::int32_t> outputs_of_piece(
    const graph::model& whole, cut by, std::size_t k, const std::vector<std::int32_t>& ops) {
  if (by != cut::suffix) return whole.operations[k].outputs;
  std::vector<std::int32_t> to;
  for (const std::int32_t index : whole.outputs)
    for (const std::int32_t op : ops) {
      const auto& outputs = whole.operations[static_cast<std::size_t>(op)].outputs;
      if (std::find(outputs.begin(), outputs.end(), index) != outputs.end()) to.push_back(index);
    }
  return to;
}

[[nodiscard]] inline bool has_codes(const graph::tensor& t) noexcept {
  return !t.quantization.scales.empty() &&
         (t.type == element_type::int8 || t.type == element_type::uint8 ||
          t.type == element_type::int16);
}

}  // namespace detail

result<piece> extract(const graph::model& whole, cut by, std::size_t k) {
  piece made;
  made.ops = detail::operators_in(whole, by, k);
  made.from = detail::inputs_of_piece(whole, made.ops);
  made.to = detail::outputs_of_piece(whole, by, k, made.ops);
  if (made.from.empty() || made.to.empty())
    return error{error_code::unsupported,
                 sentence({whole.name, ": operator ", number(static_cast<std::int64_t>(k)), " ",
                           whole.operations[k].label, " ",
                           made.from.empty() ? "computes from constants alone"
                                             : "makes no output of the model",
                           "; extract another one"})};
  made.m = part_of(whole, made.ops, made.from, made.to);
  return made;
}

result<piece> with_activation(piece of, std::size_t k, activation fused) {
  const auto at = std::find(of.ops.begin(), of.ops.end(), static_cast<std::int32_t>(k));
  graph::operation& op = of.m.operations[static_cast<std::size_t>(at - of.ops.begin())];
  const bool replaced = std::visit(
      [fused](auto& options) {
        if constexpr (requires { options.fused = fused; }) {
          options.fused = fused;
          return true;
        }
        return false;
      },
      static_cast<graph::any_operator_options&>(op.options));
  if (!replaced)
    return error{error_code::bad_option,
                 sentence({of.m.name, ": operator ", number(static_cast<std::int64_t>(k)), " ",
                           op.label, " has no fused activation; leave --activation out"})};
  return of;
}

piece in_floats(piece of) {
  std::map<std::int32_t, std::int32_t> floats;
  const auto float_of = [&](std::int32_t codes) {
    graph::tensor t = of.m.tensors[static_cast<std::size_t>(codes)];
    t.name += "/float";
    t.type = element_type::float32;
    t.quantization = {};
    of.m.tensors.push_back(std::move(t));
    return static_cast<std::int32_t>(of.m.tensors.size()) - 1;
  };
  const auto converts = [](graph::operator_code code, std::int32_t from, std::int32_t to) {
    graph::operation op = make_operation(code);
    op.inputs = {from};
    op.outputs = {to};
    return op;
  };
  for (std::int32_t& input : of.m.inputs) {
    if (!detail::has_codes(of.m.tensors[static_cast<std::size_t>(input)])) continue;
    const std::int32_t real = float_of(input);
    of.m.operations.insert(of.m.operations.begin(),
                           converts(graph::operator_code::quantize, real, input));
    input = real;
  }
  for (std::int32_t& output : of.m.outputs) {
    if (!detail::has_codes(of.m.tensors[static_cast<std::size_t>(output)])) continue;
    const auto [at, is_new] = floats.emplace(output, 0);
    if (is_new) {
      at->second = float_of(output);
      of.m.operations.push_back(converts(graph::operator_code::dequantize, output, at->second));
    }
    output = at->second;
  }
  return of;
}

}  // namespace bittwin::analysis::inline v1
