// SPDX-License-Identifier: Apache-2.0
// What kernels on streams of elements take: integers or bytes in, bytes out, no channels.
//   scale    codes[i] = form( clamp(x[i], low, high) - centre )           its accumulators saturate beyond low and high
//   lookup   codes[i] = table[x[i]]
#pragma once

#include <bittwin/simd/channel_form.hpp>
#include <cstdint>

namespace bittwin::simd::inline v1 {

struct scale_stream {
  const std::int32_t* x = nullptr;
  std::uint8_t* codes = nullptr;
  std::int64_t count = 0;
  std::int32_t low = 0, high = 0;  ///< of x
  std::int32_t centre = 0;         ///< modulo 2^32; the input's zero point is part of it
  const channel_form* form = nullptr;
  std::int8_t lowest = -128, highest = 127;  ///< clamp, of signed codes
  std::uint8_t flip = 0;
};
using scale_function = void (*)(const scale_stream&) noexcept;

/// In place or apart.
struct lookup_stream {
  const std::uint8_t* table = nullptr;  ///< 256 bytes
  const std::uint8_t* x = nullptr;
  std::uint8_t* codes = nullptr;
  std::int64_t count = 0;
};
using lookup_function = void (*)(const lookup_stream&) noexcept;

}  // namespace bittwin::simd::inline v1
