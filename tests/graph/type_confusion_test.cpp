// SPDX-License-Identifier: Apache-2.0
// Every tensor of every operator in every other type, under every target: refused or run, and nothing is written
// or read past a tensor. (The sanitized slice sees what the executor's own guard does not.)
#include <gtest/gtest.h>

#include <array>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/targets/all.hpp>
#include <vector>

#include "support/operator_models.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;

constexpr std::array types{element_type::int4,    element_type::int8,    element_type::uint8,
                           element_type::int16,   element_type::int32,   element_type::int64,
                           element_type::float16, element_type::float32, element_type::boolean};

template <class... Targets> std::vector<const target_rules*> all_rules(targets::list<Targets...>) {
  return {&rules_of<Targets>()...};
}

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

TEST(type_confusion, is_refused_or_runs_within_its_tensors) {
  int ran = 0, refused = 0;
  for (const model& original : test::operator_models())
    for (std::size_t t = 0; t < original.tensors.size(); ++t)
      for (const element_type type : types) {
        model m = original;
        tensor& changed = m.tensors[t];
        // A constant keeps its bytes, which the reader would have measured.
        if (changed.type == type ||
            (changed.is_constant() && bytes_of(changed.type) != bytes_of(type)) ||
            (changed.is_constant() &&
             (type == element_type::int4 || changed.type == element_type::int4)))
          continue;
        changed.type = type;
        for (const target_rules* rules : all_rules(targets::all{})) {
          SCOPED_TRACE(m.name + ", tensor " + std::to_string(t) + " as " +
                       std::string(name_of(type)) + ", " + std::string(rules->name));
          (run_once(m, *rules) ? ran : refused)++;
        }
      }
  EXPECT_GT(ran, 500);
  EXPECT_GT(refused, 5000);
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
          for (const target_rules* rules : all_rules(targets::all{})) {
            SCOPED_TRACE(m.name + ", tensor " + std::to_string(t) + ", scale " +
                         std::to_string(scale) + ", " + std::string(rules->name));
            ran += run_once(m, *rules);
          }
        }
    }
  EXPECT_GT(ran, 5000);
}

}  // namespace
