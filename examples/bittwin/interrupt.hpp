// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: the verb stops at the next operator and unwinds, so that temporary files go away.
#pragma once

#include <csignal>

namespace bittwin::cli {

struct interruption {};

/// While one lives, SIGINT and SIGTERM are noted; a second one ends the program at once.
class interrupt_guard {
 public:
  interrupt_guard() {
    struct sigaction action {};
    action.sa_handler = [](int) { noted_ = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before_int_);
    sigaction(SIGTERM, &action, &before_term_);
  }
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
  ~interrupt_guard() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
  }

  /// Throws interruption where a signal was noted.
  static void check() {
    if (noted_ != 0) throw interruption{};
  }

 private:
  inline static volatile std::sig_atomic_t noted_ = 0;
  struct sigaction before_int_ {};
  struct sigaction before_term_ {};
};

}  // namespace bittwin::cli
