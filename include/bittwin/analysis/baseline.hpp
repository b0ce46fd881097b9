// SPDX-License-Identifier: Apache-2.0
// Findings that somebody has accepted: the JSON of an earlier comparison, audit or drift. What it holds is known; what is new,
// or worse than there, is not.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/drift.hpp>
#include <bittwin/analysis/fail_level.hpp>
#include <bittwin/analysis/hazard.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

class baseline {
 public:
  /// name    how sentences call the file
  /// errors  not the JSON of `compare --json`, `drift --json` or `audit --json`
  [[nodiscard]] static result<baseline> parse(std::string_view text, const std::string& name);
  [[nodiscard]] static result<baseline> read(const std::filesystem::path& file);

  [[nodiscard]] bool of_comparison() const noexcept { return of_comparison_; }
  [[nodiscard]] bool of_drift() const noexcept { return of_drift_; }
  [[nodiscard]] bool of_audit() const noexcept { return of_audit_; }

  /// The same code and the same sentence.
  [[nodiscard]] bool knows(const finding& preflight) const;
  /// The same tensor, verdict and codes, and not more mismatches than there.
  [[nodiscard]] bool knows(const segment& s) const;
  /// The same tensor, change and codes of both releases, and not more mismatches than there.
  [[nodiscard]] bool knows(const drifted_segment& s) const;
  /// The same code, operator, tensor and channel.
  [[nodiscard]] bool knows(const hazard& h) const;

 private:
  struct known_segment {
    std::int32_t tensor = 0;
    std::string name, verdict;  ///< or change
    std::vector<std::string> codes;
    std::int64_t mismatches = 0;
    friend bool operator==(const known_segment&, const known_segment&) = default;
  };
  [[nodiscard]] bool knows_or_better(known_segment s) const;
  struct known_hazard {
    std::string code;
    std::int64_t op = 0, tensor = 0;
    std::optional<std::int64_t> channel;
  };

  bool of_comparison_ = false, of_drift_ = false, of_audit_ = false;
  std::vector<finding> preflight_;
  std::vector<known_segment> segments_;
  std::vector<known_hazard> hazards_;

  friend class baseline_reader;
};

/// What counts at a level, and how much of it a baseline accepts.
template <class Segment> struct counted_segments {
  std::size_t accepted = 0;
  std::vector<const finding*> preflight;  ///< not accepted; they live in the comparison
  std::vector<const Segment*> segments;

  [[nodiscard]] bool none() const noexcept { return preflight.empty() && segments.empty(); }
};
using counted_findings = counted_segments<segment>;
using counted_changes = counted_segments<drifted_segment>;

/// known  or null. The comparison must outlive what is returned.
[[nodiscard]] counted_findings count_findings(const comparison& c, fail_level level,
                                              const baseline* known);
[[nodiscard]] counted_changes count_findings(const drift& d, fail_level level,
                                             const baseline* known);

}  // namespace bittwin::analysis::inline v1
