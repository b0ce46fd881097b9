// SPDX-License-Identifier: Apache-2.0
// bittwin drift: two releases of a toolchain on one model and input, and what changed between them.
#include <bittwin/analysis/baseline.hpp>
#include <bittwin/analysis/drift.hpp>
#include <bittwin/analysis/drift_page.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <string>

#include "accepted.hpp"
#include "limits.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

using analysis::change, analysis::drifted_segment;

void print_segment(const graph::model& m, const drifted_segment& s) {
  const std::string padded = fmt::format("{:<15}", name_of(s.change));
  const std::string operators =
      s.a.ops.size() == 1
          ? operator_label(m, static_cast<std::size_t>(s.a.ops[0]))
          : fmt::format("operators {} to {} {}", s.a.ops.front(), s.a.ops.back(), s.a.label);
  fmt::print("{} {}, {}: {}\n", coloured(padded, analysis::is_suspect(s.change) ? "31" : "33"),
             operators, tensor_label(m, s.a.tensor), analysis::measures_of(s));
}

void print(const graph::model& m, const analysis::drift& d, bool verbose,
           const analysis::counted_changes& found, bool known) {
  for (const analysis::finding& f : d.preflight)
    fmt::print("{}  {}\n", coloured(f.code, "31"), f.text);
  for (const std::string& text : d.assumptions) fmt::print("assumed  {}\n", text);
  fmt::print("{} segments: {}\n", d.segments.size(), analysis::summary_of(d));
  if (known) {
    print_accepted(found);
    for (const drifted_segment* s : found.segments) print_segment(m, *s);
    return;
  }
  for (const drifted_segment& s : d.segments) {
    const bool own = s.change != change::unchanged && s.change != change::inherited &&
                     s.change != change::not_observed;
    if (verbose || own) print_segment(m, s);
  }
}

}  // namespace

int drift(const drift_options& options) {
  const chosen_target chosen = choose_target(options.target, options.assume);
  if (chosen.rules->is_real)
    throw refusal(fmt::format(
        "target {} makes reals and no codes to hold a board against; give another with --target",
        options.target));
  const auto known = baseline_of(options.baseline, &analysis::baseline::of_drift, "drift");
  const graph::model m = must(graph::read_tflite_file(options.model));
  const run_limits limits(options.limit);
  limits.check_macs(m);
  const analysis::dump a = must(analysis::dump::open(options.first));
  const analysis::dump b = must(analysis::dump::open(options.second));
  analysis::drift d = must(analysis::compare_releases(
      a, b, {&m, chosen.rules, graph::all_shipped_rules(), limits.arena()}));
  d.assumptions = chosen.assumed;
  if (!options.html.empty())
    must(analysis::write_page_file(options.html, must(analysis::page_of(d, a, b, m))));
  const analysis::counted_changes found = analysis::count_findings(
      d, *analysis::fail_level_named(options.fail_on), known ? &*known : nullptr);
  if (options.json) {
    json object = analysis::to_json(d);
    if (known)
      object["baseline"] =
          baseline_json(found, [](const drifted_segment& s) { return s.a.tensor; });
    print_json(object);
  } else {
    print(m, d, options.verbose, found, known.has_value());
  }
  return found.none() ? nothing_found : something_found;
}

}  // namespace bittwin::cli
