// SPDX-License-Identifier: Apache-2.0
// Drawn images with labels, as many as asked for: what the demo's model was trained on, and is measured by. Integers
// alone, so that image i of a seed is the same bytes on every machine.
#pragma once

#include <array>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bittwin::demo {

inline constexpr std::int32_t image_extent = 32;
inline constexpr std::int32_t image_channels = 3;
inline constexpr std::size_t image_bytes =
    std::size_t{image_extent} * image_extent * image_channels;

inline constexpr std::string_view class_names[] = {"disc",      "ring",    "square", "frame",
                                                   "triangle",  "cross",   "bars",   "quarters",
                                                   "half disc", "crescent"};
inline constexpr std::int32_t classes = 10;

struct labelled_image {
  std::array<std::uint8_t, image_bytes> pixels{};  ///< HWC, red, green, blue
  std::int32_t label = 0;                          ///< index in class_names
};

/// One figure of some size, place, angle and colour before a slope of two colours, a stripe across both, and noise.
/// number  of the image among those of the seed, below 2^32
[[nodiscard]] labelled_image draw_image(std::uint64_t seed, std::uint64_t number);

/// What the float network reads of a byte, and the int8 one of its code:  (byte - 116) / 64, code = byte - 128
inline constexpr affine image_grid{1.0F / 64, -12};

[[nodiscard]] inline std::vector<float> reals_of(const labelled_image& image) {
  std::vector<float> reals;
  for (const std::uint8_t byte : image.pixels)
    reals.push_back(image_grid.scale * static_cast<float>(byte - 128 - image_grid.zero_point));
  return reals;
}

}  // namespace bittwin::demo
