// SPDX-License-Identifier: Apache-2.0
// bittwin compare: two dumps of one model, the first operator that parts, and by how much.
#include <algorithm>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <optional>
#include <string>
#include <vector>

#include "explain.hpp"
#include "limits.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

using analysis::comparison;
using analysis::difference;
using analysis::segment;
using analysis::verdict;

json optional_json(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

json worst_channels(const difference& d) {
  std::vector<std::pair<std::int64_t, std::size_t>> channels;
  for (std::size_t c = 0; c < d.by_channel.size(); ++c)
    if (d.by_channel[c] > 0) channels.emplace_back(-d.by_channel[c], c);
  std::sort(channels.begin(), channels.end());
  json list = json::array();
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(channels.size(), most); ++i)
    list.push_back({{"channel", channels[i].second}, {"mismatches", -channels[i].first}});
  return list;
}

json one_step_json(const std::optional<difference>& d) {
  if (!d) return nullptr;
  return {{"mismatches", d->mismatches}, {"elements", d->elements}, {"max_codes", d->max_codes}};
}

json findings_json(const std::vector<analysis::finding>& findings) {
  json list = json::array();
  for (const analysis::finding& f : findings) list.push_back({{"code", f.code}, {"text", f.text}});
  return list;
}

json segment_json(const segment& s) {
  const difference& d = s.metrics;
  json off_by = json::object();
  for (const auto& [codes, count] : d.off_by) off_by[std::to_string(codes)] = count;
  return {{"ops", s.ops},
          {"op", s.label},
          {"tensor", s.tensor},
          {"name", s.name},
          {"verdict", name_of(s.verdict)},
          {"mismatches", d.mismatches},
          {"elements", d.elements},
          {"max_codes", d.max_codes},
          {"max_abs", d.max_abs},
          {"off_by", off_by},
          {"first_mismatch", d.first ? json(*d.first) : json(nullptr)},
          {"sqnr_db", optional_json(d.sqnr_db)},
          {"cosine", optional_json(d.cosine)},
          {"rmse_over_scale", optional_json(d.rmse_over_scale)},
          {"out_of_range", s.out_of_range ? json(*s.out_of_range) : json(nullptr)},
          {"vacuous", d.vacuous()},
          {"one_step", one_step_json(s.one_step)},
          {"worst_channels", worst_channels(d)},
          {"signature", findings_json(s.signature)}};
}

json as_json(const comparison& c) {
  json segments = json::array();
  for (const segment& s : c.segments) segments.push_back(segment_json(s));
  json first = nullptr;
  if (const segment* s = c.first())
    first = {{"ops", s->ops}, {"tensor", s->tensor}, {"verdict", name_of(s->verdict)}};
  return {{"preflight", findings_json(c.preflight)},
          {"assumptions", c.assumptions},
          {"segments", segments},
          {"first", first}};
}

/// "operator 5 CONV_2D", "operators 3 to 5 CONV_2D"
std::string operators_of(const segment& s) {
  if (s.ops.empty()) return "tensor";
  if (s.ops.size() == 1) return fmt::format("operator {} {}", s.ops[0], s.label);
  return fmt::format("operators {} to {} {}", s.ops.front(), s.ops.back(), s.label);
}

/// "312 of 8000 differ, at most 2 codes; alone on TEST's inputs: 12 of 8000"
std::string measures_of(const segment& s) {
  const difference& d = s.metrics;
  if (s.verdict == verdict::not_observed) return "not recorded on both sides";
  std::string text = fmt::format("{} of {} differ", d.mismatches, d.elements);
  if (d.mismatches > 0 && d.max_codes > 0)
    text += fmt::format(", by at most {} code{}", d.max_codes, d.max_codes == 1 ? "" : "s");
  if (d.mismatches > 0 && d.max_codes == 0) text += fmt::format(", by at most {:g}", d.max_abs);
  if (d.mismatches > 0 && d.sqnr_db) text += fmt::format(", SQNR {:.1f} dB", *d.sqnr_db);
  if (s.one_step && d.mismatches > 0)
    text += fmt::format("; alone on TEST's inputs: {} of {}", s.one_step->mismatches,
                        s.one_step->elements);
  if (s.out_of_range && *s.out_of_range > 0)
    text += fmt::format("; {} outside the fused activation", *s.out_of_range);
  if (d.vacuous()) text += "; REF is nearly constant or saturated, which shows little";
  return text;
}

