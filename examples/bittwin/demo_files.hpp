// SPDX-License-Identifier: Apache-2.0
// The models of `bittwin demo` as embedded files: a small residual network with ReLU6, trained (examples/demo_model).
#pragma once

#include <cstddef>
#include <span>

namespace bittwin::embedded {

/// int8, input [1,32,32,3], output [1,10]. Some ReLU6 bounds lie inside the type's range, and ADDs have operands of
/// unequal scales, so that a clamp or a scale that a device drops shows.
std::span<const std::byte> demo_int8_file();
/// The same network in float32.
std::span<const std::byte> demo_float_file();

}  // namespace bittwin::embedded
