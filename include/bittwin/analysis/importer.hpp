// SPDX-License-Identifier: Apache-2.0
// Finds out what the files of one folder are, by names, sizes and values.
#pragma once

// g++ 12 takes what AddressSanitizer adds to <regex> for uninitialized.
#if defined(__GNUC__) && !defined(__clang__) && defined(__SANITIZE_ADDRESS__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <algorithm>
#include <bittwin/analysis/import.hpp>
#include <bittwin/analysis/import_folder.hpp>
#include <bittwin/analysis/import_inputs.hpp>
#include <bittwin/analysis/import_lines.hpp>
#include <map>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// By tensor.
using known_readings = std::map<std::int32_t, import_reading>;

[[nodiscard]] inline bool is_same_way(const import_reading& a, const import_reading& b) {
  return a.type == b.type && a.layout == b.layout && a.meaning == b.meaning;
}

class importer {
 public:
  /// known  how other samples hold a tensor
  explicit importer(const import_settings& settings, known_readings known = {})
      : settings_(settings),
        m_(*settings.model),
        known_(std::move(known)),
        tensors_(tensors_to_find(m_)) {}

  [[nodiscard]] result<imported_dump> run(const std::filesystem::path& folder) {
    import_folder in(settings_, tensors_, made_);
    if (status read = in.read(folder); !read) return read.error();
    files_ = in.take_files();
    for (import_candidate& one : files_) keep_known(one);
    find_reference();
    for (std::size_t i = 0; i < files_.size(); ++i) decide_file(i);
    refuse_tensors_found_twice();
    for (std::size_t i = 0; i < files_.size(); ++i) place_file(i);
    std::sort(made_.found.begin(), made_.found.end(),
              [](const auto& a, const auto& b) { return a.tensor < b.tensor; });
    for (const std::int32_t index : tensors_)
      if (std::none_of(made_.found.begin(), made_.found.end(),
                       [&](const imported_tensor& t) { return t.tensor == index; }))
        made_.not_found.push_back(index);
    return std::move(made_);
  }

  /// How each tensor was read that was found.
  [[nodiscard]] known_readings readings() const {
    known_readings all;
    for (const import_decision& d : decisions_)
      if (d.reading) all.emplace(d.reading->tensor, *d.reading);
    return all;
  }

 private:
  /// Of several readings those that other samples have, if there are such.
  void keep_known(import_candidate& one) const {
    const auto differs = [&](const import_reading& r) {
      const auto at = known_.find(r.tensor);
      return at != known_.end() && !is_same_way(at->second, r);
    };
    if (!std::all_of(one.readings.begin(), one.readings.end(), differs))
      std::erase_if(one.readings, differs);
  }

  void find_reference() {
    if (settings_.target == nullptr) {
      run_.why_not = "no target was given to run";
      return;
    }
    if (settings_.inputs.empty()) {
      run_ = run_on_inputs(m_, *settings_.target, settings_.arena_limit, files_, settings_.layouts);
    } else {
      result<reference_reals> made =
          run_reference(m_, *settings_.target, settings_.arena_limit, settings_.inputs);
      if (made)
        run_.reference = std::move(*made);
      else
        run_.why_not = "the model cannot be run here (" + made.error().text + ")";
    }
    made_.assumptions.push_back(
        run_.reference
            ? "where files leave something open, their values decide, against a run of " +
                  std::string(settings_.target->name) + " on " +
                  (settings_.inputs.empty() ? "the dump's inputs" : "the given inputs")
            : "values decide nothing: " + run_.why_not);
  }

  void decide_file(std::size_t i) {
    const import_candidate& one = files_[i];
    decisions_.emplace_back();
    import_decision& decision = decisions_.back();
    const auto suspect = run_.suspects.find(i);
    if (suspect != run_.suspects.end() && !one.names.sure) {
      decision.refused = suspect->second;
      return;
    }
    const reference_reals* const reference = run_.reference ? &*run_.reference : nullptr;
    const auto input = run_.inputs.find(i);
    if (input != run_.inputs.end()) {
      const std::vector<judged_reading> judged = judge(one, {input->second}, m_, *reference);
      decision.reading = input->second;
      if (!judged.empty()) decision.agreed = judged.front().agreed;
      if (one.readings.size() > 1) decision.because = "the run on it is nearest to the other files";
      return;
    }
    decision = decide(one, m_, reference, run_.why_not);
    if (!one.is_named() || one.names.sure || reference == nullptr) return;
    const std::optional<import_reading>& read =
        decision.reading ? decision.reading : decision.nearest;
    if (!read || !decision.agreed) return;
    std::string other =
        contradiction(one, *read, *decision.agreed, m_, *reference, settings_.layouts);
    if (other.empty()) return;
    decision.reading.reset();
    decision.refused = std::move(other);
  }

  /// Of several files for one tensor the one that is named after it stays; of several such ones, none.
  void refuse_tensors_found_twice() {
    for (const std::int32_t index : tensors_) {
      std::vector<std::size_t> claims, named;
      for (std::size_t i = 0; i < files_.size(); ++i) {
        if (!decisions_[i].reading || decisions_[i].reading->tensor != index) continue;
        claims.push_back(i);
        if (files_[i].is_named()) named.push_back(i);
      }
      if (claims.size() < 2) continue;
      for (const std::size_t i : claims) {
        if (named.size() == 1 && named[0] == i) continue;
        const std::size_t other = named.size() == 1 ? named[0] : claims[claims[0] == i ? 1 : 0];
        decisions_[i].reading.reset();
        decisions_[i].refused = files_[i].label + " and " + files_[other].label + " are both " +
                                tensor_text(m_, index) + "; take one of them away";
      }
    }
  }

  void place_file(std::size_t i) {
    const import_candidate& one = files_[i];
    const import_decision& decision = decisions_[i];
    if (!decision.reading) {
      made_.refused.push_back({one.file.name, decision.refused});
      return;
    }
    result<read_tensor> read = one.read(m_, *decision.reading);
    if (!read) return made_.refused.push_back({one.file.name, one.label + " " + read.error().text});
    for (std::string& line : lines_of(one, m_, decision, *read))
      made_.assumptions.push_back(std::move(line));
    imported_tensor t{decision.reading->tensor,
                      one.file.name,
                      decision.reading->type,
                      decision.reading->layout,
                      std::move(read->values),
                      std::move(read->board),
                      read->padding,
                      std::nullopt};
    if (decision.agreed) t.correlation = decision.agreed->correlation;
    made_.found.push_back(std::move(t));
  }

  const import_settings& settings_;
  const graph::model& m_;
  known_readings known_;
  std::vector<std::int32_t> tensors_;  ///< ascending
  std::vector<import_candidate> files_;
  std::vector<import_decision> decisions_;  ///< of files_
  import_run run_;
  imported_dump made_;
};

}  // namespace detail

}  // namespace bittwin::analysis::inline v1

#if defined(__GNUC__) && !defined(__clang__) && defined(__SANITIZE_ADDRESS__)
#pragma GCC diagnostic pop
#endif
