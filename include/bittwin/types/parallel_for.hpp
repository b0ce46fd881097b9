// SPDX-License-Identifier: Apache-2.0
// The hook by which a kernel uses threads of its caller; the library starts none. A kernel divides its output into
// parts that share no element and hands them over: its integers are the same on any number of threads.
//   part i of n over [0, count):  [count i / n, count (i + 1) / n)
#pragma once

#include <cstdint>

namespace bittwin::inline v1 {

/// The work of one call, in parts: what a hook calls once for each of them.
class parallel_work {
 public:
  using function = void (*)(const void* work, std::int32_t part) noexcept;

  constexpr parallel_work(function run, const void* work) noexcept : run_(run), work_(work) {}

  void operator()(std::int32_t part) const noexcept { run_(work_, part); }

 private:
  function run_;
  const void* work_;
};

/// Elements of [0, count) that one part has.
struct share {
  std::int64_t begin = 0, end = 0;
};
/// part  [0, parts)    count  below 2^48, parts below 2^15
[[nodiscard]] constexpr share share_of(std::int64_t count, std::int32_t part,
                                       std::int32_t parts) noexcept {
  return {count * part / parts, count * (part + 1) / parts};
}

/// How a kernel may divide one call. By default not at all: it runs on the thread that calls it.
class parallel_for {
 public:
  /// About what it takes to wake a thread and to wait for it, a few times over.
  static constexpr std::int64_t usual_nanoseconds = 10'000;

  constexpr parallel_for() = default;

  /// hook         hook(parts, work) calls work(part) once for each part in [0, parts), in any order and on any
  ///              thread, and returns when all have returned. It is referred to, not copied, and does not throw.
  /// threads      how many parts are worth making, from 1 on
  /// nanoseconds  a part is to take about so long; less work makes fewer parts
  template <class Hook>
  requires requires(Hook& hook, parallel_work work) { hook(std::int32_t{}, work); }
  constexpr parallel_for(Hook& hook, std::int32_t threads,
                         std::int64_t nanoseconds = usual_nanoseconds) noexcept
      : run_([](void* to, std::int32_t parts, parallel_work work) noexcept {
          (*static_cast<Hook*>(to))(parts, work);
        }),
        hook_(const_cast<void*>(static_cast<const void*>(&hook))),
        threads_(threads),
        nanoseconds_(nanoseconds) {}

  [[nodiscard]] constexpr std::int32_t threads() const noexcept { return threads_; }

  /// Parts for work of about so many nanoseconds in units that are not divided; at least 1.
  [[nodiscard]] constexpr std::int32_t parts_for(std::int64_t nanoseconds,
                                                 std::int64_t units) const noexcept {
    const std::int64_t worth = nanoseconds_ > 0 ? nanoseconds / nanoseconds_ : threads_;
    const std::int64_t most = worth < units ? worth : units;
    if (most < 2 || threads_ < 2) return 1;
    return most < threads_ ? static_cast<std::int32_t>(most) : threads_;
  }

  /// work(part) for each part in [0, parts); work is noexcept and writes what no other part touches.
  template <class Work> void operator()(std::int32_t parts, const Work& work) const noexcept {
    if (parts < 2) return work(0);
    run_(hook_, parts,
         {[](const void* of, std::int32_t part) noexcept { (*static_cast<const Work*>(of))(part); },
          &work});
  }

 private:
  void (*run_)(void*, std::int32_t, parallel_work) noexcept = nullptr;
  void* hook_ = nullptr;
  std::int32_t threads_ = 1;
  std::int64_t nanoseconds_ = usual_nanoseconds;
};

/// work(first, count) over [0, count) of elements, in shares that begin at multiples of 64.
/// nanoseconds  about, of all of it
template <class Work>
void over_elements(const parallel_for& parallel, std::int64_t count, std::int64_t nanoseconds,
                   const Work& work) noexcept {
  constexpr std::int64_t unit = 64;  // of bytes, a line of the cache
  const std::int64_t units = (count + unit - 1) / unit;
  const std::int32_t parts = parallel.parts_for(nanoseconds, units);
  if (parts < 2) return work(std::int64_t{0}, count);
  parallel(parts, [&](std::int32_t part) noexcept {
    const share s = share_of(units, part, parts);
    const std::int64_t first = s.begin * unit;
    work(first, (s.end * unit < count ? s.end * unit : count) - first);
  });
}

}  // namespace bittwin::inline v1
