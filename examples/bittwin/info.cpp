// SPDX-License-Identifier: Apache-2.0
// bittwin info: what a model holds. Models with operators that nothing here runs are described too.
#include <bittwin/graph/arena_plan.hpp>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/support.hpp>
#include <map>
#include <string>
#include <variant>

#include "limits.hpp"
#include "options_json.hpp"
#include "proofs.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

/// What each shipped target says to each operator. Not asked of models that nothing here would run.
struct support_table {
  std::string not_asked;  ///< why, if so
  std::vector<std::vector<graph::operator_support>> targets;
};

support_table ask_targets(const graph::model& m) {
  support_table table{why_not_asked(m), {}};
  if (table.not_asked.empty())
    for (const graph::target_rules* rules : graph::all_shipped_rules())
      table.targets.push_back(graph::support_of(m, *rules));
  return table;
}

/// Of one operator: "xnnpack": {"as": "tflite-builtin (left by xnnpack: no bias)"} or {"refused": "..."}
json support_json(const support_table& table, std::size_t k) {
  json object = json::object();
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    const graph::operator_support& one = table.targets[t][k];
    json& entry = object[std::string(graph::all_shipped_rules()[t]->name)];
    if (one.refused)
      entry["refused"] = one.refused->text;
    else
      entry["as"] = one.as;
  }
  return object;
}

void print_support(const graph::model& m, const support_table& table) {
  if (!table.not_asked.empty())
    return fmt::print("{:<9} not asked: {}\n", "targets", table.not_asked);
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    std::size_t left = 0;
    std::vector<std::string> refusals;
    for (const graph::operator_support& one : table.targets[t])
      if (one.refused)
        refusals.push_back(one.refused->text);
      else
        left += one.as != graph::all_shipped_rules()[t]->name;
    const std::size_t all = m.operations.size();
    fmt::print("{:<9} {:<24} runs {} of {}{}\n", t == 0 ? "targets" : "",
               graph::all_shipped_rules()[t]->name, all - refusals.size(), all,
               left > 0 ? fmt::format(", {} left to the kernels behind it", left) : "");
    if (!refusals.empty())
      fmt::print("{:<9} {:<24} {}{}\n", "", "", refusals[0],
                 refusals.size() > 1 ? fmt::format(" (and {} more)", refusals.size() - 1) : "");
  }
}

json tensor_json(const graph::model& m, std::int32_t index) {
  const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
  return {{"index", index},
          {"name", t.name},
          {"dtype", name_of(t.type)},
          {"shape", shape_json(t.extents)},
          {"constant", t.is_constant()},
          {"variable", t.variable},
          {"scale", t.quantization.scales},
          {"zero_point", t.quantization.zero_points},
          {"quantized_dimension", t.quantization.axis}};
}

json as_json(const graph::model& m, std::int64_t arena, const support_table& support) {
  json operators = json::array();
  for (std::size_t k = 0; k < m.operations.size(); ++k) {
    const graph::operation& op = m.operations[k];
    operators.push_back(
        {{"index", k},
         {"op", op.label},
         {"version", op.version},
         {"supported", graph::arity_of(op).has_value()},
         {"nearest",
          graph::arity_of(op) ? "" : graph::nearest_operator(static_cast<std::int32_t>(op.code))},
         {"targets", support_json(support, k)},
         {"inputs", op.inputs},
         {"outputs", op.outputs},
         {"options", options_json(op.options)},
         {"macs", graph::macs_of(m, op)}});
  }
  json tensors = json::array();
  for (std::size_t i = 0; i < m.tensors.size(); ++i)
    tensors.push_back(tensor_json(m, static_cast<std::int32_t>(i)));
  return {{"model", m.name},
          {"sha256", m.sha256},
          {"bytes", m.storage->size()},
          {"description", m.description},
          {"inputs", m.inputs},
          {"outputs", m.outputs},
          {"operators", operators},
          {"tensors", tensors},
          {"macs", graph::macs_of(m)},
          {"constant_bytes", graph::constant_bytes_of(m)},
          {"arena", arena}};
}

/// "scale 0.584702909 zero point 83", "64 scales along axis 0"
std::string quantization_text(const graph::tensor& t) {
  const quantization& q = t.quantization;
  if (!q.present()) return {};
  if (q.per_channel()) return fmt::format("{} scales along axis {}", q.scales.size(), q.axis);
  return fmt::format("scale {:.9g} zero point {}", q.scales[0], q.zero_points[0]);
}

void print_tensor(const graph::model& m, std::string_view role, std::int32_t index) {
  const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
  fmt::print("{:<9} {:<36} {:<20} {}\n", role, tensor_label(m, index), type_and_shape(t),
             quantization_text(t));
}

std::string indices_text(const std::vector<std::int32_t>& indices) {
  std::string text;
  for (const std::int32_t i : indices)
    text += (text.empty() ? "" : ",") + (i == graph::no_tensor ? "-" : std::to_string(i));
  return text;
}

void print_operators(const graph::model& m) {
  fmt::print("\noperators\n");
  for (std::size_t k = 0; k < m.operations.size(); ++k) {
    const graph::operation& op = m.operations[k];
    const graph::tensor& out =
        m.tensors[static_cast<std::size_t>(op.outputs.empty() ? 0 : op.outputs[0])];
    fmt::print("{:>5} {:<20} {:>14} -> {:<8} {:<22} {}\n", k, op.label, indices_text(op.inputs),
               indices_text(op.outputs), op.outputs.empty() ? "" : type_and_shape(out),
               options_text(op.options));
  }
  fmt::print("\ntensors\n");
  for (std::size_t i = 0; i < m.tensors.size(); ++i)
    print_tensor(m,
                 m.tensors[i].is_constant() ? "constant"
                 : m.tensors[i].variable    ? "variable"
                                            : "",
                 static_cast<std::int32_t>(i));
}

void print(const graph::model& m, std::int64_t arena, const support_table& support, bool verbose) {
  fmt::print("{}  {} bytes  sha256 {}\n", bold(m.name),
             grouped(static_cast<std::int64_t>(m.storage->size())), m.sha256);
  if (!m.description.empty())
    fmt::print("{:<9} {}\n", "made by", graph::printable_name(m.description));
  for (const std::int32_t i : m.inputs) print_tensor(m, "input", i);
  for (const std::int32_t i : m.outputs) print_tensor(m, "output", i);
  std::map<std::string, int> counts;
  for (const graph::operation& op : m.operations) ++counts[op.label];
  std::string list;
  for (const auto& [label, count] : counts)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, label);
  fmt::print("{:<9} {}: {}\n", "operators", m.operations.size(), list);
  fmt::print("{:<9} {} MAC, {} bytes of constants, {} bytes of arena\n", "size",
             grouped(graph::macs_of(m)), grouped(graph::constant_bytes_of(m)), grouped(arena));
  print_support(m, support);
  if (verbose) print_operators(m);
}

}  // namespace

int info(const info_options& options) {
  const graph::model m = must(graph::read_tflite_file(options.model));
  const auto arena = static_cast<std::int64_t>(graph::arena_bytes_of(m));
  const support_table support = ask_targets(m);
  if (options.json) {
    json all = as_json(m, arena, support);
    if (options.proofs) all["proofs"] = proofs_json(m, target_named(options.target));
    print_json(all);
    return nothing_found;
  }
  print(m, arena, support, options.verbose);
  if (options.proofs) print_proofs(m, target_named(options.target));
  return nothing_found;
}

}  // namespace bittwin::cli
