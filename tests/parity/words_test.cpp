// SPDX-License-Identifier: Apache-2.0
// int16 layers with int8 weights: packed kernels give the integers of the scalar reference, between guard pages, with
// every number of channels around the widths of vectors, ties included, and with multipliers that have no exact form.
#include <cmath>
#include <set>

#include <bittwin/conformance/guarded_buffer.hpp>
#include <bittwin/targets/tflite_reference.hpp>

#include "parity/parity.hpp"

namespace {

using namespace parity;
using conformance::layer_kind;
using targets::tflite_reference;
namespace kit = conformance::detail;

/// Codes spread over int16; multipliers with few bits, so that many results are ties.
struct word_layer {
  layer_case extents;
  std::vector<float> scales;
  std::vector<std::int8_t> weights;
  std::vector<std::int64_t> bias;
  dot_product_quantization quantization;
  bool bias_is_int32 = false;

  explicit word_layer(const layer_case& c, float output_scale = 0) : extents(c) {
    for (std::int32_t oc = 0; oc < c.output_channels(); ++oc)
      scales.push_back(std::ldexp(
          1.0F + static_cast<float>(kit::noise(c.seed, 3, static_cast<std::uint64_t>(oc)) % 4) / 4,
          -10));
    for (std::int64_t i = 0; i < c.weight_count(); ++i)
      weights.push_back(static_cast<std::int8_t>(
          kit::uniform(kit::noise(c.seed, 1, static_cast<std::uint64_t>(i)), -128, 127)));
    for (std::int32_t oc = 0; oc < c.output_channels(); ++oc)
      bias.push_back(
          kit::uniform(kit::noise(c.seed, 4, static_cast<std::uint64_t>(oc)), -500000, 500000));
    const double deviation = 1.4e6 * std::sqrt(static_cast<double>(conformance::terms_of(c)));
    const int bits = static_cast<int>(std::lround(std::log2(deviation / 12000)));
    quantization = {.type = element_type::int16,
                    .input = {0x1p-12F, 0},
                    .filter_scales = scales,
                    .output = {output_scale != 0 ? output_scale : std::ldexp(1.0F, bits - 22), 0},
                    .fused = c.fused};
  }
  [[nodiscard]] result<dot_product_kernel> prepared() const {
    if (!bias_is_int32) return prepared_with(std::span<const std::int64_t>(bias));
    const std::vector<std::int32_t> narrow(bias.begin(), bias.end());
    return prepared_with(std::span<const std::int32_t>(narrow));
  }

