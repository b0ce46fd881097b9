// SPDX-License-Identifier: Apache-2.0
// How a model is audited: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/audit.hpp>
#include <bittwin/analysis/audit_clamps.hpp>
#include <bittwin/analysis/audit_layers.hpp>
#include <bittwin/analysis/audit_sums.hpp>
#include <bittwin/graph/support.hpp>
#include <string_view>
#include <utility>

namespace bittwin::analysis::inline v1 {

audit_report audit(const graph::model& m, const graph::target_rules* rules) {
  audit_report report;
  report.checked["operators"] = m.operations.size();
  for (const std::string_view kind :
       {"clamps", "sums", "channels", "additions", "concatenations", "windows"})
    report.checked[kind] = 0;
  audit_clamps(m, report);
  audit_sums(m, report);
  audit_layers(m, report);
  if (rules != nullptr) {
    const auto all = graph::support_of(m, *rules);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].refused) {
        hazard h;
        h.code = "UNSUPPORTED_LAYER";
        h.op = k;
        h.tensor = m.operations[k].outputs.empty() ? graph::no_tensor : m.operations[k].outputs[0];
        h.text = all[k].refused->text;
        h.fix = "choose another target, or another form of the operator";
        report.hazards.push_back(std::move(h));
      }
  }
  std::stable_sort(report.hazards.begin(), report.hazards.end(),
                   [](const hazard& a, const hazard& b) { return a.op < b.op; });
  return report;
}

}  // namespace bittwin::analysis::inline v1
