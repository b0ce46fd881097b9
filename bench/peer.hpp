// SPDX-License-Identifier: Apache-2.0
// Another library that runs the same layer, where it was found at configuration.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "layers.hpp"

namespace bench {

struct peer {
  std::string_view name;
  /// A call that reads p.input and writes `output`; empty where the peer has no such layer. It keeps what it needs.
  std::function<void()> (*prepare)(const problem& p, std::span<std::int8_t> output);
};

/// Those that were built in.
[[nodiscard]] std::span<const peer> peers();

}  // namespace bench
