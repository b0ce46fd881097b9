// SPDX-License-Identifier: Apache-2.0
// bittwin demo: the embedded model under every target and under two faulty devices; who parts
// first, where.
#include <algorithm>
#include <bittwin/analysis/difference.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/sha256.hpp>
#include <bittwin/graph/support.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <bittwin/policy/overrides.hpp>
#include <bittwin/version.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "demo_model.hpp"
#include "interrupt.hpp"
#include "report.hpp"
#include "targets.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

namespace fs = std::filesystem;

template <class Room>
using upper_dropped =
    with_fault<activation_bounds::upper_dropped, typename Room::activation_bounds>;

/// A device that leaves every upper activation bound to the type's saturation.
struct upper_clamp_dropped : targets::tflite_reference {
  static constexpr std::string_view name = "fault: upper clamp dropped";
  struct conv2d : targets::tflite_reference::conv2d {
    using activation_bounds = upper_dropped<targets::tflite_reference::conv2d>;
  };
  struct depthwise_conv2d : targets::tflite_reference::depthwise_conv2d {
    using activation_bounds = upper_dropped<targets::tflite_reference::depthwise_conv2d>;
  };
  struct add : targets::tflite_reference::add {
    using activation_bounds = upper_dropped<targets::tflite_reference::add>;
  };
};
static_assert(overrides<upper_clamp_dropped, targets::tflite_reference>(
    "conv2d.activation_bounds", "depthwise_conv2d.activation_bounds", "add.activation_bounds"));

/// A device whose ADD reads both operands with the first one's scale.
struct add_scales_ignored : targets::tflite_reference {
  static constexpr std::string_view name = "fault: Add ignores operand scales";
  struct add : targets::tflite_reference::add {
    using addition = with_fault<bittwin::addition::first_scale_for_both,
                                targets::tflite_reference::add::addition>;
  };
};
static_assert(overrides<add_scales_ignored, targets::tflite_reference>("add.addition"));

using recording = std::vector<std::vector<std::byte>>;  ///< by tensor; empty where constant

recording record(const graph::model& m, const graph::target_rules& target,
                 const analysis::array& input, const fs::path& folder) {
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
  must(run.set_input(0, input.data));
  keep(m.inputs[0]);
  run.run([&](std::size_t k) {
    interrupt_guard::check();
    for (const std::int32_t index : m.operations[k].outputs) keep(index);
  });
  if (dump) must(dump->finish());
  return tensors;
}

/// How one target's run differs from the reference's.
struct parting {
  std::string target;
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

void print(const graph::model& m, const std::vector<parting>& partings) {
  fmt::print("{}: {} operators, one input image; every target against {}\n", bold(m.name),
             m.operations.size(), default_target);
  for (const parting& p : partings) {
    if (p.is_real) {
      fmt::print("  {:<34} the ideal: nothing rounded; output at most {:.2f} codes away\n",
                 p.target, p.real_max_codes);
    } else if (!p.first) {
      fmt::print("  {:<34} equal in every integer of every operator\n", p.target);
    } else {
      fmt::print("  {:<34} parts at {}: {} of {} codes differ, by up to {}{}\n", p.target,
                 operator_label(m, *p.first), grouped(p.at_first.mismatches),
                 grouped(p.at_first.elements), p.at_first.max_codes,
                 p.past_upper_bound > 0
                     ? fmt::format("; {} lie above the bound", grouped(p.past_upper_bound))
                     : "");
      fmt::print("  {:<34} at the output: {} of {} differ, by up to {}\n", "",
                 p.at_output.mismatches, p.at_output.elements, p.at_output.max_codes);
    }
  }
}

json as_json(const graph::model& m, const std::vector<parting>& partings) {
  json targets = json::array();
  for (const parting& p : partings) {
    json one{{"target", p.target}, {"equal", !p.is_real && !p.first}};
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
  return {{"model", m.name}, {"reference", default_target}, {"targets", targets}};
}

/// "fault: upper clamp dropped" -> "fault-upper-clamp-dropped"
std::string folder_name(std::string_view target) {
  std::string name;
  for (const char c : target)
    if (c != ':') name += c == ' ' ? '-' : c;
  return name;
}

}  // namespace

int demo(const demo_options& options) {
  const interrupt_guard guard;
  graph::model m = demo_model();
  const std::vector<std::byte> file = must(graph::write_tflite(m));
  m.sha256 = graph::sha256_hex(file);
  const analysis::array input =
      analysis::sample_input(m.tensors[static_cast<std::size_t>(m.inputs[0])], options.seed, 0);
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
  for (const graph::target_rules* target : all)
    if (target != &base)
      partings.push_back(
          compare_runs(m, *target, reference, record(m, *target, input, folder(*target))));
  if (!options.folder.empty())
    must(graph::write_file(fs::path(options.folder) / "demo.tflite", file));
  if (options.json)
    print_json(as_json(m, partings));
  else
    print(m, partings);
  return nothing_found;
}

}  // namespace bittwin::cli
