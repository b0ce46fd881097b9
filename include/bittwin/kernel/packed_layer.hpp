// SPDX-License-Identifier: Apache-2.0
// A dot-product layer whose exactness prepare() proved, packed for the kernels of one architecture. Data only: no
// target, no policy.
#pragma once

#include <algorithm>
#include <bittwin/kernel/output_box.hpp>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/proof/proved_form.hpp>
#include <bittwin/reference/convolution.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/simd/kernels.hpp>
#include <bittwin/types/tensor_view.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace bittwin::inline v1 {

/// Outputs of one axis that meet the same taps of it; the others lie in the padding.
struct tap_class {
  std::int32_t first = 0, count = 0;  ///< outputs
  std::int32_t first_tap = 0, taps = 0;
};

/// Those of them that a box has.
[[nodiscard]] inline tap_class rows_in(const output_box& box, tap_class rows) noexcept {
  const std::int32_t end = std::min(rows.first + rows.count, box.end_row);
  rows.first = std::max(rows.first, box.first_row);
  rows.count = std::max(end - rows.first, 0);
  return rows;
}

[[nodiscard]] inline std::vector<tap_class> tap_classes(const window& w) {
  std::vector<tap_class> classes;
  for (std::int32_t o = 0; o < w.output; ++o) {
    tap_class c{o, 1, 0, 0};
    while (c.first_tap < w.kernel && !w.inside(w.at(o, c.first_tap))) ++c.first_tap;
    while (c.first_tap + c.taps < w.kernel && w.inside(w.at(o, c.first_tap + c.taps))) ++c.taps;
    if (!classes.empty() && classes.back().first_tap == c.first_tap &&
        classes.back().taps == c.taps)
      ++classes.back().count;
    else
      classes.push_back(c);
  }
  return classes;
}

/// Memory that starts where a vector register's worth of bytes does.
template <class T> class aligned_array {
 public:
  void resize(std::size_t count) { lines_.assign((count * sizeof(T) + 63) / 64, line{}); }
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(static_cast<void*>(lines_.data())); }
  [[nodiscard]] const T* data() const noexcept {
    return static_cast<const T*>(static_cast<const void*>(lines_.data()));
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return lines_.size() * 64; }

 private:
  struct alignas(64) line {
    std::byte bytes[64];
  };
  std::vector<line> lines_;
};

/// The outputs of a box: whole blocks of channels.
using run_packed_function = void (*)(const packed_layer&, const requantizer&, input_images,
                                     output_images, const output_box&) noexcept;

/// Blocks of a depthwise layer that run as lines (simd/depthwise_line.hpp).
struct packed_lines {
  simd::depthwise_line_function run = nullptr;
  simd::line_window window;
  std::int64_t block_weights = 0;           ///< bytes
  aligned_array<std::int8_t> weights;       ///< [block, weight row, vector, group, kx, lane, row]
  aligned_array<std::int32_t> first;        ///< [block, vector, lane]
  aligned_array<simd::channel_form> forms;  ///< [block, vector]
};

struct packed_layer {
  struct block {
    std::int32_t vector = 0, size = 0;  ///< vectors of 16 channels
    int kernel = 0;                     ///< index of its size in simd::block_sizes
    std::int64_t weights = 0;           ///< where they start, in bytes
    bool all_proved = true;             ///< no vector of scalar form
    std::int32_t line = -1;             ///< its place among packed lines, if it runs as lines
  };

  const simd::kernel_set* kernels = nullptr;  ///< null: the layer is not packed
  run_packed_function run = nullptr;
  convolution_geometry geometry;
  std::vector<tap_class> rows, columns;
  std::vector<block> blocks;
  int code_bytes = 1;                  ///< of an input or output code
  std::int64_t tap_bytes = 0;          ///< of the input, that one step of the packing covers
  bool whole_rows = false;             ///< a row of taps is packed as one
  aligned_array<std::uint8_t> places;  ///< [row, 64]: of bytes that are woven
  std::int32_t columns_at_once = 0;    ///< that are woven; 0: windows are read where they lie
  std::int32_t output_rows = 1;        ///< of a depthwise tile
  std::int32_t row_groups = 1;
  std::int32_t used_rows = 1;
  std::int64_t vector_weights = 0;  ///< bytes of 16 channels of a depthwise layer
  std::int32_t weight_offset = 0;   ///< packed weights are less by it; sums of bytes make up for it
  std::uint8_t flip = 0;
  std::uint8_t padding = 0;  ///< the byte that stands for taps in the padding
  aligned_array<std::int8_t> weights;
  aligned_array<std::int32_t> first;  ///< [column class, row class, channel]
  aligned_array<simd::channel_form> forms;
  packed_lines lines;
  bool scalar_forms = false;  ///< some vector has no proved form
  simd::code_tile tile;       ///< clamp and flip
  code_range clamp;           ///< of int16 codes
  bool wide = false;  ///< sums of int16 codes that may leave 32 bits: they are made in parts
  std::int64_t part_taps = 0;        ///< whose sums fit; 0: not even one tap's
  aligned_array<double> wide_first;  ///< as `first`

  [[nodiscard]] bool packed() const noexcept { return kernels != nullptr; }
  /// Bytes of packed weights for a byte of the input: of int16 layers a word meets a word.
  [[nodiscard]] int weight_bytes() const noexcept {
    return code_bytes == 2 ? 1 : kernels->weight_bytes;
  }
  [[nodiscard]] bool woven() const noexcept { return columns_at_once > 0; }
  [[nodiscard]] static bool has(const output_box& box, const block& b) noexcept {
    const std::int32_t first = b.vector * simd::lanes;
    return first >= box.first_channel && first < box.end_channel;
  }
  [[nodiscard]] std::int32_t vectors() const noexcept {
    return (geometry.output_channels + simd::lanes - 1) / simd::lanes;
  }
};

/// Codes of a few pixels and vectors, by their forms; those without one by the target's own rule.
inline void store_codes(const packed_layer& p, const requantizer& rule, simd::code_tile& tile,
                        std::int32_t vector) noexcept {
  tile.forms = p.forms.data() + vector;
  tile.channels = p.geometry.output_channels - vector * simd::lanes;
  if (p.code_bytes == 2)
    p.kernels->requantize_words({tile.acc, tile.pixels, tile.vectors, tile.channels, tile.forms,
                                 tile.codes, tile.pixel_step,
                                 static_cast<std::int16_t>(p.clamp.low),
                                 static_cast<std::int16_t>(p.clamp.high)});
  else
    p.kernels->requantize(tile);
  if (!p.scalar_forms) return;
  for (std::int32_t v = 0; v < tile.vectors; ++v) {
    if (tile.forms[v].kind != simd::form_kind::scalar) continue;
    for (std::int32_t pixel = 0; pixel < tile.pixels; ++pixel)
      for (std::int32_t i = v * simd::lanes; i < (v + 1) * simd::lanes && i < tile.channels; ++i) {
        const std::int32_t acc = tile.acc[(std::int64_t{pixel} * tile.vectors) * simd::lanes + i];
        const auto code =
            static_cast<std::int16_t>(rule(acc, std::int64_t{vector} * simd::lanes + i));
        std::uint8_t* const to = tile.codes + pixel * tile.pixel_step + i * p.code_bytes;
        if (p.code_bytes == 2)
          std::memcpy(to, &code, sizeof code);
        else
          *to = static_cast<std::uint8_t>(code);
      }
  }
}

}  // namespace bittwin::inline v1
