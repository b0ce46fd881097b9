// SPDX-License-Identifier: Apache-2.0
// Packs a convolution or a fully connected layer once, at prepare().
//   [block of 64, 32 or 16 channels, ky, kx, group of 4 k, vector, channel, 4]
// Few channels whose number is no multiple of 4 waste less when a row of taps is packed as one; such a row has a
// packing for each set of columns that the window can miss. Where whole windows are short, they are woven
// (pack_woven.hpp).
#pragma once

#include <bittwin/kernel/pack_layer.hpp>
#include <bittwin/kernel/pack_woven.hpp>
#include <bittwin/kernel/run_packed.hpp>
#include <cstdint>
#include <vector>

namespace bittwin::inline v1 {

namespace detail {

/// One copy of the weights: rows of `taps` taps from `first` on, packed as `steps` each.
inline void pack_rows(packed_layer& p, const std::vector<std::int16_t>& weights,
                      const packed_layer::block& block, std::int8_t* to, std::int32_t first_tap,
                      std::int32_t taps, bool as_one) {
  const convolution_geometry& g = p.geometry;
  const std::int64_t depth = g.input_channels;
  const std::int64_t steps = as_one ? 1 : taps;
  const std::int64_t length = as_one ? taps * depth : depth;
  const std::int64_t step_bytes =
      (length * p.code_bytes + 3) / 4 * 4 * simd::lanes * block.size * p.weight_bytes();
  const std::int32_t begin = block.vector * simd::lanes;
  const std::int32_t end = std::min(begin + block.size * simd::lanes, g.output_channels);
  for (std::int32_t oc = begin; oc < end; ++oc)
    for (std::int32_t ky = 0; ky < g.rows.kernel; ++ky)
      for (std::int64_t step = 0; step < steps; ++step)
        for (std::int64_t k = 0; k < length; ++k) {
          const std::int64_t from =
              ((std::int64_t{oc} * g.rows.kernel + ky) * g.columns.kernel + first_tap + step) *
                  depth +
              k;
          const auto w =
              static_cast<std::int16_t>(weights[static_cast<std::size_t>(from)] - p.weight_offset);
          const packed_place at{k, block.size, (oc - begin) / simd::lanes, oc % simd::lanes};
          if (p.code_bytes == 2)
            put_word(to + (ky * steps + step) * step_bytes, at, w);
          else
            put_weight(to + (ky * steps + step) * step_bytes, at, p.kernels->weight_bytes, w);
        }
}

inline void pack_weights(packed_layer& p, const std::vector<std::int16_t>& weights) {
  const std::int64_t rows = p.geometry.rows.kernel, kernel = p.geometry.columns.kernel;
  const auto bytes_of = [&](const packed_layer::block& block, std::int64_t taps) {
    const std::int64_t groups =
        p.whole_rows ? (taps * p.tap_bytes + 3) / 4 : taps * ((p.tap_bytes + 3) / 4);
    return rows * groups * 4 * simd::lanes * block.size * p.weight_bytes();
  };
  std::int64_t bytes = 0;
  for (packed_layer::block& block : p.blocks) {
    block.weights = bytes;
    if (p.whole_rows)
      for (const tap_class& c : p.columns) bytes += bytes_of(block, c.taps);
    else
      bytes += bytes_of(block, kernel);
  }
  p.weights.resize(static_cast<std::size_t>(bytes));
  for (const packed_layer::block& block : p.blocks) {
    std::int8_t* to = p.weights.data() + block.weights;
    if (!p.whole_rows) {
      pack_rows(p, weights, block, to, 0, p.geometry.columns.kernel, false);
      continue;
    }
    for (const tap_class& c : p.columns) {
      pack_rows(p, weights, block, to, c.first_tap, c.taps, true);
      to += bytes_of(block, c.taps);
    }
  }
}

/// The sums that tiles of each class start from: what zero points and taps in the padding add.
inline void pack_first(packed_layer& p, const packing_request& q,
                       const std::vector<std::int16_t>& weights) {
  const convolution_geometry& g = p.geometry;
  const std::int64_t padded = std::int64_t{p.vectors()} * simd::lanes;
  p.first.resize(p.rows.size() * p.columns.size() * static_cast<std::size_t>(padded));
  if (p.wide)
    p.wide_first.resize(p.rows.size() * p.columns.size() * static_cast<std::size_t>(padded));
  const std::int64_t outside = std::int64_t{q.zero.padding} - q.zero.input;
  const std::int64_t inside = -unsigned_code(q, q.zero.input);
  std::vector<std::int64_t> tap_sums(static_cast<std::size_t>(g.taps()));
  for (std::int32_t oc = 0; oc < g.output_channels; ++oc) {
    const std::int16_t* w = weights.data() + std::int64_t{oc} * g.taps() * g.input_channels;
    for (std::int64_t& sum : tap_sums) {
      sum = 0;
      for (std::int32_t k = 0; k < g.input_channels; ++k) sum += *w++;
    }
    std::int32_t* to = p.first.data() + oc;
    for (const tap_class& columns : p.columns)
      for (const tap_class& rows : p.rows) {
        std::int64_t sum = bias_of(q, oc);
        for (std::int32_t ky = 0; ky < g.rows.kernel; ++ky)
          for (std::int32_t kx = 0; kx < g.columns.kernel; ++kx) {
            const bool met = ky >= rows.first_tap && ky < rows.first_tap + rows.taps &&
                             kx >= columns.first_tap && kx < columns.first_tap + columns.taps;
            sum +=
                tap_sums[static_cast<std::size_t>(g.index_of({ky, kx}))] * (met ? inside : outside);
          }
        *to = centred(p, oc, sum);
        if (p.wide) p.wide_first.data()[to - p.first.data()] = static_cast<double>(sum);
        to += padded;
      }
  }
}

/// Taps whose sums of products with int16 codes fit 32 bits together, of whatever channel; 0 where one may not.
[[nodiscard]] inline std::int64_t part_taps(const convolution_geometry& g,
                                            const std::vector<std::int16_t>& weights) {
  std::int64_t most = 1;
  for (std::size_t first = 0; first < weights.size();
       first += static_cast<std::size_t>(g.input_channels)) {
    std::int64_t sum = 0;
    for (std::int32_t k = 0; k < g.input_channels; ++k)
      sum += std::abs(weights[first + static_cast<std::size_t>(k)]);
    most = std::max(most, sum);
  }
  return std::int64_t{INT32_MAX} / (most * 32768);
}

/// Not packed where a proof fails, or where the machine has nothing but the reference.
[[nodiscard]] inline packed_layer packed_conv2d(const packing_request& q) {
  packed_layer p;
  const simd::kernel_set* kernels = simd::kernels_of(simd::which_arch());
  const convolution_geometry& g = q.geometry;
  const bool words = q.type == element_type::int16;
  if (kernels == nullptr || g.groups != 1) return p;
  if (words && kernels->requantize_words == nullptr) return p;
  if (std::int64_t{g.rows.kernel} * g.columns.kernel > 1024) return p;
  const std::vector<std::int16_t> weights = detail::weights_less_zero(q);
  const std::int64_t terms = std::int64_t{g.taps()} * g.input_channels;
  if (weights.empty()) return p;
  auto ranges = detail::reachable_ranges(q, weights, {terms, terms, 1});
  if (ranges.empty() && words) {
    p.wide = true;
    ranges = detail::reachable_ranges(q, weights, {terms, terms, 1}, most_wide_bits);
  }
  if (ranges.empty()) return {};
  p.kernels = kernels;
  p.run = &run_packed_conv2d;
  p.geometry = g;
  p.rows = tap_classes(g.rows);
  p.columns = tap_classes(g.columns);
  p.code_bytes = words ? 2 : 1;
  p.tap_bytes = std::int64_t{g.input_channels} * p.code_bytes;
  p.flip = q.type == element_type::int8 ? 0x80 : 0;
  p.padding = static_cast<std::uint8_t>(q.zero.padding);
  if (kernels->weight_bytes == 1 && !words) p.weight_offset = detail::weight_offset(weights);
  if (!words && p.weight_offset == 0 && can_be_woven(g, *kernels))
    plan_weaving(p);
  else
    p.whole_rows =
        p.tap_bytes % 4 != 0 && p.tap_bytes < 16 && g.columns.kernel > 1 && g.columns.dilation == 1;
  detail::divide_into_blocks(p);
  if (words)
    detail::choose_word_forms(p, q, ranges);
  else
    detail::prove_forms(p, q, ranges, p.woven() || kernels->convolve[0][0] == nullptr);
  // The rule itself takes no sums but those of 32 bits.
  if (p.wide && p.scalar_forms) return {};
  if (p.wide) p.part_taps = detail::part_taps(g, weights);
  if (p.woven())
    detail::pack_windows(p, weights);
  else
    detail::pack_weights(p, weights);
  detail::pack_first(p, q, weights);
  return p;
}

}  // namespace detail

}  // namespace bittwin::inline v1
