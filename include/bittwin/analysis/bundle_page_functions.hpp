// SPDX-License-Identifier: Apache-2.0
// What the page of a bundle says: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/activation_range.hpp>
#include <bittwin/analysis/bundle.hpp>
#include <bittwin/analysis/explain.hpp>
#include <bittwin/analysis/rounding_span.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstdio>
#include <span>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

class bundle_page {
 public:
  explicit bundle_page(const bundle& b) : b_(b) {}

  [[nodiscard]] std::string text() {
    const segment* const s = b_.subject();
    if (s == nullptr) {
      line("# The results are as expected");
      line("\nEvery tensor of `observed/` equals that of `expected/`, element by element.");
    } else {
      head(*s);
      elements(*s);
    }
    rules();
    rerun();
    files();
    return std::move(text_);
  }

 private:
  void line(std::string text) { text_ += std::move(text) + "\n"; }

  [[nodiscard]] static std::string operators(const segment& s) {
    if (s.ops.empty()) return "an operator";
    std::string name;
    for (const std::int32_t k : s.ops) name += (name.empty() ? "operator " : ", ") + number(k);
    return name + " " + s.label;
  }

  void head(const segment& s) {
    const difference& d = s.metrics;
    std::string codes;
    for (const finding& f : s.signature) codes += " " + f.code;
    line("# " + operators(s) + ": " + std::string(name_of(s.verdict)) + codes);
    const graph::tensor& t = b_.m.tensors[static_cast<std::size_t>(s.tensor)];
    line("\nTensor " + number(s.tensor) + " " + graph::printable_name(s.name) + ", " +
         std::string(name_of(t.type)) + to_string(t.extents) + ": **" + number(d.mismatches) +
         " of " + number(d.elements) + " elements differ**" +
         (d.max_codes > 0 ? ", by at most " + number(d.max_codes) + " codes" : std::string()) +
         ".");
    if (!s.ops.empty()) {
      const activation fused =
          activation_of(b_.m.operations[static_cast<std::size_t>(s.ops.back())]);
      if (fused != activation::none)
        line("The operator's activation is " + std::string(name_of(fused)) +
             (s.out_of_range ? "; " + number(*s.out_of_range) + " results lie outside of it."
                             : std::string(".")));
    }
    if (s.one_step)
      line("Of the operator alone, on the operands that the board recorded: " +
           number(s.one_step->mismatches) + " of " + number(s.one_step->elements) + " differ.");
    for (const finding& f : s.signature) line("\n- **" + f.code + "**: " + f.text);
    if (t.quantization.present() && !t.quantization.per_channel())
      line("\nreal = " + decimal(t.quantization.scale()) + " * (code - (" +
           number(t.quantization.zero_point()) + "))");
    for (const finding& f : b_.found.preflight) line("\n- " + f.code + ": " + f.text);
    for (const std::string& text : b_.assumptions) line("\n- assumed: " + text);
  }

  /// One tensor of one sample on both sides.
  struct sides {
    recording expected, observed;
    std::size_t sample = 0;
    std::vector<std::int64_t> differing;  ///< flat indices
  };
  [[nodiscard]] std::optional<sides> first_sample_that_differs(const segment& s) const {
    const std::size_t samples =
        std::min(b_.expected.samples().size(), b_.observed.samples().size());
    for (std::size_t sample = 0; sample < samples; ++sample) {
      const result<array> a = b_.expected.read(s.tensor, sample),
                          b = b_.observed.read(s.tensor, sample);
      if (!a || !b || a->type != b->type || !is_integer(a->type)) return std::nullopt;
      sides found;
      found.sample = sample;
      found.expected.append(*a);
      found.observed.append(*b);
      const auto right = codes_of(found.expected), got = codes_of(found.observed);
      for (std::size_t i = 0; i < std::min(right.size(), got.size()); ++i)
        if (right[i] != got[i]) found.differing.push_back(static_cast<std::int64_t>(i));
      if (!found.differing.empty()) return found;
    }
    return std::nullopt;
  }

