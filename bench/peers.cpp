// SPDX-License-Identifier: Apache-2.0
// The peers that configuration found: BITTWIN_BENCH_XNNPACK and BITTWIN_BENCH_ONEDNN name what their files define.
#include "peer.hpp"

#include <vector>

namespace bench {

std::span<const peer> peers() {
  static const std::vector<peer> all {
#if defined(BITTWIN_BENCH_XNNPACK)
    BITTWIN_BENCH_XNNPACK,
#endif
#if defined(BITTWIN_BENCH_ONEDNN)
        BITTWIN_BENCH_ONEDNN,
#endif
  };
  return all;
}

}  // namespace bench
