// SPDX-License-Identifier: Apache-2.0
// The normative pooling windows.
//   average: divide(sum of the codes, count)          count: taps inside the input, or the whole
//   window max:     the largest code inside the input        padding never wins
#pragma once

#include <bittwin/reference/convolution.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>

namespace bittwin::reference::inline v1 {

/// f(n, oy, ox, c, visit) for each output; visit(tap) calls tap(pointer or null) for each tap of
/// its window.
template <class X, class F>
constexpr void for_each_window(const convolution_geometry& g, nhwc_view<const X> x, F f) noexcept {
  for (std::int32_t n = 0; n < g.batch; ++n)
    for (std::int32_t oy = 0; oy < g.rows.output; ++oy)
      for (std::int32_t ox = 0; ox < g.columns.output; ++ox)
        for (std::int32_t c = 0; c < g.input_channels; ++c)
          f(n, oy, ox, c, [&](auto tap) {
            for (std::int32_t ky = 0; ky < g.rows.kernel; ++ky)
              for (std::int32_t kx = 0; kx < g.columns.kernel; ++kx) {
                const std::int32_t iy = g.rows.at(oy, ky), ix = g.columns.at(ox, kx);
                const bool inside = g.rows.inside(iy) && g.columns.inside(ix);
                tap(inside ? &x(n, iy, ix, c) : nullptr);
              }
          });
}

/// store(n, oy, ox, c, sum, count). Padding counts as `padding` where counts_padding, else not at
/// all.
template <class Sum, class X, class Store>
constexpr void average_pool2d(const convolution_geometry& g, nhwc_view<const X> x,
                              bool counts_padding, Sum padding, Store store) noexcept {
  for_each_window(g, x, [&](auto n, auto oy, auto ox, auto c, auto window) {
    Sum sum{};
    std::int32_t count = BITTWIN_MUTABLE(0, pool_first_tap, 1);
    window([&](const X* tap) {
      if (tap == nullptr && !counts_padding) return;
      sum += tap != nullptr ? static_cast<Sum>(*tap) : padding;
      ++count;
    });
    store(n, oy, ox, c, sum, count);
  });
}

/// store(n, oy, ox, c, largest)
template <class X, class Store>
constexpr void max_pool2d(const convolution_geometry& g, nhwc_view<const X> x, X lowest,
                          Store store) noexcept {
  for_each_window(g, x, [&](auto n, auto oy, auto ox, auto c, auto window) {
    X largest = lowest;
    window([&](const X* tap) {
      if (tap != nullptr && BITTWIN_MUTABLE(*tap > largest, pool_smaller, *tap < largest))
        largest = *tap;
    });
    store(n, oy, ox, c, largest);
  });
}

}  // namespace bittwin::reference::inline v1
