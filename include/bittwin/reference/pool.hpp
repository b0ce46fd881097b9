// SPDX-License-Identifier: Apache-2.0
// The normative pooling windows.
//   average: divide(sum of the codes, count)          count: taps inside the input, or the whole
//   window max:     the largest code inside the input        padding never wins
#pragma once

#include <bittwin/reference/convolution.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>

namespace bittwin::reference::inline v1 {

/// The taps [first, last) of a window that lie inside the input: a filter may be far larger than it.
struct tap_range {
  std::int32_t first = 0, last = 0;

  constexpr tap_range(const window& w, std::int32_t output) noexcept {
    const std::int64_t at = w.at(output, 0);
    const auto taps_up_to = [&](std::int64_t coordinate) {  // whose coordinate is below it
      const std::int64_t taps = (coordinate - at + w.dilation - 1) / w.dilation;
      return static_cast<std::int32_t>(clamp_to<std::int64_t>(taps, 0, w.kernel));
    };
    first = taps_up_to(0);
    last = clamp_to(taps_up_to(w.input), first, w.kernel);
  }
};

/// f(n, oy, ox, c, visit) for each output; visit(tap) calls tap(pointer) for each tap of its window inside the
/// input, and returns how many are outside.
template <class X, class F>
constexpr void for_each_window(const convolution_geometry& g, nhwc_view<const X> x, F f) noexcept {
  for (std::int32_t n = 0; n < g.batch; ++n)
    for (std::int32_t oy = 0; oy < g.rows.output; ++oy)
      for (std::int32_t ox = 0; ox < g.columns.output; ++ox) {
        const tap_range rows(g.rows, oy), columns(g.columns, ox);
        const std::int64_t inside =
            std::int64_t{rows.last - rows.first} * (columns.last - columns.first);
        for (std::int32_t c = 0; c < g.input_channels; ++c)
          f(n, oy, ox, c, [&](auto tap) {
            for (std::int32_t ky = rows.first; ky < rows.last; ++ky)
              for (std::int32_t kx = columns.first; kx < columns.last; ++kx)
                tap(&x(n, g.rows.at(oy, ky), g.columns.at(ox, kx), c));
            return std::int64_t{g.rows.kernel} * g.columns.kernel - inside;
          });
      }
}

/// store(n, oy, ox, c, sum, count). Padding counts as `padding` where counts_padding, else not at
/// all.
template <class Sum, class X, class Store>
constexpr void average_pool2d(const convolution_geometry& g, nhwc_view<const X> x,
                              bool counts_padding, Sum padding, Store store) noexcept {
  for_each_window(g, x, [&](auto n, auto oy, auto ox, auto c, auto window) {
    Sum sum{};
    std::int32_t count = BITTWIN_MUTABLE(0, pool_first_tap, 1);
    const std::int64_t outside = window([&](const X* tap) {
      sum += static_cast<Sum>(*tap);
      ++count;
    });
    if (counts_padding) {
      sum += padding * static_cast<Sum>(outside);
      count += static_cast<std::int32_t>(outside);
    }
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
      if (BITTWIN_MUTABLE(*tap > largest, pool_smaller, *tap < largest)) largest = *tap;
    });
    store(n, oy, ox, c, largest);
  });
}

}  // namespace bittwin::reference::inline v1
