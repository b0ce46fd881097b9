// SPDX-License-Identifier: Apache-2.0
// What pages of two dumps have in common: a layer for each segment, with the pictures of its tensor on both sides.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/comparison_page.hpp>
#include <bittwin/analysis/comparison_text.hpp>
#include <bittwin/analysis/dump_pair.hpp>
#include <bittwin/analysis/page.hpp>
#include <bittwin/analysis/page_layer_facts.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// Of floats without a scale the noise against the signal: 10^(-SQNR / 20) = |d| / |REF|.
[[nodiscard]] inline double error_of(const difference& d) noexcept {
  if (d.rmse_over_scale) return *d.rmse_over_scale;
  if (d.sqnr_db) return std::pow(10.0, -*d.sqnr_db / 20);
  return d.equal() ? 0 : 1;
}

class segment_layers {
 public:
  segment_layers(const dump& reference, const dump& test, const graph::model* m,
                 const comparison_words& words)
      : model_(m), dumps_(reference, test, m), words_(words) {
    to_.title = words.title;
    to_.reference = words.reference;
    to_.test = words.test;
    to_.height =
        "root mean square of the difference in steps of the scale (of floats without one: "
        "relative to " +
        words.reference + "), on a logarithmic scale";
    to_.logarithmic = true;
  }

  [[nodiscard]] page& to() noexcept { return to_; }

  /// s        its metrics are what TEST differs from REF by
  /// seen     whether both sides recorded it
  [[nodiscard]] status add(const segment& s, bool seen, std::size_t mark, std::string summary,
                           std::vector<finding> findings) {
    page_layer l;
    l.label = operators_of(s);
    l.name = s.name.empty() ? "tensor " + number(s.tensor) : s.name;
    l.mark = mark;
    l.summary = std::move(summary);
    l.findings = std::move(findings);
    l.facts = {{"Tensor", number(s.tensor)}};
    elements_ += s.metrics.elements;
    differ_ += s.metrics.mismatches;
    if (seen) {
      l.height = error_of(s.metrics);
      if (status done = add_picture(s, l); !done) return done;
    }
    to_.layers.push_back(std::move(l));
    return ok();
  }

  /// kinds: "3 EXACT, 1 NAMED", under the name of what they are
  [[nodiscard]] page finish(const char* name, std::string kinds) {
    if (model_ != nullptr) to_.facts.push_back({"Model", model_->name});
    to_.facts.push_back({"Segments", number(to_.layers.size())});
    to_.facts.push_back({name, std::move(kinds)});
    to_.facts.push_back({"Elements compared", number(elements_)});
    to_.facts.push_back({"Elements that differ", number(differ_)});
    to_.facts.push_back({"Samples", number(dumps_.samples())});
    return std::move(to_);
  }

 private:
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

  const graph::model* model_;
  dump_pair dumps_;
  const comparison_words& words_;
  page to_;
  std::int64_t elements_ = 0, differ_ = 0;
};

}  // namespace detail

}  // namespace bittwin::analysis::inline v1
