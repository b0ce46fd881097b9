// SPDX-License-Identifier: Apache-2.0
// Runs a convolution of few input channels: the rows of a row of outputs are woven into a line, with the padding's code
// where the input ends, and every window is a run of bytes of it.
#pragma once

#include <algorithm>
#include <bittwin/kernel/output_box.hpp>
#include <bittwin/kernel/packed_layer.hpp>
#include <bittwin/kernel/run_packed.hpp>
#include <bittwin/simd/float_environment.hpp>
#include <bittwin/simd/woven_line.hpp>
#include <cstdint>
#include <cstring>

namespace bittwin::inline v1 {

namespace detail {

/// Bytes of the windows of a line.
struct woven_window {
  std::int64_t column = 0;  ///< one column of all rows
  std::int64_t step = 0;    ///< from window to window
  std::int64_t bytes = 0;   ///< up to a multiple of 4

  explicit woven_window(const convolution_geometry& g) noexcept
      : column(std::int64_t{g.rows.kernel} * g.input_channels),
        step(column * g.columns.stride),
        bytes((column * g.columns.kernel + 3) / 4 * 4) {}
  /// Of a line of so many windows, and what its last tile may read.
  [[nodiscard]] std::int64_t used(std::int64_t windows) const noexcept {
    return (windows - 1 + simd::windows_beyond) * step + (bytes + 15) / 16 * 16;
  }
};

/// Windows of one line: as many as fit, without a rest for tiles of 6 and 8; 0 where too few do.
[[nodiscard]] inline std::int32_t windows_of_line(const woven_window& w) noexcept {
  constexpr std::int64_t room = simd::line_bytes - simd::most_woven_bytes;
  const std::int64_t most = (room - w.used(1)) / w.step + 1;
  return static_cast<std::int32_t>(most < 24 ? 0 : most / 24 * 24);
}

struct output_place {
  std::int32_t y = 0, x = 0;
};

/// Fills a line for `windows` outputs of a row.
inline void fill_line(const packed_layer& p, simd::weave_tile& t, input_images x, std::int32_t n,
                      output_place first_output, std::int32_t windows,
                      std::uint8_t* line) noexcept {
  const window &rows = p.geometry.rows, &columns = p.geometry.columns;
  const woven_window w(p.geometry);
  const std::int64_t first = columns.at(first_output.x, 0);
  const std::int64_t end = std::min<std::int64_t>(
      first + (windows - 1) * columns.stride + columns.kernel, columns.input);
  const std::int64_t begin = std::min(std::max<std::int64_t>(first, 0), end);
  const int padding = p.padding ^ p.flip;
  std::uint8_t* const used = line + w.used(windows);
  std::memset(line, padding, static_cast<std::size_t>((begin - first) * w.column));
  line += (begin - first) * w.column;
  if (begin < end) {
    std::uint8_t outside[16];
    std::memset(outside, p.padding, sizeof outside);
    for (std::int32_t ky = 0; ky < rows.kernel; ++ky) {
      const std::int32_t iy = rows.at(first_output.y, ky);
      const bool inside = rows.inside(iy);
      t.row[ky] = inside ? x.at(n, iy, begin) : outside;
      t.step[ky] = inside ? x.pixel : 0;
    }
    t.columns = static_cast<std::int32_t>(end - begin);
    t.line = line;
    p.kernels->weave(t);
    line += (end - begin) * w.column;
  }
  std::memset(line, padding, static_cast<std::size_t>(used - line));
}

/// One block of channels of the windows of a line.
inline void run_line(packed_walk& w, const std::uint8_t* line, std::int64_t step,
                     std::uint8_t* codes, std::int32_t windows) noexcept {
  if (w.block.all_proved && w.p.kernels->convolve_line[0] != nullptr) {
    simd::pixel_run run = run_of(w, step);
    run.pixels = windows;
    run.codes = codes;
    w.tile.pixel[0] = line;
    return w.p.kernels->convolve_line[w.block.kernel](w.tile, run);
  }
  for (std::int32_t first = 0; first < windows; first += simd::tile_pixels) {
    const std::int32_t pixels = std::min(windows - first, simd::tile_pixels);
    std::uint8_t* to[simd::tile_pixels];
    for (std::int32_t i = 0; i < pixels; ++i, line += step, codes += w.y.pixel)
      w.tile.pixel[i] = line, to[i] = codes;
    run_tile(w, to, pixels);
  }
}

}  // namespace detail

inline void run_woven_conv2d(const packed_layer& p, const requantizer& rule, input_images x,
                             output_images y, const output_box& box) noexcept {
  const simd::float_environment environment;
  const convolution_geometry& g = p.geometry;
  const detail::woven_window window(g);
  const std::int32_t most = detail::windows_of_line(window);
  alignas(64) std::uint8_t line[simd::line_bytes];
  simd::weave_tile weave;
  weave.rows = g.rows.kernel;
  weave.channels = g.input_channels;
  weave.columns_at_once = p.columns_at_once;
  weave.places = p.places.data();
  weave.flip = p.flip;
  for (std::int32_t n = box.first_image; n < box.end_image; ++n)
    for (std::int32_t oy = box.first_row; oy < box.end_row; ++oy)
      for (std::int32_t ox = 0; ox < g.columns.output; ox += most) {
        const std::int32_t windows = std::min(most, g.columns.output - ox);
        detail::fill_line(p, weave, x, n, {oy, ox}, windows, line);
        for (const packed_layer::block& block : p.blocks) {
          if (!packed_layer::has(box, block)) continue;
          detail::packed_walk walk{p, rule, block, {}, y};
          walk.tile.vectors = block.size;
          walk.tile.length = window.bytes;
          walk.tile.readable_to_4 = walk.tile.readable_to_16 = true;
          walk.tile.weights = p.weights.data() + block.weights;
          walk.tile.first = p.first.data() + block.vector * simd::lanes;
          detail::run_line(walk, line, window.step, y.at(n, oy, ox) + block.vector * simd::lanes,
                           windows);
        }
      }
}

}  // namespace bittwin::inline v1
