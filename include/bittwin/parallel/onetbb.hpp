// SPDX-License-Identifier: Apache-2.0
// Threads of oneTBB behind the hook parallel_for; who includes this needs oneTBB 2021 or later and links TBB::tbb.
//   oneapi::tbb::task_arena arena(4);
//   onetbb_threads threads(arena);
//   kernel(input, output, threads.parallel());
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <bittwin/types/parallel_for.hpp>
#include <cstdint>

namespace bittwin::inline v1 {

/// The threads of an arena, which must outlive it. May be used by many threads.
class onetbb_threads {
 public:
  explicit onetbb_threads(oneapi::tbb::task_arena& arena) noexcept : arena_(&arena) {}

  /// For the last argument of a kernel. nanoseconds: see parallel_for. Valid while this lives.
  [[nodiscard]] parallel_for parallel(
      std::int64_t nanoseconds = parallel_for::usual_nanoseconds) noexcept {
    return parallel_for(*this, arena_->max_concurrency(), nanoseconds);
  }

  /// The hook. Parts are as large as they should be: each is a task.
  void operator()(std::int32_t parts, parallel_work work) const {
    arena_->execute([&] {
      oneapi::tbb::parallel_for(std::int32_t{0}, parts, work, oneapi::tbb::simple_partitioner());
    });
  }

 private:
  oneapi::tbb::task_arena* arena_;
};

}  // namespace bittwin::inline v1
