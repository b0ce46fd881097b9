// SPDX-License-Identifier: Apache-2.0
// The evidence of a fault, for whoever made the chip: a model, what it was given, what must come out, what came out,
// and a page that says how to see it again.
//   const auto evidence = make_bundle(model, board, {.target = &rules, .op = 5});
//   write_bundle(*evidence, "evidence");
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// target       whose integers are expected, and whose operators are run alone
/// target_name  as a command line says it
/// assume       the target that stands in for what nobody knows of a template, as a command line says it
/// assumed      a line for each axis that it stands in for
/// target_file  the bytes of the JSON file that describes the target, to be sent along; null: a shipped one
/// rules        whose results count as other ways to round
/// reference    a dump that holds what is expected instead, or null
/// op           this operator alone, with what the board gave it; absent: the whole model
/// anonymize    without names, texts and paths; the integers stay
struct bundle_settings {
  const graph::target_rules* target = nullptr;
  std::string target_name = {};
  std::string assume = {};
  std::vector<std::string> assumed = {};
  graph::file_bytes target_file = nullptr;
  std::vector<const graph::target_rules*> rules = {};
  const dump* reference = nullptr;
  std::optional<std::size_t> op = {};
  bool anonymize = false;
  std::size_t arena_limit = graph::executor::no_limit;  ///< bytes
};

struct bundle {
  graph::model m;                 ///< as model.tflite holds it
  graph::file_bytes model;        ///< the file
  std::vector<std::int32_t> ops;  ///< of the whole model, that the bundle holds
  dump expected, observed;        ///< by the tensors of `m`
  comparison found;               ///< observed against expected
  std::vector<std::string> assumptions;
  const graph::target_rules* target = nullptr;
  std::string target_name, assume;
  std::string target_formula;  ///< of a shipped target
  graph::file_bytes target_file;

  /// What the page is about: the first segment that nothing excuses, else the first that differs; or null.
  [[nodiscard]] const segment* subject() const noexcept {
    if (const segment* s = found.first()) return s;
    for (const segment& s : found.segments)
      if (s.verdict != verdict::exact && s.verdict != verdict::not_observed) return &s;
    return nullptr;
  }
};

/// board   what the board made: with `op` the operator's operands and result, else the model's inputs and any results
/// errors  tensors that the model does not have, or that the board did not record; what the target refuses; a target
///         on reals; a model that cannot be written
[[nodiscard]] result<bundle> make_bundle(const graph::model& whole, const dump& board,
                                         const bundle_settings& settings);

/// The page, in Markdown: which operator, which rule, how much, the first elements stage by stage, how to run it again.
[[nodiscard]] std::string page_of(const bundle& b);

/// Writes model.tflite, inputs/, expected/, observed/, comparison.json, README.md and SHA256SUMS. The folder appears
/// when all of it is written. Returns the names of the files.
/// errors  a folder that is there already and holds something; what cannot be written
[[nodiscard]] result<std::vector<std::string>> write_bundle(const bundle& b,
                                                            const std::filesystem::path& folder);

}  // namespace bittwin::analysis::inline v1
