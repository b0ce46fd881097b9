// SPDX-License-Identifier: Apache-2.0
// The page of an audit: which operators a chip may get wrong, before there is any run.
#pragma once

#include <bittwin/analysis/hazard.hpp>
#include <bittwin/analysis/page.hpp>
#include <bittwin/graph/model.hpp>

namespace bittwin::analysis::inline v1 {

/// One layer for each operator, with the bounds of its activation among the codes of its type.
///   height  number of hazards
/// report  of this very model (audit.hpp)
[[nodiscard]] page page_of(const graph::model& m, const audit_report& report);

}  // namespace bittwin::analysis::inline v1
