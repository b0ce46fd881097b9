// SPDX-License-Identifier: Apache-2.0
// Memory that ends at a page which nobody may touch: reading or writing one element too far is caught, not missed.
// POSIX only; elsewhere an ordinary buffer.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#if __has_include(<sys/mman.h>) && __has_include(<unistd.h>)
#define BITTWIN_HAS_GUARD_PAGES 1
#include <sys/mman.h>
#include <unistd.h>
#include <csetjmp>
#include <csignal>
#else
#define BITTWIN_HAS_GUARD_PAGES 0
#endif

namespace bittwin::conformance::inline v1 {

#if BITTWIN_HAS_GUARD_PAGES

namespace detail {

/// Pages between two that nobody may touch. Those given back are taken again: a check asks thousands of times.
class guarded_pages {
 public:
  /// The first of at least `bytes` usable bytes; the guard follows the last page of them.
  [[nodiscard]] static std::byte* take(std::size_t usable) {
    for (entry& e : pool())
      if (e.free && e.usable == usable) {
        e.free = false;
        return e.first;
      }
    const std::size_t page = page_size();
    void* map = mmap(nullptr, usable + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) std::abort();
    std::byte* const first = static_cast<std::byte*>(map) + page;
    if (usable > 0 && mprotect(first, usable, PROT_READ | PROT_WRITE) != 0) std::abort();
    pool().push_back({first, usable, false});
    return first;
  }
  static void give_back(const std::byte* first) noexcept {
    for (entry& e : pool())
      if (e.first == first) e.free = true;
  }
  [[nodiscard]] static std::size_t page_size() noexcept {
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }

 private:
  struct entry {
    std::byte* first;
    std::size_t usable;
    bool free;
  };
  static std::vector<entry>& pool() {
    static thread_local std::vector<entry> entries;
    return entries;
  }
};

}  // namespace detail

template <class T> class guarded_buffer {
 public:
  explicit guarded_buffer(std::size_t count) : count_(count) {
    const std::size_t page = detail::guarded_pages::page_size();
    const std::size_t usable = (count * sizeof(T) + page - 1) / page * page;
    pages_ = detail::guarded_pages::take(usable);
    first_ = static_cast<T*>(static_cast<void*>(pages_ + usable - count * sizeof(T)));
  }
  guarded_buffer(const guarded_buffer&) = delete;
  guarded_buffer& operator=(const guarded_buffer&) = delete;
  ~guarded_buffer() { detail::guarded_pages::give_back(pages_); }

  [[nodiscard]] std::span<T> span() const noexcept { return {first_, count_}; }

 private:
  std::size_t count_;
  std::byte* pages_ = nullptr;
  T* first_ = nullptr;
};

namespace detail {

inline thread_local sigjmp_buf* fault_return = nullptr;

inline void on_fault(int signal) {
  if (fault_return != nullptr) siglongjmp(*fault_return, 1);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace detail

/// Runs f; false where it touched memory that it must not. What f had on its stack then is abandoned.
template <class F> [[nodiscard]] bool runs_within_bounds(F&& f) {
  sigjmp_buf here;
  struct sigaction handler {
  }, before_segv{}, before_bus{};
  handler.sa_handler = &detail::on_fault;
  sigemptyset(&handler.sa_mask);
  handler.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &handler, &before_segv);
  sigaction(SIGBUS, &handler, &before_bus);
  sigjmp_buf* const outer = detail::fault_return;
  bool within = false;
  if (sigsetjmp(here, 1) == 0) {
    detail::fault_return = &here;
    f();
    within = true;
  }
  detail::fault_return = outer;
  sigaction(SIGSEGV, &before_segv, nullptr);
  sigaction(SIGBUS, &before_bus, nullptr);
  return within;
}

#else

template <class T> class guarded_buffer {
 public:
  explicit guarded_buffer(std::size_t count) : elements_(count) {}
  [[nodiscard]] std::span<T> span() noexcept { return elements_; }

 private:
  std::vector<T> elements_;
};

template <class F> [[nodiscard]] bool runs_within_bounds(F&& f) {
  f();
  return true;
}

#endif

}  // namespace bittwin::conformance::inline v1
