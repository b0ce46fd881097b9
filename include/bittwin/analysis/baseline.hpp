// SPDX-License-Identifier: Apache-2.0
// Findings that somebody has accepted: the JSON of an earlier comparison or audit. What it holds is known; what is new,
// or worse than there, is not.
#pragma once

#include <bittwin/analysis/comparison.hpp>
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
  /// errors  not the JSON of `compare --json` or `audit --json`
  [[nodiscard]] static result<baseline> parse(std::string_view text, const std::string& name);
  [[nodiscard]] static result<baseline> read(const std::filesystem::path& file);

  [[nodiscard]] bool of_comparison() const noexcept { return of_comparison_; }
  [[nodiscard]] bool of_audit() const noexcept { return of_audit_; }

  /// The same code and the same sentence.
  [[nodiscard]] bool knows(const finding& preflight) const;
  /// The same tensor, verdict and codes, and not more mismatches than there.
  [[nodiscard]] bool knows(const segment& s) const;
  /// The same code, operator, tensor and channel.
  [[nodiscard]] bool knows(const hazard& h) const;

 private:
  struct known_segment {
    std::int32_t tensor = 0;
    std::string name, verdict;
    std::vector<std::string> codes;
    std::int64_t mismatches = 0;
  };
  struct known_hazard {
    std::string code;
    std::int64_t op = 0, tensor = 0;
    std::optional<std::int64_t> channel;
  };

  bool of_comparison_ = false, of_audit_ = false;
  std::vector<finding> preflight_;
  std::vector<known_segment> segments_;
  std::vector<known_hazard> hazards_;

  friend class baseline_reader;
};

/// What of a comparison counts at a level, and how much of it a baseline accepts.
struct counted_findings {
  std::size_t accepted = 0;
  std::vector<const finding*> preflight;  ///< not accepted; they live in the comparison
  std::vector<const segment*> segments;

  [[nodiscard]] bool none() const noexcept { return preflight.empty() && segments.empty(); }
};

/// known  or null. The comparison must outlive what is returned.
[[nodiscard]] counted_findings count_findings(const comparison& c, fail_level level,
                                              const baseline* known);

}  // namespace bittwin::analysis::inline v1
