// SPDX-License-Identifier: Apache-2.0
// Runs a packed convolution: pixels that meet the same taps are taken six at a time, for one block of channels after
// the other. Taps in the padding are not visited; what they add is in the sums that tiles start from.
#pragma once

#include <algorithm>
#include <bittwin/kernel/packed_layer.hpp>
#include <bittwin/simd/float_environment.hpp>
#include <cstdint>

namespace bittwin::inline v1 {

namespace detail {

/// What does not change within one block and one class of pixels.
struct packed_walk {
  const packed_layer& p;
  const requantizer& rule;
  const packed_layer::block& block;
  simd::dot_product_tile tile;
  output_images y;
};

/// Up to six pixels; their codes, a run of equally spaced pixels at a time.
inline void run_tile(packed_walk& w, std::uint8_t* const* codes, std::int32_t pixels) noexcept {
  alignas(64) std::int32_t acc[simd::tile_pixels * 4 * simd::lanes];
  w.tile.acc = acc;
  for (std::int32_t i = pixels; i < simd::tile_pixels; ++i)
    w.tile.pixel[i] = w.tile.pixel[pixels - 1];
  w.p.kernels->accumulate[w.block.kernel][pixels - 1](w.tile);
  for (std::int32_t first = 0; first < pixels;) {
    std::int32_t count = 1;
    while (first + count < pixels && codes[first + count] == codes[first] + count * w.y.pixel)
      ++count;
    simd::code_tile out = w.p.tile;
    out.acc = acc + first * w.block.size * simd::lanes;
    out.pixels = count;
    out.vectors = w.block.size;
    out.codes = codes[first];
    out.pixel_step = w.y.pixel;
    store_codes(w.p, w.rule, out, w.block.vector);
    first += count;
  }
}

inline void run_class(packed_walk& w, input_images x, std::int32_t n, const tap_class& rows,
                      const tap_class& columns) noexcept {
  const convolution_geometry& g = w.p.geometry;
  const std::int32_t all = rows.count * columns.count;
  const std::int32_t tiles = (all + simd::tile_pixels - 1) / simd::tile_pixels;
  const bool visited = rows.taps > 0 && columns.taps > 0;
  const std::int64_t step = g.columns.stride * x.pixel;
  std::int32_t row = 0, column = 0;
  const std::uint8_t* from = nullptr;
  std::uint8_t* to = nullptr;
  for (std::int32_t i = 0, done = 0; i < tiles; ++i) {
    // Tiles of nearly equal size are faster than full ones and a small rest.
    const std::int32_t pixels = (all - done + (tiles - i) - 1) / (tiles - i);
    std::uint8_t* codes[simd::tile_pixels];
    for (std::int32_t k = 0; k < pixels; ++k) {
      if (column == 0) {
        const std::int32_t oy = rows.first + row;
        from = visited ? x.at(n, g.rows.at(oy, rows.first_tap),
                              g.columns.at(columns.first, columns.first_tap))
                       : x.data;
        to = w.y.at(n, oy, columns.first) + w.block.vector * simd::lanes;
      }
      w.tile.pixel[k] = from;
      codes[k] = to;
      if (visited) from += step;
      to += w.y.pixel;
      if (++column == columns.count) column = 0, ++row;
    }
    run_tile(w, codes, pixels);
    done += pixels;
  }
}

}  // namespace detail

/// Whether pixels lie as the packing expects them: rows of taps that are packed as one must be dense.
[[nodiscard]] inline bool fits_packing(const packed_layer& p, input_images x) noexcept {
  return !p.whole_rows || x.pixel == p.geometry.input_channels;
}

inline void run_packed_conv2d(const packed_layer& p, const requantizer& rule, input_images x,
                              output_images y) noexcept {
  const simd::float_environment environment;
  const convolution_geometry& g = p.geometry;
  const std::int64_t group_bytes = 4 * simd::lanes * p.kernels->weight_bytes;
  for (std::int32_t n = 0; n < g.batch; ++n)
    for (const packed_layer::block& block : p.blocks) {
      detail::packed_walk walk{p, rule, block, {}, y};
      simd::dot_product_tile& t = walk.tile;
      t.flip = p.flip;
      t.vectors = block.size;
      t.row_step = g.rows.dilation * x.row;
      const std::int32_t* first = p.first.data() + block.vector * simd::lanes;
      std::int64_t copy = block.weights;  // whole rows have a packing of their own for each class
      for (const tap_class& columns : p.columns) {
        const std::int64_t steps = p.whole_rows ? 1 : g.columns.kernel;
        const std::int64_t taps = p.whole_rows ? columns.taps : 1;
        const std::int64_t groups = (taps * p.tap_bytes + 3) / 4;
        t.taps = p.whole_rows ? 1 : columns.taps;
        t.length = taps * p.tap_bytes;
        t.tap_step = g.columns.dilation * x.pixel;
        t.weight_row_step = steps * groups * group_bytes * block.size;
        const std::int64_t row_bytes = t.weight_row_step;
        const std::int64_t skipped =
            p.whole_rows ? 0 : columns.first_tap * groups * group_bytes * block.size;
        // Dense taps of whole groups are one long tap.
        const bool joined = !p.whole_rows && p.tap_bytes % 4 == 0 && t.tap_step == p.tap_bytes;
        if (joined) t.length *= t.taps, t.taps = 1;
        for (const tap_class& rows : p.rows) {
          t.rows = rows.taps;
          t.weights = p.weights.data() + copy + skipped + rows.first_tap * row_bytes;
          t.first = first;
          if (columns.taps == 0) t.rows = 0;
          detail::run_class(walk, x, n, rows, columns);
          first += p.vectors() * simd::lanes;
        }
        if (p.whole_rows) copy += g.rows.kernel * row_bytes;
      }
    }
}

}  // namespace bittwin::inline v1
