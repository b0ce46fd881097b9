// SPDX-License-Identifier: Apache-2.0
// The peers that configuration found: BITTWIN_BENCH_XNNPACK, BITTWIN_BENCH_ONEDNN.
#include "peer.hpp"

#include <vector>

namespace bench {

std::span<const peer> peers() {
  static const std::vector<peer> all {
#if defined(BITTWIN_BENCH_XNNPACK)
    xnnpack_2022,
#endif
#if defined(BITTWIN_BENCH_ONEDNN)
        onednn_2,
#endif
  };
  return all;
}

}  // namespace bench
