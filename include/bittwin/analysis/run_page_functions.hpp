// SPDX-License-Identifier: Apache-2.0
// How a run becomes a page: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/page_layer_facts.hpp>
#include <bittwin/analysis/run_page.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstdio>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// Elements that hold the lowest or the highest of the codes that they may have.
[[nodiscard]] inline std::int64_t elements_at_ends(const array_view& values, code_range allowed) {
  std::int64_t count = 0;
  with_element(values.type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>)
      for (std::int64_t i = 0; i < values.elements(); ++i) {
        const auto code = static_cast<std::int64_t>(element_at<T>(values.data, i));
        count += code == allowed.low || code == allowed.high;
      }
  });
  return count;
}

}  // namespace detail

run_page::run_page(const graph::model& m, std::string_view target,
                   const std::vector<std::string>& assumed)
    : model_(m) {
  page_.title = "bittwin run";
  page_.reference = std::string(target);
  page_.height =
      "share of the elements at an end of the allowed codes: of the activation's, else of the "
      "type's";
  page_.marks = {{"RAN", '.', page_ink::blue, "made by the target's rules"},
                 {"CONSTANT", 'K', page_ink::orange, "every element holds the same value"},
                 {"EMPTY", '-', page_ink::grey, "no finite value"}};
  page_.facts = {{"Model", m.name}, {"Target", std::string(target)}};
  for (const std::string& text : assumed) page_.notes.push_back({"", "Assumed: " + text});
}

void run_page::add(std::size_t op, std::int32_t index, const array_view& made,
                   std::string_view ran_as) {
  const graph::operation& by = model_.operations[op];
  const graph::tensor& t = model_.tensors[static_cast<std::size_t>(index)];
  page_layer l;
  l.label = sentence({"operator ", number(op), " ", by.label});
  l.name = t.name;
  l.picture = picture_of(made);
  const tensor_picture& p = *l.picture;
  l.lines = detail::activation_lines(model_, by, p.codes);
  l.facts = {{"Tensor", number(index)},
             {"Ran as", std::string(ran_as)},
             {"Made", sentence({name_of(made.type), to_string(made.extents)})},
             {"Model", detail::tensor_text(t.type, t.extents, t.quantization)}};
  const bool empty = p.values.bins == 0;
  l.mark = empty ? 2 : p.reference.low == p.reference.high && p.elements > 1 ? 1 : 0;
  char text[160];
  std::snprintf(text, sizeof text, "%lld elements from %g to %g",
                static_cast<long long>(p.elements), p.reference.low, p.reference.high);
  l.summary = empty ? "no finite value" : text;
  if (p.codes && !empty) {
    l.type = range_of(made.type);
    const auto clamp = clamp_of(model_, by);
    const std::int64_t ends = detail::elements_at_ends(made, clamp ? clamp->allowed : *l.type);
    l.height = static_cast<double>(ends) / static_cast<double>(p.elements);
    l.summary +=
        sentence({"; ", number(ends), " at an end of the ", clamp ? "activation" : "type"});
  }
  page_.layers.push_back(std::move(l));
}

const page& run_page::finish() {
  const auto constant = std::count_if(page_.layers.begin(), page_.layers.end(),
                                      [](const page_layer& l) { return l.mark == 1; });
  page_.sentence =
      sentence({model_.name, " ran under ", page_.reference, ": ", number(page_.layers.size()),
                " tensors made, ", number(constant), " of them constant"});
  return page_;
}

}  // namespace bittwin::analysis::inline v1
