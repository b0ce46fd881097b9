// SPDX-License-Identifier: Apache-2.0
// bittwin demo: the embedded model under every target and under two faulty devices: how many images each gets right,
// who parts first, where.
#include <algorithm>
#include <bittwin/analysis/comparison_page.hpp>
#include <bittwin/analysis/difference.hpp>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/graph/support.hpp>
#include <bittwin/version.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "demo_accuracy.hpp"
#include "demo_faults.hpp"
#include "demo_files.hpp"
#include "interrupt.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

namespace fs = std::filesystem;

using recording = std::vector<std::vector<std::byte>>;  ///< by tensor; empty where constant

recording record(const graph::model& m, const graph::target_rules& target,
                 std::span<const std::byte> input, const fs::path& folder) {
  graph::executor run = must(graph::executor::prepare(m, target));
  std::optional<analysis::dump_writer> dump;
  if (!folder.empty())
    dump.emplace(must(
        analysis::dump_writer::create(folder, m, std::string(target.name), std::string(version))));
  recording tensors(m.tensors.size());
  const auto keep = [&](std::int32_t index) {
    const graph::tensor_value value = run.value(index);
    tensors[static_cast<std::size_t>(index)].assign(value.bytes.begin(), value.bytes.end());
    if (dump) must(dump->add(index, {value.type, value.extents, value.bytes}));
  };
  must(run.set_input(0, input));
  keep(m.inputs[0]);
  run.run([&](std::size_t k) {
    interrupt_guard::check();
    for (const std::int32_t index : m.operations[k].outputs) keep(index);
  });
  if (dump) must(dump->finish());
  return tensors;
}

/// How one target's runs differ from the reference's.
struct parting {
  std::string target;
  std::int64_t right = 0;  ///< images
  bool is_reference = false;
  bool is_real = false;
  std::optional<std::size_t> first;   ///< operator whose output differs first
  analysis::difference at_first;      ///< there
  std::int64_t past_upper_bound = 0;  ///< elements there above every element of the reference
  analysis::difference at_output;
  double real_max_codes = 0;  ///< reals: largest distance at the output, in codes
};

/// Reals against codes: the largest distance in units of the tensor's scale.
double distance_in_codes(const graph::tensor& t, std::span<const std::byte> codes,
                         std::span<const std::byte> reals) {
  graph::tensor as_reals;
  as_reals.type = element_type::float64;
  const std::vector<double> ideal = graph::reals_of(as_reals, reals);
  const std::vector<double> own = graph::reals_of(t, codes);
  double largest = 0;
  for (std::size_t i = 0; i < own.size(); ++i)
    largest = std::max(largest, std::abs(own[i] - ideal[i]) / double{t.quantization.scale()});
  return largest;
}

parting compare_runs(const graph::model& m, const graph::target_rules& target,
                     const recording& reference, const recording& test) {
  parting result;
  result.target = target.name;
  result.is_real = target.is_real;
  const auto at = [](const recording& r, std::int32_t t) -> std::span<const std::byte> {
    return r[static_cast<std::size_t>(t)];
  };
  const std::int32_t output = m.outputs[0];
  if (target.is_real) {
    const graph::tensor& t = m.tensors[static_cast<std::size_t>(output)];
    result.real_max_codes = distance_in_codes(t, at(reference, output), at(test, output));
    return result;
  }
  const auto difference_of = [&](std::int32_t index) {
    const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
    return analysis::compare({t.type, t.extents, at(reference, index)},
                             {t.type, t.extents, at(test, index)}, t.quantization);
  };
  result.at_output = difference_of(output);
  for (std::size_t k = 0; k < m.operations.size() && !result.first; ++k) {
    const std::int32_t index = m.operations[k].outputs[0];
    result.at_first = difference_of(index);
    if (result.at_first.equal()) continue;
    result.first = k;
    const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
    const std::vector<double> ref = graph::reals_of(t, at(reference, index));
    const double bound = *std::max_element(ref.begin(), ref.end());
    for (const double value : graph::reals_of(t, at(test, index)))
      result.past_upper_bound += value > bound ? 1 : 0;
  }
  return result;
}

