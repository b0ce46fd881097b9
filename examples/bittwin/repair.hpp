// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bittwin/analysis/repair.hpp>

#include "report.hpp"

namespace bittwin::cli {

/// {"done", "code", "tensor", "removed", "tensors", "outputs", "outputs_regained", "remainder"}, or {"done": false, "text"}
json as_json(const result<analysis::repair>& r);
void print(const result<analysis::repair>& r);

}  // namespace bittwin::cli