 private:
  template <class B>
  [[nodiscard]] result<dot_product_kernel> prepared_with(std::span<const B> b) const {
    const std::span<const std::int8_t> w(weights);
    if (extents.kind == layer_kind::conv2d)
      return conv2d<tflite_reference>::prepare(conformance::conv2d_spec_of(extents, quantization),
                                               w, b);
    return fully_connected<tflite_reference>::prepare(
        conformance::fully_connected_spec_of(extents, quantization), w, b);
  }
};

enum class expected { proved, the_rule };

/// Inputs of random codes, or of the lowest.
enum class inputs { random, lowest };

void expect_same(const word_layer& l, expected form = expected::proved,
                 inputs of = inputs::random) {
  const layer_case& c = l.extents;
  const std::string line = to_line(c);
  conformance::guarded_buffer<std::int16_t> x(static_cast<std::size_t>(c.input().elements()));
  for (std::size_t i = 0; i < x.span().size(); ++i)
    x.span()[i] =
        of == inputs::lowest
            ? std::int16_t{-32768}
            : static_cast<std::int16_t>(kit::uniform(kit::noise(c.seed, 2, i), -32768, 32767));
  const auto run = [&](arch a) {
    const forced here(a);
    const auto kernel = l.prepared();
    EXPECT_TRUE(kernel.has_value()) << line;
    conformance::guarded_buffer<std::int16_t> y(static_cast<std::size_t>(c.output().elements()));
    for (std::int16_t& code : y.span()) code = 0x5A5A;
    const std::span<const std::int16_t> input = x.span();
    (*kernel)(input, y.span());
    if (a != arch::scalar && simd::kernels_of(a)->requantize_words != nullptr) {
      EXPECT_EQ(kernel->runs_on(), a) << line;
      EXPECT_EQ(kernel->plan().packed->scalar_forms, form == expected::the_rule) << line;
    }
    return std::vector<std::int16_t>(y.span().begin(), y.span().end());
  };
  const std::vector<std::int16_t> want = run(arch::scalar);
  if (of == inputs::lowest)
    for (const std::int16_t code : want) EXPECT_LT(std::abs(int{code}), 32767) << line;
  else if (want.size() > 20) {
    EXPECT_GT(std::set(want.begin(), want.end()).size(), want.size() / 3) << line;
  }
  for_each_arch([&](arch a) { EXPECT_EQ(run(a), want) << simd::name_of(a) << ": " << line; });
}

TEST(words, every_number_of_output_channels) {
  for (std::int32_t oc = 1; oc <= 64 + 17; ++oc)
    expect_same(
        word_layer({.kind = layer_kind::conv2d, .ih = 2, .iw = 4, .ic = 5, .oc = oc, .seed = 1}));
}
TEST(words, every_number_of_input_channels) {
  for (std::int32_t ic = 1; ic <= 2 * 16 + 5; ++ic)
    for (const std::int32_t k : {1, 3}) {
      expect_same(word_layer({.kind = layer_kind::conv2d,
                              .n = 2,
                              .ih = 5,
                              .iw = 7,
                              .ic = ic,
                              .oc = 35,
                              .kh = k,
                              .kw = 4 - k,
                              .sw = 2,
                              .dh = 2,
                              .padding = padding_kind::same,
                              .seed = 2}));
      expect_same(word_layer(
          {.kind = layer_kind::fully_connected, .n = 7, .ic = 9 * ic, .oc = 18, .seed = 3}));
    }
}
TEST(words, clamps) {
  for (const activation fused : {activation::relu, activation::relu6, activation::relu_n1_to_1})
    expect_same(word_layer({.kind = layer_kind::conv2d,
                            .ih = 4,
                            .iw = 9,
                            .ic = 16,
                            .oc = 40,
                            .fused = fused,
                            .seed = 4},
                           0x1p-11F));
}
/// With a bias of 32 bits TFLite rounds twice, which is no one product: the rule runs, on sums of the packed kernel.
TEST(words, what_is_no_half_up_product_leaves_the_rule) {
  word_layer l({.kind = layer_kind::conv2d,
                .ih = 5,
                .iw = 8,
                .ic = 7,
                .oc = 20,
                .kh = 3,
                .kw = 2,
                .seed = 5});
  l.bias_is_int32 = true;
  expect_same(l, expected::the_rule);
}
/// Sums that may leave 32 bits are made in parts: of rows, of taps, of bytes of a tap.
TEST(words, sums_beyond_32_bits) {
  for (const std::int32_t depth : {509, 510, 511, 1021, 1024, 4096, 4098})
    expect_same(word_layer(
        {.kind = layer_kind::fully_connected, .n = 7, .ic = depth, .oc = 35, .seed = 6}));
  for (const std::int32_t ic : {130, 131, 260, 600})
    for (const std::int32_t dilation : {1, 2})
      expect_same(word_layer({.kind = layer_kind::conv2d,
                              .n = 2,
                              .ih = 6,
                              .iw = 7,
                              .ic = ic,
                              .oc = 70,
                              .kh = 3,
                              .kw = 3,
                              .sh = 2,
                              .dw = dilation,
                              .padding = padding_kind::same,
                              .seed = 7}));
}
/// The most that a part can be: all codes and weights the lowest, or one weight the highest.
TEST(words, the_largest_sums) {
  for (const std::int32_t ic : {64, 510, 511, 2048})
    for (const std::int32_t kernel : {1, 3}) {
      word_layer l({.kind = layer_kind::conv2d,
                    .ih = 5,
                    .iw = 6,
                    .ic = ic,
                    .oc = 20,
                    .kh = kernel,
                    .kw = kernel,
                    .padding = padding_kind::same,
                    .seed = 8},
                   static_cast<float>(ic * kernel * kernel) * 0x1p-10F);
      const std::size_t of_channel = l.weights.size() / 20;
      for (std::size_t i = 0; i < l.weights.size(); ++i)
        l.weights[i] = i / of_channel % 2 == 0 ? -128 : 127;
      expect_same(l, expected::proved, inputs::lowest);
    }
}

}  // namespace
