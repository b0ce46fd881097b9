// SPDX-License-Identifier: Apache-2.0
// An operator on two 8-bit codes as a function of 65 536 pairs: evaluated once by prepare(), packed, and run on
// operands of the same extents. Broadcast operands are left to the rule.
#pragma once

#include <bittwin/kernel/packing.hpp>
#include <bittwin/types/parallel_for.hpp>
#include <bittwin/types/shape.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bittwin::inline v1 {

/// Null where nothing is gained: no packed kernels, other types, broadcast extents.
/// code_of  (a, b) -> code, each of them a code of `type`    q  without its codes
template <class Code>
[[nodiscard]] packed_pointer<packed_pairs> pack_every_pair(pair_request q, const Code& code_of) {
  if (!is_linked(pack_pairs) || bytes_of(q.type) != 1 || simd::which_arch() == simd::arch::scalar)
    return {};
  std::vector<std::uint8_t> codes(pair_request::all);
  const code_range type = range_of(q.type);
  const auto byte = [](std::int64_t code) { return static_cast<std::size_t>(code & 0xFF); };
  for (std::int64_t a = type.low; a <= type.high; ++a)
    for (std::int64_t b = type.low; b <= type.high; ++b)
      codes[byte(a) << 8 | byte(b)] = static_cast<std::uint8_t>(code_of(a, b));
  q.codes = codes;
  return pack_pairs(q);
}

/// Whether every element of the result has one of each operand to itself.
[[nodiscard]] inline bool without_broadcast(const shape& a, const shape& b,
                                            const shape& out) noexcept {
  return a.elements() == out.elements() && b.elements() == out.elements();
}

/// False where the rule must run.
template <class T>
[[nodiscard]] bool run_every_pair(const packed_pointer<packed_pairs>& packed, std::span<const T> a,
                                  std::span<const T> b, std::span<T> y,
                                  const parallel_for& parallel) noexcept {
  if constexpr (sizeof(T) == 1) {
    simd::detail::count_run(packed ? arch_of(*packed) : simd::arch::scalar);
    const auto bytes = [](const void* p) { return static_cast<const std::uint8_t*>(p); };
    if (packed)
      run_packed(*packed, bytes(a.data()), bytes(b.data()),
                 static_cast<std::uint8_t*>(static_cast<void*>(y.data())),
                 static_cast<std::int64_t>(y.size()), parallel);
    return static_cast<bool>(packed);
  }
  return false;
}

}  // namespace bittwin::inline v1
