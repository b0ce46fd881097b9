// SPDX-License-Identifier: Apache-2.0
// The peers that configuration found: BITTWIN_BENCH_XNNPACK and BITTWIN_BENCH_ONEDNN name what their files define.
#include "peer.hpp"

#include <cstdlib>
#include <vector>
#if defined(BITTWIN_BENCH_CPUINFO)
#include <cpuinfo.h>
#endif

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

#if defined(BITTWIN_BENCH_CPUINFO)
namespace {

/// Newer versions know VNNI in 256 bits without AVX-512.
template <class Isa> void hold_to_avx2(Isa& isa) {
  isa.avx512f = isa.avx512bw = isa.avx512cd = isa.avx512dq = isa.avx512vl = isa.avx512vnni = false;
  if constexpr (requires { isa.avxvnni; }) isa.avxvnni = false;
  if constexpr (requires { isa.avxvnniint8; }) isa.avxvnniint8 = false;
}

}  // namespace
#endif

bool hold_peers_to_avx2() {
  // Read by oneDNN at its first call; the second name is that of its older versions.
  setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
  setenv("DNNL_MAX_CPU_ISA", "AVX2", 1);
#if defined(BITTWIN_BENCH_CPUINFO)
  if (!cpuinfo_initialize()) return false;
  hold_to_avx2(cpuinfo_isa);
  return true;
#elif defined(BITTWIN_BENCH_XNNPACK)
  return false;
#else
  return true;
#endif
}

}  // namespace bench
