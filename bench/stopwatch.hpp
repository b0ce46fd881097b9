// SPDX-License-Identifier: Apache-2.0
// Processor time of this thread, so that a machine shared with other jobs can be measured.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench {

[[nodiscard]] inline double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds of one call, over at least `least` seconds of them.
template <class F> [[nodiscard]] double seconds_of(F&& f, double least) {
  std::int64_t calls = 0;
  const double begin = thread_seconds();
  double now = begin;
  for (std::int64_t batch = 1; now - begin < least; batch *= 2) {
    for (std::int64_t i = 0; i < batch; ++i) f();
    calls += batch;
    now = thread_seconds();
  }
  return (now - begin) / static_cast<double>(calls);
}

[[nodiscard]] inline double median(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::nth_element(samples.begin(),
                   samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2),
                   samples.end());
  return samples[samples.size() / 2];
}

}  // namespace bench
