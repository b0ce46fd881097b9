// SPDX-License-Identifier: Apache-2.0
// What every check of the kit does: draws cases, shrinks the first that fails, and says how to reproduce it.
#pragma once

#include <rapidcheck.h>

#include <bittwin/types/sentence.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
/// Of functions that are values: a property of RapidCheck costs a compiler more than a kernel does, so there is one for
/// a type of case, however many targets and kernels are checked.
template <class Case>
[[nodiscard]] case_verdict<Case> check_cases(
    std::string_view target, const std::function<Case()>& draw,
    const std::function<std::string(const Case&)>& judge,
    const std::function<std::vector<Case>(const Case&)>& smaller) {
  std::optional<Case> failing;
  (void)rc::detail::checkTestable(
      [&] {
        const Case c = draw();
        if (judge(c).empty()) return;
        failing = c;
        RC_FAIL("differs");
      },
      rc::detail::TestMetadata{}, rc::detail::configuration().testParams);
  if (!failing) return {};
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (const Case& candidate : smaller(*failing))
      if (!judge(candidate).empty()) {
        failing = candidate;
        shrunk = true;
        break;
      }
  }
  return {false, *failing,
          sentence({judge(*failing), "\n  case: ", to_line(*failing), "\n  target: ", target,
                    ", RC_PARAMS=seed=", number(rc::detail::configuration().testParams.seed)})};
}

}  // namespace detail

}  // namespace bittwin::conformance::inline v1
