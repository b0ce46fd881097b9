// SPDX-License-Identifier: Apache-2.0
// Convolutions of the installed oneDNN 2 (Debian 12's libdnnl-dev), linked in and compared with targets::onednn_2_vnni, or
// with targets::onednn_2_avx2 where the machine, or ONEDNN_MAX_CPU_ISA, ends at AVX2: more than a million codes each, 0
// differences, and controls that must differ. targets::onednn_vnni and onednn_avx2 are the formula of a later version; where
// scales are powers of two and no bias stands, the two are one, and are compared too.
#include <gtest/gtest.h>

#include <dnnl.hpp>

#include <array>
#include <bittwin/bittwin.hpp>
#include <bittwin/targets/onednn.hpp>
#include <bittwin/targets/onednn_2.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace bittwin;
using dnnl::memory;
using tag = memory::format_tag;

/// One layer, as both sides take it; weights OHWI, or HWC where depthwise.
template <class X> struct layer {
  std::int32_t ic = 1, oc = 1, side = 24, taps = 1;
  bool depthwise = false;
  affine input, output;
  std::vector<float> filter_scales;
  std::vector<std::int8_t> weights;
  std::vector<std::int32_t> bias;  ///< or none
  std::vector<X> x;
  [[nodiscard]] std::size_t outputs() const { return static_cast<std::size_t>(side * side * oc); }
};

struct kinds {
  bool depthwise = false;
  bool plain = false;  ///< input and output scales powers of two, no bias
  bool paired =
      false;  ///< an even number of input channels; zero points that padding does not saturate
  bool windows = false;  ///< of 3x3 alone
};

template <class X> layer<X> draw(std::mt19937& random, kinds k) {
  const auto below = [&](unsigned count) { return static_cast<std::int32_t>(random() % count); };
  constexpr bool is_u8 = sizeof(X) == 1 && std::is_unsigned_v<X>;
  layer<X> l;
  l.depthwise = k.depthwise;
  l.ic = k.paired ? 2 + 2 * below(16) : 1 + below(32);
  l.oc = k.depthwise ? l.ic : 1 + below(32);
  l.taps = !k.windows && below(2) == 0 ? 1 : 3;
  const bool ties = below(3) == 0;
  const auto scale = [&](bool power) {
    return power ? std::ldexp(1.0F, -1 - below(8))
                 : 0.002F + static_cast<float>(below(100000)) * 1e-6F;
  };
  const std::int32_t count = l.taps * l.taps * (k.depthwise ? 1 : l.ic);
  const std::uint32_t zeros = k.paired && l.taps > 1 ? 129 : 256;
  l.input = {scale(k.plain || ties), below(zeros) - (is_u8 ? 0 : 128)};
  l.output.zero_point = is_u8 ? 96 + below(64) : below(64) - 32;
  for (std::int32_t c = 0; c < l.oc; ++c) l.filter_scales.push_back(scale(ties));
  // Sums spread over some 70 * 70 * sqrt(count); most codes shall lie inside the type.
  float largest = 0;
  for (const float s : l.filter_scales) largest = std::fmax(largest, s);
  l.output.scale = l.input.scale * largest * 70.0F * std::sqrt(static_cast<float>(count)) *
                   (0.5F + static_cast<float>(below(100)) / 50.0F);
  if (k.plain || ties) l.output.scale = std::ldexp(1.0F, std::ilogb(l.output.scale));
  for (std::int32_t i = 0; i < count * l.oc; ++i)
    l.weights.push_back(static_cast<std::int8_t>(below(255) - 127));
  if (!k.plain && below(4) != 0)
    for (std::int32_t c = 0; c < l.oc; ++c) l.bias.push_back(below(20000) - 10000);
  for (std::int32_t i = 0; i < l.side * l.side * l.ic; ++i) l.x.push_back(static_cast<X>(random()));
  return l;
}