  void elements(const segment& s) {
    const std::optional<sides> both = first_sample_that_differs(s);
    if (!both) return;
    const auto right = codes_of(both->expected), got = codes_of(both->observed);
    bound(s, *both, right, got);
    const graph::tensor& t = b_.m.tensors[static_cast<std::size_t>(s.tensor)];
    line(
        "\n## The first elements that differ" +
        (b_.expected.samples().size() > 1 ? ", in sample " + number(both->sample) : std::string()) +
        "\n");
    line("| index | place | expected | observed | observed - expected |");
    line("|---|---|---|---|---|");
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(both->differing.size(), most); ++i) {
      const auto at = static_cast<std::size_t>(both->differing[i]);
      line("| " + number(at) + " | " + place(t.extents, both->differing[i]) + " | " +
           number(right[at]) + " | " + number(got[at]) + " | " + number(got[at] - right[at]) +
           " |");
    }
    stages(s, *both, right, got);
  }

  /// Where all of them pass one bound: which bounds would explain them.
  void bound(const segment& s, const sides& both, const std::vector<std::int64_t>& right,
             const std::vector<std::int64_t>& got) {
    const std::int64_t code = right[static_cast<std::size_t>(both.differing[0])];
    std::int64_t low = got[static_cast<std::size_t>(both.differing[0])], high = low;
    for (const std::int64_t i : both.differing) {
      const auto at = static_cast<std::size_t>(i);
      if (right[at] != code) return;
      low = std::min(low, got[at]);
      high = std::max(high, got[at]);
    }
    if (low < code && high > code) return;
    const std::string count = number(both.differing.size());
    line("\nAll " + count + " of them must be " + number(code) + " and are " + number(low) +
         " to " + number(high) + ".");
    const auto has = [&](std::string_view name) {
      return std::any_of(s.signature.begin(), s.signature.end(),
                         [&](const finding& f) { return f.code == name; });
    };
    if (low > code && has("UPPER_CLAMP_MISSING"))
      line("Upper bound not applied: every upper bound from " + number(high) + " up explains all " +
           count + ", the model's " + number(code) + " explains none.");
    if (high < code && has("LOWER_CLAMP_MISSING"))
      line("Lower bound not applied: every lower bound from " + number(low) +
           " down explains all " + count + ", the model's " + number(code) + " explains none.");
  }

  /// "0,3,1,2"
  [[nodiscard]] static std::string place(const shape& extents, std::int64_t element) {
    std::string text;
    for (int axis = extents.rank() - 1; axis >= 0; --axis) {
      text = number(element % extents[axis]) + (text.empty() ? "" : ",") + text;
      element /= extents[axis];
    }
    return text;
  }

  /// What the target makes of the first of these elements, on the operands that the board recorded.
  void stages(const segment& s, const sides& both, const std::vector<std::int64_t>& right,
              const std::vector<std::int64_t>& got) {
    const auto operands = [&](std::int32_t tensor) -> result<std::vector<std::byte>> {
      result<array> a = b_.observed.read(tensor, both.sample);
      if (!a) return a.error();
      return std::move(a->data);
    };
    constexpr std::size_t most = 4;
    std::vector<explained> columns;
    for (std::size_t i = 0; i < std::min(both.differing.size(), most); ++i) {
      auto e = explain(b_.m, s.tensor, both.differing[i], operands, *b_.target, *b_.target);
      if (!e) {
        line("\nNo stages: " + e.error().text + ".");
        return;
      }
      columns.push_back(std::move(e->first));
    }
    line("\n## Stage by stage, under " + columns[0].as + "\n");
    std::string head = "| stage |", rule = "|---|", expected = "| expected |",
                observed = "| observed |";
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto at = static_cast<std::size_t>(both.differing[c]);
      head += " element " + number(at) + " |";
      rule += "---|";
      expected += " " + number(right[at]) + " |";
      observed += " **" + number(got[at]) + "** |";
    }
    line(head);
    line(rule);
    for (std::size_t i = 0; i < columns[0].stages.size(); ++i) {
      std::string row = "| " + columns[0].stages[i].name + " |";
      for (const explained& e : columns)
        row += " " + (i < e.stages.size() ? e.stages[i].value : std::string()) + " |";
      line(row);
    }
    line(expected);
    line(observed);
  }

  void rules() {
    line("\n## What is expected\n");
    line("The integers of target `" + std::string(b_.target->name) + "`, version " +
         std::string(b_.target->version) +
         (b_.target_formula.empty() ? "." : ":\n\n    " + b_.target_formula));
  }

  void rerun() {
    const std::string named = b_.target_file ? " --target target.json"
                              : b_.target_name.empty() || b_.target_name == "tflite-reference"
                                  ? std::string()
                                  : " --target " + b_.target_name;
    const std::string target = b_.assume.empty() ? named : named + " --assume " + b_.assume;
    line("\n## To see it again\n\nIn this folder:\n");
    line("```\nsha256sum -c SHA256SUMS");
    line("bittwin compare expected observed --model model.tflite" + target);
    if (b_.observed.samples().size() == 1)
      line("bittwin run model.tflite --input inputs" + target + " --dump again");
    line("```");
  }

  void files() {
    line("\n## Files\n");
    line("| file | what it is |\n|---|---|");
    std::string range = "no operator";
    if (b_.ops.size() == 1) range = "operator " + number(b_.ops[0]);
    if (b_.ops.size() > 1)
      range = "operators " + number(b_.ops.front()) + " to " + number(b_.ops.back());
    line("| `model.tflite` | of the whole model " + range + " |");
    line("| `inputs/` | what the model is given: `in0.npy`, `in1.npy` ... in its order |");
    line("| `expected/` | what must come out, `tNNN.npy` by the number of the tensor |");
    line("| `observed/` | what came out, by the same numbers |");
    line("| `comparison.json` | every tensor of the two, compared |");
    if (b_.target_file) line("| `target.json` | the rules of what is expected |");
  }

  const bundle& b_;
  std::string text_;
};

}  // namespace detail

std::string page_of(const bundle& b) { return detail::bundle_page(b).text(); }

}  // namespace bittwin::analysis::inline v1
