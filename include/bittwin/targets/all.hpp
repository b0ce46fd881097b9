// SPDX-License-Identifier: Apache-2.0
// The one list of shipped targets: tests, benchmarks and tools walk it. A new target adds one
// include and one name.
#pragma once

#include <bittwin/targets/real.hpp>
#include <bittwin/targets/tflite_builtin.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <bittwin/targets/tflite_single_rounding.hpp>
#include <bittwin/targets/xnnpack.hpp>
#include <type_traits>

namespace bittwin::targets::inline v1 {

template <class... Targets> struct list {};

using all = list<tflite_reference, tflite_single_rounding, tflite_builtin, xnnpack, real>;

template <class Target, class... Targets>
[[nodiscard]] constexpr bool is_one_of(list<Targets...>) noexcept {
  return (std::is_same_v<Target, Targets> || ...);
}
template <class Target> inline constexpr bool is_shipped = is_one_of<Target>(all{});

}  // namespace bittwin::targets::inline v1
