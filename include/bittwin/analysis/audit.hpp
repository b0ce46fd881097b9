// SPDX-License-Identifier: Apache-2.0
// All that can be said of a model before it meets a chip: no input, no run.
#pragma once

#include <bittwin/analysis/hazard.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>

namespace bittwin::analysis::inline v1 {

/// Hazards in the order of operators.  rules  of a target whose refusals are hazards too, or null
[[nodiscard]] audit_report audit(const graph::model& m, const graph::target_rules* rules = nullptr);

}  // namespace bittwin::analysis::inline v1
