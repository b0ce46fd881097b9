// SPDX-License-Identifier: Apache-2.0
// A function of one 8-bit code as the table of its 256 values, and streams of elements that packed kernels run.
#pragma once

#include <bittwin/kernel/packing.hpp>
#include <bittwin/types/element_type.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bittwin::inline v1 {

/// Null where there is nothing but the reference.
/// code_of  code of type `from` -> code of 8 bits
template <class Code>
[[nodiscard]] packed_pointer<packed_stream> pack_every_code(element_type from,
                                                            const Code& code_of) {
  if (!is_linked(pack_table)) return {};
  std::uint8_t codes[256];
  const code_range type = range_of(from);
  for (std::int64_t code = type.low; code <= type.high; ++code)
    codes[static_cast<std::size_t>(code & 0xFF)] = static_cast<std::uint8_t>(code_of(code));
  return pack_table(codes);
}

/// False where the rule must run: nothing packed, or elements that are not stored as their type says.
template <class From, class To>
[[nodiscard]] bool run_stream(const packed_pointer<packed_stream>& packed, element_type from,
                              std::span<const From> x, std::span<To> y,
                              const parallel_for& parallel) noexcept {
  if constexpr (sizeof(To) == 1 && sizeof(From) <= 4) {
    if (static_cast<int>(sizeof(From)) != bytes_of(from)) return false;
    simd::detail::count_run(packed ? arch_of(*packed) : simd::arch::scalar);
    if (packed)
      run_packed(*packed, static_cast<const void*>(x.data()),
                 static_cast<std::uint8_t*>(static_cast<void*>(y.data())),
                 static_cast<std::int64_t>(x.size()), parallel);
    return static_cast<bool>(packed);
  }
  return false;
}

}  // namespace bittwin::inline v1
