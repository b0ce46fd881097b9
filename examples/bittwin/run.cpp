// SPDX-License-Identifier: Apache-2.0
// bittwin run: one model, one input, every integer of a target; outputs, dumps, hashes.
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/analysis/run_page.hpp>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/sha256.hpp>
#include <bittwin/parallel/thread_pool.hpp>
#include <bittwin/version.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

using analysis::array;
using analysis::array_view;

array_view view_of(const graph::executor& run, std::int32_t index) {
  const graph::tensor_value value = run.value(index);
  return {value.type, value.extents, value.bytes};
}

struct outcome {
  double seconds = 0;
  std::vector<std::string> digests;  ///< of the outputs
};

/// Runs, dumps each tensor as it is made, and puts files in place when all has succeeded.
outcome execute(const run_options& options, const graph::model& m, graph::executor& run,
                const std::vector<array>& inputs, const std::vector<std::string>& assumed) {
  const interrupt_guard guard;
  const auto pool = must(thread_pool::start(options.threads));
  std::optional<analysis::run_page> page;
  if (!options.html.empty()) page.emplace(m, options.target, assumed);
  std::optional<analysis::dump_writer> dump;
  if (!options.dump.empty())
    dump.emplace(must(analysis::dump_writer::create(
        options.dump, m,
        options.target + (options.assume.empty() ? "" : ", assuming " + options.assume),
        std::string(version))));
  for (std::size_t i = 0; i < inputs.size(); ++i) must(run.set_input(i, inputs[i].data));
  if (dump)
    for (const std::int32_t index : m.inputs) must(dump->add(index, view_of(run, index)));

  progress bar(static_cast<double>(graph::macs_of(m)));
  outcome result;
  const auto start = std::chrono::steady_clock::now();
  const auto observe = [&](std::size_t k) {
    interrupt_guard::check();
    bar.advance(static_cast<double>(graph::macs_of(m, m.operations[k])));
    for (const std::int32_t index : m.operations[k].outputs) {
      if (dump) must(dump->add(index, view_of(run, index)));
      if (page) page->add(k, index, view_of(run, index), run.ran_as(k));
    }
  };
  run.run(observe, pool->parallel());
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  for (const std::int32_t index : m.outputs)
    result.digests.push_back(graph::sha256_hex(run.value(index).bytes));
  if (page) must(analysis::write_page_file(options.html, page->finish()));
  if (dump) must(dump->finish());
  for (std::size_t i = 0; i < options.outputs.size(); ++i)
    must(analysis::write_npy_file(options.outputs[i], view_of(run, m.outputs[i])));
  return result;
}

void print(const run_options& options, const graph::model& m, const graph::executor& run,
           const outcome& result, const std::vector<std::string>& assumed) {
  if (options.verbose)
    for (std::size_t k = 0; k < m.operations.size(); ++k)
      fmt::print("{:>4} {:<20} {}\n", k, m.operations[k].label, run.ran_as(k));
  fmt::print("{}  target {}  {} MAC  {} bytes of arena  {:.3f} s\n", bold(m.name), options.target,
             grouped(graph::macs_of(m)), grouped(static_cast<std::int64_t>(run.arena_bytes())),
             result.seconds);
  for (const std::string& text : assumed) fmt::print("assumed  {}\n", text);
  if (options.inputs.empty())
    fmt::print("input    random codes over the whole type, floats in [-1, 1), seed {}\n",
               options.seed);
  for (std::size_t i = 0; i < m.outputs.size(); ++i)
    fmt::print("output   {}  {}  sha256 {}{}\n", tensor_label(m, m.outputs[i]),
               type_and_shape(m.tensors[static_cast<std::size_t>(m.outputs[i])]), result.digests[i],
               i < options.outputs.size() ? "  " + options.outputs[i] : "");
  if (!options.dump.empty()) fmt::print("dump     {}\n", options.dump);
  if (!options.html.empty()) fmt::print("page     {}\n", options.html);
}

json as_json(const run_options& options, const graph::model& m, const graph::executor& run,
             const outcome& result, const std::vector<std::string>& assumed) {
  json outputs = json::array();
  for (std::size_t i = 0; i < m.outputs.size(); ++i)
    outputs.push_back(
        {{"tensor", m.outputs[i]},
         {"name", m.tensors[static_cast<std::size_t>(m.outputs[i])].name},
         {"file", i < options.outputs.size() ? json(options.outputs[i]) : json(nullptr)},
         {"sha256", result.digests[i]}});
  json object{
      {"model", m.name},           {"target", options.target},   {"outputs", outputs},
      {"macs", graph::macs_of(m)}, {"arena", run.arena_bytes()}, {"seconds", result.seconds},
      {"assumed", assumed}};
  if (options.inputs.empty()) object["seed"] = options.seed;
  if (!options.dump.empty()) object["dump"] = options.dump;
  if (options.verbose) {
    json ran = json::array();
    for (std::size_t k = 0; k < m.operations.size(); ++k) ran.push_back(run.ran_as(k));
    object["ran_as"] = ran;
  }
  return object;
}

}  // namespace

int run(const run_options& options) {
  const chosen_target chosen = choose_target(options.target, options.assume);
  const graph::model m = must(graph::read_tflite_file(options.model));
  if (options.outputs.size() > m.outputs.size())
    throw refusal(fmt::format("{}: {} times --output, and the model has {} outputs; give fewer",
                              m.name, options.outputs.size(), m.outputs.size()));
  const run_limits limits(options.limit);
  limits.check_macs(m);
  std::vector<array> inputs = read_inputs(m, options.inputs);
  result<graph::executor> prepared =
      graph::executor::prepare(m, *chosen.rules, graph::keep_tensors::outputs, limits.arena());
  if (!prepared && prepared.error().code == error_code::too_large)
    throw refusal(prepared.error().text + " with --limit none");
  graph::executor run = must(std::move(prepared));
  // After the limits: a small file can ask for large inputs.
  if (options.inputs.empty()) inputs = sample_inputs(m, options.seed);
  const outcome result = execute(options, m, run, inputs, chosen.assumed);
  if (options.json)
    print_json(as_json(options, m, run, result, chosen.assumed));
  else
    print(options, m, run, result, chosen.assumed);
  return nothing_found;
}

}  // namespace bittwin::cli
