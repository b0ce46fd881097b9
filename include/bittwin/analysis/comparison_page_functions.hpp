// SPDX-License-Identifier: Apache-2.0
// How a comparison becomes a page: compiled once, with bittwin::analysis.
#pragma once

#include <bittwin/analysis/comparison_page.hpp>
#include <bittwin/analysis/comparison_text.hpp>
#include <bittwin/analysis/segment_layers.hpp>
#include <cstddef>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// In the order of the verdicts.
[[nodiscard]] inline std::vector<page_mark> verdict_marks() {
  struct look {
    verdict v;
    char letter;
    page_ink ink;
  };
  std::vector<page_mark> marks;
  for (const look& l :
       {look{verdict::exact, 'E', page_ink::green}, look{verdict::rounding, 'R', page_ink::sky},
        look{verdict::inherited, 'I', page_ink::blue},
        look{verdict::reparameterized, 'P', page_ink::purple},
        look{verdict::named, 'N', page_ink::red}, look{verdict::context, 'C', page_ink::orange},
        look{verdict::undetermined, 'U', page_ink::yellow},
        look{verdict::not_observed, '-', page_ink::grey}})
    marks.push_back({std::string(name_of(l.v)), l.letter, l.ink, std::string(meaning_of(l.v))});
  return marks;
}

}  // namespace detail

result<page> page_of(const comparison& c, const dump& reference, const dump& test,
                     const graph::model* m, const comparison_words& words) {
  detail::segment_layers layers(reference, test, m, words);
  page& to = layers.to();
  to.sentence = words.sentence.empty() ? sentence_of(c) : words.sentence;
  to.marks = detail::verdict_marks();
  for (const finding& f : c.preflight) to.notes.push_back(f);
  for (const std::string& text : c.assumptions) to.notes.push_back({"", "Assumed: " + text});
  for (const segment& s : c.segments) {
    if (&s == c.first()) to.first = to.layers.size();
    if (status done = layers.add(s, s.verdict != verdict::not_observed,
                                 static_cast<std::size_t>(s.verdict), measures_of(s), s.signature);
        !done)
      return done.error();
  }
  return layers.finish("Verdicts", summary_of(c));
}

}  // namespace bittwin::analysis::inline v1
