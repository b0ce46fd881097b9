// SPDX-License-Identifier: Apache-2.0
// What the inputs of a law were like, counted over the whole run. A class that a law depends on and that stayed
// empty fails the run: a law that never met a tie says nothing about ties.
//   covered law("add commutes", {"saturated", "in between"});
//   law.saw("saturated", code == 127);
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace laws {

/// Counts of every law that ran; checked when all suites have ended.
class coverage : public ::testing::Environment {
 public:
  struct record {
    int runs = 0;
    std::map<std::string, int, std::less<>> classes;
  };

  /// Below this many runs (a replayed case, a few successes by RC_PARAMS) nothing is required.
  static constexpr int least_runs = 100;

  static coverage& instance() {
    static auto* const registered =
        static_cast<coverage*>(::testing::AddGlobalTestEnvironment(new coverage));
    return *registered;
  }
  record& of(std::string_view law) { return records_[std::string(law)]; }

  void TearDown() override {
    // A law that fails ends early: what it had not met by then says nothing.
    if (::testing::UnitTest::GetInstance()->failed_test_count() > 0) return;
    for (const auto& [law, seen] : records_)
      for (const auto& [name, count] : seen.classes)
        EXPECT_TRUE(count > 0 || seen.runs < least_runs)
            << "the law \"" << law << "\" ran " << seen.runs << " times and never met: " << name;
  }

 private:
  std::map<std::string, record> records_;
};

/// One run of one law.
class covered {
 public:
  covered(std::string_view law, std::initializer_list<std::string_view> needed)
      : record_(coverage::instance().of(law)) {
    ++record_.runs;
    for (const std::string_view name : needed) record_.classes.try_emplace(std::string(name), 0);
  }
  void saw(std::string_view name, bool seen) {
    if (!seen) return;
    if (std::find(seen_.begin(), seen_.end(), name) != seen_.end()) return;
    seen_.emplace_back(name);
    ++record_.classes[std::string(name)];
    RC_CLASSIFY(seen, std::string(name));
  }

 private:
  coverage::record& record_;
  std::vector<std::string> seen_;  ///< in this run
};

/// Registered before main, so that its end is asked for.
inline const coverage* const registered_coverage = &coverage::instance();

/// Whether equal outputs mean anything: at most nine of ten are one code, or at the ends of the type.
template <class T> [[nodiscard]] bool telling(const std::vector<T>& outputs, int low, int high) {
  std::map<int, std::size_t> counts;
  for (const T code : outputs) ++counts[int{code}];
  std::size_t most = 0, ends = 0;
  for (const auto& [code, count] : counts) {
    most = std::max(most, count);
    if (code == low || code == high) ends += count;
  }
  return outputs.size() >= 2 && most * 10 <= outputs.size() * 9 && ends * 10 <= outputs.size() * 9;
}

}  // namespace laws
