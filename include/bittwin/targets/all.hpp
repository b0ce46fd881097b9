// SPDX-License-Identifier: Apache-2.0
// The one list of shipped targets: tests, benchmarks and tools walk it. A new target adds one
// include and one name.
#pragma once

#include <bittwin/targets/real.hpp>
#include <bittwin/targets/tflite_builtin.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <bittwin/targets/tflite_single_rounding.hpp>
#include <bittwin/targets/xnnpack.hpp>

namespace bittwin::targets::inline v1 {

template <class... Targets> struct list {};

using all = list<tflite_reference, tflite_single_rounding, tflite_builtin, xnnpack, real>;

}  // namespace bittwin::targets::inline v1
