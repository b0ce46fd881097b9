// SPDX-License-Identifier: Apache-2.0
// Where windows stand, and which codes an activation clamps to: tables written by hand.
#include <gtest/gtest.h>

#include <bittwin/policy/activation_bounds.hpp>
#include <bittwin/policy/placement.hpp>
#include <string>
#include <support/identical.hpp>

namespace {

using namespace bittwin;

/// padding kernel stride dilation; then first window start is -before, and `output` windows.
struct placed {
  int input, kernel, stride, dilation;
  padding_kind padding;
  int output, before;
};
constexpr padding_kind same = padding_kind::same, valid = padding_kind::valid;

constexpr placed table[] = {
    // stride 2, 3 taps: totals of 1, 2, 1, 2 for extents 4 to 7; an odd cell stands behind
    {4, 3, 2, 1, same, 2, 0},
    {5, 3, 2, 1, same, 3, 1},
    {6, 3, 2, 1, same, 3, 0},
    {7, 3, 2, 1, same, 4, 1},
    // stride 1: half of kernel - 1 before
    {8, 3, 1, 1, same, 8, 1},
    {8, 2, 1, 1, same, 8, 0},
    {8, 5, 1, 1, same, 8, 2},
    {8, 1, 1, 1, same, 8, 0},
    // a kernel wider than the input: 4 cells before, 4 behind; 1 column: 1 and 1
    {1, 9, 1, 1, same, 1, 4},
    {1, 3, 2, 1, same, 1, 1},
    {2, 9, 1, 1, same, 2, 4},
    // dilation widens the window: 3 taps at 2 span 5
    {8, 3, 1, 2, same, 8, 2},
    {8, 3, 2, 2, same, 4, 1},
    {8, 2, 1, 3, same, 8, 1},
    // a stride past the kernel needs no padding even where cells stay uncovered
    {7, 1, 3, 1, same, 3, 0},
    {8, 2, 5, 1, same, 2, 0},
    // VALID
    {4, 3, 2, 1, valid, 1, 0},
    {5, 3, 2, 1, valid, 2, 0},
    {8, 3, 1, 1, valid, 6, 0},
    {8, 3, 1, 2, valid, 4, 0},
    {8, 8, 1, 1, valid, 1, 0},
    {8, 3, 1, 4, valid, 0, 0},  // does not fit
    {2, 3, 1, 1, valid, 0, 0},
};

template <class P> constexpr window of(const placed& p) {
  return P::of(p.padding, p.input, p.kernel, p.stride, p.dilation);
}

TEST(windows, stand_where_the_table_says) {
  for (const placed& p : table) {
    const window w = of<placement::as_stated>(p);
    SCOPED_TRACE(std::to_string(p.input) + " k" + std::to_string(p.kernel) + " s" +
                 std::to_string(p.stride) + " d" + std::to_string(p.dilation));
    EXPECT_EQ(w.output, p.output);
    EXPECT_EQ(w.before, p.before);
    EXPECT_EQ(w.at(0, 0), -p.before);
    EXPECT_EQ(w.at(1, 1), p.stride - p.before + p.dilation);
    EXPECT_EQ(w, place(p.padding, p.input, p.kernel, p.stride, p.dilation));
  }
}

// What SAME means, said another way: ceil(input / stride) windows, and no more than one cell
// between the padding on both sides.
TEST(windows, of_same_padding_are_centred) {
  for (int input = 1; input < 12; ++input)
    for (int kernel = 1; kernel < 6; ++kernel)
      for (int stride = 1; stride < 4; ++stride)
        for (int dilation = 1; dilation < 4; ++dilation) {
          const window w = place(same, input, kernel, stride, dilation);
          EXPECT_GE(w.output * stride, input);
          EXPECT_LT((w.output - 1) * stride, input);
          const int behind = w.at(w.output - 1, kernel - 1) - (input - 1);
          if (behind < 0) {  // uncovered: nothing is padded
            EXPECT_EQ(w.before, 0);
          } else {
            EXPECT_TRUE(behind == w.before || behind == w.before + 1);
          }
        }
}

// odd cells before, neighbours instead of dilated taps: outputs stay, starts move
static_assert(of<placement::odd_cell_before>({4, 3, 2, 1, same, 2, 0}).before == 1);
static_assert(of<placement::odd_cell_before>({5, 3, 2, 1, same, 3, 1}).before == 1);
static_assert(of<placement::odd_cell_before>({8, 2, 5, 1, same, 2, 0}).before == 0);
static_assert(of<placement::odd_cell_before>({8, 2, 1, 1, valid, 7, 0}).before == 0);
static_assert(of<placement::dilation_ignored>({8, 3, 1, 2, same, 8, 2}).before == 1);
static_assert(of<placement::dilation_ignored>({8, 3, 1, 2, same, 8, 2}).dilation == 1);
static_assert(of<placement::dilation_ignored>({8, 3, 1, 2, valid, 4, 0}).output == 4);

// The largest extents do not overflow.
static_assert(place(same, 1 << 30, 1 << 15, 1, 1 << 15).before == ((1 << 15) - 1) * (1 << 14));

// ---- activation bounds
// ---------------------------------------------------------------------------

constexpr code_range int8{-128, 127}, uint8{0, 255};
using tflite = activation_bounds::round_then_offset<rounding::half_away>;
using xnn = activation_bounds::offset_then_round<rounding::half_even>;

template <class Bounds>
constexpr bool clamps(activation kind, affine grid, code_range type, code_range expected) {
  return Bounds::codes(kind, grid, type) == expected;
}

// 6 / 4 = 1.5 is a tie: away gives 2 and then the zero point; with the zero point inside, even
// gives an even code. An odd zero point tells the two apart, an even one does not.
static_assert(clamps<tflite>(activation::relu6, {4.0F, -127}, int8, {-127, -125}));
static_assert(clamps<xnn>(activation::relu6, {4.0F, -127}, int8, {-127, -126}));
static_assert(clamps<tflite>(activation::relu6, {4.0F, -128}, int8, {-128, -126}));
static_assert(clamps<xnn>(activation::relu6, {4.0F, -128}, int8, {-128, -126}));
// -1 / 2 and 1 / 2: away moves both bounds outward, even depends on the zero point
static_assert(clamps<tflite>(activation::relu_n1_to_1, {2.0F, 3}, int8, {2, 4}));
static_assert(clamps<xnn>(activation::relu_n1_to_1, {2.0F, 3}, int8, {2, 4}));
static_assert(clamps<xnn>(activation::relu_n1_to_1, {2.0F, 4}, int8, {4, 4}));
static_assert(clamps<tflite>(activation::relu_n1_to_1, {2.0F, 4}, int8, {3, 5}));
// cut to the type on either side
static_assert(clamps<tflite>(activation::relu6, {0.01F, 0}, int8, {0, 127}));
static_assert(clamps<tflite>(activation::relu, {0.5F, -100}, int8, {-100, 127}));
static_assert(clamps<tflite>(activation::none, {0.5F, -100}, int8, int8));
static_assert(clamps<tflite>(activation::relu_n1_to_1, {0.001F, 128}, uint8, uint8));
static_assert(clamps<xnn>(activation::relu6, {0.0235F, -128}, int8, int8));
static_assert(clamps<tflite>(activation::relu6, {0x1p-149F, 0}, int8, {0, 127}));
// faults
static_assert(clamps<activation_bounds::upper_dropped<tflite>>(activation::relu6, {1.0F, 0}, int8,
                                                               {0, 127}));
static_assert(clamps<activation_bounds::lower_dropped<tflite>>(activation::relu6, {1.0F, 0}, int8,
                                                               {-128, 6}));
static_assert(clamps<activation_bounds::literal_bounds>(activation::relu6, {0.1F, -7}, int8,
                                                        {0, 6}));

}  // namespace
