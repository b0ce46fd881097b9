// SPDX-License-Identifier: Apache-2.0
// Which reading of a file is right: the only one that fits, or the only one near the run.
//   near      correlation >= 0.95
//   the only  every other one is more than 1 % behind; readings that differ in nothing but an offset or a factor, which
//             correlation does not see, are told apart by the error, with the same 1 %
#pragma once

#include <algorithm>
#include <bittwin/analysis/import_candidate.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

inline constexpr double near_correlation = 0.95;
inline constexpr double least_lead = 0.01;

struct import_decision {
  std::optional<import_reading> reading;
  std::optional<agreement> agreed;        ///< with the run, where there was one
  std::optional<import_reading> nearest;  ///< where none is near the run; agreed is this one's
  std::string refused;                    ///< where there is no reading: the sentence
  std::string because;                    ///< where values decided: one clause
};

struct judged_reading {
  const import_reading* reading = nullptr;
  agreement agreed;
};

/// Best first. Readings of tensors that the run did not make are left out.
[[nodiscard]] inline std::vector<judged_reading> judge(const import_candidate& of,
                                                       const std::vector<import_reading>& readings,
                                                       const graph::model& m,
                                                       const reference_reals& reference) {
  std::vector<judged_reading> all;
  for (const import_reading& how : readings) {
    const auto made = reference.find(how.tensor);
    if (made == reference.end()) continue;
    const result<read_tensor> read = of.read(m, how);
    if (read) all.push_back({&how, agreement_of(read->reals, made->second)});
  }
  std::stable_sort(all.begin(), all.end(), [](const judged_reading& a, const judged_reading& b) {
    return a.agreed.correlation > b.agreed.correlation;
  });
  return all;
}

namespace detail {

[[nodiscard]] inline std::string ways_text(const import_candidate& of, const graph::model& m,
                                           const import_reading& a, const import_reading& b) {
  std::string text = reading_text(of, m, a) + " or " + reading_text(of, m, b);
  if (of.readings.size() > 2) text += " (" + number(of.readings.size()) + " ways in all)";
  return text;
}

[[nodiscard]] inline std::string advice(const import_reading& a, const import_reading& b) {
  if (a.tensor != b.tensor) return "say which tensor it is with --map";
  if (!(a.layout == b.layout)) return "say which with --layout";
  if (a.type != b.type) return "say which with --dtype";
  return "write codes as integers, or reals, on the board";
}

/// The leader among `all`, which are sorted; nothing where another one is within 1 %.
[[nodiscard]] inline std::optional<judged_reading> leader(std::vector<judged_reading>& all) {
  auto rivals_end = std::find_if(all.begin(), all.end(), [&](const judged_reading& other) {
    return other.agreed.correlation < all.front().agreed.correlation - least_lead;
  });
  std::stable_sort(all.begin(), rivals_end, [](const judged_reading& a, const judged_reading& b) {
    return a.agreed.error < b.agreed.error;
  });
  const judged_reading& best = all.front();
  for (auto rival = all.begin() + 1; rival != rivals_end; ++rival) {
    const bool apart_by_a_map = rival->reading->tensor == best.reading->tensor &&
                                rival->reading->layout == best.reading->layout;
    if (!apart_by_a_map || best.agreed.error > 0.5 ||
        rival->agreed.error < best.agreed.error + least_lead) {
      std::iter_swap(all.begin() + 1, rival);
      return std::nullopt;
    }
  }
  return best;
}

}  // namespace detail

