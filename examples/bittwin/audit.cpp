// SPDX-License-Identifier: Apache-2.0
// bittwin audit: what a model will meet on chips that round, clamp, pad or add otherwise; and --fix.
#include <algorithm>
#include <bittwin/analysis/audit.hpp>
#include <bittwin/analysis/audit_page.hpp>
#include <bittwin/analysis/clamp_fix.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <optional>
#include <string>

#include "accepted.hpp"
#include "limits.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

using analysis::audit_report, analysis::hazard;

/// What --fix did, and that it changed no result.
struct fix_outcome {
  std::size_t clamps = 0;
  std::size_t remaining = 0;  ///< exposed clamps found in the written model
  std::int64_t elements = 0, differing = 0;
};

json as_json(const graph::model& m, const hazard& h) {
  json j{
      {"code", h.code}, {"op", h.op}, {"op_name", m.operations[h.op].label}, {"tensor", h.tensor}};
  const auto add = [&](const char* key, const auto& value) {
    if (value) j[key] = *value;
  };
  add("channel", h.channel);
  add("low", h.low);
  add("high", h.high);
  add("exposed_codes", h.exposed_codes);
  add("value", h.value);
  j["text"] = h.text;
  if (!h.fix.empty()) j["fix"] = h.fix;
  return j;
}

json as_json(const graph::model& m, const audit_report& report,
             const std::optional<fix_outcome>& fixed, const std::string& file) {
  json j;
  for (const auto& [kind, count] : report.checked) j["checked"][std::string(kind)] = count;
  j["hazards"] = json::array();
  for (const hazard& h : report.hazards) j["hazards"].push_back(as_json(m, h));
  if (fixed)
    j["fixed"] = {{"file", file},
                  {"clamps", fixed->clamps},
                  {"remaining", fixed->remaining},
                  {"elements", fixed->elements},
                  {"differing", fixed->differing}};
  return j;
}

std::size_t count_of(const audit_report& report, std::string_view code) {
  return static_cast<std::size_t>(std::count_if(report.hazards.begin(), report.hazards.end(),
                                                [&](const hazard& h) { return h.code == code; }));
}

void print(const graph::model& m, const audit_report& report, bool verbose) {
  fmt::print("{}  {} operators, {} clamps checked, {} exposed; {} hazards in all\n", bold(m.name),
             m.operations.size(), report.checked.at("clamps"), count_of(report, "CLAMP_EXPOSED"),
             report.hazards.size());
  for (const hazard& h : report.hazards) {
    const std::string channel = h.channel ? fmt::format(" channel {}", *h.channel) : std::string();
    const std::string value = h.value ? fmt::format(" ({:.6g})", *h.value) : std::string();
    fmt::print("{:<20} {}, {}{}{}: {}\n", h.code, operator_label(m, h.op),
               h.tensor == graph::no_tensor ? "no tensor" : tensor_label(m, h.tensor), channel,
               value, h.text);
    if (verbose && !h.fix.empty()) fmt::print("{:<20} {}\n", "", h.fix);
  }
}

/// Outputs of both models on one random input, which they share.
fix_outcome compare_outputs(const graph::model& before, const graph::model& after,
                            const graph::target_rules& rules) {
  fix_outcome outcome;
  run_limits({}).check_macs(before);
  auto a = must(graph::executor::prepare(before, rules, graph::keep_tensors::outputs,
                                         run_limits({}).arena()));
  auto b = must(
      graph::executor::prepare(after, rules, graph::keep_tensors::outputs, run_limits({}).arena()));
  for (std::size_t i = 0; i < before.inputs.size(); ++i) {
    const auto x =
        analysis::sample_input(before.tensors[static_cast<std::size_t>(before.inputs[i])], 0, i);
    must(a.set_input(i, x.data));
    must(b.set_input(i, x.data));
  }
  a.run();
  b.run();
  for (const std::int32_t y : before.outputs) {
    const auto first = a.value(y).bytes, second = b.value(y).bytes;
    outcome.elements += a.value(y).extents.elements();
    for (std::size_t i = 0; i < first.size(); ++i) outcome.differing += first[i] != second[i];
  }
  return outcome;
}

fix_outcome fix(const graph::model& m, const audit_options& options) {
  const analysis::fixed_model fixed = analysis::spell_out_clamps(m);
  const std::string target = options.target.empty() ? std::string(default_target) : options.target;
  fix_outcome outcome = compare_outputs(m, fixed.m, target_named(target));
  must(graph::write_tflite_file(options.fix, fixed.m));
  const graph::model written = must(graph::read_tflite_file(options.fix));
  outcome.clamps = fixed.clamps;
  outcome.remaining = count_of(analysis::audit(written), "CLAMP_EXPOSED");
  return outcome;
}

}  // namespace

int audit(const audit_options& options) {
  const graph::model m = must(graph::read_tflite_file(options.model));
  const graph::target_rules* rules =
      options.target.empty() ? nullptr : &target_named(options.target);
  if (const std::string why = why_not_asked(m); rules != nullptr && !why.empty())
    throw refusal(fmt::format(
        "{}: its layers cannot be asked for under a target: {}; leave --target out", m.name, why));
  const auto known = baseline_of(options.baseline, &analysis::baseline::of_audit, "audit");
  const audit_report report = analysis::audit(m, rules);
  const auto accepted = static_cast<std::size_t>(
      std::count_if(report.hazards.begin(), report.hazards.end(),
                    [&](const hazard& h) { return known && known->knows(h); }));
  std::optional<fix_outcome> fixed;
  if (!options.fix.empty()) fixed = fix(m, options);
  if (!options.html.empty())
    must(analysis::write_page_file(options.html, analysis::page_of(m, report)));
  if (options.json) {
    json object = as_json(m, report, fixed, options.fix);
    if (known) object["baseline"] = {{"accepted", accepted}};
    print_json(object);
  } else {
    print(m, report, options.verbose);
    if (known)
      fmt::print("baseline  {} accepted, {} new\n", accepted, report.hazards.size() - accepted);
    if (fixed)
      fmt::print("{}  {} clamps spelled out, {} still exposed; {} of {} output bytes differ\n",
                 bold(options.fix), fixed->clamps, fixed->remaining, fixed->differing,
                 fixed->elements);
  }
  return accepted == report.hazards.size() ? nothing_found : something_found;
}

}  // namespace bittwin::cli
