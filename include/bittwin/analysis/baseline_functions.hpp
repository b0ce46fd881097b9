// SPDX-License-Identifier: Apache-2.0
// How a baseline is read and asked: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/baseline.hpp>
#include <bittwin/graph/file.hpp>
#include <nlohmann/json.hpp>
#include <utility>

namespace bittwin::analysis::inline v1 {

class baseline_reader {
 public:
  explicit baseline_reader(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] result<baseline> read(std::string_view text) const {
    const json root = json::parse(text, nullptr, false);
    baseline to;
    if (root.is_object()) {
      const bool segments = root.contains("segments") && root["segments"].is_array();
      to.of_drift_ = segments && std::any_of(root["segments"].begin(), root["segments"].end(),
                                             [](const json& s) { return s.contains("change"); });
      to.of_comparison_ = segments && !to.of_drift_;
      to.of_audit_ = root.contains("hazards") && root["hazards"].is_array();
    }
    if (!to.of_comparison_ && !to.of_drift_ && !to.of_audit_)
      return refuse(
          "is not what 'bittwin compare --json', 'bittwin drift --json' or 'bittwin audit --json' "
          "prints");
    if (root.contains("preflight") && root["preflight"].is_array())
      for (const json& entry : root["preflight"])
        to.preflight_.push_back({text_of(entry, "code"), text_of(entry, "text")});
    if (to.of_comparison_ || to.of_drift_)
      for (const json& entry : root["segments"]) {
        const auto tensor = integer_of(entry, "tensor"),
                   mismatches = integer_of(entry, "mismatches");
        if (!tensor || *tensor < 0 || *tensor > INT32_MAX || !mismatches)
          return refuse("has a segment without \"tensor\" or \"mismatches\"");
        to.segments_.push_back({static_cast<std::int32_t>(*tensor), text_of(entry, "name"),
                                text_of(entry, to.of_drift_ ? "change" : "verdict"),
                                to.of_drift_ ? codes_of_sides(entry) : codes_of_segment(entry),
                                *mismatches});
      }
    if (to.of_audit_)
      for (const json& entry : root["hazards"]) {
        const auto op = integer_of(entry, "op"), tensor = integer_of(entry, "tensor");
        if (!op || !tensor) return refuse("has a hazard without \"op\" or \"tensor\"");
        to.hazards_.push_back({text_of(entry, "code"), *op, *tensor, integer_of(entry, "channel")});
      }
    return to;
  }

 private:
  using json = nlohmann::json;

  [[nodiscard]] error refuse(const std::string& text) const {
    return {error_code::bad_file, name_ + ": " + text + "; write it again and give that"};
  }
  [[nodiscard]] static std::string text_of(const json& entry, const char* key) {
    const auto at = entry.is_object() ? entry.find(key) : entry.end();
    return at != entry.end() && at->is_string() ? at->get<std::string>() : std::string();
  }
  [[nodiscard]] static std::optional<std::int64_t> integer_of(const json& entry, const char* key) {
    const auto at = entry.is_object() ? entry.find(key) : entry.end();
    if (at == entry.end() || !at->is_number_integer()) return std::nullopt;
    return at->get<std::int64_t>();
  }
  [[nodiscard]] static std::vector<std::string> codes_of_segment(const json& entry) {
    std::vector<std::string> codes;
    const auto at = entry.is_object() ? entry.find("signature") : entry.end();
    if (at != entry.end() && at->is_array())
      for (const json& f : *at) codes.push_back(text_of(f, "code"));
    std::sort(codes.begin(), codes.end());
    return codes;
  }
  /// Those of A, an empty one, those of B.
  [[nodiscard]] static std::vector<std::string> codes_of_sides(const json& entry) {
    std::vector<std::string> codes;
    for (const char* side : {"a", "b"}) {
      if (entry.contains(side))
        for (std::string& code : codes_of_segment(entry[side])) codes.push_back(std::move(code));
      codes.emplace_back();
    }
    return codes;
  }

  std::string name_;
};

result<baseline> baseline::parse(std::string_view text, const std::string& name) {
  return baseline_reader(name).read(text);
}

result<baseline> baseline::read(const std::filesystem::path& file) {
  const auto bytes = graph::read_file(file, std::uintmax_t{1} << 28);
  if (!bytes) return bytes.error();
  return parse(graph::as_text(**bytes), file.string());
}

bool baseline::knows(const finding& preflight) const {
  return std::any_of(preflight_.begin(), preflight_.end(), [&](const finding& f) {
    return f.code == preflight.code && f.text == preflight.text;
  });
}

bool baseline::knows_or_better(known_segment s) const {
  return std::any_of(segments_.begin(), segments_.end(), [&](const known_segment& known) {
    if (s.mismatches > known.mismatches) return false;
    known_segment as_many = s;
    as_many.mismatches = known.mismatches;
    // Names guard against the baseline of another model, whose tensors have the same numbers.
    return as_many == known;
  });
}

namespace detail {

inline void add_codes(std::vector<std::string>& to, const segment& s) {
  const auto first = static_cast<std::ptrdiff_t>(to.size());
  for (const finding& f : s.signature) to.push_back(f.code);
  std::sort(to.begin() + first, to.end());
}

}  // namespace detail

bool baseline::knows(const segment& s) const {
  std::vector<std::string> codes;
  detail::add_codes(codes, s);
  return knows_or_better(
      {s.tensor, s.name, std::string(name_of(s.verdict)), codes, s.metrics.mismatches});
}

bool baseline::knows(const drifted_segment& s) const {
  std::vector<std::string> codes;
  for (const segment* side : {&s.a, &s.b}) {
    detail::add_codes(codes, *side);
    codes.emplace_back();
  }
  return knows_or_better(
      {s.a.tensor, s.a.name, std::string(name_of(s.change)), codes, s.between.mismatches});
}

bool baseline::knows(const hazard& h) const {
  return std::any_of(hazards_.begin(), hazards_.end(), [&](const known_hazard& known) {
    return known.code == h.code && known.op == static_cast<std::int64_t>(h.op) &&
           known.tensor == h.tensor && known.channel == h.channel;
  });
}

namespace detail {

/// counts_of(segment): whether it counts
template <class Comparison, class Counted, class Counts>
[[nodiscard]] Counted counted(const Comparison& c, const baseline* known, Counted found,
                              Counts counts_of) {
  const auto sort_in = [&](const auto& one, auto& to) {
    if (known != nullptr && known->knows(one))
      ++found.accepted;
    else
      to.push_back(&one);
  };
  for (const finding& f : c.preflight) sort_in(f, found.preflight);
  for (const auto& s : c.segments)
    if (counts_of(s)) sort_in(s, found.segments);
  return found;
}

}  // namespace detail

counted_findings count_findings(const comparison& c, fail_level level, const baseline* known) {
  return detail::counted(c, known, counted_findings(),
                         [&](const segment& s) { return counts(s.verdict, level); });
}

counted_changes count_findings(const drift& d, fail_level level, const baseline* known) {
  return detail::counted(d, known, counted_changes(),
                         [&](const drifted_segment& s) { return counts(s.change, level); });
}

}  // namespace bittwin::analysis::inline v1
