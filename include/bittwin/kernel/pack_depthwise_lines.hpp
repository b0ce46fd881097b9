// SPDX-License-Identifier: Apache-2.0
// Blocks of a depthwise convolution that run as lines (simd/depthwise_line.hpp): those of a window that has them, all
// of whose channels have one form. A block of fewer than 64 channels takes several places of the image at once.
#pragma once

#include <algorithm>
#include <bittwin/kernel/output_box.hpp>
#include <bittwin/kernel/packed_layer.hpp>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

namespace bittwin::inline v1 {

namespace detail {

/// Blocks that can run as lines get their place among them.
inline void choose_lines(packed_layer& p) noexcept {
  const window &rows = p.geometry.rows, &columns = p.geometry.columns;
  if (rows.kernel != columns.kernel || rows.stride != columns.stride || rows.dilation != 1 ||
      columns.dilation != 1)
    return;
  for (std::size_t i = 0; i < std::size(simd::line_windows); ++i)
    if (simd::line_windows[i].kernel == rows.kernel && simd::line_windows[i].stride == rows.stride)
      p.lines.window = p.kernels->weight_bytes == 2 ? simd::in_words(simd::line_windows[i])
                                                    : simd::line_windows[i],
      p.lines.run = p.kernels->depthwise_lines[i];
  if (p.lines.run == nullptr) return;
  std::int32_t lines = 0;
  for (packed_layer::block& b : p.blocks) {
    const simd::channel_form* const forms = p.forms.data() + b.vector;
    const bool one_form = std::all_of(forms, forms + b.size, [&](const simd::channel_form& f) {
      return f.kind == forms[0].kind && f.kind != simd::form_kind::scalar;
    });
    if (one_form) b.line = lines++;
  }
}

/// The weight of one of the rows that a lane holds.
inline void put_line_weight(std::int8_t* lane, int row, int rows, std::int16_t w) noexcept {
  if (rows == 4)
    lane[row] = static_cast<std::int8_t>(w);
  else
    std::memcpy(lane + 2 * row, &w, 2);
}

/// weights [ky, kx, channel]; p.first and p.forms are those of the layer
inline void pack_lines(packed_layer& p, const std::vector<std::int16_t>& weights) {
  packed_lines& lines = p.lines;
  const simd::line_window w = lines.window;
  const std::int32_t channels = p.geometry.output_channels;
  const auto count = static_cast<std::size_t>(
      std::count_if(p.blocks.begin(), p.blocks.end(), [](const auto& b) { return b.line >= 0; }));
  constexpr std::size_t block_lanes = simd::line_vectors * simd::lanes;
  lines.block_weights =
      std::int64_t{w.weight_rows()} * w.weight_groups() * w.kernel * std::int64_t{4 * block_lanes};
  lines.weights.resize(count * static_cast<std::size_t>(lines.block_weights));
  lines.first.resize(count * block_lanes);
  lines.forms.resize(count * simd::line_vectors);
  for (const packed_layer::block& b : p.blocks) {
    if (b.line < 0) continue;
    for (int v = 0; v < simd::line_vectors; ++v) {
      const std::int64_t vector = std::int64_t{b.line} * simd::line_vectors + v;
      simd::channel_form& form = lines.forms.data()[vector];
      form.kind = p.forms.data()[b.vector].kind;
      for (int lane = 0; lane < simd::lanes; ++lane) {
        const std::int32_t in_block = simd::line_channel(w, w.parts(b.size), v, lane);
        if (in_block >= b.size * simd::lanes) continue;
        const std::int32_t c = b.vector * simd::lanes + in_block;
        simd::copy_lane(form, lane, p.forms.data()[c / simd::lanes], c % simd::lanes);
        if (c >= channels) continue;
        lines.first.data()[vector * simd::lanes + lane] = p.first.data()[c];
        std::int8_t* const block = lines.weights.data() + b.line * lines.block_weights;
        for (int row = 0; row < w.weight_rows(); ++row)
          for (int ky = 0; ky < w.kernel; ++ky)
            for (int kx = 0; kx < w.kernel; ++kx) {
              const int from = ky + w.first_row(row);  // of the input rows that are interleaved
              const int group = from / w.lane_rows;
              const int place =
                  ((row * simd::line_vectors + v) * w.weight_groups() + group) * w.kernel + kx;
              put_line_weight(block + (place * simd::lanes + lane) * 4, from % w.lane_rows,
                              w.lane_rows,
                              weights[static_cast<std::size_t>(
                                  (std::int64_t{ky} * w.kernel + kx) * channels + c)]);
            }
      }
    }
  }
}

/// Output rows of one block of one image, from `oy` to `end` at most: as many as its parts have.
inline void run_line_rows(const packed_layer& p, const packed_layer::block& b,
                          simd::depthwise_line& t, input_images x, output_images y, std::int32_t n,
                          std::int32_t oy, std::int32_t end, const std::uint8_t* padding) noexcept {
  const window &rows = p.geometry.rows, &columns = p.geometry.columns;
  const simd::line_window w = p.lines.window;
  const std::int32_t channel = b.vector * simd::lanes;
  for (std::int32_t part = 0; part < t.parts; ++part)
    for (std::int32_t i = 0; i < w.input_rows(); ++i) {
      const std::int64_t iy = std::int64_t{rows.at(oy, 0)} + part * w.rows() * w.stride + i;
      const bool inside = iy >= 0 && iy < rows.input && i < w.kernel + (w.rows() - 1) * w.stride;
      t.row[i][part] = inside ? x.at(n, iy, 0) + channel : padding;
      t.step[i][part] = inside ? x.pixel : 0;
    }
  t.output_rows = end - oy;
  // Lines of nearly equal length, in whole tiles of 4.
  const std::int32_t lines = (columns.output + w.outputs() - 1) / w.outputs();
  const std::int32_t length = ((columns.output + lines - 1) / lines + 3) / 4 * 4;
  for (std::int32_t ox = 0; ox < columns.output; ox += length) {
    t.outputs = std::min(length, columns.output - ox);
    t.first_column = columns.at(ox, 0);
    t.codes = y.at(n, oy, ox) + channel;
    p.lines.run(t);
  }
}

}  // namespace detail

/// The blocks of a box that have lines. The float environment is the caller's.
inline void run_packed_lines(const packed_layer& p, input_images x, output_images y,
                             const output_box& box) noexcept {
  std::uint8_t padding[simd::line_vectors * simd::lanes];
  std::fill_n(padding, sizeof padding, p.padding);
  simd::depthwise_line t;
  t.input_columns = p.geometry.columns.input;
  t.padding = p.padding, t.flip = p.flip;
  t.code_step = y.pixel, t.code_row = y.row;
  t.low = p.tile.low, t.high = p.tile.high, t.code_flip = p.tile.flip;
  for (const packed_layer::block& b : p.blocks) {
    if (b.line < 0 || !packed_layer::has(box, b)) continue;
    t.parts = p.lines.window.parts(b.size);
    t.channels =
        std::min(b.size * simd::lanes, p.geometry.output_channels - b.vector * simd::lanes);
    t.weights = p.lines.weights.data() + b.line * p.lines.block_weights;
    t.first = p.lines.first.data() + std::int64_t{b.line} * simd::line_vectors * simd::lanes;
    t.forms = p.lines.forms.data() + std::int64_t{b.line} * simd::line_vectors;
    const std::int32_t step = t.parts * p.lines.window.rows();
    for (std::int32_t n = box.first_image; n < box.end_image; ++n)
      for (std::int32_t oy = box.first_row; oy < box.end_row; oy += step)
        detail::run_line_rows(p, b, t, x, y, n, oy, box.end_row, padding);
  }
}

}  // namespace bittwin::inline v1
