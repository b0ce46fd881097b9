// SPDX-License-Identifier: Apache-2.0
// Walks targets in a law. Laws are instantiated for those that have every room and differ in the shape of their rules;
// what holds of every target is asked of its table of rules (tests/targets), which costs no instantiation.
#pragma once

#include <rapidcheck.h>

#include <bittwin/targets/all.hpp>
#include <bittwin/types/sentence.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace laws {

template <class Target> inline constexpr bool has_codes = !requires { Target::is_real; };

/// Every room, and between them every kind of rule.
using representative = bittwin::targets::list<
    bittwin::targets::tflite_reference, bittwin::targets::tflite_single_rounding,
    bittwin::targets::tflite_builtin, bittwin::targets::xnnpack>;

template <class F, class... Targets> void for_each_in(bittwin::targets::list<Targets...>, F f) {
  const auto one = [&]<class Target>(std::type_identity<Target> target) {
    if constexpr (has_codes<Target>) f(target);
  };
  (one(std::type_identity<Targets>{}), ...);
}

/// f(std::type_identity<Target>) for each representative target.
template <class F> void for_each_target(F f) { for_each_in(representative{}, f); }

/// The law is broken: by whom, and on what.
template <class Target> void require(bool holds, std::string_view what) {
  if (!holds) RC_FAIL(bittwin::sentence({Target::name, ": ", what}));
}

}  // namespace laws
