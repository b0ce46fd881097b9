// SPDX-License-Identifier: Apache-2.0
// What compare --explain prints.
#pragma once

#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/explain.hpp>

#include "options.hpp"
#include "report.hpp"
#include "targets.hpp"

namespace bittwin::cli {

[[nodiscard]] analysis::explanation explain_element(const graph::model& m,
                                                    const compare_options& options,
                                                    const analysis::dump& test);
[[nodiscard]] json as_json(const graph::model& m, const analysis::explanation& e);
void print(const graph::model& m, const compare_options& options, const analysis::explanation& e);

}  // namespace bittwin::cli
