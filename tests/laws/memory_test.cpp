// SPDX-License-Identifier: Apache-2.0
// Integers depend on numbers alone: not on alignment, gaps, the place in a batch, earlier calls, or what was in the
// output before.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "laws/layers.hpp"

namespace {

using namespace laws;

/// A dense tensor laid out with gaps; the gaps hold `filler`.
template <class T> struct spread {
  nhwc extents;
  std::int64_t pixel, row, image;
  std::vector<T> memory;

  spread(nhwc e, int gap, T filler)
      : extents(e),
        pixel(e.c + gap),
        row(pixel * e.w + gap),
        image(row * e.h + 2 * gap),
        memory(static_cast<std::size_t>(image * e.n), filler) {}

  [[nodiscard]] std::size_t place(auto n, auto y, auto x, auto c) const {
    return static_cast<std::size_t>(n * image + y * row + x * pixel + c);
  }
};

RC_GTEST_PROP(memory_laws, alignment_does_not_matter, ()) {
  const layer_case c = any_layer(any_kind());
  const auto x_offset = static_cast<std::size_t>(*rc::gen::inRange(0, 16));
  const auto y_offset = static_cast<std::size_t>(*rc::gen::inRange(0, 16));
  covered law("alignment", {"telling conv2d", "telling depthwise_conv2d", "telling fully_connected",
                            "both odd", "different"});
  law.saw("both odd", x_offset % 2 == 1 && y_offset % 2 == 1);
  law.saw("different", x_offset != y_offset);
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto want = outputs<Target>(c, d);
      law.saw(telling_name(c), telling(c, want));
      std::vector<T> from(d.input.size() + 16), to(want.size() + 16, T{85});
      std::copy(d.input.begin(), d.input.end(),
                from.begin() + static_cast<std::ptrdiff_t>(x_offset));
      const auto kernel = conformance::prepare_case<Target>(c, d);
      (*kernel)(std::span<const T>(from).subspan(x_offset, d.input.size()),
                std::span<T>(to).subspan(y_offset, want.size()));
      const auto first = to.begin() + static_cast<std::ptrdiff_t>(y_offset);
      require<Target>(std::equal(want.begin(), want.end(), first), to_line(c));
      require<Target>(std::count(to.begin(), first, T{85}) == static_cast<std::ptrdiff_t>(y_offset),
                      "wrote before its output");
    });
  });
}

RC_GTEST_PROP(memory_laws, gaps_do_not_matter_and_stay_as_they_were, ()) {
  const layer_case c = any_layer(any_kind());
  const int gap = *rc::gen::inRange(1, 20);
  covered law("gaps", {"telling conv2d", "telling depthwise_conv2d", "telling fully_connected",
                       "several rows"});
  law.saw("several rows", c.output().h > 1);
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto want = outputs<Target>(c, d);
      law.saw(telling_name(c), telling(c, want));
      spread<T> from(c.input(), gap, T{99}), to(c.output(), gap, T{85});
      for_each_element(c.input(), [&](auto n, auto y, auto x, auto ch) {
        from.memory[from.place(n, y, x, ch)] = d.input[at(c.input(), n, y, x, ch)];
      });
      const auto kernel = conformance::prepare_case<Target>(c, d);
      (*kernel)(
          nhwc_view<const T>(from.memory.data(), from.extents, from.image, from.row, from.pixel),
          nhwc_view<T>(to.memory.data(), to.extents, to.image, to.row, to.pixel));
      for_each_element(c.output(), [&](auto n, auto y, auto x, auto ch) {
        T& code = to.memory[to.place(n, y, x, ch)];
        require<Target>(code == want[at(c.output(), n, y, x, ch)], to_line(c));
        code = T{85};
      });
      require<Target>(std::count(to.memory.begin(), to.memory.end(), T{85}) ==
                          static_cast<std::ptrdiff_t>(to.memory.size()),
                      "wrote into a gap");
    });
  });
}

RC_GTEST_PROP(memory_laws, the_place_in_a_batch_does_not_matter, ()) {
  layer_case c = any_layer(any_kind());
  c.n = *rc::gen::inRange(2, 5);
  layer_case single = c;
  single.n = 1;
  covered law("place in a batch",
              {"telling conv2d", "telling depthwise_conv2d", "telling fully_connected"});
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto all = outputs<Target>(c, d);
      law.saw(telling_name(c), telling(c, all));
      const auto from = single.input().elements(), to = single.output().elements();
      for (std::int64_t n = 0; n < c.n; ++n) {
        const std::vector<T> image(d.input.begin() + n * from, d.input.begin() + (n + 1) * from);
        const auto y = outputs<Target>(single, d, image);
        require<Target>(std::equal(y.begin(), y.end(), all.begin() + n * to), to_line(c));
      }
    });
  });
}

RC_GTEST_PROP(memory_laws, neither_earlier_calls_nor_the_output_before_matter, ()) {
  const layer_case c = any_layer(any_kind());
  covered law("earlier calls", {"telling conv2d", "telling depthwise_conv2d",
                                "telling fully_connected", "another result between"});
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    const std::vector<T> other(d.input.rbegin(), d.input.rend());
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto kernel = conformance::prepare_case<Target>(c, d);
      const auto want = outputs<Target>(c, d);
      law.saw(telling_name(c), telling(c, want));
      for (const int garbage : {0, 85, 127}) {
        std::vector<T> y(want.size(), static_cast<T>(garbage));
        (*kernel)(std::span<const T>(other), std::span<T>(y));
        law.saw("another result between", y != want);
        std::fill(y.begin(), y.end(), static_cast<T>(garbage));
        (*kernel)(std::span<const T>(d.input), std::span<T>(y));
        require<Target>(y == want, to_line(c));
      }
    });
  });
}

}  // namespace
