// SPDX-License-Identifier: Apache-2.0
// The options of an operator for people and for JSON, under the names that .tflite tools use.
#pragma once

#include <bittwin/graph/operator_options.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "report.hpp"

namespace bittwin::cli {

[[nodiscard]] json options_json(const graph::operator_options& options);
/// "padding=SAME stride_h=2 ..."
[[nodiscard]] std::string options_text(const graph::operator_options& options);

}  // namespace bittwin::cli
