// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <fmt/format.h>

#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <filesystem>

#include "report.hpp"
#include "verb.hpp"

namespace bittwin::cli {
namespace {

namespace fs = std::filesystem;
using analysis::array;

/// The arrays under the paths of --input: files in the model's order, or one folder of inN.npy or
/// of a dump.
std::vector<array> arrays_of(const graph::model& m, const std::vector<std::string>& paths) {
  std::vector<array> arrays;
  if (paths.size() == 1 && fs::is_directory(paths[0])) {
    const fs::path folder = paths[0];
    if (fs::exists(folder / "in0.npy")) {
      for (std::size_t i = 0; i < m.inputs.size(); ++i)
        arrays.push_back(must(analysis::read_npy_file(folder / fmt::format("in{}.npy", i))));
    } else {
      const analysis::dump recorded = must(analysis::dump::open(folder));
      for (const std::int32_t index : m.inputs) arrays.push_back(must(recorded.read(index)));
    }
  } else {
    for (const std::string& path : paths) arrays.push_back(must(analysis::read_npy_file(path)));
  }
  return arrays;
}

void check_inputs(const graph::model& m, const std::vector<array>& arrays,
                  const std::vector<std::string>& paths) {
  if (arrays.size() != m.inputs.size())
    throw refusal(
        fmt::format("{}: {} inputs given, and the model takes {}; give one --input for each",
                    m.name, arrays.size(), m.inputs.size()));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const graph::tensor& t = m.tensors[static_cast<std::size_t>(m.inputs[i])];
    if (arrays[i].type == t.type && arrays[i].extents == t.extents) continue;
    throw refusal(fmt::format(
        "{}: is {}{}, but input {} of {}, {}, is {}; give an array of that type and shape",
        paths.size() == arrays.size() ? paths[i] : paths[0], name_of(arrays[i].type),
        to_string(arrays[i].extents), i, m.name, tensor_label(m, m.inputs[i]), type_and_shape(t)));
  }
}

}  // namespace

std::vector<array> read_inputs(const graph::model& m, const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  std::vector<array> arrays = arrays_of(m, paths);
  check_inputs(m, arrays, paths);
  return arrays;
}

std::vector<array> sample_inputs(const graph::model& m, std::uint64_t seed) {
  std::vector<array> arrays;
  for (std::size_t i = 0; i < m.inputs.size(); ++i)
    arrays.push_back(
        analysis::sample_input(m.tensors[static_cast<std::size_t>(m.inputs[i])], seed, i));
  return arrays;
}

}  // namespace bittwin::cli
