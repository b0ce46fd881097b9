// SPDX-License-Identifier: Apache-2.0
// The run that decides: on which of the dump's files, read how, does the library make what the other files hold?
#pragma once

#include <algorithm>
#include <bittwin/analysis/import_decision.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// A run and the readings of the files that it ran on, or why there is none.
struct import_run {
  std::optional<reference_reals> reference;
  std::map<std::size_t, import_reading> inputs;  ///< by file
  std::map<std::size_t, std::string> suspects;   ///< files to refuse, and the sentence
  std::string why_not;                           ///< a clause
};

namespace detail {

struct input_choice {
  std::size_t file = 0;
  import_reading reading;
};

/// Readings of one input of the model: of the files named after it, else of those named after nothing.
[[nodiscard]] inline std::vector<input_choice> input_choices(
    const std::vector<import_candidate>& files, std::int32_t tensor) {
  std::vector<input_choice> choices;
  for (const bool named : {true, false}) {
    for (std::size_t i = 0; i < files.size(); ++i)
      if (files[i].is_named() == named)
        for (const import_reading& how : files[i].readings)
          if (how.tensor == tensor) choices.push_back({i, how});
    if (!choices.empty()) break;
  }
  return choices;
}

/// What the model is run on: codes of its own grid, wherever the board's are.
[[nodiscard]] inline array on_models_grid(const graph::tensor& t, const read_tensor& from) {
  if (from.values.type == t.type && !from.board.present()) return from.values;
  const code_range codes = range_of(t.type);
  std::vector<double> values;
  for (const double real : from.reals)
    values.push_back(std::clamp(std::round(real / static_cast<double>(t.quantization.scale())) +
                                    static_cast<double>(t.quantization.zero_point()),
                                static_cast<double>(codes.low), static_cast<double>(codes.high)));
  return stored_as(t.type, t.extents, values);
}

/// How well a run explains the files that it did not run on.
struct explained {
  double mean = 0;        ///< of the best correlations
  std::size_t files = 0;  ///< that could be judged
  std::size_t near = 0;   ///< of them
};
[[nodiscard]] inline explained explains(const reference_reals& reference, const graph::model& m,
                                        const std::vector<import_candidate>& files,
                                        const std::vector<input_choice>& inputs) {
  explained all;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (std::any_of(inputs.begin(), inputs.end(),
                    [i](const input_choice& used) { return used.file == i; }))
      continue;
    std::vector<import_reading> computed;
    for (const import_reading& how : files[i].readings)
      if (std::find(m.inputs.begin(), m.inputs.end(), how.tensor) == m.inputs.end())
        computed.push_back(how);
    const std::vector<judged_reading> judged = judge(files[i], computed, m, reference);
    if (judged.empty()) continue;
    ++all.files;
    all.mean += std::max(judged.front().agreed.correlation, 0.0);
    all.near += judged.front().agreed.correlation >= near_correlation;
  }
  if (all.files > 0) all.mean /= static_cast<double>(all.files);
  return all;
}

}  // namespace detail

namespace detail {

using input_combination = std::vector<input_choice>;

/// One choice an input, no file twice; more than 64 are not listed.
[[nodiscard]] inline std::optional<std::vector<input_combination>> combinations_of(
    const std::vector<std::vector<input_choice>>& choices_of_inputs) {
  std::vector<input_combination> all{{}};
  for (const std::vector<input_choice>& choices : choices_of_inputs) {
    std::vector<input_combination> longer;
    for (const input_combination& before : all)
      for (const input_choice& choice : choices) {
        if (std::any_of(before.begin(), before.end(),
                        [&](const input_choice& used) { return used.file == choice.file; }))
          continue;
        longer.push_back(before);
        longer.back().push_back(choice);
      }
    if (longer.size() > 64) return std::nullopt;
    all = std::move(longer);
  }
  return all;
}

/// The combination whose run explains most, and how much the next one does.
struct best_combination {
  const input_combination* chosen = nullptr;
  reference_reals reference;
  explained explains;
  double second = -1;

