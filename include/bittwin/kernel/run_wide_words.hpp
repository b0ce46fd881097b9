// SPDX-License-Identifier: Apache-2.0
// Sums of int16 layers that may leave 32 bits. Parts of the taps are summed in 32 bits, as many as fit whatever the codes
// are, and the parts in float64, whose 53 bits hold every integer that prepare() found to be reachable.
#pragma once

#include <algorithm>
#include <bittwin/kernel/packed_layer.hpp>
#include <cstdint>

namespace bittwin::inline v1 {

/// Of an accumulator that float64 holds.
inline constexpr int most_wide_bits = 52;

namespace detail {

/// What does not change within one block and one class of pixels.
struct packed_walk {
  const packed_layer& p;
  const requantizer& rule;
  const packed_layer::block& block;
  simd::dot_product_tile tile;
  output_images y;
  const std::uint8_t* end = nullptr;  ///< of the input
  std::int64_t first = 0;             ///< where the sums that tiles start from begin
  std::int64_t farthest = 0;  ///< bytes from a pixel to the end of what a tile of it may read
};

/// Taps that no part cuts, or bytes of one where its sum may not fit: 510 * 128 * 32768 < 2^31.
inline constexpr std::int64_t part_bytes = 2 * 510;

/// f(tile of the part)
template <class F> void for_each_part(const packed_walk& w, F f) noexcept {
  const simd::dot_product_tile& all = w.tile;
  // Dense taps may be one long tap.
  const std::int64_t joined = all.length / w.p.tap_bytes, row_taps = all.taps * joined;
  const std::int64_t rows_at_once = w.p.part_taps / std::max<std::int64_t>(row_taps, 1);
  const std::int64_t group_bytes = 64 * all.vectors;
  const std::int64_t tap_weights = (all.length + 3) / 4 * group_bytes;
  simd::dot_product_tile part = all;
  const auto at = [&](std::int64_t row, std::int64_t tap, std::int64_t byte) {
    const std::int64_t place = row * all.row_step + tap * all.tap_step + byte;
    for (int i = 0; i < simd::tile_pixels; ++i) part.pixel[i] = all.pixel[i] + place;
    part.weights =
        all.weights + row * all.weight_row_step + tap * tap_weights + byte / 4 * group_bytes;
  };
  if (rows_at_once > 0) {
    for (std::int64_t row = 0; row < all.rows; row += rows_at_once) {
      at(row, 0, 0);
      part.rows = static_cast<std::int32_t>(std::min(rows_at_once, all.rows - row));
      f(part);
    }
    return;
  }
  part.rows = 1;
  const std::int64_t taps_at_once = joined > 1 ? 1 : std::max<std::int64_t>(w.p.part_taps, 1);
  const std::int64_t bytes_at_once = w.p.part_taps > 0 ? w.p.part_taps * w.p.tap_bytes : part_bytes;
  for (std::int64_t row = 0; row < all.rows; ++row)
    for (std::int64_t tap = 0; tap < all.taps; tap += taps_at_once) {
      part.taps = static_cast<std::int32_t>(std::min(taps_at_once, all.taps - tap));
      // Several taps are whole; of one, or of one long one, as much as fits.
      const std::int64_t step =
          part.taps > 1 || bytes_at_once >= all.length ? all.length : bytes_at_once / 4 * 4;
      for (std::int64_t byte = 0; byte < all.length; byte += step) {
        at(row, tap, byte);
        part.length = std::min(step, all.length - byte);
        f(part);
      }
    }
}

inline void run_wide_tile(packed_walk& w, std::uint8_t* const* codes,
                          std::int32_t pixels) noexcept {
  constexpr std::int32_t most = simd::tile_pixels * 4 * simd::lanes;
  static constexpr std::int32_t none[4 * simd::lanes] = {};
  alignas(64) std::int32_t acc[most];
  alignas(64) double sums[most];
  const std::int32_t lanes = w.block.size * simd::lanes;
  for (std::int32_t i = pixels; i < simd::tile_pixels; ++i)
    w.tile.pixel[i] = w.tile.pixel[pixels - 1];
  for (std::int32_t i = 0; i < pixels; ++i)
    std::copy_n(w.p.wide_first.data() + w.first, lanes, sums + i * lanes);
  for_each_part(w, [&](simd::dot_product_tile& part) {
    part.acc = acc;
    part.first = none;
    w.p.kernels->accumulate_words[w.block.kernel][pixels - 1](part);
    for (std::int32_t i = 0; i < pixels * lanes; ++i) sums[i] += acc[i];
  });
  for (std::int32_t i = 0; i < pixels; ++i)
    w.p.kernels->requantize_wide_words({sums + i * lanes, 1, w.block.size,
                                        w.p.geometry.output_channels - w.block.vector * simd::lanes,
                                        w.p.forms.data() + w.block.vector, codes[i], w.y.pixel,
                                        static_cast<std::int16_t>(w.p.clamp.low),
                                        static_cast<std::int16_t>(w.p.clamp.high)});
}

}  // namespace detail

}  // namespace bittwin::inline v1
