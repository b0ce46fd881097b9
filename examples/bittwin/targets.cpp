// SPDX-License-Identifier: Apache-2.0
// bittwin targets: whose integers can be had, and how well each rule of them is known.
#include "targets.hpp"

#include <algorithm>
#include <array>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/targets/all.hpp>
#include <bittwin/targets/description.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "report.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

template <class... Targets>
std::vector<const graph::target_rules*> rules_of_all(targets::list<Targets...>) {
  return {&graph::rules_of<Targets>()...};
}

template <class... Targets>
std::vector<target_description> descriptions_of_all(targets::list<Targets...>) {
  return {describe<Targets>()...};
}

const std::vector<target_description>& descriptions() {
  static const auto all = descriptions_of_all(targets::all{});
  return all;
}

struct targets_options : common_options {
  std::string name;
};

/// "published_code 70, inferred 2"
std::string confidence_of(const target_description& d) {
  constexpr std::array levels{confidence::documented, confidence::published_code,
                              confidence::inferred, confidence::assumed, confidence::unknown};
  std::string text;
  for (const confidence level : levels) {
    std::ptrdiff_t axes = 0;
    for (const room_description& r : d.rooms)
      axes += std::count_if(r.axes.begin(), r.axes.end(),
                            [&](const axis_description& a) { return a.level == level; });
    if (axes > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(level), axes);
  }
  return text.empty() ? "nothing is rounded" : text;
}

json as_json(const target_description& d) {
  json rooms = json::array();
  for (const room_description& r : d.rooms) {
    json axes = json::array();
    for (const axis_description& a : r.axes)
      axes.push_back({{"axis", a.axis},
                      {"value", a.value},
                      {"confidence", name_of(a.level)},
                      {"source", a.source}});
    rooms.push_back({{"room", r.room}, {"axes", axes}});
  }
  return {{"name", d.name}, {"version", d.version}, {"rooms", rooms}};
}

void print(const target_description& d) {
  fmt::print("{}  version {}\nconfidence  {}\n", bold(d.name), d.version, confidence_of(d));
  std::string_view source;
  for (const room_description& r : d.rooms) {
    fmt::print("{}\n", bold(r.room));
    for (const axis_description& a : r.axes) {
      fmt::print("  {:<18} {:<64} {}{}\n", a.axis, a.value, name_of(a.level),
                 a.source == source ? "" : fmt::format(": {}", a.source));
      source = a.source;
    }
  }
}

void list(const targets_options& options) {
  if (options.json) {
    json all = json::array();
    for (const target_description& d : descriptions())
      if (options.name.empty() || d.name == options.name) all.push_back(as_json(d));
    print_json({{"targets", all}});
    return;
  }
  for (const target_description& d : descriptions()) {
    if (options.name.empty())
      fmt::print("{}  {:<32} {}\n", bold(fmt::format("{:<24}", d.name)), d.version,
                 confidence_of(d));
    if (d.name == options.name || (options.name.empty() && options.verbose)) print(d);
  }
}

}  // namespace

const std::vector<const graph::target_rules*>& shipped_targets() {
  static const auto all = rules_of_all(targets::all{});
  return all;
}

const graph::target_rules& target_named(std::string_view name) {
  std::string known;
  for (const graph::target_rules* rules : shipped_targets()) {
    if (rules->name == name) return *rules;
    known += (known.empty() ? "" : ", ") + std::string(rules->name);
  }
  throw refusal("there is no target " + graph::printable_name(name) + "; there are " + known);
}

void add_targets(CLI::App& tool, int& code) {
  CLI::App* const verb = tool.add_subcommand(
      "targets", "every target: name, version, confidence; one in detail, axis by axis");
  auto options = std::make_shared<targets_options>();
  verb->add_option("NAME", options->name, "a target to show in detail");
  options->add_to(*verb);
  verb->footer("Example:\n  bittwin targets xnnpack");
  verb->callback([options, &code] {
    if (!options->name.empty()) (void)target_named(options->name);  // refuses
    list(*options);
    code = nothing_found;
  });
}

}  // namespace bittwin::cli
