// SPDX-License-Identifier: Apache-2.0
// Runs a packed convolution: pixels that meet the same taps are taken a few at a time, for one block of channels after
// the other. Taps in the padding are not visited; what they add is in the sums that tiles start from.
#pragma once

#include <algorithm>
#include <bittwin/kernel/packed_layer.hpp>
#include <bittwin/kernel/run_wide_words.hpp>
#include <bittwin/simd/float_environment.hpp>
#include <cstdint>

namespace bittwin::inline v1 {

namespace detail {

/// Up to six pixels; their codes, a run of equally spaced pixels at a time.
inline void run_tile(packed_walk& w, std::uint8_t* const* codes, std::int32_t pixels) noexcept {
  if (w.p.wide) return run_wide_tile(w, codes, pixels);
  alignas(64) std::int32_t acc[simd::tile_pixels * 4 * simd::lanes];
  w.tile.acc = acc;
  for (std::int32_t i = pixels; i < simd::tile_pixels; ++i)
    w.tile.pixel[i] = w.tile.pixel[pixels - 1];
  std::int32_t sums[simd::tile_pixels];
  if (w.p.weight_offset != 0) {
    for (std::int32_t i = 0; i < simd::tile_pixels; ++i)
      w.p.kernels->sum_bytes(w.tile, {w.tile.pixel[i], 0, 1, w.p.weight_offset, sums + i});
    w.tile.pixel_first = sums;
  }
  const auto& kernels =
      w.p.code_bytes == 2 ? w.p.kernels->accumulate_words : w.p.kernels->accumulate;
  kernels[w.block.kernel][pixels - 1](w.tile);
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
  w.tile.acc = nullptr;
  w.tile.pixel_first = nullptr;
}

/// Whether all that a tile of this pixel may read lies in the input. Pixels ascend, and so do the rows and taps of each:
/// what holds of the last one holds of all.
[[nodiscard]] inline bool reaches(const packed_walk& w, const std::uint8_t* last) noexcept {
  return last + w.farthest <= w.end;
}

/// Whether so many pixels divide into tiles of six and five, for which there are kernels.
[[nodiscard]] inline bool fits_run(const packed_walk& w, std::int64_t pixels) noexcept {
  return w.p.kernels->convolve[w.block.kernel][0] != nullptr && w.p.code_bytes == 1 &&
         5 * ((6 - pixels % 6) % 6) <= pixels;
}

/// Tiles of five or six; where packed weights are less by an offset, the sums of the bytes that pixels meet come first.
inline void convolve_tiles(packed_walk& w, const std::uint8_t* from, simd::pixel_run run,
                           int by_five) noexcept {
  const simd::convolve_function convolve = w.p.kernels->convolve[w.block.kernel][by_five];
  w.tile.pixel[0] = from;
  if (w.p.weight_offset == 0) return convolve(w.tile, run);
  constexpr std::int64_t most_tiles = 32;
  std::int32_t sums[most_tiles * simd::tile_pixels];
  const std::int64_t size = by_five != 0 ? 5 : 6;
  w.tile.pixel_first = sums;
  for (std::int64_t left = run.pixels; left > 0; left -= run.pixels) {
    run.pixels = std::min(left, most_tiles * size);
    w.p.kernels->sum_bytes(w.tile,
                           {w.tile.pixel[0], run.pixel_step, run.pixels, w.p.weight_offset, sums});
    convolve(w.tile, run);
    w.tile.pixel[0] += run.pixels * run.pixel_step;
    run.codes += run.pixels * run.code_step;
  }
  w.tile.pixel_first = nullptr;
}

/// Equally spaced pixels of a block, before it is known which.
[[nodiscard]] inline simd::pixel_run run_of(const packed_walk& w, std::int64_t step) noexcept {
  simd::pixel_run run;
  run.pixel_step = step;
  run.forms = w.p.forms.data() + w.block.vector;
  run.channels = w.p.geometry.output_channels - w.block.vector * simd::lanes;
  run.code_step = w.y.pixel;
  run.low = w.p.tile.low, run.high = w.p.tile.high, run.flip = w.p.tile.flip;
  return run;
}

/// Equally spaced pixels: their sums become codes in registers.
inline void run_pixels(packed_walk& w, const std::uint8_t* from, std::int64_t step,
                       std::uint8_t* codes, std::int64_t pixels) noexcept {
  simd::pixel_run run = run_of(w, step);
  const auto convolve = [&](int by_five, std::int64_t tiles) {
    const std::int32_t size = by_five != 0 ? 5 : 6;
    // Its kernels read taps up to a multiple of 4 bytes; the last tile of an image may not.
    const bool all =
        tiles == 0 || w.tile.length % 4 == 0 || reaches(w, from + (tiles * size - 1) * step);
    run.pixels = (all ? tiles : tiles - 1) * size;
    run.codes = codes;
    if (run.pixels > 0) convolve_tiles(w, from, run, by_five);
    from += run.pixels * step;
    codes += run.pixels * w.y.pixel;
    if (all) return;
    std::uint8_t* to[simd::tile_pixels];
    for (std::int32_t i = 0; i < size; ++i, from += step, codes += w.y.pixel)
      w.tile.pixel[i] = from, to[i] = codes;
    w.tile.readable_to_4 = false;
    run_tile(w, to, size);
  };
  const std::int64_t fives = (6 - pixels % 6) % 6;
  convolve(0, (pixels - 5 * fives) / 6);
  convolve(1, fives);
}

inline void run_class(packed_walk& w, input_images x, std::int32_t n, const tap_class& rows,
                      const tap_class& columns) noexcept {
  const convolution_geometry& g = w.p.geometry;
  const bool visited = rows.taps > 0 && columns.taps > 0;
  const std::int64_t step = g.columns.stride * x.pixel;
  w.farthest = (rows.taps - 1) * w.tile.row_step + (w.tile.taps - 1) * w.tile.tap_step +
               (w.tile.length + 3) / 4 * 4;
  const auto from_of = [&](std::int32_t row) {
    return visited ? x.at(n, g.rows.at(rows.first + row, rows.first_tap),
                          g.columns.at(columns.first, columns.first_tap))
                   : x.data;
  };
  const auto to_of = [&](std::int32_t row) {
    return w.y.at(n, rows.first + row, columns.first) +
           w.block.vector * simd::lanes * w.p.code_bytes;
  };
  // Rows that lie one after the other, in input and output, are one.
  const std::int64_t span = columns.count;
  const bool dense = visited && rows.count > 1 && from_of(1) - from_of(0) == span * step &&
                     to_of(1) - to_of(0) == span * w.y.pixel;
  const std::int64_t run = dense ? span * rows.count : span;
  if (visited && w.block.all_proved && fits_run(w, run)) {
    for (std::int32_t row = 0; row < (dense ? 1 : rows.count); ++row)
      run_pixels(w, from_of(row), step, to_of(row), run);
    return;
  }
  const std::int32_t all = rows.count * columns.count;
  const std::int32_t tiles = (all + simd::tile_pixels - 1) / simd::tile_pixels;
  std::int32_t row = 0, column = 0;
  const std::uint8_t* from = nullptr;
  std::uint8_t* to = nullptr;
  for (std::int32_t i = 0, done = 0; i < tiles; ++i) {
    // Tiles of nearly equal size are faster than full ones and a small rest.
    const std::int32_t pixels = (all - done + (tiles - i) - 1) / (tiles - i);
    std::uint8_t* codes[simd::tile_pixels];
    for (std::int32_t k = 0; k < pixels; ++k) {
      if (column == 0) from = from_of(row), to = to_of(row);
      w.tile.pixel[k] = from;
      codes[k] = to;
      if (visited) from += step;
      to += w.y.pixel;
      if (++column == columns.count) column = 0, ++row;
    }
    w.tile.readable_to_4 = visited && reaches(w, w.tile.pixel[pixels - 1]);
    run_tile(w, codes, pixels);
    done += pixels;
  }
}

}  // namespace detail

/// Whether pixels lie as the packing expects them: rows of taps that are packed as one must be dense.
[[nodiscard]] inline bool fits_packing(const packed_layer& p, input_images x) noexcept {
  return (!p.whole_rows && !p.woven()) || x.pixel == p.tap_bytes;
}

inline void run_packed_conv2d(const packed_layer& p, const requantizer& rule, input_images x,
                              output_images y, const output_box& box) noexcept {
  const simd::float_environment environment;
  const convolution_geometry& g = p.geometry;
  const std::int64_t group_bytes = 4 * simd::lanes * p.weight_bytes();
  for (std::int32_t n = box.first_image; n < box.end_image; ++n)
    for (const packed_layer::block& block : p.blocks) {
      if (!packed_layer::has(box, block)) continue;
      detail::packed_walk walk{
          p,  rule, block,
          {}, y,    x.at(g.batch - 1, g.rows.input - 1, g.columns.input - 1) + p.tap_bytes};
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
          walk.first = first - p.first.data();
          if (columns.taps == 0) t.rows = 0;
          detail::run_class(walk, x, n, rows_in(box, rows), columns);
          first += p.vectors() * simd::lanes;
        }
        if (p.whole_rows) copy += g.rows.kernel * row_bytes;
      }
    }
}

}  // namespace bittwin::inline v1
