// SPDX-License-Identifier: Apache-2.0
// Packs windows of codes. The sum of n codes has 255 n + 1 values: the rule is evaluated on all of them, and a form
// that gives its codes is used, or else the table itself. Windows too large for that are few, and left to the rule.
#pragma once

#include <algorithm>
#include <bittwin/kernel/packed_layer.hpp>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/proof/one_form.hpp>
#include <bittwin/simd/float_environment.hpp>
#include <bittwin/simd/kernels.hpp>
#include <cstdint>
#include <vector>

namespace bittwin::inline v1 {

struct packed_pool {
  /// The codes of windows of `count` codes.
  struct window_codes {
    std::int64_t count = 0;
    simd::channel_form forms[simd::pool_channels / simd::lanes];  ///< the same four times
    std::int64_t lowest = 0;                                      ///< the least sum
    std::int32_t zeros = 0;           ///< what a form wants taken from the sum
    std::vector<std::uint8_t> table;  ///< [sum - lowest]; empty: a form, or the rule
  };

  const simd::kernel_set* kernels = nullptr;
  convolution_geometry geometry;
  std::vector<tap_class> rows, columns;
  bool is_signed = true;
  bool largest = false;
  bool counts_padding = false;
  std::int32_t padding = 0;
  simd::code_tile tile;             ///< clamp and flip
  std::vector<window_codes> codes;  ///< by count

