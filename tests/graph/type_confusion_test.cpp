// SPDX-License-Identifier: Apache-2.0
// Every tensor of every operator in every other type, under every target: refused or run, and nothing is written
// or read past a tensor. (The sanitized slice sees what the executor's own guard does not.)
#include <gtest/gtest.h>

#include <array>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/targets/all.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/operator_models.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;

constexpr std::array types{element_type::int4,    element_type::int8,    element_type::uint8,
                           element_type::int16,   element_type::int32,   element_type::int64,
                           element_type::float16, element_type::float32, element_type::float64,
                           element_type::boolean};

/// Whether it ran.
bool run_once(const model& m, const target_rules& rules) {
  auto run = executor::prepare(m, rules);
  if (!run) {
    EXPECT_FALSE(run.error().text.empty());
    return false;
  }
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const auto x = analysis::sample_input(m.tensors[static_cast<std::size_t>(m.inputs[i])], 3, i);
    EXPECT_TRUE(run->set_input(i, x.data));
  }
  run->run();
  return true;
}

/// The model with its computed tensors of type `in` and its outputs of type `out`.
model retyped(model m, element_type in, element_type out) {
  for (tensor& t : m.tensors)
    if (!t.is_constant()) t.type = in;
  for (const std::int32_t index : m.outputs) m.tensors[static_cast<std::size_t>(index)].type = out;
  return m;
}

/// The model with one tensor of another type; nothing where it is a constant, whose bytes the reader
/// would have measured.
std::optional<model> with_type(const model& original, std::size_t index, element_type type) {
  const tensor& t = original.tensors[index];
  if (t.type == type ||
      (t.is_constant() && (bytes_of(t.type) != bytes_of(type) || type == element_type::int4 ||
                           t.type == element_type::int4)))
    return std::nullopt;
  model m = original;
  m.tensors[index].type = type;
  return m;
}

/// From every pair of types that some target runs, each tensor in every other type.
TEST(type_confusion, is_refused_or_runs_within_its_tensors) {
  int ran = 0, refused = 0;
  const auto tried = [&](const model& m, const std::string& what) {
    const int before = ran;
    for (const target_rules* rules : all_shipped_rules()) {
      SCOPED_TRACE(m.name + ", " + what + ", " + std::string(rules->name));
      (run_once(m, *rules) ? ran : refused)++;
    }
    return ran > before;
  };
  for (const model& seed : test::operator_models())
    for (const element_type in : types)
      for (const element_type out : types) {
        const model base = retyped(seed, in, out);
        const std::string pair = std::string(name_of(in)) + " to " + std::string(name_of(out));
        if (!tried(base, pair)) continue;
        for (std::size_t t = 0; t < base.tensors.size(); ++t)
          for (const element_type type : types)
            if (const auto m = with_type(base, t, type))
              tried(*m,
                    pair + ", tensor " + std::to_string(t) + " as " + std::string(name_of(type)));
      }
  EXPECT_GT(ran, 5000);
  EXPECT_GT(refused, 50000);
}

/// Multipliers from 2^-250 to 2^250: shifts by any of them are defined, and nothing but a code comes out.
TEST(extreme_grids, are_refused_or_run) {
  int ran = 0;
  for (const model& original : test::operator_models())
    for (std::size_t t = 0; t < original.tensors.size(); ++t) {
      if (!original.tensors[t].quantization.present()) continue;
      for (const float scale : {1e-38F, 1e-25F, 1e-9F, 2.5e-1F, 1e9F, 1e25F, 3e38F})
        for (const std::int64_t zero : {-128, 0, 127}) {
          model m = original;
          for (float& s : m.tensors[t].quantization.scales) s = scale;
          for (std::int64_t& z : m.tensors[t].quantization.zero_points)
            z = m.tensors[t].is_constant() ? z : zero;
          for (const target_rules* rules : all_shipped_rules()) {
            SCOPED_TRACE(m.name + ", tensor " + std::to_string(t) + ", scale " +
                         std::to_string(scale) + ", " + std::string(rules->name));
            ran += run_once(m, *rules);
          }
        }
    }
  EXPECT_GT(ran, 5000);
}

}  // namespace
