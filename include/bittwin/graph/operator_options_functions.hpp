// SPDX-License-Identifier: Apache-2.0
// How options are copied, moved and compared: compiled once, with bittwin::graph.
#pragma once

#include <bittwin/graph/operator_options.hpp>

namespace bittwin::graph::inline v1 {

operator_options::operator_options() noexcept = default;
operator_options::operator_options(const operator_options& other) = default;
operator_options::operator_options(operator_options&& other) noexcept = default;
operator_options& operator_options::operator=(const operator_options& other) = default;
operator_options& operator_options::operator=(operator_options&& other) noexcept = default;
operator_options::~operator_options() = default;

bool operator==(const operator_options& a, const operator_options& b) {
  return static_cast<const any_operator_options&>(a) == static_cast<const any_operator_options&>(b);
}

}  // namespace bittwin::graph::inline v1
