// SPDX-License-Identifier: Apache-2.0
// Convolutions of few input channels, whose rows are woven into lines: every way in which columns, lines and tiles can
// end, the padding on all sides, both signs.
#include <cstddef>
#include <iterator>

#include "parity/parity.hpp"

namespace {

using namespace parity;
using conformance::layer_kind;
using targets::tflite_reference;

/// Few input channels, whose windows are woven.
void expect_same_woven(const layer_case& c) {
  const auto d = conformance::make_data<std::int8_t>(c);
  for_each_arch([&](arch a) {
    const forced here(a);
    const auto kernel = conformance::prepare_case<tflite_reference>(c, d);
    ASSERT_TRUE(kernel.has_value());
    EXPECT_TRUE(kernel->plan().packed && kernel->plan().packed->woven())
        << simd::name_of(a) << ": " << to_line(c);
  });
  expect_same(c);
  layer_case u8 = c;
  u8.type = element_type::uint8, u8.per_channel = false;
  expect_same(u8);
}

TEST(woven, windows_and_strides) {
  // As many rows and columns of taps as fit into one step of the weaving, and steps that end amid a column.
  constexpr std::int32_t taps[][2] = {{3, 3}, {1, 5}, {5, 1}, {2, 2}, {7, 7}, {8, 4}};
  constexpr std::int32_t outputs[] = {8, 16, 24, 32, 40, 64, 100};
  std::size_t next = 0;
  for (std::int32_t ic = 1; ic <= 4; ++ic)
    for (const auto& k : taps)
      for (std::int32_t stride = 1; stride <= 3; ++stride)
        for (const padding_kind padding : {padding_kind::same, padding_kind::valid})
          expect_same_woven({.kind = layer_kind::conv2d,
                             .n = 2,
                             .ih = 17,
                             .iw = 29,
                             .ic = ic,
                             .oc = outputs[next++ % std::size(outputs)],
                             .kh = k[0],
                             .kw = k[1],
                             .sh = 4 - stride,
                             .sw = stride,
                             .dh = k[0] < 4 ? stride : 1,
                             .padding = padding,
                             .per_channel = true,
                             .input_zero = -11,
                             .seed = 8});
}
TEST(woven, rows_of_every_length) {
  for (std::int32_t w = 1; w <= 40; ++w)
    expect_same_woven({.kind = layer_kind::conv2d,
                       .ih = 3,
                       .iw = w,
                       .ic = 3,
                       .oc = w % 2 == 0 ? 32 : 16,
                       .kh = 3,
                       .kw = 3,
                       .sw = 1 + w % 2,
                       .per_channel = true,
                       .input_zero = 127,
                       .seed = 9});
}
TEST(woven, lines_that_hold_a_part_of_a_row) {
  for (const std::int32_t ic : {1, 3})
    for (const std::int32_t stride : {1, 2, 5})
      expect_same_woven({.kind = layer_kind::conv2d,
                         .ih = 4,
                         .iw = 2900,
                         .ic = ic,
                         .oc = 20,
                         .kh = 3,
                         .kw = 3,
                         .sw = stride,
                         .per_channel = true,
                         .input_zero = -3,
                         .seed = 10});
}
TEST(woven, windows_that_are_larger_than_the_image) {
  for (std::int32_t extent = 1; extent <= 3; ++extent)
    for (const std::int32_t dilation : {1, 3})
      expect_same_woven({.kind = layer_kind::conv2d,
                         .ih = extent,
                         .iw = 4 - extent,
                         .ic = 2,
                         .oc = 48,
                         .kh = 7,
                         .kw = 9,
                         .sh = 2,
                         .sw = 2,
                         .dh = dilation,
                         .per_channel = true,
                         .input_zero = -128,
                         .seed = 11});
}

}  // namespace
