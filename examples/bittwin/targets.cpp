// SPDX-License-Identifier: Apache-2.0
// bittwin targets: whose integers can be had, and how well each rule of them is known.
#include "targets.hpp"

#include <algorithm>
#include <array>
#include <bittwin/analysis/target_file.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <cstddef>
#include <list>
#include <string>
#include <string_view>

#include "report.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

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

bool is_template(const target_description& d) {
  const auto& all = graph::template_descriptions();
  return std::any_of(all.begin(), all.end(),
                     [&](const target_description& t) { return t.name == d.name; });
}

/// Each source once, in order.
std::vector<std::string> sources_of(const target_description& d) {
  std::vector<std::string> all;
  for (const room_description& r : d.rooms)
    for (const axis_description& a : r.axes)
      if (!a.source.empty() && std::find(all.begin(), all.end(), a.source) == all.end())
        all.push_back(a.source);
  return all;
}

/// "conv2d.rescale", …: axes that nobody outside knows.
std::vector<std::string> unknown_of(const target_description& d) {
  std::vector<std::string> all;
  for (const room_description& r : d.rooms)
    for (const axis_description& a : r.axes)
      if (a.value == "unknown") all.push_back(r.room + "." + a.axis);
  return all;
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
    rooms.push_back({{"room", r.room}, {"axes", axes}, {"layers", r.layers}});
  }
  return {{"name", d.name},
          {"version", d.version},
          {"template", is_template(d)},
          {"formula", d.formula},
          {"known_faults", d.known_faults},
          {"to_measure", d.to_measure},
          {"unknown", unknown_of(d)},
          {"sources", sources_of(d)},
          {"rooms", rooms},
          {"file", analysis::to_json(d)}};
}

void print(const target_description& d) {
  fmt::print("{}  version {}{}\n", bold(d.name), d.version,
             is_template(d) ? "  template: runs with --assume BASE alone" : "");
  const auto line = [](std::string_view what, std::string_view text) {
    if (!text.empty()) fmt::print("{:<12}{}\n", what, text);
  };
  line("formula", d.formula);
  line("confidence", confidence_of(d));
  for (const std::string& source : sources_of(d)) line("source", source);
  line("faults", d.known_faults);
  line("to measure", d.to_measure);
  if (!d.otherwise.empty()) line("otherwise", d.otherwise + " runs what the delegate leaves");
  std::string_view source;
  for (const room_description& r : d.rooms) {
    fmt::print("{}{}\n", bold(r.room), is_open(r) ? "  refused: an axis is unknown" : "");
    for (const std::string& layers : r.layers) fmt::print("  {:<18} {}\n", "layers", layers);
    for (const axis_description& a : r.axes) {
      fmt::print("  {:<18} {:<64} {}{}\n", a.axis, a.value, name_of(a.level),
                 a.source == source ? "" : fmt::format(": {}", a.source));
      source = a.source;
    }
  }
}

void list(const std::vector<target_description>& all) {
  for (const target_description& d : all)
    fmt::print("{}  {:<32} {}\n", bold(fmt::format("{:<24}", d.name)), d.version, confidence_of(d));
}

std::string known_names() {
  std::string names;
  for (const target_description& d : graph::shipped_descriptions())
    names += (names.empty() ? "" : ", ") + d.name;
  return names;
}

bool is_file(std::string_view name) { return name.ends_with(".json"); }

std::string text_of_file(std::string_view path) {
  const graph::file_bytes bytes = must(graph::read_file(std::string(path)));
  std::string text;
  for (const std::byte b : *bytes) text += static_cast<char>(b);
  return text;
}

/// Of a shipped target, a template, or a file.
target_description description_named(std::string_view name) {
  if (is_file(name))
    return must(analysis::parse_target(text_of_file(name), graph::printable_name(name)));
  if (const target_description* found = analysis::find_description(name)) return *found;
  std::string templates;
  for (const target_description& d : graph::template_descriptions()) templates += ", " + d.name;
  throw refusal("there is no target " + graph::printable_name(name) + "; there are " +
                known_names() + "; templates" + templates + "; or name a file, as my_npu.json");
}

}  // namespace

chosen_target choose_target(std::string_view name, std::string_view assume) {
  if (const auto* rules = graph::find_shipped_rules(name); rules != nullptr && assume.empty())
    return {rules, {}};
  target_description described = description_named(name);
  chosen_target chosen;
  if (!assume.empty()) {
    const target_description base = description_named(assume);
    if (is_template(base))
      throw refusal(fmt::format("--assume {}: a template cannot stand in for another; there are {}",
                                base.name, known_names()));
    graph::assumption made = graph::assume(described, base);
    described = std::move(made.described);
    chosen.assumed = std::move(made.assumed);
  } else if (is_template(described)) {
    throw refusal(
        fmt::format("{} is a template: nobody outside knows its {}; name what stands in for it, as "
                    "--assume tflite-reference",
                    described.name, unknown_of(described)[0]));
  }
  // Rules point into their target, which lives as long as the program.
  static std::list<graph::any_target> made;
  made.push_back(must(analysis::make_target(described, graph::printable_name(name))));
  chosen.rules = &made.back().rules();
  return chosen;
}

const graph::target_rules& target_named(std::string_view name) {
  return *choose_target(name, {}).rules;
}

int list_targets(const targets_options& options) {
  if (options.json) {
    json all = json::array();
    if (!options.name.empty())
      all.push_back(as_json(description_named(options.name)));
    else
      for (const auto* known : {&graph::shipped_descriptions(), &graph::template_descriptions()})
        for (const target_description& d : *known) all.push_back(as_json(d));
    print_json({{"targets", all}});
  } else if (!options.name.empty()) {
    print(description_named(options.name));
  } else if (options.verbose) {
    for (const target_description& d : graph::shipped_descriptions()) print(d);
    for (const target_description& d : graph::template_descriptions()) print(d);
  } else {
    list(graph::shipped_descriptions());
    fmt::print("\ntemplates: axes that nobody outside knows; run with --assume BASE\n");
    list(graph::template_descriptions());
  }
  return nothing_found;
}

}  // namespace bittwin::cli