std::string percent(std::int64_t part, std::int64_t all) {
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

/// Of the first image.
std::string sentence_of(const graph::model& m, const parting& p) {
  if (p.is_reference) return "what the others are compared with";
  if (p.is_real)
    return fmt::format("nothing rounded; output at most {:.2f} codes away", p.real_max_codes);
  if (!p.first) return "equal in every integer of every operator";
  return fmt::format(
      "{}: {} of {} codes differ, by up to {}{}", operator_label(m, *p.first),
      grouped(p.at_first.mismatches), grouped(p.at_first.elements), p.at_first.max_codes,
      p.past_upper_bound > 0 ? fmt::format("; {} lie above the bound", grouped(p.past_upper_bound))
                             : "");
}

void print(const graph::model& m, std::int64_t images, std::int64_t right_in_float,
           const std::vector<parting>& partings) {
  fmt::print("{}: int8 residual network with ReLU6, {} operators; {} drawn images of {} classes\n",
             bold("demo"), m.operations.size(), grouped(images), demo::classes);
  fmt::print("  {:<34} {:>7}  {}\n", "", "right", "where it parts first, on the first image");
  fmt::print("  {:<34} {:>7}\n", "float32 model", percent(right_in_float, images));
  for (const parting& p : partings) {
    const std::string right = fmt::format("{:>7}", percent(p.right, images));
    const bool faulty = p.target.starts_with("fault");
    fmt::print("  {:<34} {}  {}\n", p.target, faulty ? coloured(right, "31") : right,
               sentence_of(m, p));
  }
}

json as_json(const graph::model& m, std::int64_t images, std::int64_t right_in_float,
             const std::vector<parting>& partings) {
  json targets = json::array();
  for (const parting& p : partings) {
    json one{{"target", p.target},
             {"right", p.right},
             {"equal", p.is_reference || (!p.is_real && !p.first)}};
    if (p.is_real) one["max_codes_at_output"] = p.real_max_codes;
    if (p.first) {
      one["first"] = {{"op", *p.first},
                      {"op_name", m.operations[*p.first].label},
                      {"tensor", m.operations[*p.first].outputs[0]},
                      {"mismatches", p.at_first.mismatches},
                      {"elements", p.at_first.elements},
                      {"max_codes", p.at_first.max_codes},
                      {"past_upper_bound", p.past_upper_bound}};
      one["output"] = {{"mismatches", p.at_output.mismatches},
                       {"elements", p.at_output.elements},
                       {"max_codes", p.at_output.max_codes}};
    }
    targets.push_back(one);
  }
  return {{"model", m.name},
          {"reference", default_target},
          {"images", images},
          {"float_right", right_in_float},
          {"targets", targets}};
}

/// "fault: upper clamp dropped" -> "fault-upper-clamp-dropped"
std::string folder_name(std::string_view target) {
  std::string name;
  for (const char c : target)
    if (c != ':') name += c == ' ' ? '-' : c;
  return name;
}

graph::model embedded_model(std::string name, std::span<const std::byte> file) {
  return must(graph::read_tflite(
      std::make_shared<const std::vector<std::byte>>(file.begin(), file.end()), std::move(name)));
}

analysis::dump dump_of(const graph::model& m, const recording& tensors, std::string_view target) {
  analysis::manifest description;
  description.model = m.name;
  description.sha256 = m.sha256;
  description.target = target;
  analysis::dump::tensors sample;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].empty()) continue;
    const auto index = static_cast<std::int32_t>(i);
    description.tensors.push_back(analysis::describe(m, index));
    sample[index] = {m.tensors[i].type, m.tensors[i].extents, tensors[i]};
  }
  return analysis::dump::of(std::move(description), {std::move(sample)}, std::string(target));
}

/// What `compare` makes of the device that drops the upper bound.
void write_page(const std::string& file, const graph::model& m, const recording& reference,
                const recording& test) {
  const graph::target_rules& target = target_named(default_target);
  const analysis::dump ours = dump_of(m, reference, target.name);
  const analysis::dump theirs = dump_of(m, test, upper_clamp_dropped::name);
  const analysis::comparison c = must(analysis::compare_dumps(
      ours, theirs, {&m, &target, graph::executor::no_limit, graph::all_shipped_rules()}));
  analysis::comparison_words words;
  words.title = "bittwin demo";
  words.reference = target.name, words.test = upper_clamp_dropped::name;
  must(analysis::write_page_file(file, must(analysis::page_of(c, ours, theirs, &m, words))));
}

}  // namespace

int demo(const demo_options& options) {
  const interrupt_guard guard;
  const graph::model m = embedded_model("demo.tflite", embedded::demo_int8_file());
  const graph::model in_float = embedded_model("demo_float.tflite", embedded::demo_float_file());
  std::vector<demo::labelled_image> images;
  for (std::uint64_t i = 0; i < options.images; ++i)
    images.push_back(demo::draw_image(options.seed, i));
  const std::vector<std::byte> input = input_of(m, images.front());
  std::vector<const graph::target_rules*> all;
  for (const graph::target_rules* target : graph::all_shipped_rules()) {
    const auto support = graph::support_of(m, *target);
    if (std::none_of(support.begin(), support.end(), [](const auto& one) { return one.refused; }))
      all.push_back(target);
  }
  all.push_back(&graph::rules_of<upper_clamp_dropped>());
  all.push_back(&graph::rules_of<add_scales_ignored>());
  const auto folder = [&](const graph::target_rules& target) {
    return options.folder.empty() ? fs::path{}
                                  : fs::path(options.folder) / folder_name(target.name);
  };
  const graph::target_rules& base = target_named(default_target);
  const recording reference = record(m, base, input, folder(base));
  std::vector<parting> partings;
  for (const graph::target_rules* target : all) {
    const bool is_base = target == &base;
    const recording test = is_base ? reference : record(m, *target, input, folder(*target));
    partings.push_back(compare_runs(m, *target, reference, test));
    partings.back().is_reference = is_base;
    partings.back().right = images_right(m, *target, images);
    if (target->name == upper_clamp_dropped::name && !options.html.empty())
      write_page(options.html, m, reference, test);
  }
  const std::int64_t in_reals = images_right(in_float, base, images);
  if (!options.folder.empty()) {
    must(graph::write_file(fs::path(options.folder) / "demo.tflite", embedded::demo_int8_file()));
    must(graph::write_file(fs::path(options.folder) / "demo_float.tflite",
                           embedded::demo_float_file()));
  }
  const auto count = static_cast<std::int64_t>(images.size());
  if (options.json)
    print_json(as_json(m, count, in_reals, partings));
  else
    print(m, count, in_reals, partings);
  return nothing_found;
}

}  // namespace bittwin::cli
