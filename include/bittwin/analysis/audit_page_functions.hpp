// SPDX-License-Identifier: Apache-2.0
// How an audit becomes a page: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/audit_page.hpp>
#include <bittwin/analysis/page_layer_facts.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// "channel 7 (1.0625): the text; what to do"
[[nodiscard]] inline std::string hazard_text(const hazard& h) {
  std::string text;
  if (h.channel) text += "channel " + number(*h.channel) + " ";
  if (h.value) {
    char value[32];
    std::snprintf(value, sizeof value, "(%.6g) ", *h.value);
    text += value;
  }
  if (!text.empty()) text.back() = ':';
  return sentence({text, text.empty() ? "" : " ", h.text, h.fix.empty() ? "" : ". To do: ", h.fix});
}

/// Two hazards say where; more are counted by code.
[[nodiscard]] inline std::string audit_sentence(const graph::model& m, const audit_report& report) {
  const std::string operators = number(m.operations.size()) + " operators";
  if (report.hazards.empty()) return "No hazard in " + operators;
  std::map<std::string_view, std::size_t> by_code;
  for (const hazard& h : report.hazards) ++by_code[h.code];
  std::string text = number(report.hazards.size()) +
                     (report.hazards.size() == 1 ? " hazard in " : " hazards in ") + operators;
  std::string_view separator = ": ";
  for (const auto& [code, count] : by_code) {
    text += sentence({separator, number(count), " ", code});
    separator = ", ";
  }
  const auto exposed = std::find_if(report.hazards.begin(), report.hazards.end(),
                                    [](const hazard& h) { return h.code == "CLAMP_EXPOSED"; });
  if (exposed != report.hazards.end())
    text += sentence({"; the first exposed clamp is that of operator ", number(exposed->op), " ",
                      m.operations[exposed->op].label, ": ", exposed->text});
  return text;
}

}  // namespace detail

page page_of(const graph::model& m, const audit_report& report) {
  page to;
  to.title = "bittwin audit";
  to.sentence = detail::audit_sentence(m, report);
  to.height = "number of hazards";
  to.marks = {{"CLEAR", '.', page_ink::green, "nothing found"},
              {"HAZARD", 'H', page_ink::orange, "one chip gets it right, another may not"},
              {"CLAMP_EXPOSED", 'C', page_ink::red, "codes that only an explicit clamp keeps out"},
              {"UNSUPPORTED_LAYER", 'X', page_ink::grey, "the target refuses it"}};
  to.facts = {{"Model", m.name}};
  for (const auto& [kind, count] : report.checked)
    to.facts.push_back({"Checked: " + std::string(kind), number(count)});
  for (std::size_t k = 0; k < m.operations.size(); ++k) {
    const graph::operation& op = m.operations[k];
    page_layer l;
    l.label = sentence({"operator ", number(k), " ", op.label});
    for (const std::int32_t index : op.outputs) {
      const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
      if (l.name.empty()) l.name = t.name;
      l.facts.push_back({"Output, tensor " + number(index),
                         detail::tensor_text(t.type, t.extents, t.quantization)});
    }
    for (const std::int32_t index : op.inputs) {
      if (index == graph::no_tensor) continue;
      const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
      l.facts.push_back(
          {sentence({t.is_constant() ? "Constant" : "Input", ", tensor ", number(index)}),
           detail::tensor_text(t.type, t.extents, t.quantization)});
    }
    l.lines = detail::activation_lines(m, op, true);
    if (const auto clamp = clamp_of(m, op)) l.type = clamp->type;
    for (const hazard& h : report.hazards) {
      if (h.op != k) continue;
      l.findings.push_back({std::string(h.code), detail::hazard_text(h)});
      l.height += 1;
      const std::size_t mark = h.code == "UNSUPPORTED_LAYER" ? 3
                               : h.code == "CLAMP_EXPOSED"   ? 2
                                                             : 1;
      l.mark = std::max(l.mark, mark);
    }
    l.summary = l.findings.empty()       ? "nothing found"
                : l.findings.size() == 1 ? "1 hazard"
                                         : number(l.findings.size()) + " hazards";
    // The first exposed clamp is what the page is about, else the first hazard.
    if (l.mark > 0 && (!to.first || (l.mark == 2 && to.layers[*to.first].mark != 2)))
      to.first = to.layers.size();
    to.layers.push_back(std::move(l));
  }
  return to;
}

}  // namespace bittwin::analysis::inline v1
