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

template <class T> class guarded_buffer {
 public:
  explicit guarded_buffer(std::size_t count) : count_(count) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t used = (count * sizeof(T) + page - 1) / page * page;
    bytes_ = used + 2 * page;
    void* map = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) std::abort();
    map_ = static_cast<std::byte*>(map);
    if (used > 0 && mprotect(map_ + page, used, PROT_READ | PROT_WRITE) != 0) std::abort();
    first_ = static_cast<T*>(static_cast<void*>(map_ + page + used - count * sizeof(T)));
  }
  guarded_buffer(const guarded_buffer&) = delete;
  guarded_buffer& operator=(const guarded_buffer&) = delete;
  ~guarded_buffer() { munmap(map_, bytes_); }

  [[nodiscard]] std::span<T> span() const noexcept { return {first_, count_}; }

 private:
  std::size_t count_;
  std::size_t bytes_ = 0;
  std::byte* map_ = nullptr;
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
