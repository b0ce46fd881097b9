// SPDX-License-Identifier: Apache-2.0
// A progress bar on stderr, on a terminal only, for what takes longer than a second.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace bittwin::cli {

class progress {
 public:
  explicit progress(double total) : total_(std::max(total, 1.0)) {}
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }

  void advance(double by) {
    done_ += by;
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - start_ < std::chrono::seconds(1) ||
        now - last_ < std::chrono::milliseconds(100))
      return;
    last_ = now;
    shown_ = true;
    constexpr std::size_t width = 40;
    const double share = std::min(done_ / total_, 1.0);
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
    fmt::print(stderr, "\r[{}{}] {:3.0f} %", std::string(filled, '#'),
               std::string(width - filled, '.'), 100 * share);
    std::fflush(stderr);
  }

 private:
  double total_;
  double done_ = 0;
  bool shown_ = false;
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
};

}  // namespace bittwin::cli
