// SPDX-License-Identifier: Apache-2.0
// How a comparison is put into words: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison_text.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

std::string_view meaning_of(verdict v) noexcept {
  switch (v) {
    case verdict::exact: return "the same in every element";
    case verdict::rounding: return "explained by the choice of a rounding rule";
    case verdict::inherited: return "differs only because its inputs do";
    case verdict::reparameterized: return "other scales or zero points, no fault";
    case verdict::named: return "a fault that has a name";
    case verdict::context: return "right alone, wrong in the graph";
    case verdict::undetermined: return "differs, and nothing here explains it";
    case verdict::not_observed: return "not recorded on both sides";
  }
  return "?";
}

std::string operators_of(const segment& s) {
  if (s.ops.empty()) return "tensor";
  if (s.ops.size() == 1) return sentence({"operator ", number(s.ops[0]), " ", s.label});
  return sentence(
      {"operators ", number(s.ops.front()), " to ", number(s.ops.back()), " ", s.label});
}

std::string measures_of(const segment& s) {
  const difference& d = s.metrics;
  if (s.verdict == verdict::not_observed) return "not recorded on both sides";
  const auto of = [](const difference& m) {
    return number(m.mismatches) + " of " + number(m.elements);
  };
  const auto decimals = [](const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return std::string(text);
  };
  std::string text = of(d) + " differ";
  if (d.mismatches > 0 && d.max_codes > 0)
    text += ", by at most " + number(d.max_codes) + (d.max_codes == 1 ? " code" : " codes");
  if (d.mismatches > 0 && d.max_codes == 0) text += decimals(", by at most %g", d.max_abs);
  if (d.mismatches > 0 && d.sqnr_db) text += decimals(", SQNR %.1f dB", *d.sqnr_db);
  if (s.one_step && d.mismatches > 0) text += "; alone on TEST's inputs: " + of(*s.one_step);
  if (s.out_of_range && *s.out_of_range > 0)
    text += "; " + number(*s.out_of_range) + " outside the fused activation";
  if (d.vacuous()) text += "; REF is nearly constant or saturated, which shows little";
  return text;
}

std::string summary_of(const comparison& c) {
  std::vector<std::pair<verdict, std::size_t>> counts;
  for (const segment& s : c.segments) {
    const auto at = std::find_if(counts.begin(), counts.end(),
                                 [&](const auto& entry) { return entry.first == s.verdict; });
    if (at == counts.end())
      counts.emplace_back(s.verdict, 1);
    else
      ++at->second;
  }
  std::string text;
  for (const auto& [v, count] : counts)
    text += sentence({text.empty() ? "" : ", ", number(count), " ", name_of(v)});
  return text;
}

std::string sentence_of(const comparison& c) {
  if (const segment* s = c.first()) {
    const std::string operators = s->ops.empty() ? "" : operators_of(*s) + ", ";
    std::string text =
        sentence({operators, "tensor ", number(s->tensor), " ", graph::printable_name(s->name),
                  s->ops.empty() ? "" : ",", " is the first to part (", name_of(s->verdict),
                  "): ", measures_of(*s)});
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
    for (const finding& f : s->signature) text += "; " + f.code + ", " + f.text;
    return text;
  }
  const auto all = [&](verdict v) {
    return std::all_of(c.segments.begin(), c.segments.end(),
                       [&](const segment& s) { return s.verdict == v; });
  };
  if (!c.preflight.empty())
    return c.preflight[0].code + ", before any verdict counts: " + c.preflight[0].text;
  const std::string count = number(c.segments.size());
  if (all(verdict::not_observed)) return "Nothing was recorded on both sides";
  if (all(verdict::exact)) return "All " + count + " segments are the same in every element";
  return "No operator is at fault: " + summary_of(c) + " of " + count + " segments";
}

}  // namespace bittwin::analysis::inline v1