  [[nodiscard]] bool packed() const noexcept { return kernels != nullptr; }
  [[nodiscard]] std::int64_t count_of(const tap_class& r, const tap_class& c) const noexcept {
    return counts_padding ? geometry.taps() : std::int64_t{r.taps} * c.taps;
  }
};

namespace detail {

inline constexpr std::int64_t most_tabulated_taps = 512;
inline constexpr std::int32_t pool_pixels = 8;

/// Tabulates the rule for windows of `count`, and looks for a form.
[[nodiscard]] inline packed_pool::window_codes window_codes_of(const packed_pool& p,
                                                               const pool_request& q,
                                                               std::int64_t count) {
  packed_pool::window_codes w;
  w.count = count;
  if (count > most_tabulated_taps) return w;
  const code_range type = range_of(q.type);
  w.lowest = type.low * count;
  const std::int64_t shift = p.is_signed ? 0 : 128;
  for (std::int64_t sum = w.lowest; sum <= type.high * count; ++sum)
    w.table.push_back(static_cast<std::uint8_t>(q.rule.code_of(q.rule.self, sum, count)));
  const auto code_of = [&](std::int64_t sum) {
    const std::uint8_t byte = w.table[static_cast<std::size_t>(sum - w.lowest)];
    return p.is_signed ? std::int32_t{static_cast<std::int8_t>(byte)} : std::int32_t{byte};
  };
  const code_range all{w.lowest, type.high * count};
  for (std::int64_t sum = all.low; sum < all.high; ++sum)
    if (code_of(sum) > code_of(sum + 1)) return w;
  // Sums less the zero points of their codes, as forms have it.
  const std::int64_t zeros = q.zero_in * count;
  const code_range centred{all.low - zeros, all.high - zeros};
  const double real = q.ratio / static_cast<double>(count);
  if (!(real > 0)) return w;
  const proof::thresholds rule = proof::thresholds_of(
      [&](std::int64_t acc) { return code_of(acc + zeros); }, real, q.zero, centred);
  const proof::channel_claim claim{&rule, centred, q.zero, static_cast<std::int32_t>(shift), real};
  if (!proof::prove_one(claim, p.tile, p.kernels->requantize, w.forms[0])) {
    w.forms[0] = {};
    return w;
  }
  std::fill(w.forms + 1, std::end(w.forms), w.forms[0]);
  w.table = {};
  w.zeros = static_cast<std::int32_t>(zeros) + w.forms[0].centre[0];
  return w;
}

[[nodiscard]] inline packed_pool packed_pool_of(const pool_request& q) {
  packed_pool p;
  const simd::kernel_set* const kernels = simd::kernels_of(simd::which_arch());
  const code_range type = range_of(q.type);
  if (kernels == nullptr || bytes_of(q.type) != 1 || q.geometry.taps() > (1 << 22) ||
      (q.counts_padding && !type.contains(q.padding)))
    return p;
  p.geometry = q.geometry;
  p.rows = tap_classes(q.geometry.rows);
  p.columns = tap_classes(q.geometry.columns);
  for (const auto* classes : {&p.rows, &p.columns})
    for (const tap_class& c : *classes)
      if (c.taps == 0) return p;
  p.kernels = kernels;
  p.is_signed = q.type == element_type::int8;
  p.largest = q.largest;
  p.counts_padding = q.counts_padding;
  p.padding = q.padding;
  const std::int64_t shift = p.is_signed ? 0 : 128;
  p.tile.flip = static_cast<std::uint8_t>(shift);
  const code_range clamp{std::max(q.clamp.low, type.low), std::min(q.clamp.high, type.high)};
  p.tile.low = static_cast<std::int8_t>(clamp.low - shift);
  p.tile.high = static_cast<std::int8_t>(clamp.high - shift);
  if (clamp.low > clamp.high) p.kernels = nullptr;
  if (q.largest || !p.packed()) return p;
  for (const tap_class& r : p.rows)
    for (const tap_class& c : p.columns) {
      const std::int64_t count = p.count_of(r, c);
      const auto known = [&](const packed_pool::window_codes& w) { return w.count == count; };
      if (std::none_of(p.codes.begin(), p.codes.end(), known))
        p.codes.push_back(window_codes_of(p, q, count));
    }
  return p;
}

/// Codes of the sums of some pixels and at most 64 channels.
inline void store_window_codes(const packed_pool& p, const packed_pool::window_codes& w,
                               const window_rule& rule, simd::code_tile& tile) noexcept {
  if (w.forms[0].kind != simd::form_kind::scalar) return p.kernels->requantize(tile);
  for (std::int32_t pixel = 0; pixel < tile.pixels; ++pixel)
    for (std::int32_t c = 0; c < tile.channels; ++c) {
      const std::int64_t sum = tile.acc[pixel * simd::pool_channels + c];
      tile.codes[pixel * tile.pixel_step + c] =
          w.table.empty() ? static_cast<std::uint8_t>(rule.code_of(rule.self, sum, w.count))
                          : w.table[static_cast<std::size_t>(sum - w.lowest)];
    }
}

/// The windows of some pixels of one row, which meet the same taps.
inline void run_sums(const packed_pool& p, const packed_pool::window_codes& w,
                     const window_rule& rule, simd::pool_tile& t) noexcept {
  alignas(64) std::int32_t acc[pool_pixels * simd::most_pool_channels];
  const std::uint8_t* const window = t.window;
  const std::int32_t channels = p.geometry.output_channels;
  simd::code_tile out = p.tile;
  out.pixels = t.pixels;
  out.vectors = simd::pool_channels / simd::lanes;
  out.forms = w.forms;
  out.pixel_step = t.code_step;
  t.acc = acc;
  for (std::int32_t first = 0; first < channels; first += simd::most_pool_channels) {
    t.window = window + first;
    t.channels = std::min(channels - first, simd::most_pool_channels);
    p.kernels->sums(t);
    std::int32_t c = 0;
    if (t.pixels == 1 && t.channels > simd::pool_channels) {
      // Blocks of one pixel lie as pixels of one block do.
      out.pixels = t.channels / simd::pool_channels;
      out.pixel_step = out.channels = simd::pool_channels;
      out.acc = acc;
      out.codes = t.codes + first;
      store_window_codes(p, w, rule, out);
      c = out.pixels * simd::pool_channels;
      out.pixels = 1;
      out.pixel_step = t.code_step;
    }
    for (; c < t.channels; c += simd::pool_channels) {
      out.acc = acc + c * t.pixels;
      out.channels = std::min(t.channels - c, simd::pool_channels);
      out.codes = t.codes + first + c;
      store_window_codes(p, w, rule, out);
    }
  }
  t.acc = nullptr;
}

/// The outputs of a box of all channels.
inline void run_pool(const packed_pool& p, const window_rule& rule, input_images x, output_images y,
                     const output_box& box) noexcept {
  const simd::float_environment environment;
  const window &rows = p.geometry.rows, &columns = p.geometry.columns;
  simd::pool_tile t;
  t.row_step = rows.dilation * x.row;
  t.tap_step = columns.dilation * x.pixel;
  t.pixel_step = columns.stride * x.pixel;
  t.is_signed = p.is_signed;
  t.code_step = y.pixel;
  t.low = p.tile.low, t.high = p.tile.high, t.flip = p.tile.flip;
  for (std::int32_t n = box.first_image; n < box.end_image; ++n)
    for (const tap_class& every : p.rows)
      for (const tap_class& c : p.columns) {
        const tap_class r = rows_in(box, every);
        t.rows = r.taps, t.taps = c.taps;
        const std::int64_t count = p.count_of(r, c);
        const packed_pool::window_codes* w = p.codes.data();
        while (!p.largest && w->count != count) ++w;
        const std::int64_t outside = p.counts_padding ? count - std::int64_t{r.taps} * c.taps : 0;
        if (!p.largest) t.first = static_cast<std::int32_t>(outside * p.padding) - w->zeros;
        for (std::int32_t row = 0; row < r.count; ++row)
          for (std::int32_t first = 0; first < c.count; first += pool_pixels) {
            const std::int32_t oy = r.first + row, ox = c.first + first;
            t.pixels = std::min(c.count - first, pool_pixels);
            t.window = x.at(n, rows.at(oy, r.first_tap), columns.at(ox, c.first_tap));
            t.codes = y.at(n, oy, ox);
            if (p.largest) {
              t.channels = p.geometry.output_channels;
              p.kernels->largest(t);
            } else {
              run_sums(p, *w, rule, t);
            }
          }
      }
}

}  // namespace detail

}  // namespace bittwin::inline v1
