// SPDX-License-Identifier: Apache-2.0
// What every check of the kit does: draws cases, shrinks the first that fails, and says how to reproduce it.
#pragma once

#include <rapidcheck.h>

#include <bittwin/policy/concepts.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/types/sentence.hpp>
#include <optional>
#include <string>

namespace bittwin::conformance::inline v1 {

/// The outcome of a check. Of a failing one, the smallest case that fails.
/// text  what is wrong with it, its one-line case, and how often and from which seed was tried
template <class Case> struct case_verdict {
  bool passed = true;
  Case smallest;
  std::string text;

  explicit operator bool() const noexcept { return passed; }
};

namespace detail {

/// draw() a case, judge(case) -> what is wrong or empty, smaller(case) -> candidates, the best first.
template <target Target, class Draw, class Judge, class Smaller>
[[nodiscard]] auto check_cases(Draw draw, Judge judge, Smaller smaller) {
  using drawn = decltype(draw());
  std::optional<drawn> failing;
  (void)rc::detail::checkTestable(
      [&] {
        const drawn c = draw();
        if (judge(c).empty()) return;
        failing = c;
        RC_FAIL("differs");
      },
      rc::detail::TestMetadata{}, rc::detail::configuration().testParams);
  if (!failing) return case_verdict<drawn>{};
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (const drawn& candidate : smaller(*failing))
      if (!judge(candidate).empty()) {
        failing = candidate;
        shrunk = true;
        break;
      }
  }
  return case_verdict<drawn>{
      false, *failing,
      sentence({judge(*failing), "\n  case: ", to_line(*failing), "\n  target: ", Target::name,
                ", RC_PARAMS=seed=", number(rc::detail::configuration().testParams.seed)})};
}

}  // namespace detail

}  // namespace bittwin::conformance::inline v1
