// SPDX-License-Identifier: Apache-2.0
// Packs and runs a depthwise convolution of depth multiplier 1: as lines where it can (pack_depthwise_lines.hpp), else
// 16 channels, a few output rows and up to 16 columns at a time. Taps in the padding are fed the padding's code.
//   weights [vector, output row of a tile, group of 4 rows, kx, channel, 4]
#pragma once

#include <algorithm>
#include <bittwin/kernel/pack_depthwise_lines.hpp>
#include <bittwin/kernel/pack_layer.hpp>
#include <bittwin/simd/float_environment.hpp>
#include <cstdint>
#include <vector>

namespace bittwin::inline v1 {

namespace detail {

inline constexpr std::int32_t most_outputs = 16;  ///< columns of a tile
inline constexpr std::int32_t most_output_rows = 4;

/// As many as the interleaved input columns have room for; 0 where not even one.
[[nodiscard]] inline std::int32_t tile_outputs(const packed_layer& p) noexcept {
  const window& w = p.geometry.columns;
  const std::int64_t room =
      simd::depthwise_columns / p.row_groups - 1 - std::int64_t{w.kernel - 1} * w.dilation;
  return room < 0
             ? 0
             : static_cast<std::int32_t>(std::min<std::int64_t>(room / w.stride + 1, most_outputs));
}

/// One tile of a block: interleaved input rows into sums, sums into codes.
inline void run_depthwise_tile(const packed_layer& p, const requantizer& rule,
                               simd::depthwise_tile& t, const packed_layer::block& block,
                               std::uint8_t* codes, const output_images& y) noexcept {
  alignas(64) std::int32_t acc[most_output_rows * most_outputs * 4 * simd::lanes];
  t.acc_step = block.size * simd::lanes;
  const std::int32_t first = block.vector * simd::lanes;
  for (std::int32_t v = 0; v < block.size; ++v) {
    t.acc = acc + v * simd::lanes;
    t.channels = std::min(p.geometry.output_channels - first - v * simd::lanes, simd::lanes);
    t.weights = p.weights.data() + (block.vector + v) * p.vector_weights;
    t.first = p.first.data() + first + v * simd::lanes;
    p.kernels->depthwise(t);
    for (std::int32_t i = 0; i < 4 * t.groups; ++i)
      if (t.step[i] != 0) t.row[i] += simd::lanes;
  }
  for (std::int32_t row = 0; row < t.output_rows; ++row) {
    simd::code_tile out = p.tile;
    out.acc = acc + row * t.outputs * t.acc_step;
    out.pixels = t.outputs;
    out.vectors = block.size;
    out.codes = codes + row * y.row;
    out.pixel_step = y.pixel;
    store_codes(p, rule, out, block.vector);
  }
}

}  // namespace detail

inline void run_packed_depthwise(const packed_layer& p, const requantizer& rule, input_images x,
                                 output_images y, const output_box& box) noexcept {
  const simd::float_environment environment;
  run_packed_lines(p, x, y, box);
  if (p.weights.bytes() == 0) return;  // no other blocks
  const window &rows = p.geometry.rows, &columns = p.geometry.columns;
  const std::int32_t outputs = detail::tile_outputs(p);
  std::uint8_t padding[simd::lanes];
  std::fill_n(padding, simd::lanes, p.padding);
  simd::depthwise_tile t;
  t.groups = p.row_groups;
  t.input_columns = columns.input;
  t.padding = p.padding;
  t.flip = p.flip;
  t.kernel = columns.kernel;
  t.stride = columns.stride;
  t.dilation = columns.dilation;
  for (std::int32_t n = box.first_image; n < box.end_image; ++n)
    for (std::int32_t oy = box.first_row; oy < box.end_row; oy += p.output_rows) {
      t.output_rows = std::min(p.output_rows, box.end_row - oy);
      for (std::int32_t ox = 0; ox < columns.output; ox += outputs) {
        t.outputs = std::min(outputs, columns.output - ox);
        t.first_column = columns.at(ox, 0);
        t.columns = (t.outputs - 1) * t.stride + (t.kernel - 1) * t.dilation + 1;
        for (const packed_layer::block& block : p.blocks) {
          if (block.line >= 0 || !packed_layer::has(box, block)) continue;
          const std::int32_t channel = block.vector * simd::lanes;
          for (std::int32_t i = 0; i < 4 * t.groups; ++i) {
            const std::int64_t iy = std::int64_t{rows.at(oy, 0)} + std::int64_t{i} * rows.dilation;
            const bool inside = iy >= 0 && iy < rows.input && i < p.used_rows;
            t.row[i] = inside ? x.at(n, iy, 0) + channel : padding;
            t.step[i] = inside ? x.pixel : 0;
          }
          detail::run_depthwise_tile(p, rule, t, block, y.at(n, oy, ox) + channel, y);
        }
      }
    }
}

namespace detail {

/// weights [ky, kx, channel]; step: input rows, as places among the bytes of a lane, from output row to output row
inline void pack_tiles(packed_layer& p, const std::vector<std::int16_t>& weights,
                       std::int32_t step) {
  const convolution_geometry& g = p.geometry;
  const std::int64_t unit = std::int64_t{4} * simd::lanes * p.kernels->weight_bytes;
  const std::int64_t row_bytes = p.row_groups * g.columns.kernel * unit;
  p.vector_weights = p.output_rows * row_bytes;
  p.weights.resize(static_cast<std::size_t>(p.vectors() * p.vector_weights));
  for (std::int32_t c = 0; c < g.output_channels; ++c)
    for (std::int32_t ky = 0; ky < g.rows.kernel; ++ky)
      for (std::int32_t kx = 0; kx < g.columns.kernel; ++kx)
        for (std::int32_t row = 0; row < p.output_rows; ++row) {
          const std::int32_t k = ky + row * step;
          std::int8_t* to = p.weights.data() + c / simd::lanes * p.vector_weights +
                            row * row_bytes + (k / 4 * g.columns.kernel + kx) * unit;
          detail::put_weight(to, {k % 4, 1, 0, c % simd::lanes}, p.kernels->weight_bytes,
                             weights[static_cast<std::size_t>(
                                 std::int64_t{g.index_of({ky, kx})} * g.output_channels + c)]);
        }
}

/// Not packed where a proof fails, where the window is larger than a tile, or without vector instructions.
[[nodiscard]] inline packed_layer packed_depthwise(const packing_request& q) {
  packed_layer p;
  const simd::kernel_set* kernels = simd::kernels_of(simd::which_arch());
  const convolution_geometry& g = q.geometry;
  if (kernels == nullptr || q.type == element_type::int16 ||
      g.output_channels != g.input_channels || g.rows.kernel > simd::most_depthwise_rows)
    return p;
  // Output rows that the same input rows serve.
  p.geometry = g;
  p.row_groups = (g.rows.kernel + 3) / 4;
  const std::int32_t step =
      g.rows.stride % g.rows.dilation == 0 ? g.rows.stride / g.rows.dilation : 4 * p.row_groups;
  p.output_rows = std::min(1 + (4 * p.row_groups - g.rows.kernel) / step,
                           std::min(detail::most_output_rows, g.rows.output));
  p.used_rows = g.rows.kernel + (p.output_rows - 1) * step;
  if (detail::tile_outputs(p) == 0) return p;
  const std::vector<std::int16_t> weights = detail::weights_less_zero(q);
  if (weights.empty()) return p;
  // Sums of a few bytes would cost what the products do; words hold such weights.
  if (kernels->weight_bytes == 1 && detail::weight_offset(weights) != 0)
    kernels = simd::kernels_of(simd::arch::avx2);
  const std::int32_t channels = g.output_channels, taps = g.taps();
  const auto ranges = detail::reachable_ranges(q, weights, {taps, 1, channels});
  if (ranges.empty()) return p;
  p.kernels = kernels;
  p.run = &run_packed_depthwise;
  p.flip = q.type == element_type::int8 ? 0x80 : 0;
  p.padding = static_cast<std::uint8_t>(q.zero.padding);
  detail::divide_into_blocks(p);
  detail::prove_forms(p, q, ranges, true);

  p.first.resize(static_cast<std::size_t>(p.vectors()) * simd::lanes);
  for (std::int32_t c = 0; c < channels; ++c) {
    std::int64_t sum = 0;
    for (std::int32_t i = 0; i < taps; ++i)
      sum += weights[static_cast<std::size_t>(std::int64_t{i} * channels + c)];
    p.first.data()[c] =
        detail::centred(p, c, detail::bias_of(q, c) - detail::unsigned_code(q, q.zero.input) * sum);
  }
  detail::choose_lines(p);
  if (p.lines.run != nullptr) detail::pack_lines(p, weights);
  if (std::any_of(p.blocks.begin(), p.blocks.end(), [](const auto& b) { return b.line < 0; }))
    detail::pack_tiles(p, weights, step);
  return p;
}

}  // namespace detail

}  // namespace bittwin::inline v1
