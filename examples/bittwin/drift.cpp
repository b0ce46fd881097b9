// SPDX-License-Identifier: Apache-2.0
// bittwin drift: two releases of a toolchain on one model and input, and what changed between them.
#include <algorithm>
#include <bittwin/analysis/drift.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limits.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

using analysis::change, analysis::drifted_segment;

/// "NAMED UPPER_CLAMP_MISSING", "ROUNDING as xnnpack and 3 more"
std::string side_of(const analysis::segment& s, const std::vector<std::string_view>& rules) {
  std::string text(name_of(s.verdict));
  for (const analysis::finding& f : s.signature) text += " " + f.code;
  if (rules.empty()) return text;
  text += fmt::format(" as {}", rules[0]);
  if (rules.size() > 1) text += fmt::format(" and {} more", rules.size() - 1);
  return text;
}

void print_segment(const graph::model& m, const drifted_segment& s) {
  const std::string padded = fmt::format("{:<15}", name_of(s.change));
  const std::string operators =
      s.a.ops.size() == 1
          ? operator_label(m, static_cast<std::size_t>(s.a.ops[0]))
          : fmt::format("operators {} to {} {}", s.a.ops.front(), s.a.ops.back(), s.a.label);
  fmt::print("{} {}, {}: ", coloured(padded, analysis::is_suspect(s.change) ? "31" : "33"),
             operators, tensor_label(m, s.a.tensor));
  if (s.change == change::not_observed)
    fmt::print("not recorded in both\n");
  else
    fmt::print("{} of {} differ; {} -> {}\n", s.between.mismatches, s.between.elements,
               side_of(s.a, s.rules_a), side_of(s.b, s.rules_b));
}

void print(const graph::model& m, const analysis::drift& d, bool verbose) {
  for (const analysis::finding& f : d.preflight)
    fmt::print("{}  {}\n", coloured(f.code, "31"), f.text);
  for (const std::string& text : d.assumptions) fmt::print("assumed  {}\n", text);
  std::vector<std::pair<change, int>> counts;
  for (const drifted_segment& s : d.segments) {
    const auto at = std::find_if(counts.begin(), counts.end(),
                                 [&](const auto& entry) { return entry.first == s.change; });
    if (at == counts.end())
      counts.emplace_back(s.change, 1);
    else
      ++at->second;
  }
  std::string summary;
  for (const auto& [c, count] : counts)
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, name_of(c));
  fmt::print("{} segments: {}\n", d.segments.size(), summary);
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
  const graph::model m = must(graph::read_tflite_file(options.model));
  const run_limits limits(options.limit);
  limits.check_macs(m);
  const analysis::dump a = must(analysis::dump::open(options.first));
  const analysis::dump b = must(analysis::dump::open(options.second));
  analysis::drift d = must(analysis::compare_releases(
      a, b, {&m, chosen.rules, graph::all_shipped_rules(), limits.arena()}));
  d.assumptions = chosen.assumed;
  if (options.json)
    print_json(analysis::to_json(d));
  else
    print(m, d, options.verbose);
  return d.fails(*analysis::fail_level_named(options.fail_on)) ? something_found : nothing_found;
}

}  // namespace bittwin::cli
