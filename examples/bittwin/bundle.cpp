// SPDX-License-Identifier: Apache-2.0
// bittwin bundle: the evidence of a fault as a folder, to be sent to whoever made the chip.
#include <bittwin/analysis/bundle.hpp>
#include <bittwin/analysis/comparison_json.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <optional>
#include <string>
#include <vector>

#include "limits.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

json as_json(const analysis::bundle& b, const std::string& folder,
             const std::vector<std::string>& files) {
  json object{{"folder", folder}, {"ops", b.ops}, {"assumptions", b.assumptions}, {"files", files}};
  object["comparison"] = analysis::to_json(b.found);
  return object;
}

void print(const analysis::bundle& b, const std::string& folder,
           const std::vector<std::string>& files, bool verbose) {
  fmt::print("{}  {} operator{}, {} files\n", bold(folder), b.ops.size(),
             b.ops.size() == 1 ? "" : "s", files.size());
  if (verbose)
    for (const std::string& file : files) fmt::print("         {}\n", file);
  for (const std::string& text : b.assumptions) fmt::print("assumed  {}\n", text);
  const analysis::segment* const s = b.subject();
  if (s == nullptr) {
    fmt::print("observed is as expected in every element: there is nothing to show\n");
    return;
  }
  fmt::print("{}  {}, {}: {} of {} differ\n", name_of(s->verdict), s->label,
             tensor_label(b.m, s->tensor), s->metrics.mismatches, s->metrics.elements);
  for (const analysis::finding& f : s->signature) fmt::print("         {}: {}\n", f.code, f.text);
}

}  // namespace

int bundle(const bundle_options& options) {
  const chosen_target chosen = choose_target(options.target, options.assume);
  const graph::model m = must(graph::read_tflite_file(options.model));
  const run_limits limits(options.limit);
  limits.check_macs(m);
  const analysis::dump test = must(analysis::dump::open(options.test));
  std::optional<analysis::dump> reference;
  if (!options.reference.empty()) reference = must(analysis::dump::open(options.reference));
  analysis::bundle_settings settings;
  settings.target = chosen.rules;
  settings.target_name = options.target;
  settings.assume = options.assume;
  settings.assumed = chosen.assumed;
  if (options.target.ends_with(".json"))
    settings.target_file = must(graph::read_file(options.target));
  settings.rules = graph::all_shipped_rules();
  if (reference) settings.reference = &*reference;
  if (options.op && *options.op < 0)
    throw refusal(fmt::format("there is no operator {}; see 'bittwin info'", *options.op));
  if (options.op) settings.op = static_cast<std::size_t>(*options.op);
  settings.anonymize = options.anonymize;
  settings.arena_limit = limits.arena();
  const analysis::bundle made = must(analysis::make_bundle(m, test, settings));
  const std::vector<std::string> files = must(analysis::write_bundle(made, options.out));
  if (options.json)
    print_json(as_json(made, options.out, files));
  else
    print(made, options.out, files, options.verbose);
  return made.subject() == nullptr ? nothing_found : something_found;
}

}  // namespace bittwin::cli
