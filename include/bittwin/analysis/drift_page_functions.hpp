// SPDX-License-Identifier: Apache-2.0
// How what changed is put into words and a page: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison_text.hpp>
#include <bittwin/analysis/drift_page.hpp>
#include <bittwin/analysis/segment_layers.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstddef>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// "NAMED UPPER_CLAMP_MISSING", "ROUNDING as xnnpack and 3 more"
[[nodiscard]] inline std::string side_of(const segment& s,
                                         const std::vector<std::string_view>& rules) {
  std::string text(name_of(s.verdict));
  for (const finding& f : s.signature) text += " " + f.code;
  if (!rules.empty()) text += sentence({" as ", rules[0]});
  if (rules.size() > 1) text += sentence({" and ", number(rules.size() - 1), " more"});
  return text;
}

/// In the order of the changes.
[[nodiscard]] inline std::vector<page_mark> change_marks() {
  struct look {
    change c;
    char letter;
    page_ink ink;
  };
  std::vector<page_mark> marks;
  for (const look& l :
       {look{change::unchanged, 'E', page_ink::green}, look{change::fixed, 'F', page_ink::sky},
        look{change::broken, 'B', page_ink::red}, look{change::changed_rule, 'R', page_ink::orange},
        look{change::reparameterized, 'P', page_ink::purple},
        look{change::inherited, 'I', page_ink::blue},
        look{change::undetermined, 'U', page_ink::yellow},
        look{change::not_observed, '-', page_ink::grey}})
    marks.push_back({std::string(name_of(l.c)), l.letter, l.ink, std::string(meaning_of(l.c))});
  return marks;
}

/// What one release does wrong by the target, under its name.
inline void add_findings(std::vector<finding>& to, const segment& s, const std::string& release) {
  for (const finding& f : s.signature) to.push_back({f.code, release + ": " + f.text});
}

}  // namespace detail

std::string_view meaning_of(change c) noexcept {
  switch (c) {
    case change::unchanged: return "the same";
    case change::fixed: return "was at fault, and is right";
    case change::broken: return "was right, and is at fault";
    case change::changed_rule: return "rounds or errs by another rule";
    case change::reparameterized: return "other scales or zero points";
    case change::inherited: return "differs only because its inputs do";
    case change::undetermined: return "whether the rule changed cannot be told";
    case change::not_observed: return "not recorded in both";
  }
  return "?";
}

std::string measures_of(const drifted_segment& s) {
  if (s.change == change::not_observed) return "not recorded in both";
  return sentence({number(s.between.mismatches), " of ", number(s.between.elements), " differ; ",
                   detail::side_of(s.a, s.rules_a), " -> ", detail::side_of(s.b, s.rules_b)});
}

std::string summary_of(const drift& d) {
  std::vector<std::pair<change, std::size_t>> counts;
  for (const drifted_segment& s : d.segments) {
    const auto at = std::find_if(counts.begin(), counts.end(),
                                 [&](const auto& entry) { return entry.first == s.change; });
    if (at == counts.end())
      counts.emplace_back(s.change, 1);
    else
      ++at->second;
  }
  std::string text;
  for (const auto& [c, count] : counts)
    text += sentence({text.empty() ? "" : ", ", number(count), " ", name_of(c)});
  return text;
}

result<page> page_of(const drift& d, const dump& a, const dump& b, const graph::model& m,
                     const comparison_words& words) {
  detail::segment_layers layers(a, b, &m, words);
  page& to = layers.to();
  const drifted_segment* const first = d.first();
  to.sentence = words.sentence;
  if (to.sentence.empty() && first != nullptr)
    to.sentence = sentence({operators_of(first->a), ", tensor ", number(first->a.tensor),
                            ", is the first that changed by itself (", name_of(first->change),
                            "): ", measures_of(*first)});
  if (to.sentence.empty())
    to.sentence = "Nothing changed by itself: " + summary_of(d) + " of " +
                  number(d.segments.size()) + " segments";
  to.marks = detail::change_marks();
  for (const finding& f : d.preflight) to.notes.push_back(f);
  for (const std::string& text : d.assumptions) to.notes.push_back({"", "Assumed: " + text});
  for (const drifted_segment& s : d.segments) {
    if (&s == first) to.first = to.layers.size();
    segment between = s.b;
    between.metrics = s.between;
    std::vector<finding> findings;
    detail::add_findings(findings, s.a, words.reference);
    detail::add_findings(findings, s.b, words.test);
    if (status done =
            layers.add(between, s.change != change::not_observed,
                       static_cast<std::size_t>(s.change), measures_of(s), std::move(findings));
        !done)
      return done.error();
  }
  return layers.finish("Changes", summary_of(d));
}

}  // namespace bittwin::analysis::inline v1
