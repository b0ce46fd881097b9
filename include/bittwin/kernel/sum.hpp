// SPDX-License-Identifier: Apache-2.0
// SUM over axes under a target:  sum<Target>::prepare(spec).
//   code = narrow( sum_rule( sum of the codes ) )
#pragma once

#include <bittwin/kernel/mean.hpp>

namespace bittwin::inline v1 {

template <target Target> [[nodiscard]] constexpr mean_rule sum_rule_of(const layer_facts& layer) {
  static_assert(check_room<Target, room::sum>());
  mean_rule rule{.divides = false};
  choose<axis_value<Target, room::sum, axis::sum_rule>>(layer, [&]<class P>(std::type_identity<P>) {
    rule.prepare = &P::prepare;
    rule.apply = &P::apply;
  });
  choose<axis_value<Target, room::sum, axis::narrowing>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.narrow = &P::apply; });
  return rule;
}

template <target Target> struct sum {
  static_assert(check_room<Target, room::sum>());
  [[nodiscard]] static result<mean_kernel> prepare(const mean_spec& spec) {
    return prepare_mean(sum_rule_of<Target>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
