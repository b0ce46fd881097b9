// SPDX-License-Identifier: Apache-2.0
// One row of the table: ours and the peers' in turns, medians, outputs compared before.
#pragma once

#include <bittwin/types/sentence.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "peer.hpp"
#include "stopwatch.hpp"

namespace bench {

struct row {
  std::string_view name, target, arch;
  double macs = 0;   ///< of a call; 0 where bytes count
  double bytes = 0;  ///< of a call; 0 where products count
  double peak = 0;   ///< products a second of the machine, or 0
  std::string forms;
};

/// A peer's call, and where its codes go.
struct peer_call {
  std::string_view name;
  std::function<void()> run;
  codes made;
};

/// prepare(peer, output) -> call, for each peer that has the layer.
template <class Prepare>
[[nodiscard]] std::vector<peer_call> peer_calls(std::size_t outputs, Prepare prepare) {
  std::vector<peer_call> calls;
  calls.reserve(peers().size());  // outputs must stay where they are
  for (const peer& p : peers()) {
    calls.push_back({p.name, {}, codes(outputs)});
    calls.back().run = prepare(p, std::span<std::int8_t>(calls.back().made));
    if (!calls.back().run) calls.pop_back();
  }
  return calls;
}

/// Times a row and prints it: a line, or one JSON object.
inline void print_row(const row& r, const std::function<void()>& ours, bool exact,
                      std::vector<peer_call>& others, std::span<const std::int8_t> want,
                      bool json) {
  std::vector<std::vector<double>> samples(others.size() + 1);
  for (int round = 0; round < 9; ++round) {
    samples[0].push_back(seconds_of(ours, 0.01));
    for (std::size_t i = 0; i < others.size(); ++i)
      samples[i + 1].push_back(seconds_of(others[i].run, 0.01));
  }
  const double time = median(samples[0]);
  const double rate = (r.macs > 0 ? r.macs : r.bytes) / time * 1e-9;
  const char* const unit = r.macs > 0 ? "GMAC/s" : "GB/s";
  const auto text = [](std::string_view v) { return std::string(v); };
  if (json)
    std::printf(
        "{\"case\":\"%s\",\"target\":\"%s\",\"arch\":\"%s\",\"us\":%.3f,\"%s\":%.2f,\"exact\":%s,"
        "\"forms\":\"%s\",\"peers\":[",
        text(r.name).c_str(), text(r.target).c_str(), text(r.arch).c_str(), time * 1e6, unit, rate,
        exact ? "true" : "false", r.forms.c_str());
  else
    std::printf("%-24s %-22s %9.2f us %7.1f %-6s", text(r.name).c_str(), text(r.target).c_str(),
                time * 1e6, rate, unit);
  if (!json && r.macs > 0 && r.peak > 0) std::printf(" %4.2f of peak", r.macs / time / r.peak);
  if (!json) std::printf("  %s", exact ? "exact" : "NOT EXACT");
  for (std::size_t i = 0; i < others.size(); ++i) {
    int most = 0;
    for (std::size_t k = 0; k < want.size(); ++k)
      most = std::max(most, std::abs(int{want[k]} - int{others[i].made[k]}));
    const double theirs = median(samples[i + 1]);
    if (json)
      std::printf("%s{\"name\":\"%s\",\"us\":%.3f,\"ratio\":%.3f,\"most_different\":%d}",
                  i == 0 ? "" : ",", text(others[i].name).c_str(), theirs * 1e6, time / theirs,
                  most);
    else
      std::printf(
          "  %s %.2f us, ratio %.2f%s", text(others[i].name).c_str(), theirs * 1e6, time / theirs,
          most > 1 ? bittwin::sentence({" (codes differ by ", bittwin::number(most), ")"}).c_str()
                   : "");
  }
  if (json)
    std::printf("]}\n");
  else
    std::printf("  %s\n", r.forms.c_str());
  std::fflush(stdout);
}

}  // namespace bench