  /// Near at least half of the files, and 1 % ahead.
  [[nodiscard]] bool convinces() const noexcept {
    return is_near() && explains.mean > second + least_lead;
  }
  [[nodiscard]] bool is_near() const noexcept {
    return explains.files > 0 && 2 * explains.near >= explains.files;
  }
};
[[nodiscard]] inline result<best_combination> best_of(
    const std::vector<input_combination>& combinations, const graph::model& m,
    const graph::target_rules& rules, std::size_t arena_limit,
    const std::vector<import_candidate>& files) {
  best_combination best;
  for (const input_combination& combination : combinations) {
    std::vector<array> inputs;
    for (const input_choice& choice : combination) {
      const result<read_tensor> read = files[choice.file].read(m, choice.reading);
      if (!read) return read.error();
      inputs.push_back(
          on_models_grid(m.tensors[static_cast<std::size_t>(choice.reading.tensor)], *read));
    }
    result<reference_reals> made = run_reference(m, rules, arena_limit, inputs);
    if (!made) return made.error();
    const explained now = explains(*made, m, files, combination);
    if (best.chosen != nullptr && now.mean <= best.explains.mean) {
      best.second = std::max(best.second, now.mean);
      continue;
    }
    if (best.chosen != nullptr) best.second = std::max(best.second, best.explains.mean);
    best.chosen = &combination;
    best.reference = std::move(*made);
    best.explains = now;
  }
  return best;
}

/// The files named after inputs explain little: does the run on other files explain more? Then those files and the
/// named ones are suspects, and it is the run to go by.
inline void suspect_swapped_inputs(import_run& run, const best_combination& own,
                                   const graph::model& m, const graph::target_rules& rules,
                                   std::size_t arena_limit,
                                   const std::vector<import_candidate>& files,
                                   const std::vector<import_layout>& layouts) {
  std::vector<std::vector<input_choice>> choices;
  for (const std::int32_t input : m.inputs) {
    choices.emplace_back();
    for (std::size_t i = 0; i < files.size(); ++i)
      for (const import_reading& how : readings_of(files[i].file, m, input, layouts, true).fit)
        choices.back().push_back({i, how});
  }
  const auto combinations = combinations_of(choices);
  if (!combinations) return;
  result<best_combination> other = best_of(*combinations, m, rules, arena_limit, files);
  if (!other || other->chosen == nullptr || !other->is_near() ||
      other->explains.mean <= own.explains.mean + least_lead)
    return;
  for (std::size_t k = 0; k < m.inputs.size(); ++k) {
    const std::size_t named = (*own.chosen)[k].file, better = (*other->chosen)[k].file;
    if (named == better) continue;
    const std::string text = "the run on " + files[better].label +
                             " makes what the other files hold, and that on " + files[named].label +
                             ", which is named after " + tensor_text(m, m.inputs[k]) +
                             ", does not: files may be swapped; give them their names";
    run.suspects.emplace(named, files[named].label + ": " + text);
    run.suspects.emplace(better, files[better].label + ": " + text);
    run.inputs.erase(named);
  }
  run.reference = std::move(other->reference);
}

}  // namespace detail

/// Tries the ways to read the inputs, up to 64 of them. One that is named and read in one way is believed, unless
/// another file explains the rest better; of several the one that convinces.
[[nodiscard]] inline import_run run_on_inputs(const graph::model& m,
                                              const graph::target_rules& rules,
                                              std::size_t arena_limit,
                                              const std::vector<import_candidate>& files,
                                              const std::vector<import_layout>& layouts) {
  import_run run;
  std::vector<std::vector<detail::input_choice>> choices;
  bool certain = true;
  for (const std::int32_t input : m.inputs) {
    choices.push_back(detail::input_choices(files, input));
    const auto& last = choices.back();
    if (last.empty()) {
      run.why_not = "the dump has no " + detail::tensor_text(m, input) + ", an input, to run on";
      return run;
    }
    certain = certain && last.size() == 1 && files[last[0].file].is_named();
  }
  const auto combinations = detail::combinations_of(choices);
  if (!combinations || combinations->empty()) {
    run.why_not = combinations ? "no files are left for the inputs to run on"
                               : "the inputs can be read in more than 64 ways to run on";
    return run;
  }
  result<detail::best_combination> best =
      detail::best_of(*combinations, m, rules, arena_limit, files);
  if (!best) {
    run.why_not = "the model cannot be run here (" + best.error().text + ")";
    return run;
  }
  if (!certain && !best->convinces()) {
    run.why_not = "the inputs can be read in " + number(combinations->size()) + " ways, of which " +
                  (best->is_near() ? "two explain the other files within 1 %"
                                   : "none makes what most other files hold");
    return run;
  }
  for (const detail::input_choice& choice : *best->chosen)
    run.inputs.emplace(choice.file, choice.reading);
  run.reference = std::move(best->reference);
  if (certain && best->explains.files > 0 && !best->is_near())
    detail::suspect_swapped_inputs(run, *best, m, rules, arena_limit, files, layouts);
  return run;
}

}  // namespace bittwin::analysis::inline v1
