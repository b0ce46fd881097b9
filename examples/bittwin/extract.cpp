// SPDX-License-Identifier: Apache-2.0
// bittwin extract: a piece of a model with exact inputs and expected outputs, to be run where the whole cannot.
#include <algorithm>
#include <bittwin/analysis/extract.hpp>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/sha256.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <bittwin/kernel/quantize.hpp>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "inputs.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

namespace fs = std::filesystem;
using analysis::array, analysis::piece;

/// One piece, and what is written of it.
struct written {
  std::string activation;  ///< as asked for; empty: the model's own
  std::string folder;
  std::vector<std::string> inputs, outputs, digests;  ///< files, and SHA-256 of the outputs' data
  std::int64_t elements = 0, differing = 0;           ///< from what the whole model makes there
  graph::file_bytes model;
  std::vector<std::pair<std::string, array>> arrays;  ///< by file name
};

struct choice {
  analysis::cut by = analysis::cut::single;
  std::size_t op = 0;
};

choice chosen_operator(const graph::model& m, const extract_options& o) {
  const std::pair<const std::optional<std::int64_t>*, analysis::cut> flags[] = {
      {&o.op, analysis::cut::single},
      {&o.upto, analysis::cut::prefix},
      {&o.from, analysis::cut::suffix}};
  choice made;
  int given = 0;
  for (const auto& [value, by] : flags) {
    if (!*value) continue;
    ++given;
    made.by = by;
    if (**value < 0 || static_cast<std::size_t>(**value) >= m.operations.size())
      throw refusal(
          fmt::format("{}: there is no operator {}; it has operators 0 to {}, see 'bittwin info'",
                      m.name, **value, static_cast<std::int64_t>(m.operations.size()) - 1));
    made.op = static_cast<std::size_t>(**value);
  }
  if (given != 1) throw refusal("say which operators: one of --op K, --upto K and --from K");
  return made;
}

activation activation_named(const std::string& name) {
  return name == "relu" ? activation::relu : name == "relu6" ? activation::relu6 : activation::none;
}

/// Tensors of the whole model as one run makes them.
std::map<std::int32_t, array> observe(const graph::model& m, const graph::target_rules& rules,
                                      const run_limits& limits, std::vector<array> inputs,
                                      const extract_options& options, const piece& wanted) {
  result<graph::executor> prepared =
      graph::executor::prepare(m, rules, graph::keep_tensors::outputs, limits.arena());
  if (!prepared && prepared.error().code == error_code::too_large)
    throw refusal(prepared.error().text + " with --limit none");
  graph::executor run = must(std::move(prepared));
  if (inputs.empty()) inputs = sample_inputs(m, options.seed);
  for (std::size_t i = 0; i < inputs.size(); ++i) must(run.set_input(i, inputs[i].data));
  std::map<std::int32_t, array> seen;
  const auto keep = [&](std::int32_t index) {
    const bool asked =
        std::find(wanted.from.begin(), wanted.from.end(), index) != wanted.from.end() ||
        std::find(wanted.to.begin(), wanted.to.end(), index) != wanted.to.end();
    if (!asked) return;
    const graph::tensor_value v = run.value(index);
    seen[index] = {v.type, v.extents, {v.bytes.begin(), v.bytes.end()}};
  };
  for (const std::int32_t index : m.inputs) keep(index);
  run.run([&](std::size_t k) {
    interrupt_guard::check();
    for (const std::int32_t index : m.operations[k].outputs) keep(index);
  });
  return seen;
}

array dequantized(const graph::tensor& t, const array& codes) {
  const auto count = static_cast<std::size_t>(codes.extents.elements());
  std::vector<float> reals(count);
  const auto& zeros = t.quantization.zero_points;
  const affine grid{t.quantization.scales[0],
                    zeros.empty() ? 0 : static_cast<std::int32_t>(zeros[0])};
  analysis::with_element(t.type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>) {
      std::vector<T> values(count);
      std::memcpy(values.data(), codes.data.data(), codes.data.size());
      dequantize(std::span<const T>(values), grid, std::span<float>(reals));
    }
  });
  const auto bytes = std::as_bytes(std::span<const float>(reals));
  return {element_type::float32, codes.extents, {bytes.begin(), bytes.end()}};
}

