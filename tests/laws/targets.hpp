// SPDX-License-Identifier: Apache-2.0
// Walks targets::all in a law. `real` has no codes, so no law of codes speaks of it.
#pragma once

#include <rapidcheck.h>

#include <bittwin/targets/all.hpp>
#include <bittwin/types/sentence.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace laws {

template <class Target> inline constexpr bool has_codes = !requires { Target::is_real; };

template <class F, class... Targets> void for_each_in(bittwin::targets::list<Targets...>, F f) {
  const auto one = [&]<class Target>(std::type_identity<Target> target) {
    if constexpr (has_codes<Target>) f(target);
  };
  (one(std::type_identity<Targets>{}), ...);
}

/// f(std::type_identity<Target>) for each shipped target with codes.
template <class F> void for_each_target(F f) { for_each_in(bittwin::targets::all{}, f); }

/// The law is broken: by whom, and on what.
template <class Target> void require(bool holds, std::string_view what) {
  if (!holds) RC_FAIL(bittwin::sentence({Target::name, ": ", what}));
}

}  // namespace laws
