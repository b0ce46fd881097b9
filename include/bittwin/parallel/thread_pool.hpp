// SPDX-License-Identifier: Apache-2.0
// Threads of the standard library behind the hook parallel_for. Not in the umbrella: who includes this starts threads.
//   auto pool = thread_pool::start(4);                            // the caller and three more
//   if (!pool) return report(pool.error());
//   kernel(input, output, (*pool)->parallel());
// Each thread claims a share of its own first, so that what it wrote is in its cache when the next operator reads it;
// then what others have not claimed: a thread that wakes up late is not waited for.
#pragma once

#include <algorithm>
#include <atomic>
#include <bittwin/types/parallel_for.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstdint>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

namespace bittwin::inline v1 {

/// May be used by many threads: a call that finds it busy, one from within a part, too, runs on its own thread.
class thread_pool {
 public:
  static constexpr std::int32_t most_threads = 1024;

  /// threads  that work on a call, the calling one among them: [1, most_threads]
  /// errors   the number; threads that the system does not start
  [[nodiscard]] static result<std::unique_ptr<thread_pool>> start(std::int32_t threads) {
    if (threads < 1 || threads > most_threads)
      return error{error_code::bad_option,
                   sentence({"a pool of ", number(threads),
                             " threads was asked for; it takes 1 to ", number(most_threads)})};
    std::unique_ptr<thread_pool> pool(new thread_pool(threads));
    try {
      pool->workers_.reserve(static_cast<std::size_t>(threads));
      for (std::int32_t i = 1; i < threads; ++i)
        pool->workers_.emplace_back([p = pool.get(), i] { p->work(i); });
    } catch (const std::system_error&) {
      return error{error_code::too_large,
                   sentence({"the system starts ", number(pool->workers_.size() + 1),
                             " threads, not ", number(threads), "; ask for fewer"})};
    }
    return pool;
  }
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;
  ~thread_pool() {
    stops_.store(true);
    begin(calls_.load() + 1);
    for (std::thread& worker : workers_) worker.join();
  }

  [[nodiscard]] std::int32_t threads() const noexcept { return threads_; }
  /// For the last argument of a kernel. nanoseconds: see parallel_for. Valid while the pool lives.
  [[nodiscard]] parallel_for parallel(
      std::int64_t nanoseconds = parallel_for::usual_nanoseconds) noexcept {
    return parallel_for(*this, threads_, nanoseconds);
  }

  /// The hook. Part p belongs to share p modulo the number of threads.
  void operator()(std::int32_t parts, parallel_work work) noexcept {
    if (busy_.exchange(true, std::memory_order_acquire)) {
      for (std::int32_t part = 0; part < parts; ++part) work(part);
      return;
    }
    work_ = work;
    parts_ = parts;
    const std::uint32_t call = calls_.load(std::memory_order_relaxed) + 1;
    const std::int32_t shares = std::min(parts, threads_);
    unfinished_.store(shares, std::memory_order_relaxed);
    for (std::int32_t empty = shares; empty < threads_; ++empty)
      claims_[static_cast<std::size_t>(empty)].store(call, std::memory_order_relaxed);
    begin(call);
    run_shares(call, 0);
    for (int spin = 0; spin < spins_ && unfinished_.load(std::memory_order_acquire) > 0; ++spin)
      pause();
    for (std::int32_t left = 0; (left = unfinished_.load(std::memory_order_acquire)) > 0;)
      unfinished_.wait(left, std::memory_order_acquire);
    busy_.store(false, std::memory_order_release);
  }

 private:
  /// Between the operators of a model threads look for work as long as waking them would take. Not where there are
  /// more of them than processors: they would look while others cannot work.
  static constexpr int usual_spins = 4000;

  explicit thread_pool(std::int32_t threads)
      : work_([](const void*, std::int32_t) noexcept {}, nullptr),
        claims_(static_cast<std::size_t>(threads)),
        threads_(threads),
        spins_(static_cast<unsigned>(threads) <= std::thread::hardware_concurrency() ? usual_spins
                                                                                     : 0) {}

  void begin(std::uint32_t call) noexcept {
    calls_.store(call);
    calls_.notify_all();
  }
  void work(std::int32_t own) noexcept {
    for (std::uint32_t call = 0;;) {
      for (int spin = 0; spin < spins_ && calls_.load(std::memory_order_acquire) == call; ++spin)
        pause();
      calls_.wait(call, std::memory_order_acquire);
      call = calls_.load(std::memory_order_acquire);
      if (stops_.load()) return;
      run_shares(call, own);
    }
  }
  /// Claims shares of a call until none is left, its own first. When a call ends all shares have its number, so that of
  /// a call that has ended nothing can be claimed; and while a claimed share runs its call cannot end.
  void run_shares(std::uint32_t call, std::int32_t own) noexcept {
    for (std::int32_t k = 0; k < threads_; ++k) {
      const std::int32_t share = (own + k) % threads_;
      std::uint32_t before = call - 1;
      if (!claims_[static_cast<std::size_t>(share)].compare_exchange_strong(
              before, call, std::memory_order_acq_rel, std::memory_order_relaxed))
        continue;
      for (std::int32_t part = share; part < parts_; part += threads_) work_(part);
      if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
    }
  }
  static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }

  std::atomic<bool> busy_{false}, stops_{false};
  parallel_work work_;
  std::int32_t parts_ = 0;
  std::atomic<std::int32_t> unfinished_{0};         ///< shares
  std::atomic<std::uint32_t> calls_{0};             ///< what threads sleep on
  std::vector<std::atomic<std::uint32_t>> claims_;  ///< of each share, its last call
  std::int32_t threads_;
  int spins_;
  std::vector<std::thread> workers_;
};

}  // namespace bittwin::inline v1
