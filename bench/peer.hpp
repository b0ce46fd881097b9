// SPDX-License-Identifier: Apache-2.0
// Other libraries that run the same layer, where they were found at configuration.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "elements.hpp"
#include "layers.hpp"

namespace bench {

/// Calls that read the problem and write `output`; empty where the peer has no such layer. They keep what they need.
struct peer {
  std::string_view name;
  std::function<void()> (*prepare)(const problem& p, std::span<std::int8_t> output);
  std::function<void()> (*prepare_elements)(const element_problem& p,
                                            std::span<std::int8_t> output);
};

/// Those that were built in.
[[nodiscard]] std::span<const peer> peers();

/// Peers use no instruction beyond AVX2. Before their first call; false where one of them cannot be held to it.
bool hold_peers_to_avx2();

/// What each of their files defines.
extern const peer xnnpack_2022, xnnpack_2024, onednn_2, onednn_3;

}  // namespace bench