/// Makes the file, reads it back, and runs that: what stands beside it is what it makes. Nothing is written yet.
written run_piece(const graph::model& whole, const piece& codes, const extract_options& options,
                  const graph::target_rules& rules, const std::map<std::int32_t, array>& seen,
                  const std::string& activation, const fs::path& folder) {
  const piece one = options.sandwich ? analysis::in_floats(codes) : codes;
  written w{activation, folder.string(), {}, {}, {}, 0, 0, {}, {}};
  w.model = std::make_shared<const std::vector<std::byte>>(must(graph::write_tflite(one.m)));
  const graph::model m = must(graph::read_tflite(w.model, whole.name));
  auto run = must(graph::executor::prepare(m, rules, graph::keep_tensors::outputs,
                                           run_limits(options.limit).arena()));
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const graph::tensor& t = whole.tensors[static_cast<std::size_t>(one.from[i])];
    const array& recorded = seen.at(one.from[i]);
    const bool converted = m.tensors[static_cast<std::size_t>(m.inputs[i])].type != t.type;
    const array given = converted ? dequantized(t, recorded) : recorded;
    w.inputs.push_back(fmt::format("in{}.npy", i));
    must(run.set_input(i, given.data));
    w.arrays.emplace_back(w.inputs.back(), given);
  }
  run.run();
  for (std::size_t i = 0; i < m.outputs.size(); ++i) {
    const graph::tensor_value v = run.value(m.outputs[i]);
    w.outputs.push_back(fmt::format("out{}.npy", i));
    w.digests.push_back(graph::sha256_hex(v.bytes));
    w.arrays.emplace_back(w.outputs.back(),
                          array{v.type, v.extents, {v.bytes.begin(), v.bytes.end()}});
    const array& recorded = seen.at(one.to[i]);
    const bool converted = v.type != recorded.type;
    const array expected =
        converted ? dequantized(whole.tensors[static_cast<std::size_t>(one.to[i])], recorded)
                  : recorded;
    const std::size_t size = static_cast<std::size_t>(bytes_of(v.type));
    w.elements += v.extents.elements();
    for (std::size_t at = 0; at + size <= v.bytes.size(); at += size)
      w.differing += std::memcmp(v.bytes.data() + at, expected.data.data() + at, size) != 0;
  }
  return w;
}

void write(const written& w) {
  const fs::path folder = w.folder;
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure || !fs::is_directory(folder, failure))
    throw refusal(
        fmt::format("{}: cannot be made a folder; give another path with --out", w.folder));
  must(graph::write_file(folder / "model.tflite", *w.model));
  for (const auto& [name, values] : w.arrays) must(analysis::write_npy_file(folder / name, values));
}

json as_json(const extract_options& options, const piece& one, const std::vector<written>& all,
             const std::vector<std::string>& assumed) {
  json pieces = json::array();
  for (const written& w : all)
    pieces.push_back({{"activation", w.activation.empty() ? json(nullptr) : json(w.activation)},
                      {"folder", w.folder},
                      {"inputs", w.inputs},
                      {"outputs", w.outputs},
                      {"sha256", w.digests},
                      {"elements", w.elements},
                      {"differing", w.differing}});
  return {{"ops", one.ops},           {"from", one.from},   {"to", one.to},
          {"target", options.target}, {"assumed", assumed}, {"pieces", pieces}};
}

void print(const graph::model& m, const extract_options& options, const piece& one,
           const std::vector<written>& all, const std::vector<std::string>& assumed) {
  fmt::print("{}  {} of {} operators, target {}\n", bold(m.name), one.ops.size(),
             m.operations.size(), options.target);
  for (const std::string& text : assumed) fmt::print("assumed  {}\n", text);
  if (options.verbose)
    for (const std::int32_t k : one.ops)
      fmt::print("         {}\n", operator_label(m, static_cast<std::size_t>(k)));
  for (const written& w : all) {
    fmt::print("{}  model.tflite", bold(w.folder));
    for (std::size_t i = 0; i < w.inputs.size(); ++i)
      fmt::print("  {} = {}", w.inputs[i], tensor_label(m, one.from[i]));
    for (std::size_t i = 0; i < w.outputs.size(); ++i)
      fmt::print("  {} = {}", w.outputs[i], tensor_label(m, one.to[i]));
    fmt::print("\n");
    if (!w.activation.empty())
      fmt::print("         with the activation {}: {} of {} elements differ from the model's own\n",
                 w.activation, w.differing, w.elements);
    else if (w.differing != 0)
      fmt::print("         alone it makes other integers than in the model: {} of {} elements\n",
                 w.differing, w.elements);
  }
}

}  // namespace

int extract(const extract_options& options) {
  const chosen_target chosen = choose_target(options.target, options.assume);
  if (chosen.rules->is_real)
    throw refusal(fmt::format(
        "target {} makes reals and no codes to check a board by; give another with --target",
        options.target));
  const graph::model m = must(graph::read_tflite_file(options.model));
  const choice asked = chosen_operator(m, options);
  const run_limits limits(options.limit);
  limits.check_macs(m);
  std::vector<array> inputs = read_inputs(m, options.inputs);
  const piece own = must(analysis::extract(m, asked.by, asked.op));
  std::vector<std::pair<std::string, piece>> pieces;
  for (const std::string& name : options.activations)
    pieces.emplace_back(name,
                        must(analysis::with_activation(own, asked.op, activation_named(name))));
  if (pieces.empty()) pieces.emplace_back("", own);
  const interrupt_guard guard;
  const auto seen = observe(m, *chosen.rules, limits, std::move(inputs), options, own);
  std::vector<written> all;
  for (const auto& [name, one] : pieces)
    all.push_back(
        run_piece(m, one, options, *chosen.rules, seen, name, fs::path(options.out) / name));
  for (const written& w : all) write(w);
  if (options.json)
    print_json(as_json(options, own, all, chosen.assumed));
  else
    print(m, options, own, all, chosen.assumed);
  return std::any_of(all.begin(), all.end(),
                     [](const written& w) { return w.activation.empty() && w.differing != 0; })
             ? something_found
             : nothing_found;
}

}  // namespace bittwin::cli
