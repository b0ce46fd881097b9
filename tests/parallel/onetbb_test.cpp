// SPDX-License-Identifier: Apache-2.0
// The adapter of oneTBB, where the build found it (BITTWIN_ONETBB).
#include "parallel/every_part_once.hpp"

#if BITTWIN_ONETBB
#include <bittwin/parallel/onetbb.hpp>
#endif

namespace {

TEST(onetbb, calls_every_part_once) {
#if BITTWIN_ONETBB
  for (const int threads : {1, 3}) {
    oneapi::tbb::task_arena arena(threads);
    bittwin::onetbb_threads hook(arena);
    EXPECT_EQ(hook.parallel().threads(), threads);
    for (const std::int32_t parts : {1, 2, 3, 100})
      parallel::expect_every_part_once(hook.parallel(), parts);
    // From within a part, too.
    hook.parallel()(
        3, [&](std::int32_t) noexcept { parallel::expect_every_part_once(hook.parallel(), 5); });
  }
#else
  GTEST_SKIP() << "oneTBB is not found: install libtbb-dev";
#endif
}

}  // namespace
