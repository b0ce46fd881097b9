// SPDX-License-Identifier: Apache-2.0
// Packs a convolution of few input channels, whose windows are woven:
//   [block of 64, 32 or 16 channels, group of 4 k, vector, channel, 4], k = (kx * rows + ky) * channels + ic
#pragma once

#include <algorithm>
#include <bittwin/kernel/pack_layer.hpp>
#include <bittwin/kernel/run_woven.hpp>
#include <bittwin/simd/kernels.hpp>
#include <bittwin/simd/woven_line.hpp>
#include <cstdint>
#include <vector>

namespace bittwin::inline v1 {

namespace detail {

/// Above these, a row of taps is long enough to be read where it lies.
inline constexpr std::int32_t most_woven_channels = 4;
inline constexpr std::int64_t most_window_bytes = 256;

[[nodiscard]] inline bool can_be_woven(const convolution_geometry& g,
                                       const simd::kernel_set& kernels) noexcept {
  if (kernels.weave == nullptr || g.input_channels > most_woven_channels || g.taps() == 1 ||
      g.columns.dilation != 1 || g.rows.kernel > simd::most_woven_rows)
    return false;
  const woven_window w(g);
  return w.column <= kernels.woven_bytes && w.bytes <= most_window_bytes && windows_of_line(w) > 0;
}

/// Where the bytes of every row go. There is one class of pixels: the padding is in the line.
inline void plan_weaving(packed_layer& p) {
  const convolution_geometry& g = p.geometry;
  const std::int32_t rows = g.rows.kernel, channels = g.input_channels;
  p.run = &run_woven_conv2d;
  p.rows = {{0, g.rows.output, 0, rows}};
  p.columns = {{0, g.columns.output, 0, g.columns.kernel}};
  p.columns_at_once = std::min(16 / channels, p.kernels->woven_bytes / (rows * channels));
  p.places.resize(static_cast<std::size_t>(rows) * simd::most_woven_bytes);
  std::fill_n(p.places.data(), rows * simd::most_woven_bytes, std::uint8_t{0x80});
  for (std::int32_t row = 0; row < rows; ++row)
    for (std::int32_t i = 0; i < p.columns_at_once * channels; ++i) {
      const std::int32_t column = i / channels;
      p.places
          .data()[row * simd::most_woven_bytes + (column * rows + row) * channels + i % channels] =
          static_cast<std::uint8_t>(i);
    }
}

inline void pack_windows(packed_layer& p, const std::vector<std::int16_t>& weights) {
  const convolution_geometry& g = p.geometry;
  const std::int64_t vector_bytes = woven_window(g).bytes * simd::lanes * p.kernels->weight_bytes;
  p.weights.resize(static_cast<std::size_t>(vector_bytes * p.vectors()));
  const std::int16_t* w = weights.data();
  for (packed_layer::block& block : p.blocks) {
    block.weights = block.vector * vector_bytes;
    const std::int32_t begin = block.vector * simd::lanes;
    const std::int32_t end = std::min(begin + block.size * simd::lanes, g.output_channels);
    for (std::int32_t oc = begin; oc < end; ++oc)
      for (std::int32_t ky = 0; ky < g.rows.kernel; ++ky)
        for (std::int32_t kx = 0; kx < g.columns.kernel; ++kx)
          for (std::int32_t ic = 0; ic < g.input_channels; ++ic)
            put_weight(p.weights.data() + block.weights,
                       {(std::int64_t{kx} * g.rows.kernel + ky) * g.input_channels + ic, block.size,
                        (oc - begin) / simd::lanes, oc % simd::lanes},
                       p.kernels->weight_bytes, *w++);
  }
}

}  // namespace detail

}  // namespace bittwin::inline v1
