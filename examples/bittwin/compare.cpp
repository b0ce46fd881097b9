// SPDX-License-Identifier: Apache-2.0
// bittwin compare: two dumps of one model, the first operator that parts, and by how much.
#include <algorithm>
#include <bittwin/analysis/baseline.hpp>
#include <bittwin/analysis/comparison_json.hpp>
#include <bittwin/analysis/comparison_page.hpp>
#include <bittwin/analysis/comparison_text.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/signal_loss.hpp>
#include <bittwin/analysis/tensor_names.hpp>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <optional>
#include <string>
#include <vector>

#include "accepted.hpp"
#include "explain.hpp"
#include "limits.hpp"
#include "repair.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

using analysis::comparison;
using analysis::difference;
using analysis::segment;
using analysis::verdict;

std::string coloured_verdict(verdict v) {
  const std::string padded = fmt::format("{:<15}", name_of(v));
  if (v == verdict::exact) return coloured(padded, "32");
  if (analysis::is_unexplained(v)) return coloured(padded, "31");
  return coloured(padded, "33");
}

void print_segment(const segment& s) {
  fmt::print("{} {:<32} tensor {} {}: {}\n", coloured_verdict(s.verdict), operators_of(s), s.tensor,
             graph::printable_name(s.name), measures_of(s));
  if (s.rounding && !s.rounding->as.empty())
    fmt::print("{:<15} rounded as by {}, which predicts {} differing elements\n", "",
               s.rounding->as, s.rounding->most);
  else if (s.rounding)
    fmt::print("{:<15} no target rounds like this; the rules of one differ in up to {} elements\n",
               "", s.rounding->most);
  for (const analysis::finding& f : s.signature)
    fmt::print("{:<15} {}: {}\n", "",
               coloured(f.code, s.verdict == verdict::rounding ? "33" : "31"), f.text);
}

void print(const comparison& c, const compare_options& options,
           const analysis::counted_findings& found) {
  for (const analysis::finding& f : c.preflight)
    fmt::print("{}  {}\n", coloured(f.code, "31"), f.text);
  for (const std::string& text : c.assumptions) fmt::print("assumed    {}\n", text);
  fmt::print("{} segments: {}\n", c.segments.size(), summary_of(c));
  if (options.verbose)
    for (const segment& s : c.segments) print_segment(s);
  if (const auto loss = analysis::largest_loss(c))
    fmt::print("{} {}, tensor {} {}: SQNR {:.1f} dB, of its operands {:.1f} dB\n",
               bold("most lost by"), operators_of(*loss->at), loss->at->tensor,
               graph::printable_name(loss->at->name), loss->result_db, loss->operands_db);
  if (!options.baseline.empty()) {
    print_accepted(found);
    for (const segment* s : found.segments) print_segment(*s);
  } else if (const segment* s = c.first()) {
    fmt::print("{}\n", bold("first to part:"));
    print_segment(*s);
  }
}

/// A dump of the board, under the model's numbers where a table says how it calls them.
analysis::dump open_test(const std::string& folder, const std::string& table, const graph::model* m,
                         const analysis::dump& reference) {
  if (table.empty()) return must(analysis::dump::open(folder));
  std::vector<analysis::named_tensor> known;
  if (m != nullptr)
    for (std::size_t i = 0; i < m->tensors.size(); ++i)
      known.push_back({m->tensors[i].name, static_cast<std::int32_t>(i)});
  else if (reference.description())
    for (const analysis::manifest_tensor& t : reference.description()->tensors)
      known.push_back({t.name, t.index});
  else
    throw refusal("--names takes --model, or a REF_DIR with a manifest: it names their tensors");
  return must(analysis::open_dump(folder, must(analysis::tensor_names::read(table)), known));
}

}  // namespace

int compare(const compare_options& options) {
  const chosen_target chosen = choose_target(options.target, options.assume);
  const auto known = baseline_of(options.baseline, &analysis::baseline::of_comparison, "compare");
  const analysis::dump reference = must(analysis::dump::open(options.reference));
  std::optional<graph::model> model;
  analysis::comparison_settings settings;
  if (!options.model.empty()) {
    model = must(graph::read_tflite_file(options.model));
    const run_limits limits(options.limit);
    limits.check_macs(*model);
    settings = {&*model, chosen.rules, limits.arena(), graph::all_shipped_rules()};
  }
  const graph::model* const named = model ? &*model : nullptr;
  const analysis::dump test = open_test(options.test, options.names, named, reference);
  std::optional<analysis::dump> repeat;
  if (!options.repeat.empty()) repeat = open_test(options.repeat, options.names, named, reference);
  if (repeat) settings.repeat = &*repeat;
  comparison c = must(analysis::compare_dumps(reference, test, settings));
  c.assumptions.insert(c.assumptions.end(), chosen.assumed.begin(), chosen.assumed.end());
  if (std::all_of(c.segments.begin(), c.segments.end(),
                  [](const segment& s) { return s.verdict == verdict::not_observed; }) &&
      c.preflight.empty())
    throw refusal(fmt::format("{} and {} have no tensor in common; give two dumps of one model",
                              options.reference, options.test));
  if (options.explain.empty() != options.against.empty() || (!options.explain.empty() && !model))
    throw refusal("--explain takes --against, the second target, and --model");
  std::optional<result<analysis::repair>> repaired;
  if (options.repair) repaired = analysis::repair_first(reference, test, c, settings);
  std::optional<analysis::explanation> element;
  if (model && !options.explain.empty()) element = explain_element(*model, options, test);
  if (!options.html.empty())
    must(analysis::write_page_file(
        options.html, must(analysis::page_of(c, reference, test, model ? &*model : nullptr))));
  const analysis::counted_findings found = analysis::count_findings(
      c, *analysis::fail_level_named(options.fail_on), known ? &*known : nullptr);
  if (options.json) {
    json object = analysis::to_json(c);
    if (const auto loss = analysis::largest_loss(c))
      object["most_lost"] = {{"ops", loss->at->ops},
                             {"tensor", loss->at->tensor},
                             {"operands_db", loss->operands_db},
                             {"sqnr_db", loss->result_db}};
    if (known) object["baseline"] = baseline_json(found, [](const segment& s) { return s.tensor; });
    if (repaired) object["repair"] = as_json(*repaired);
    if (element) object["explain"] = as_json(*model, *element);
    print_json(object);
  } else {
    print(c, options, found);
    if (repaired) print(*repaired);
    if (element) print(*model, options, *element);
  }
  return found.none() ? nothing_found : something_found;
}

}  // namespace bittwin::cli
