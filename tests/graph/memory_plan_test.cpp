// SPDX-License-Identifier: Apache-2.0
// Buffers that are alive at the same time do not overlap, and sharing costs no more than not
// sharing.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/graph/memory_plan.hpp>
#include <random>

namespace {

using namespace bittwin::graph;

std::size_t aligned(std::size_t bytes) {
  return (bytes + memory_plan::alignment - 1) / memory_plan::alignment * memory_plan::alignment;
}

TEST(memory_plans, never_overlap_what_lives_together) {
  std::mt19937 random(11);
  int meetings = 0, reused = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<lifetime> buffers(1 + random() % 40);
    for (lifetime& b : buffers) {
      b.bytes = random() % 5 == 0 ? random() % 3 : random() % 5000;
      b.first = random() % 30;
      b.last = b.first + random() % 10;
    }
    const memory_plan plan = plan_memory(buffers);
    ASSERT_EQ(plan.offsets.size(), buffers.size());
    std::size_t sum = 0, end = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_EQ(plan.offsets[i] % memory_plan::alignment, 0U);
      sum += aligned(buffers[i].bytes);
      end = std::max(end, plan.offsets[i] + buffers[i].bytes);
      for (std::size_t j = 0; j < i; ++j) {
        const bool apart = plan.offsets[i] + buffers[i].bytes <= plan.offsets[j] ||
                           plan.offsets[j] + buffers[j].bytes <= plan.offsets[i];
        const bool meet =
            buffers[i].first <= buffers[j].last && buffers[j].first <= buffers[i].last;
        const bool empty = buffers[i].bytes == 0 || buffers[j].bytes == 0;
        EXPECT_TRUE(apart || empty || !meet) << round << ": " << i << " and " << j;
        meetings += meet ? 1 : 0;
        reused += apart || empty ? 0 : 1;
      }
    }
    EXPECT_LE(plan.bytes, sum);
    EXPECT_EQ(plan.bytes, end);
    // No plan is smaller than what is alive at one step.
    for (std::size_t step = 0; step < 40; ++step) {
      std::size_t alive = 0;
      for (const lifetime& b : buffers) alive += b.first <= step && step <= b.last ? b.bytes : 0;
      EXPECT_GE(plan.bytes, alive);
    }
  }
  EXPECT_GT(meetings, 10'000);
  EXPECT_GT(reused, 10'000) << "nothing shares memory";
}

// Worked by hand: 128 at 0; 64 meets it, so behind it; 100 meets only the second, so at 0.
TEST(memory_plans, put_the_largest_first_and_reuse_what_is_over) {
  const memory_plan plan = plan_memory({{64, 1, 2}, {128, 0, 1}, {100, 2, 3}});
  EXPECT_EQ(plan.offsets, (std::vector<std::size_t>{128, 0, 0}));
  EXPECT_EQ(plan.bytes, 192U);
  EXPECT_EQ(plan_memory({}).bytes, 0U);
}

}  // namespace
