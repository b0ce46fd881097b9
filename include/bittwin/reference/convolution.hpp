// SPDX-License-Identifier: Apache-2.0
// The normative convolutions, written as in a textbook.
//   conv2d:            acc(n, oy, ox, oc) = bias(oc) + sum over ky, kx, ic of x(n, iy, ix, g ic) *
//   w(oc, ky, kx, ic) depthwise_conv2d:  acc(n, oy, ox, oc) = bias(oc) + sum over ky, kx of x(n,
//   iy, ix, ic(oc)) * w(ky, kx, oc) fully_connected:   acc(n, o) = bias(o) + sum over i of x(n, i)
//   * w(o, i)
// with iy = oy * stride - before + ky * dilation, and zero points subtracted inside each product.
#pragma once

#include <bittwin/policy/accumulator.hpp>
#include <bittwin/types/geometry.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/tensor_view.hpp>
#include <cstdint>

namespace bittwin::inline v1 {

/// One position in a window.
struct tap {
  std::int32_t ky = 0, kx = 0;
};

/// Extents of a convolution. groups: input channels / filter input channels (conv2d).
struct convolution_geometry {
  std::int32_t batch = 1;
  window rows, columns;
  std::int32_t input_channels = 1;
  std::int32_t output_channels = 1;
  std::int32_t groups = 1;

  [[nodiscard]] constexpr nhwc input() const noexcept {
    return {batch, rows.input, columns.input, input_channels};
  }
  [[nodiscard]] constexpr nhwc output() const noexcept {
    return {batch, rows.output, columns.output, output_channels};
  }
  [[nodiscard]] constexpr std::int32_t taps() const noexcept {
    return rows.kernel * columns.kernel;
  }
  /// The i-th tap of a walk over the window.
  [[nodiscard]] constexpr tap tap_at(std::int32_t i, tap_order order) const noexcept {
    return order == tap_order::row_major
               ? tap{BITTWIN_MUTABLE(i / columns.kernel, tap_of_window, i / rows.kernel),
                     i % columns.kernel}
               : tap{i % rows.kernel, i / rows.kernel};
  }
  /// Where a tap lies among stored weights.
  [[nodiscard]] constexpr std::int32_t index_of(tap t) const noexcept {
    return t.ky * columns.kernel + t.kx;
  }
};

/// What stands in the operands of a product besides the codes. padding: the code read outside the
/// input.
template <class Code> struct operand_zeros {
  Code input{};
  Code weight{};
  Code padding{};
};

}  // namespace bittwin::inline v1

