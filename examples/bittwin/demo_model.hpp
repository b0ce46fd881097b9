// SPDX-License-Identifier: Apache-2.0
// The embedded model of `bittwin demo`: a small residual network with ReLU6, generated, not
// trained.
#pragma once

#include <bittwin/graph/model.hpp>

namespace bittwin::cli {

/// int8, input [1,24,24,3], output [1,10]. Its ReLU6 bounds lie inside the type's range and its
/// ADDs have operands of unequal scales, so that a clamp or a scale that a device drops shows.
[[nodiscard]] graph::model demo_model();

}  // namespace bittwin::cli
