// SPDX-License-Identifier: Apache-2.0
// Kernels on activations with gaps between images, rows and pixels: the same codes as on dense
// ones, and nothing written into a gap.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/bittwin.hpp>
#include <random>
#include <set>
#include <vector>

namespace {

using namespace bittwin;
using std::int8_t;

/// Memory of a tensor whose pixels lie `pixel_gap` apart, rows and images further.
class spread {
 public:
  static constexpr int8_t guard = 0x5A;

  spread(nhwc shape, int gap)
      : shape_(shape),
        pixel_(shape.c + gap),
        row_(pixel_ * shape.w + 2 * gap),
        image_(row_ * shape.h + 5 * gap),
        memory_(static_cast<std::size_t>(image_ * shape.n + gap), guard) {
    // Counted here, not asked of the view, which is what is tested.
    for (int n = 0; n < shape.n; ++n)
      for (int y = 0; y < shape.h; ++y)
        for (int x = 0; x < shape.w; ++x)
          for (int c = 0; c < shape.c; ++c)
            places_.push_back(static_cast<std::size_t>(n * image_ + y * row_ + x * pixel_ + c));
  }

  template <class T = int8_t> [[nodiscard]] nhwc_view<T> view() {
    return {memory_.data(), shape_, image_, row_, pixel_};
  }
  void fill(const std::vector<int8_t>& dense) {
    for (std::size_t i = 0; i < places_.size(); ++i) memory_[places_[i]] = dense[i];
  }
  [[nodiscard]] std::vector<int8_t> dense() const {
    std::vector<int8_t> out;
    for (const std::size_t place : places_) out.push_back(memory_[place]);
    return out;
  }
  /// Elements in the gaps that are no longer what they were.
  [[nodiscard]] std::ptrdiff_t touched_gaps() const {
    std::vector<int8_t> rest = memory_;
    for (const std::size_t place : places_) rest[place] = guard;
    return std::count_if(rest.begin(), rest.end(), [](int8_t v) { return v != guard; });
  }

 private:
  nhwc shape_;
  std::int64_t pixel_, row_, image_;
  std::vector<int8_t> memory_;
  std::vector<std::size_t> places_;  ///< of the elements, in order
};

std::vector<int8_t> random_codes(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int8_t> codes(static_cast<std::size_t>(count));
  for (int8_t& code : codes) code = static_cast<int8_t>(static_cast<int>(random() % 256) - 128);
  return codes;
}

template <class Kernel> void expect_gaps_do_not_matter(const Kernel& kernel) {
  ASSERT_TRUE(kernel) << kernel.error().text;
  const std::vector<int8_t> x = random_codes(kernel->input().elements(), 1);
  std::vector<int8_t> y(static_cast<std::size_t>(kernel->output().elements()));
  (*kernel)(std::span(x), std::span(y));
  ASSERT_GT(std::set<int8_t>(y.begin(), y.end()).size(), 20U) << "a constant tells nothing";
  for (const int gap : {1, 7}) {
    spread from(kernel->input(), gap), to(kernel->output(), gap);
    from.fill(x);
    (*kernel)(from.view<const int8_t>(), to.view());
    EXPECT_EQ(to.dense(), y);
    EXPECT_EQ(to.touched_gaps(), 0);
    EXPECT_EQ(from.dense(), x);
    EXPECT_EQ(from.touched_gaps(), 0);
  }
}

const std::vector<float> scale{0.01F};

template <class Target> void expect_of_every_kernel() {
  const dot_product_quantization quantization{
      .input = {0.5F, 3}, .filter_scales = scale, .output = {0.4F, -7}, .fused = activation::none};
  const conv2d_spec conv{
      .input = {2, 7, 5, 3}, .filter = {4, 3, 3, 3}, .stride_h = 2, .quantization = quantization};
  const auto w = random_codes(conv.filter.elements(), 2);
  expect_gaps_do_not_matter(conv2d<Target>::prepare(conv, std::span(w)));

  const depthwise_conv2d_spec depthwise{.input = {2, 7, 5, 3},
                                        .filter_h = 3,
                                        .filter_w = 3,
                                        .depth_multiplier = 2,
                                        .dilation_w = 2,
                                        .quantization = quantization};
  const auto taps = random_codes(3 * 3 * 6, 3);
  expect_gaps_do_not_matter(depthwise_conv2d<Target>::prepare(depthwise, std::span(taps)));

  const fully_connected_spec fc{.rows = 12, .depth = 9, .outputs = 5, .quantization = quantization};
  const auto matrix = random_codes(45, 4);
  expect_gaps_do_not_matter(fully_connected<Target>::prepare(fc, std::span(matrix)));

  const pool2d_spec pool{
      .input = {2, 7, 5, 3}, .filter_h = 3, .filter_w = 2, .stride_h = 2, .grid = {0.1F, 3}};
  expect_gaps_do_not_matter(max_pool2d<Target>::prepare(pool));
  if constexpr (room::average_pool2d::in<Target>)
    expect_gaps_do_not_matter(average_pool2d<Target>::prepare(pool));
}

TEST(strided_views, give_the_codes_of_dense_ones) {
  expect_of_every_kernel<targets::tflite_reference>();
  expect_of_every_kernel<targets::xnnpack>();
}

}  // namespace
