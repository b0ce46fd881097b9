// SPDX-License-Identifier: Apache-2.0
// A deterministic input for a model that is run without one: the same numbers on every machine.
//   state = seed + 2^32 * number of the input;   x[i] = splitmix64 step i of that state
//   integers: low + x mod (high - low + 1), over the whole type;   floats: (x >> 41) * 2^-22 - 1,
//   in [-1, 1) (float16: +-[1/4, 1/2))
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/element_type.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace bittwin::analysis::inline v1 {

/// Steele, Lea and Flood's SplitMix64: a counter and a mixing function.
class splitmix64 {
 public:
  explicit constexpr splitmix64(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t operator()() noexcept {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_;
};

/// number  of the input, in the model's order
[[nodiscard]] inline array sample_input(const graph::tensor& t, std::uint64_t seed,
                                        std::size_t number) {
  splitmix64 random(seed + (std::uint64_t{number} << 32));
  array a{t.type, t.extents, {}};
  const auto elements = static_cast<std::size_t>(t.extents.elements());
  a.data.resize(elements * static_cast<std::size_t>(bytes_of(t.type)));
  const code_range codes = range_of(t.type);
  with_element(t.type, [&]<class T>(T) {
    for (std::size_t i = 0; i < elements; ++i) {
      const std::uint64_t x = random();
      T value;
      if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(x >> 41) * static_cast<T>(0x1p-22) - 1;
      } else if (t.type == element_type::float16) {
        // A sign and ten fraction bits under the exponent of 1/4: magnitudes in [1/4, 1/2).
        value = static_cast<T>(x >> 63 << 15 | (x & 0x3FF) | 0x3400);
      } else {
        const auto width = static_cast<std::uint64_t>(codes.high) -
                           static_cast<std::uint64_t>(codes.low) + 1;  // 0: all 64-bit codes
        value =
            static_cast<T>(static_cast<std::uint64_t>(codes.low) + (width == 0 ? x : x % width));
      }
      std::memcpy(a.data.data() + i * sizeof(T), &value, sizeof(T));
    }
  });
  return a;
}

}  // namespace bittwin::analysis::inline v1
