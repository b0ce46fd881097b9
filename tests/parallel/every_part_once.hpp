// SPDX-License-Identifier: Apache-2.0
// What every hook must do.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <bittwin/types/parallel_for.hpp>
#include <vector>

namespace parallel {

inline void expect_every_part_once(const bittwin::parallel_for& hook, std::int32_t parts) {
  std::vector<std::atomic<int>> calls(static_cast<std::size_t>(parts));
  hook(parts, [&](std::int32_t part) noexcept { ++calls[static_cast<std::size_t>(part)]; });
  for (const std::atomic<int>& count : calls) EXPECT_EQ(count.load(), 1) << "of " << parts;
}

}  // namespace parallel