namespace bittwin::reference::inline v1 {

/// w [oc, ky, kx, ic of one group], bias [oc] or null, store(n, oy, ox, oc, acc)
template <class Accumulator, class X, class W, class Bias, class Store>
constexpr void conv2d(const convolution_geometry& g, operand_zeros<typename Accumulator::code> zero,
                      nhwc_view<const X> x, const W* w, const Bias* bias, Store store) noexcept {
  const std::int32_t depth = g.input_channels / g.groups;
  const std::int32_t per_group = g.output_channels / g.groups;
  for (std::int32_t n = 0; n < g.batch; ++n)
    for (std::int32_t oy = 0; oy < g.rows.output; ++oy)
      for (std::int32_t ox = 0; ox < g.columns.output; ++ox)
        for (std::int32_t oc = 0; oc < g.output_channels; ++oc) {
          Accumulator acc(bias == nullptr ? Bias{} : bias[oc]);
          for (std::int32_t i = 0; i < g.taps(); ++i) {
            const tap t = g.tap_at(i, Accumulator::order);
            const std::int32_t iy = g.rows.at(oy, t.ky), ix = g.columns.at(ox, t.kx);
            const bool inside = g.rows.inside(iy) && g.columns.inside(ix);
            const X* pixel =
                inside ? &x(n, iy, ix, BITTWIN_MUTABLE(oc / per_group * depth, group_of_channel, 0))
                       : nullptr;
            const W* weights = w + (std::int64_t{oc} * g.taps() + g.index_of(t)) * depth;
            for (std::int32_t ic = 0; ic < depth; ++ic)
              acc.add({inside ? pixel[ic] : zero.padding, zero.input, weights[ic], zero.weight});
          }
          store(n, oy, ox, oc, acc.value());
        }
}

/// w [ky, kx, oc], bias [oc] or null, input_channel(oc) names the input channel of an output
/// channel
template <class Accumulator, class X, class W, class Bias, class InputChannel, class Store>
constexpr void depthwise_conv2d(const convolution_geometry& g,
                                operand_zeros<typename Accumulator::code> zero,
                                nhwc_view<const X> x, const W* w, const Bias* bias,
                                InputChannel input_channel, Store store) noexcept {
  for (std::int32_t n = 0; n < g.batch; ++n)
    for (std::int32_t oy = 0; oy < g.rows.output; ++oy)
      for (std::int32_t ox = 0; ox < g.columns.output; ++ox)
        for (std::int32_t oc = 0; oc < g.output_channels; ++oc) {
          Accumulator acc(bias == nullptr ? Bias{} : bias[oc]);
          const std::int32_t ic = input_channel(oc);
          for (std::int32_t i = 0; i < g.taps(); ++i) {
            const tap t = g.tap_at(i, Accumulator::order);
            const std::int32_t iy = g.rows.at(oy, t.ky), ix = g.columns.at(ox, t.kx);
            const bool inside = g.rows.inside(iy) && g.columns.inside(ix);
            const W weight = w[std::int64_t{g.index_of(t)} * g.output_channels + oc];
            acc.add({inside ? x(n, iy, ix, ic) : zero.padding, zero.input, weight, zero.weight});
          }
          store(n, oy, ox, oc, acc.value());
        }
}

/// Gathers: input (iy, ix) reaches output (oy, ox) through tap (ky, kx) where
///   oy = iy * stride - before + ky
/// g.rows.before is the padding of the output. w [oc, ky, kx, ic], bias [oc] or null
template <class Accumulator, class X, class W, class Bias, class Store>
constexpr void transpose_conv(const convolution_geometry& g,
                              operand_zeros<typename Accumulator::code> zero, nhwc_view<const X> x,
                              const W* w, const Bias* bias, Store store) noexcept {
  const auto source = [](const window& along, std::int32_t o, std::int32_t k) {
    const std::int32_t scaled = o + along.before - k;
    return BITTWIN_MUTABLE(scaled >= 0, transposed_begin, scaled > 0) &&
                   BITTWIN_MUTABLE(scaled % along.stride == 0, transposed_stride, true)
               ? scaled / along.stride
               : -1;
  };
  for (std::int32_t n = 0; n < g.batch; ++n)
    for (std::int32_t oy = 0; oy < g.rows.output; ++oy)
      for (std::int32_t ox = 0; ox < g.columns.output; ++ox)
        for (std::int32_t oc = 0; oc < g.output_channels; ++oc) {
          Accumulator acc(bias == nullptr ? Bias{} : bias[oc]);
          for (std::int32_t i = 0; i < g.taps(); ++i) {
            const tap t = g.tap_at(i, Accumulator::order);
            const std::int32_t iy = source(g.rows, oy, t.ky), ix = source(g.columns, ox, t.kx);
            if (!g.rows.inside(iy) || !g.columns.inside(ix)) continue;
            const W* weights = w + (std::int64_t{oc} * g.taps() + g.index_of(t)) * g.input_channels;
            for (std::int32_t ic = 0; ic < g.input_channels; ++ic)
              acc.add({x(n, iy, ix, ic), zero.input, weights[ic], zero.weight});
          }
          store(n, oy, ox, oc, acc.value());
        }
}

/// x [rows, depth], w [outputs, depth], bias [outputs] or null, store(row, output, acc)
template <class Accumulator, class X, class W, class Bias, class Store>
constexpr void fully_connected(std::int64_t rows, std::int64_t depth, std::int64_t outputs,
                               operand_zeros<typename Accumulator::code> zero, const X* x,
                               const W* w, const Bias* bias, Store store) noexcept {
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t o = 0; o < outputs; ++o) {
      Accumulator acc(bias == nullptr ? Bias{} : bias[o]);
      for (std::int64_t i = 0; i < depth; ++i)
        acc.add({x[BITTWIN_MUTABLE(row * depth, matrix_row, 0) + i], zero.input, w[o * depth + i],
                 zero.weight});
      store(row, o, acc.value());
    }
}

}  // namespace bittwin::reference::inline v1
