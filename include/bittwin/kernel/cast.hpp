// SPDX-License-Identifier: Apache-2.0
// CAST from float32 to integers under a target; between integers, and to float32, it is the same everywhere:
//   integers modulo the type, bool is x != 0, float32 is the nearest value, ties to even
#pragma once

#include <bittwin/policy/room.hpp>
#include <type_traits>

namespace bittwin::inline v1 {

using float_cast_function = std::int64_t (*)(float, element_type) noexcept;

template <target Target>
[[nodiscard]] constexpr float_cast_function cast_rule(const layer_facts& layer) {
  static_assert(check_room<Target, room::cast>());
  float_cast_function of = nullptr;
  choose<axis_value<Target, room::cast, axis::float_cast>>(
      layer, [&]<class P>(std::type_identity<P>) { of = &P::of; });
  return of;
}

}  // namespace bittwin::inline v1
