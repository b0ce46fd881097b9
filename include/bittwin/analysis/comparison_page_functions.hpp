// SPDX-License-Identifier: Apache-2.0
// How a comparison becomes a page: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison_page.hpp>
#include <bittwin/analysis/comparison_text.hpp>
#include <bittwin/analysis/dump_pair.hpp>
#include <bittwin/analysis/page_layer_facts.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

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

/// Of floats without a scale the noise against the signal: 10^(-SQNR / 20) = |d| / |REF|.
[[nodiscard]] inline double error_of(const difference& d) noexcept {
  if (d.rmse_over_scale) return *d.rmse_over_scale;
  if (d.sqnr_db) return std::pow(10.0, -*d.sqnr_db / 20);
  return d.equal() ? 0 : 1;
}

class comparison_pages {
 public:
  comparison_pages(const comparison& c, const dump& reference, const dump& test,
                   const graph::model* m, const comparison_words& words)
      : from_(c), model_(m), dumps_(reference, test, m), words_(words) {}

  [[nodiscard]] result<page> run() {
    to_.title = words_.title;
    to_.sentence = words_.sentence.empty() ? sentence_of(from_) : words_.sentence;
    to_.reference = words_.reference;
    to_.test = words_.test;
    to_.height =
        "root mean square of the difference in steps of the scale (of floats without one: "
        "relative to " +
        words_.reference + "), on a logarithmic scale";
    to_.logarithmic = true;
    to_.marks = verdict_marks();
    for (const finding& f : from_.preflight) to_.notes.push_back(f);
    for (const std::string& text : from_.assumptions) to_.notes.push_back({"", "Assumed: " + text});
    std::int64_t elements = 0, differ = 0;
    for (const segment& s : from_.segments) {
      elements += s.metrics.elements;
      differ += s.metrics.mismatches;
      if (&s == from_.first()) to_.first = to_.layers.size();
      if (status done = add(s); !done) return done.error();
    }
    if (model_ != nullptr) to_.facts.push_back({"Model", model_->name});
    to_.facts.push_back({"Segments", number(from_.segments.size())});
    to_.facts.push_back({"Verdicts", summary_of(from_)});
    to_.facts.push_back({"Elements compared", number(elements)});
    to_.facts.push_back({"Elements that differ", number(differ)});
    to_.facts.push_back({"Samples", number(dumps_.samples())});
    return std::move(to_);
  }

 private:
  [[nodiscard]] status add(const segment& s) {
    page_layer l;
    l.label = operators_of(s);
    l.name = s.name.empty() ? "tensor " + number(s.tensor) : s.name;
    l.mark = static_cast<std::size_t>(s.verdict);
    l.summary = measures_of(s);
    l.findings = s.signature;
    l.facts = {{"Tensor", number(s.tensor)}};
    if (s.verdict != verdict::not_observed) {
      l.height = error_of(s.metrics);
      if (status done = add_picture(s, l); !done) return done;
    }
    to_.layers.push_back(std::move(l));
    return ok();
  }

  [[nodiscard]] status add_picture(const segment& s, page_layer& l) {
    std::vector<finding> known;  // what does not fit was found before
    const result<std::optional<recorded_pair>> both = dumps_.read(s.tensor, known);
    if (!both) return both.error();
    if (!*both) return ok();
    const auto& [reference, test] = **both;
    const quantization reference_map = dumps_.reference_map(s.tensor),
                       test_map = dumps_.test_map(s.tensor);
    l.picture = picture_of(reference, reference_map, test, test_map);
    const bool codes = l.picture->codes;
    if (codes) l.type = range_of(reference.values.type);
    if (model_ != nullptr && !s.ops.empty())
      l.lines = activation_lines(*model_,
                                 model_->operations[static_cast<std::size_t>(s.ops.back())], codes);
    const auto fact = [&](std::string name, std::string value) {
      l.facts.push_back({std::move(name), std::move(value)});
    };
    fact(words_.reference,
         tensor_text(reference.values.type, reference.values.extents, reference_map));
    fact(words_.test, tensor_text(test.values.type, test.values.extents, test_map));
    const difference& d = s.metrics;
    if (d.first) fact("First difference at", position_text(*d.first, reference.all().extents));
    const auto measure = [&](const char* name, const char* format,
                             const std::optional<double>& value) {
      char text[64];
      if (!value) return;
      std::snprintf(text, sizeof text, format, *value);
      fact(name, text);
    };
    if (d.max_codes > 0) fact("Largest difference", number(d.max_codes) + " codes");
    if (d.max_codes == 0) measure("Largest difference", "%g", d.max_abs);
    measure("SQNR (low is bad)", "%.2f dB", d.sqnr_db);
    measure("Cosine", "%.8f", d.cosine);
    measure("Root mean square / scale", "%.4f", d.rmse_over_scale);
    if (s.one_step)
      fact("Alone on " + words_.test + "'s inputs",
           number(s.one_step->mismatches) + " of " + number(s.one_step->elements) + " differ");
    if (s.out_of_range) fact("Outside the fused activation", number(*s.out_of_range));
    if (l.picture->skipped > 0) fact("Not finite, not drawn", number(l.picture->skipped));
    return ok();
  }

  const comparison& from_;
  const graph::model* model_;
  dump_pair dumps_;
  const comparison_words& words_;
  page to_;
};

}  // namespace detail

result<page> page_of(const comparison& c, const dump& reference, const dump& test,
                     const graph::model* m, const comparison_words& words) {
  return detail::comparison_pages(c, reference, test, m, words).run();
}

}  // namespace bittwin::analysis::inline v1
