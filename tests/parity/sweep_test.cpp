// SPDX-License-Identifier: Apache-2.0
// Every number of channels around the widths of vectors and blocks, every place in a tile of pixels, and the choice of
// the architecture.
#include <cstdlib>
#include <string>
#include <vector>

#include <bittwin/targets/tflite_reference.hpp>

#include "parity/parity.hpp"

namespace {

using namespace parity;
using conformance::layer_kind;
using targets::tflite_reference;

TEST(sweep, every_number_of_output_channels) {
  for (std::int32_t oc = 1; oc <= 2 * 64 + 17; ++oc)
    expect_same({.kind = layer_kind::conv2d,
                 .ih = 2,
                 .iw = 4,
                 .ic = 5,
                 .oc = oc,
                 .per_channel = true,
                 .input_zero = -3,
                 .output_zero = 5,
                 .seed = 1});
}
TEST(sweep, every_number_of_input_channels) {
  for (std::int32_t ic = 1; ic <= 2 * 16 + 5; ++ic)
    for (const std::int32_t k : {1, 3})
      expect_same({.kind = layer_kind::conv2d,
                   .ih = 5,
                   .iw = 4,
                   .ic = ic,
                   .oc = 17,
                   .kh = k,
                   .kw = k,
                   .per_channel = true,
                   .input_zero = 7,
                   .seed = 2});
}
TEST(sweep, depths_around_what_is_widened_at_a_time) {
  for (const std::int32_t ic : {509, 511, 512, 513, 1023, 1025, 1537})
    expect_same({.kind = layer_kind::fully_connected,
                 .n = 7,
                 .ic = ic,
                 .oc = 18,
                 .per_channel = true,
                 .input_zero = -128,
                 .seed = 3});
}
TEST(sweep, every_number_of_depthwise_channels) {
  for (std::int32_t ic = 1; ic <= 2 * 64 + 17; ++ic)
    expect_same({.kind = layer_kind::depthwise_conv2d,
                 .ih = 4,
                 .iw = 3,
                 .ic = ic,
                 .kh = 3,
                 .kw = 3,
                 .per_channel = true,
                 .input_zero = -3,
                 .output_zero = 5,
                 .seed = 4});
}
/// A layer whose blocks all run as lines: windows of 3 x 3, strided too, and 5 x 5.
void expect_lines(layer_case c) {
  for (const simd::line_window w : simd::line_windows) {
    c.kind = layer_kind::depthwise_conv2d;
    c.kh = c.kw = w.kernel, c.sh = c.sw = w.stride;
    c.per_channel = c.type == element_type::int8;
    if (!c.runs()) continue;
    expect_same(c);
    if (c.type != element_type::int8) continue;
    for_each_arch([&](arch on) {
      const forced here(on);
      const auto kernel =
          conformance::prepare_case<tflite_reference>(c, conformance::make_data<std::int8_t>(c));
      ASSERT_TRUE(kernel && kernel->plan().packed) << to_line(c);
      for (const auto& block : kernel->plan().packed->blocks)
        EXPECT_GE(block.line, 0) << simd::name_of(on) << " " << to_line(c);
    });
  }
}
TEST(sweep, every_number_of_depthwise_channels_in_lines) {
  for (std::int32_t ic = 1; ic <= 64 + 33; ++ic)
    expect_lines({.ih = 5, .iw = 6, .ic = ic, .input_zero = -3, .output_zero = 5, .seed = 8});
}
TEST(sweep, depthwise_lines_of_every_length) {
  constexpr std::int32_t channels[] = {64, 7, 32, 16, 100, 23};
  for (std::int32_t w = 1; w <= 2 * simd::most_line_outputs + 6; ++w)
    expect_lines({.ih = 6,
                  .iw = w,
                  .ic = channels[w % 6],
                  .padding = w % 4 < 2 ? padding_kind::same : padding_kind::valid,
                  .type = w % 5 == 1 ? element_type::uint8 : element_type::int8,
                  .input_zero = 9,
                  .seed = 9});
}
TEST(sweep, depthwise_lines_of_every_height) {
  for (std::int32_t h = 1; h <= 21; ++h)
    for (const std::int32_t ic : {7, 32, 100})
      expect_lines({.n = 2,
                    .ih = h,
                    .iw = 5,
                    .ic = ic,
                    .padding = h % 2 == 0 ? padding_kind::same : padding_kind::valid,
                    .fused = h % 3 == 0 ? activation::relu6 : activation::none,
                    .input_zero = -128,
                    .seed = 10});
}
TEST(sweep, every_number_of_pixels) {
  for (std::int32_t w = 1; w <= 20; ++w)
    for (const std::int32_t oc : {16, 32, 64})
      expect_same({.kind = layer_kind::conv2d,
                   .ih = 1,
                   .iw = w,
                   .ic = 4,
                   .oc = oc,
                   .per_channel = true,
                   .seed = 5});
}
TEST(sweep, depthwise_windows_strides_and_dilations) {
  for (std::int32_t k = 1; k <= 7; ++k)
    for (std::int32_t stride = 1; stride <= 3; ++stride)
      for (std::int32_t dilation = 1; dilation <= 3; ++dilation)
        for (const padding_kind padding : {padding_kind::same, padding_kind::valid}) {
          const layer_case c{.kind = layer_kind::depthwise_conv2d,
                             .n = 2,
                             .ih = 20,
                             .iw = 37,
                             .ic = 19,
                             .kh = k,
                             .kw = 8 - k,
                             .sh = stride,
                             .sw = 4 - stride,
                             .dh = dilation,
                             .dw = 4 - dilation,
                             .padding = padding,
                             .per_channel = true,
                             .input_zero = -11,
                             .seed = 6};
          if (c.runs()) expect_same(c);
        }
}
TEST(sweep, convolution_windows_strides_and_dilations) {
  for (std::int32_t k = 1; k <= 5; ++k)
    for (std::int32_t stride = 1; stride <= 3; ++stride)
      for (std::int32_t dilation = 1; dilation <= 2; ++dilation)
        for (const std::int32_t ic : {3, 4, 18})
          for (const padding_kind padding : {padding_kind::same, padding_kind::valid}) {
            const layer_case c{.kind = layer_kind::conv2d,
                               .n = 2,
                               .ih = 11,
                               .iw = 13,
                               .ic = ic,
                               .oc = 35,
                               .kh = k,
                               .kw = 6 - k,
                               .sh = stride,
                               .sw = 4 - stride,
                               .dh = dilation,
                               .dw = 3 - dilation,
                               .padding = padding,
                               .per_channel = true,
                               .input_zero = -11,
                               .seed = 7};
            if (c.runs()) expect_same(c);
          }
}

/// uint8 weights far from their zero point: less it, they are no int8.
TEST(sweep, weights_of_nine_bits) {
  for (const std::int32_t zero : {-100, 3, 90})
    for (const std::int32_t ic : {1, 3, 4, 18, 63, 64, 65, 130}) {
      layer_case c{.ic = ic,
                   .type = element_type::uint8,
                   .input_zero = -11,
                   .weight_zero = zero,
                   .output_zero = 5,
                   .seed = 8};
      for (const std::int32_t oc : {1, 16, 35, 64, 70}) {
        c.kind = layer_kind::fully_connected;
        c.n = 7, c.oc = oc;
        expect_same(c);
        c.kind = layer_kind::conv2d;
        c.n = 2, c.ih = 5, c.iw = 19;
        for (const std::int32_t k : {1, 3})
          for (const std::int32_t stride : {1, 2}) {
            c.kh = c.kw = k, c.sh = c.sw = stride;
            expect_same(c);
          }
      }
      c.kind = layer_kind::depthwise_conv2d;
      c.kh = c.kw = 3;
      expect_same(c);
    }
}

TEST(dispatch, a_forced_architecture_runs_and_is_counted) {
  const layer_case c{.kind = layer_kind::conv2d, .ih = 3, .iw = 3, .ic = 8, .oc = 16};
  const auto d = conformance::make_data<std::int8_t>(c);
  std::vector<std::int8_t> y(static_cast<std::size_t>(c.output().elements()));
  for (const arch a : simd::every_arch) {
    if (!simd::machine_has(a)) continue;
    const forced here(a);
    const auto kernel = conformance::prepare_case<tflite_reference>(c, d);
    ASSERT_TRUE(kernel.has_value());
    EXPECT_EQ(kernel->runs_on(), a);
    const auto before = simd::runs_of(a);
    (*kernel)(std::span<const std::int8_t>(d.input), std::span(y));
    EXPECT_EQ(simd::runs_of(a), before + 1);
  }
}

TEST(dispatch, the_environment_names_an_architecture) {
  for (const arch a : simd::every_arch) {
    if (!simd::machine_has(a)) continue;
    ASSERT_EQ(setenv("BITTWIN_ARCH", std::string(simd::name_of(a)).c_str(), 1), 0);
    EXPECT_EQ(simd::detail::default_arch(), a);
  }
  unsetenv("BITTWIN_ARCH");
}

}  // namespace
