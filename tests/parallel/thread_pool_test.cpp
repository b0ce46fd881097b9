// SPDX-License-Identifier: Apache-2.0
// The pool calls each part once, returns when all are done, and neither loses a call nor waits for itself.
#include <atomic>
#include <bittwin/parallel/thread_pool.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "parallel/every_part_once.hpp"

namespace {

using namespace bittwin;

TEST(thread_pools, of_impossible_sizes_are_refused) {
  for (const std::int32_t threads : {0, -1, thread_pool::most_threads + 1, -2147483647 - 1}) {
    const auto pool = thread_pool::start(threads);
    ASSERT_FALSE(pool.has_value());
    EXPECT_EQ(pool.error().code, error_code::bad_option);
    EXPECT_NE(pool.error().text.find(std::to_string(threads)), std::string::npos);
    EXPECT_NE(pool.error().text.find("1 to 1024"), std::string::npos);
  }
}

TEST(thread_pools, call_every_part_once) {
  for (const std::int32_t threads : {1, 2, 3, 7, 64}) {
    auto pool = thread_pool::start(threads);
    ASSERT_TRUE(pool.has_value());
    EXPECT_EQ((*pool)->parallel().threads(), threads);
    for (int call = 0; call < 200; ++call)
      for (const std::int32_t parts : {1, 2, 3, 65, 1000})
        parallel::expect_every_part_once((*pool)->parallel(), parts);
  }
}

TEST(thread_pools, run_parts_at_once_and_return_when_the_last_has_ended) {
  auto pool = thread_pool::start(2);
  ASSERT_TRUE(pool.has_value());
  std::atomic<int> begun{0}, ended{0};
  (*pool)->parallel()(2, [&](std::int32_t part) noexcept {
    using std::chrono::steady_clock, std::chrono::seconds, std::chrono::milliseconds;
    ++begun;
    for (const auto since = steady_clock::now();
         begun < 2 && steady_clock::now() - since < seconds(10);)
      std::this_thread::yield();
    EXPECT_EQ(begun, 2);
    if (part == 1) std::this_thread::sleep_for(milliseconds(20));
    ++ended;
  });
  EXPECT_EQ(ended, 2);
}

// Without a wake-up that is lost, or a part of an old call that a late thread takes, a sum of so many short calls is
// what it must be; between some of them the threads fall asleep.
TEST(thread_pools, lose_no_call_and_repeat_none) {
  auto pool = thread_pool::start(3);
  ASSERT_TRUE(pool.has_value());
  std::vector<std::int64_t> sums(3);
  constexpr int calls = 3000;
  for (int call = 0; call < calls; ++call) {
    if (call % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    (*pool)->parallel()(
        3, [&](std::int32_t part) noexcept { sums[static_cast<std::size_t>(part)] += call; });
  }
  for (const std::int64_t sum : sums) EXPECT_EQ(sum, std::int64_t{calls} * (calls - 1) / 2);
}

TEST(thread_pools, are_used_from_within_a_part_and_by_many_threads) {
  auto started = thread_pool::start(3);
  ASSERT_TRUE(started.has_value());
  thread_pool& pool = **started;
  pool.parallel()(
      3, [&](std::int32_t) noexcept { parallel::expect_every_part_once(pool.parallel(), 5); });
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int call = 0; call < 200; ++call) parallel::expect_every_part_once(pool.parallel(), 9);
    });
  for (std::thread& caller : callers) caller.join();
}

TEST(parallel_hooks, are_asked_for_parts_that_are_worth_it) {
  int asked = 0;
  const auto hook = [&](std::int32_t parts, parallel_work work) {
    asked = parts;
    for (std::int32_t part = 0; part < parts; ++part) work(part);
  };
  // 10 000 ns a part: 35 000 ns are three; four threads; two units that are not divided.
  const parallel_for four(hook, 4, 10'000);
  EXPECT_EQ(four.parts_for(35'000, 100), 3);
  EXPECT_EQ(four.parts_for(1'000'000, 100), 4);
  EXPECT_EQ(four.parts_for(1'000'000, 2), 2);
  EXPECT_EQ(four.parts_for(19'999, 100), 1);
  EXPECT_EQ(four.parts_for(1'000'000, 0), 1);
  EXPECT_EQ(parallel_for{}.parts_for(1'000'000, 100), 1);
  parallel::expect_every_part_once(four, 4);
  EXPECT_EQ(asked, 4);
  // One part is not handed over.
  asked = 0;
  parallel::expect_every_part_once(four, 1);
  EXPECT_EQ(asked, 0);
}

TEST(parallel_hooks, share_without_gap_or_overlap) {
  for (const std::int64_t count : {0, 1, 6, 7, 8, 1000})
    for (const std::int32_t parts : {1, 2, 3, 7}) {
      std::int64_t end = 0;
      for (std::int32_t part = 0; part < parts; ++part) {
        const share s = share_of(count, part, parts);
        EXPECT_EQ(s.begin, end);
        EXPECT_GE(s.end - s.begin, count / parts);
        EXPECT_LE(s.end - s.begin, count / parts + 1);
        end = s.end;
      }
      EXPECT_EQ(end, count);
    }
}

}  // namespace
