// SPDX-License-Identifier: Apache-2.0
// What a run may cost before it is refused: 2e9 multiply-accumulates, an arena of 1 GiB.
#pragma once

#include <fmt/format.h>

#include <bittwin/graph/arena_plan.hpp>
#include <bittwin/graph/cost.hpp>
#include <bittwin/graph/model.hpp>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>

#include "report.hpp"
#include "verb.hpp"

namespace bittwin::cli {

class run_limits {
 public:
  /// text  of --limit: empty, a number such as 5e9, or "none"
  explicit run_limits(const std::string& text) {
    if (text.empty()) return;
    if (text == "none") {
      macs_ = std::numeric_limits<double>::infinity();
      arena_ = std::numeric_limits<std::size_t>::max();
      return;
    }
    char* end = nullptr;
    macs_ = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !(macs_ >= 0) || std::isinf(macs_))
      throw refusal(
          fmt::format("--limit {} is not a number of multiply-accumulates; give one "
                      "such as 5e9, or none",
                      graph::printable_name(text)));
  }

  void check_macs(const graph::model& m) const {
    const std::int64_t macs = graph::macs_of(m);
    if (static_cast<double>(macs) > macs_)
      throw refusal(
          fmt::format("{}: takes {} multiply-accumulates, above the limit of {:g}; raise "
                      "it with --limit {} or --limit none",
                      m.name, macs, macs_, macs));
  }
  [[nodiscard]] std::size_t arena() const noexcept { return arena_; }

 private:
  double macs_ = 2e9;
  std::size_t arena_ = std::size_t{1} << 30;
};

/// Why targets are not asked for each operator of a model that nothing here would run; empty: they are.
[[nodiscard]] inline std::string why_not_asked(const graph::model& m) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 28;
  if (graph::arena_bytes_of(m) > run_limits({}).arena())
    return "the arena is above the limit of run";
  if (graph::read_constant_bytes_of(m) > most_bytes)
    return "operators read more than 256 MiB of constants";
  return {};
}

}  // namespace bittwin::cli
