// SPDX-License-Identifier: Apache-2.0
// Bytes of a file as characters, of no encoding in particular.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace bittwin::graph::inline v1 {

/// A view: the bytes must outlive it.
[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace bittwin::graph::inline v1