/// reference  or null, and why there is none
[[nodiscard]] inline import_decision decide(const import_candidate& of, const graph::model& m,
                                            const reference_reals* reference,
                                            const std::string& why_no_reference) {
  import_decision made;
  const auto& ways = of.readings;
  if (ways.empty()) {
    made.refused = of.why_not.empty() ? detail::size_text(of, m)
                                      : of.label + " " + of.why_not + "; write it again";
    return made;
  }
  if (reference == nullptr) {
    if (ways.size() == 1 && of.is_named()) {
      made.reading = ways.front();
    } else if (ways.size() == 1) {
      made.refused = of.label + " has no tensor's name and may be " +
                     detail::reading_text(of, m, ways.front()) + ", but " + why_no_reference +
                     "; say its tensor with --map";
    } else {
      made.refused = of.label + " may be " + detail::ways_text(of, m, ways[0], ways[1]) + ", and " +
                     why_no_reference + "; " + detail::advice(ways[0], ways[1]) +
                     ", or give the board's input with --input";
    }
    return made;
  }
  std::vector<judged_reading> all = judge(of, ways, m, *reference);
  if (ways.size() == 1 && of.is_named()) {
    made.reading = ways.front();
    if (!all.empty()) made.agreed = all.front().agreed;
    return made;
  }
  if (all.empty() || all.front().agreed.correlation < near_correlation) {
    made.refused = of.label + " is near nothing that the run on the dump's inputs made";
    if (!all.empty()) made.nearest = *all.front().reading, made.agreed = all.front().agreed;
    if (!all.empty())
      made.refused +=
          ": the nearest is " + detail::reading_text(of, m, *all.front().reading) +
          " (correlation " + detail::correlation_text(all.front().agreed.correlation) +
          (all.size() > 1 ? "), then " + detail::reading_text(of, m, *all[1].reading) + " (" +
                                detail::correlation_text(all[1].agreed.correlation)
                          : std::string()) +
          ")";
    made.refused += of.is_named() ? "; say how it is laid out with --layout and --dtype"
                                  : "; say its tensor with --map";
    return made;
  }
  const std::optional<judged_reading> best = detail::leader(all);
  if (!best) {
    made.refused =
        of.label + " may be " + detail::ways_text(of, m, *all[0].reading, *all[1].reading) +
        ": within 1 % (" + detail::correlation_text(all[0].agreed.correlation) + " and " +
        detail::correlation_text(all[1].agreed.correlation) + " correlation with the run); " +
        detail::advice(*all[0].reading, *all[1].reading);
    return made;
  }
  made.reading = *best->reading;
  made.agreed = best->agreed;
  if (ways.size() > 1)
    made.because = "of " + number(ways.size()) + " ways that fit the only one near the run";
  return made;
}

/// What else than the decision the values say: the file is another tensor, or its shape names another layout. Empty: nothing.
/// Only where the file is less near the run than healthy tensors are: 0.99.
[[nodiscard]] inline std::string contradiction(const import_candidate& of,
                                               const import_reading& decided, agreement agreed,
                                               const graph::model& m,
                                               const reference_reals& reference,
                                               const std::vector<import_layout>& layouts) {
  if (agreed.correlation >= 0.99) return {};
  const auto better = [&](std::int32_t index, bool said_shape) {
    const readings_of_file found = readings_of(of.file, m, index, layouts, said_shape);
    const std::vector<judged_reading> all = judge(of, found.fit, m, reference);
    return !all.empty() && all.front().agreed.correlation >= near_correlation &&
                   all.front().agreed.correlation > agreed.correlation + least_lead
               ? detail::reading_text(of, m, *all.front().reading) + " (" +
                     detail::correlation_text(all.front().agreed.correlation) + " correlation)"
               : std::string();
  };
  const std::string start = of.label + " reads as " + detail::reading_text(of, m, decided) +
                            ", but its values (" + detail::correlation_text(agreed.correlation) +
                            " correlation with the run) are those of ";
  if (of.file.extents)
    if (const std::string found = better(decided.tensor, false); !found.empty())
      return start + found + ": its shape seems to be wrong; say its layout with --layout";
  for (const auto& [index, reals] : reference) {
    if (index == decided.tensor) continue;
    if (const std::string found = better(index, true); !found.empty())
      return start + found +
             ": files may be swapped; if the board does make them there, say so "
             "with a line FILE,TENSOR,sure in --map";
  }
  return {};
}

}  // namespace bittwin::analysis::inline v1