template <class X> std::vector<X> theirs(const layer<X>& l) {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto type = std::is_unsigned_v<X> ? memory::data_type::u8 : memory::data_type::s8;
  const memory::dims x{1, l.ic, l.side, l.side}, y{1, l.oc, l.side, l.side};
  const memory::dims f = l.depthwise ? memory::dims{l.ic, 1, 1, l.taps, l.taps}
                                     : memory::dims{l.oc, l.ic, l.taps, l.taps};
  std::vector<float> scales;
  for (const float s : l.filter_scales) {
    const volatile float product = l.input.scale * s;
    scales.push_back(product / l.output.scale);
  }
  dnnl::primitive_attr attr;
  attr.set_output_scales(2, scales);
  attr.set_zero_points(DNNL_ARG_SRC, 0, {l.input.zero_point});
  attr.set_zero_points(DNNL_ARG_DST, 0, {l.output.zero_point});
  const memory::desc given(f, memory::data_type::s8, l.depthwise ? tag::hwigo : tag::ohwi),
      from(x, type, tag::nhwc), to(y, type, tag::nhwc), any(f, memory::data_type::s8, tag::any),
      b({l.oc}, memory::data_type::s32, tag::x);
  const memory::dims ones{1, 1}, pad{l.taps / 2, l.taps / 2};
  using convolution = dnnl::convolution_forward;
  constexpr auto kind = dnnl::prop_kind::forward_inference;
  constexpr auto direct = dnnl::algorithm::convolution_direct;
  const convolution::desc desc =
      l.bias.empty() ? convolution::desc(kind, direct, from, any, to, ones, pad, pad)
                     : convolution::desc(kind, direct, from, any, b, to, ones, pad, pad);
  const convolution::primitive_desc made(desc, attr, engine);
  const auto view = [&](const memory::desc& d, const void* data) {
    return memory(d, engine, const_cast<void*>(data));
  };
  memory ohwi = view(given, l.weights.data()), weights(made.weights_desc(), engine);
  dnnl::reorder(ohwi, weights).execute(stream, ohwi, weights);
  std::vector<X> codes(l.outputs());
  std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, view(from, l.x.data())},
                                            {DNNL_ARG_WEIGHTS, weights},
                                            {DNNL_ARG_DST, view(to, codes.data())}};
  if (!l.bias.empty()) arguments.insert({DNNL_ARG_BIAS, view(b, l.bias.data())});
  convolution(made).execute(stream, arguments);
  stream.wait();
  return codes;
}

/// Empty where the target refuses the layer, and the reason.
template <class Target, class X> std::vector<X> ours(const layer<X>& l, std::string& refusal) {
  constexpr std::int32_t weight_zero = std::is_unsigned_v<X> ? 128 : 0;
  std::vector<X> weights, codes(l.outputs());
  for (const std::int8_t w : l.weights) weights.push_back(static_cast<X>(w + weight_zero));
  const dot_product_quantization q{
      .type = std::is_unsigned_v<X> ? element_type::uint8 : element_type::int8,
      .input = l.input,
      .filter_scales = l.filter_scales,
      .filter_zero_point = weight_zero,
      .output = l.output};
  const nhwc extents{1, l.side, l.side, l.ic};
  const auto run = [&](const auto& kernel) {
    if (!kernel) return void(refusal = kernel.error().text);
    (*kernel)(std::span(l.x), std::span(codes));
  };
  const std::span<const X> w(weights);
  const std::span<const std::int32_t> b(l.bias);
  if (l.depthwise) {
    if constexpr (room::depthwise_conv2d::in<Target>)
      run(depthwise_conv2d<Target>::prepare(
          {.input = extents, .filter_h = l.taps, .filter_w = l.taps, .quantization = q}, w, b));
    else
      refusal = "no room";
  } else {
    run(conv2d<Target>::prepare(
        {.input = extents, .filter = {l.oc, l.taps, l.taps, l.ic}, .quantization = q}, w, b));
  }
  if (!refusal.empty()) codes.clear();
  return codes;
}

