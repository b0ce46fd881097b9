// SPDX-License-Identifier: Apache-2.0
// bittwin import: a vendor's dump as one of ours, with every assumption that was made on the way.
#include <algorithm>
#include <array>
#include <bittwin/analysis/import_samples.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/version.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inputs.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

namespace fs = std::filesystem;
using analysis::imported_dump, analysis::imported_samples, analysis::imported_tensor;

constexpr std::array<std::pair<std::string_view, element_type>, 7> type_names{
    {{"i8", element_type::int8},
     {"u8", element_type::uint8},
     {"i16", element_type::int16},
     {"i32", element_type::int32},
     {"f16", element_type::float16},
     {"f32", element_type::float32},
     {"f64", element_type::float64}}};

std::optional<element_type> type_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  for (const auto& [known, type] : type_names)
    if (name == known || name == name_of(type)) return type;
  throw refusal(fmt::format("--dtype {} is not a type; give i8, u8, i16, i32, f16, f32 or f64",
                            graph::printable_name(name)));
}

analysis::import_settings settings_of(const import_options& options, const graph::model& m) {
  const run_limits limits(options.limit);
  limits.check_macs(m);
  analysis::import_settings settings;
  settings.model = &m;
  settings.target = &target_named(options.target);
  settings.arena_limit = limits.arena();
  settings.map = options.map;
  settings.pattern = options.pattern;
  for (const std::string& layout : options.layouts)
    settings.layouts.push_back(must(analysis::parse_layout(layout)));
  settings.type = type_named(options.type);
  settings.inputs = read_inputs(m, options.inputs);
  return settings;
}

bool has_found(const imported_dump& one) { return !one.found.empty(); }
/// Every sample has what one has.
bool anything(const imported_samples& made) { return has_found(made.samples[0]); }
bool has_folders(const imported_samples& made) { return !made.folders[0].empty(); }

json named(const graph::model& m, const std::vector<std::int32_t>& tensors) {
  json all = json::array();
  for (const std::int32_t index : tensors)
    all.push_back({{"tensor", index}, {"name", m.tensors[static_cast<std::size_t>(index)].name}});
  return all;
}

json as_json(const graph::model& m, const imported_dump& made) {
  json found = json::array();
  for (const imported_tensor& t : made.found) {
    const quantization& grid =
        t.board.present() ? t.board : m.tensors[static_cast<std::size_t>(t.tensor)].quantization;
    found.push_back({{"tensor", t.tensor},
                     {"name", m.tensors[static_cast<std::size_t>(t.tensor)].name},
                     {"file", t.file},
                     {"file_dtype", name_of(t.type)},
                     {"layout", analysis::to_string(t.layout)},
                     {"dtype", name_of(t.values.type)},
                     {"scale", grid.scales},
                     {"zero_point", grid.zero_points},
                     {"board_parameters", t.board.present()},
                     {"padding", t.padding},
                     {"correlation", t.correlation ? json(*t.correlation) : json(nullptr)}});
  }
  const auto files = [](const std::vector<analysis::refused_file>& all) {
    json list = json::array();
    for (const auto& [file, text] : all) list.push_back({{"file", file}, {"text", text}});
    return list;
  };
  return {{"found", found},
          {"not_found", named(m, made.not_found)},
          {"refused", files(made.refused)},
          {"left_over", files(made.left_over)},
          {"assumptions", made.assumptions}};
}

/// The object of one folder; of several the same for each, and what only some of them have.
json as_json(const graph::model& m, const import_options& options, const imported_samples& made) {
  json object{{"model", m.name}, {"dump", anything(made) ? json(options.out) : json(nullptr)}};
  if (!has_folders(made)) {
    object.update(as_json(m, made.samples[0]));
    return object;
  }
  object["samples"] = json::array();
  for (std::size_t i = 0; i < made.samples.size(); ++i) {
    json sample{{"folder", made.folders[i]}};
    sample.update(as_json(m, made.samples[i]));
    object["samples"].push_back(sample);
  }
  object["left_out"] = named(m, made.left_out);
  return object;
}

/// said   assumptions that need not be repeated
/// where  the dump is, or that there is none
void print(const graph::model& m, const import_options& options, const imported_dump& made,
           const std::vector<std::string>& said, const std::string& where) {
  if (options.verbose)
    for (const imported_tensor& t : made.found)
      fmt::print("found      {}  {}  {}{}\n", tensor_label(m, t.tensor),
                 graph::printable_name(t.file),
                 type_and_shape(m.tensors[static_cast<std::size_t>(t.tensor)]),
                 t.correlation ? fmt::format("  correlation {:.4f}", *t.correlation) : "");
  for (const std::string& text : made.assumptions)
    if (std::find(said.begin(), said.end(), text) == said.end())
      fmt::print("assumed    {}\n", text);
  for (const auto& [file, text] : made.refused)
    fmt::print("{}    {}\n", coloured("refused", "31"), text);
  for (const auto& [file, text] : made.left_over) fmt::print("left over  {}\n", text);
  for (const std::int32_t index : made.not_found)
    fmt::print("not found  {}\n", tensor_label(m, index));
  fmt::print("{} of {} tensors found, files refused {}, left over {}{}\n", made.found.size(),
             made.found.size() + made.not_found.size(), made.refused.size(), made.left_over.size(),
             where);
}

void print(const graph::model& m, const import_options& options, const imported_samples& made) {
  const std::string where = ": " + (anything(made) ? options.out : "nothing was written");
  if (!has_folders(made)) return print(m, options, made.samples[0], {}, where);
  for (std::size_t i = 0; i < made.samples.size(); ++i) {
    fmt::print("{}\n", bold(fmt::format("sample {}, {}", i, made.folders[i])));
    // What the first sample assumes, the others assume, too.
    print(m, options, made.samples[i],
          i == 0 ? std::vector<std::string>() : made.samples[0].assumptions, "");
  }
  for (const std::int32_t index : made.left_out)
    fmt::print("left out   {}: not every sample has it\n", tensor_label(m, index));
  fmt::print("{} samples{}\n", made.samples.size(), where);
}

}  // namespace

int import_folder(const import_options& options) {
  std::error_code failure;
  if (fs::equivalent(options.folder, options.out, failure))
    throw refusal(fmt::format("{}: --out is the folder that is read; give another", options.out));
  const graph::model m = must(graph::read_tflite_file(options.model));
  const interrupt_guard guard;
  const imported_samples made =
      must(analysis::import_samples(options.folder, settings_of(options, m)));
  interrupt_guard::check();
  if (anything(made)) must(analysis::write_import(made, m, options.out, std::string(version)));
  if (options.json)
    print_json(as_json(m, options, made));
  else
    print(m, options, made);
  return made.complete() ? nothing_found : something_found;
}

}  // namespace bittwin::cli
