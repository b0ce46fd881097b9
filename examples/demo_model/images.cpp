// SPDX-License-Identifier: Apache-2.0
#include "images.hpp"

#include <algorithm>
#include <bittwin/analysis/sample_input.hpp>
#include <cstdlib>

namespace bittwin::demo {
namespace {

/// Uniform integers, from both ends inclusive.
class dice {
 public:
  explicit dice(std::uint64_t seed) : next_(seed) {}
  std::int32_t operator()(std::int32_t low, std::int32_t high) {
    const auto count = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int32_t>((next_() >> 32) % count);
  }

 private:
  analysis::splitmix64 next_;
};

/// 1024 sin(k pi / 32), a quarter of a turn
constexpr std::int32_t sines[] = {0,   100, 200, 297, 392, 483,  569,  650, 724,
                                  792, 851, 903, 946, 980, 1004, 1019, 1024};
/// of 64ths of a turn
std::int32_t sine(std::int32_t angle) {
  const std::int32_t half = angle % 32, sign = angle % 64 < 32 ? 1 : -1;
  return sign * sines[half <= 16 ? half : 32 - half];
}

/// Whether a figure of radius r covers (u, v): both turned about its centre, all in one unit. The longest arm of every
/// figure is r.
bool covers(std::int32_t figure, std::int64_t u, std::int64_t v, std::int64_t r) {
  const std::int64_t square = u * u + v * v, side = std::max(std::abs(u), std::abs(v));
  const bool in_disc = square <= r * r;
  switch (figure) {
    case 0: return in_disc;
    case 1: return in_disc && 25 * square > 9 * r * r;
    case 2: return 5 * side <= 4 * r;
    case 3: return 5 * side <= 4 * r && 2 * side > r;
    case 4: return 2 * v >= -r && 512 * v + 887 * std::abs(u) <= 512 * r;  // 887 / 1024: sin 60
    case 5: return side <= r && 7 * std::min(std::abs(u), std::abs(v)) <= 2 * r;
    case 6: return 5 * side <= 4 * r && (u * 25 / (8 * r) + 5) % 2 == 1;
    case 7: return 5 * side <= 4 * r && (u < 0) == (v < 0);
    case 8: return in_disc && v >= 0;
    default: return in_disc && 4 * ((2 * u - r) * (2 * u - r) + 4 * v * v) > 9 * r * r;
  }
}

using colour = std::array<std::int32_t, image_channels>;

colour any_colour(dice& roll) { return {roll(0, 255), roll(0, 255), roll(0, 255)}; }

/// A colour that is so far from another in at least one channel.
colour colour_apart(dice& roll, const colour& from, std::int32_t least) {
  colour c = any_colour(roll);
  const std::int32_t channel = roll(0, 2), apart = roll(least, 120);
  const bool up = from[static_cast<std::size_t>(channel)] < 128;
  c[static_cast<std::size_t>(channel)] =
      std::clamp(from[static_cast<std::size_t>(channel)] + (up ? apart : -apart), 0, 255);
  return c;
}

}  // namespace

labelled_image draw_image(std::uint64_t seed, std::uint64_t number) {
  dice roll(seed + (number << 32));
  labelled_image image;
  image.label = roll(0, classes - 1);
  // Places in quarters of a pixel.
  const std::int32_t radius = roll(26, 52), room = 4 * image_extent - 2 * radius;
  const std::int32_t x = radius + roll(0, room), y = radius + roll(0, room);
  const std::int32_t angle = roll(0, 63);
  const std::int64_t cosine = sine(angle + 16), sinus = sine(angle);
  const colour ground = any_colour(roll), other_end = any_colour(roll);
  const colour figure = colour_apart(roll, ground, 60);
  const colour stripe = any_colour(roll);
  const std::int32_t stripe_angle = roll(0, 63), stripe_at = roll(-60, 60),
                     stripe_width = roll(0, 5);
  const std::int32_t noise = roll(8, 48), slope = roll(0, 96);
  for (std::int32_t row = 0; row < image_extent; ++row)
    for (std::int32_t column = 0; column < image_extent; ++column) {
      std::int32_t covered = 0;  // of four places inside the pixel
      for (std::int32_t i = 0; i < 4; ++i) {
        const std::int64_t dx = 4 * column + 1 + 2 * (i % 2) - x, dy = 4 * row + 1 + i / 2 * 2 - y;
        covered += covers(image.label, dx * cosine + dy * sinus, dy * cosine - dx * sinus,
                          std::int64_t{1024} * radius)
                       ? 1
                       : 0;
      }
      const std::int32_t across = (2 * column - 31) * sine(stripe_angle + 16) +
                                  (2 * row - 31) * sine(stripe_angle);  // 2048ths of a pixel
      const bool striped = std::abs(across / 512 - stripe_at) < stripe_width;
      for (std::size_t c = 0; c < image_channels; ++c) {
        const std::int32_t behind =
            ground[c] + (other_end[c] - ground[c]) * (row + column) * slope / (62 * 255);
        std::int32_t value = (behind * (4 - covered) + figure[c] * covered) / 4;
        if (striped) value = stripe[c];
        value += roll(-noise, noise);
        image.pixels[static_cast<std::size_t>((row * image_extent + column) * image_channels) + c] =
            static_cast<std::uint8_t>(std::clamp(value, 0, 255));
      }
    }
  return image;
}

}  // namespace bittwin::demo
