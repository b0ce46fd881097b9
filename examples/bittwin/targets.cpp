// SPDX-License-Identifier: Apache-2.0
// bittwin targets: whose integers can be had, and how well each rule of them is known.
#include "targets.hpp"

#include <algorithm>
#include <array>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/targets/all.hpp>
#include <bittwin/targets/description.hpp>
#include <cstddef>
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

int list_targets(const targets_options& options) {
  if (!options.name.empty()) (void)target_named(options.name);  // refuses
  const auto asked = [&](const target_description& d) {
    return options.name.empty() || d.name == options.name;
  };
  if (options.json) {
    json all = json::array();
    for (const target_description& d : descriptions())
      if (asked(d)) all.push_back(as_json(d));
    print_json({{"targets", all}});
    return nothing_found;
  }
  for (const target_description& d : descriptions()) {
    if (options.name.empty())
      fmt::print("{}  {:<32} {}\n", bold(fmt::format("{:<24}", d.name)), d.version,
                 confidence_of(d));
    if (asked(d) && (options.verbose || !options.name.empty())) print(d);
  }
  return nothing_found;
}

}  // namespace bittwin::cli