/// The rounding before the zero point: a tie goes to the even scaled value, not to the even code.
struct rounded_first : targets::onednn_2_vnni {
  static constexpr std::string_view name = "rounded-first";
  struct conv2d : targets::onednn_2_vnni::conv2d {
    using rescale = bittwin::rescale::float32_multiply<rounding::half_even>;
  };
  struct depthwise_conv2d : targets::onednn_2_vnni::depthwise_conv2d {
    using rescale = bittwin::rescale::float32_multiply<rounding::half_even>;
  };
};

struct tally {
  std::int64_t compared = 0, inside = 0, differing = 0, control_differs = 0;
};

/// Layers until a million codes lie inside the type.
template <class Target, class Control, class X>
void compare(const char* what, kinds k, unsigned seed) {
  std::mt19937 random(seed);
  tally t;
  std::string refusal, control_refusal;
  while (t.inside < 1'000'000 && refusal.empty()) {
    const layer<X> l = draw<X>(random, k);
    const std::vector<X> mine = ours<Target>(l, refusal), other = ours<Control>(l, control_refusal);
    const std::vector<X> codes = theirs(l);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      using limits = std::numeric_limits<X>;
      ++t.compared;
      t.inside += codes[i] > limits::min() && codes[i] < limits::max();
      t.differing += codes[i] != mine[i];
      t.control_differs += i < other.size() && codes[i] != other[i];
    }
  }
  std::printf("%s under %s: %lld codes, %lld inside the type, %lld differ; under %s %lld differ\n",
              what, Target::name.data(), static_cast<long long>(t.compared),
              static_cast<long long>(t.inside), static_cast<long long>(t.differing),
              Control::name.data(), static_cast<long long>(t.control_differs));
  EXPECT_EQ(refusal, "");
  EXPECT_EQ(control_refusal, "");
  EXPECT_EQ(t.differing, 0);
  EXPECT_GE(t.inside, 1'000'000);
  EXPECT_GT(t.control_differs, 100) << "the control is no control";
}

/// Which of the two arithmetics this machine runs.
enum class arithmetic_of { vnni, pairs, neither };
arithmetic_of isa() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::sse41:
    case dnnl::cpu_isa::avx:
    case dnnl::cpu_isa::avx512_core: return arithmetic_of::neither;  // not compared
    case dnnl::cpu_isa::avx2: return arithmetic_of::pairs;
    default: return arithmetic_of::vnni;
  }
}

using s8 = std::int8_t;
using u8 = std::uint8_t;

TEST(onednn, convolutions_with_vnni) {
  if (isa() != arithmetic_of::vnni) GTEST_SKIP() << "oneDNN runs no VNNI kernels here";
  using target = targets::onednn_2_vnni;
  compare<target, rounded_first, s8>("s8 convolutions", {}, 21);
  compare<target, rounded_first, u8>("u8 convolutions", {}, 22);
  compare<target, rounded_first, s8>("s8 depthwise", {.depthwise = true}, 23);
  compare<target, rounded_first, u8>("u8 depthwise", {.depthwise = true}, 24);
  compare<targets::onednn_vnni, rounded_first, s8>("s8, no bias", {.plain = true}, 25);
}

TEST(onednn, convolutions_before_vnni) {
  if (isa() != arithmetic_of::pairs) GTEST_SKIP() << "oneDNN does not end at AVX2 here";
  using target = targets::onednn_2_avx2;
  using exact = targets::onednn_2_vnni;
  compare<target, exact, s8>("s8 convolutions", {}, 31);
  compare<target, exact, u8>("u8 convolutions", {.paired = true}, 32);
  compare<target, exact, s8>("s8 depthwise 3x3", {.depthwise = true, .windows = true}, 33);
  compare<target, rounded_first, u8>("u8 depthwise", {.depthwise = true}, 34);
  compare<targets::onednn_avx2, exact, u8>("u8, no bias", {.plain = true, .paired = true}, 35);
}

}  // namespace