std::string coloured_verdict(verdict v) {
  const std::string padded = fmt::format("{:<15}", name_of(v));
  if (v == verdict::exact) return coloured(padded, "32");
  if (analysis::is_unexplained(v)) return coloured(padded, "31");
  return coloured(padded, "33");
}

void print_segment(const segment& s) {
  fmt::print("{} {:<32} tensor {} {}: {}\n", coloured_verdict(s.verdict), operators_of(s), s.tensor,
             graph::printable_name(s.name), measures_of(s));
  for (const analysis::finding& f : s.signature)
    fmt::print("{:<15} {}: {}\n", "", coloured(f.code, "31"), f.text);
}

void print(const comparison& c, bool verbose) {
  for (const analysis::finding& f : c.preflight)
    fmt::print("{}  {}\n", coloured(f.code, "31"), f.text);
  for (const std::string& text : c.assumptions) fmt::print("assumed    {}\n", text);
  std::vector<std::pair<verdict, int>> counts;
  for (const segment& s : c.segments) {
    const auto at = std::find_if(counts.begin(), counts.end(),
                                 [&](const auto& entry) { return entry.first == s.verdict; });
    if (at == counts.end())
      counts.emplace_back(s.verdict, 1);
    else
      ++at->second;
  }
  std::string summary;
  for (const auto& [v, count] : counts)
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, name_of(v));
  fmt::print("{} segments: {}\n", c.segments.size(), summary);
  if (verbose)
    for (const segment& s : c.segments) print_segment(s);
  if (const segment* s = c.first()) {
    fmt::print("{}\n", bold("first to part:"));
    print_segment(*s);
  }
}

bool fails(const comparison& c, const std::string& fail_on) {
  if (!c.preflight.empty()) return true;
  return std::any_of(c.segments.begin(), c.segments.end(), [&](const segment& s) {
    if (fail_on == "any") return s.verdict != verdict::exact && s.verdict != verdict::not_observed;
    return analysis::is_unexplained(s.verdict) ||
           (fail_on == "rounding" && s.verdict == verdict::rounding);
  });
}

}  // namespace

int compare(const compare_options& options) {
  const graph::target_rules& target = target_named(options.target);
  const analysis::dump reference = must(analysis::dump::open(options.reference));
  const analysis::dump test = must(analysis::dump::open(options.test));
  std::optional<analysis::dump> repeat;
  if (!options.repeat.empty()) repeat = must(analysis::dump::open(options.repeat));
  std::optional<graph::model> model;
  analysis::comparison_settings settings;
  if (!options.model.empty()) {
    model = must(graph::read_tflite_file(options.model));
    const run_limits limits(options.limit);
    limits.check_macs(*model);
    settings = {&*model, &target, limits.arena(), graph::all_shipped_rules()};
  }
  if (repeat) settings.repeat = &*repeat;
  const comparison c = must(analysis::compare_dumps(reference, test, settings));
  if (std::all_of(c.segments.begin(), c.segments.end(),
                  [](const segment& s) { return s.verdict == verdict::not_observed; }) &&
      c.preflight.empty())
    throw refusal(fmt::format("{} and {} have no tensor in common; give two dumps of one model",
                              options.reference, options.test));
  if (options.explain.empty() != options.against.empty() || (!options.explain.empty() && !model))
    throw refusal("--explain takes --against, the second target, and --model");
  std::optional<analysis::explanation> element;
  if (model && !options.explain.empty()) element = explain_element(*model, options, test);
  if (options.json) {
    json object = as_json(c);
    if (element) object["explain"] = as_json(*model, *element);
    print_json(object);
  } else {
    print(c, options.verbose);
    if (element) print(*model, options, *element);
  }
  return fails(c, options.fail_on) ? something_found : nothing_found;
}

}  // namespace bittwin::cli
