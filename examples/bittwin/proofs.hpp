// SPDX-License-Identifier: Apache-2.0
// What prepare() proved of a model's operators under a target: `info --proofs`.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>

#include "report.hpp"

namespace bittwin::cli {

/// One entry an operator: {"op": "CONV_2D", "runs_on": "avx512-vnni", "proved": "...", "shares": {"float32": 16}}
[[nodiscard]] json proofs_json(const graph::model& m, const graph::target_rules& rules);
void print_proofs(const graph::model& m, const graph::target_rules& rules);

}  // namespace bittwin::cli
