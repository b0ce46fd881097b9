// SPDX-License-Identifier: Apache-2.0
// Prints one hash a target over the codes of a fixed set of layers. It is built with flags that
// must not matter and run under every rounding mode, with and without flushing of subnormals:
// whatever differs is arithmetic that leaked into floating-point instructions.
#include <algorithm>
#include <bit>
#include <bittwin/bittwin.hpp>
#include <bittwin/graph/sha256.hpp>
#include <bittwin/targets/all.hpp>
#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace {

using namespace bittwin;

/// Sets what BITTWIN_ROUNDING asks for, and says whether the machine really does so now.
bool set_hostile_mode() {
  const char* const set = std::getenv("BITTWIN_ROUNDING");
  const std::string_view mode = set != nullptr ? set : "nearest";
  int direction = FE_TONEAREST;
  if (mode == "up") direction = FE_UPWARD;
  if (mode == "down") direction = FE_DOWNWARD;
  if (mode == "zero") direction = FE_TOWARDZERO;
  if (std::fesetround(direction) != 0) return false;
  if (mode == "nearest") return true;
  volatile float one = 1.0F, little = 0x1p-30F, least = 0x1p-149F;
  volatile float above = one + little, below = one - little;
  const bool rounds = (mode == "up") == (above > 1.0F) && (mode == "up") == (below >= 1.0F);
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040U);  // flush to zero, denormals are zero
  volatile float flushed = least * one;
  return rounds && std::bit_cast<std::uint32_t>(static_cast<float>(flushed)) == 0;
#else
  return rounds && least != 0;
#endif
}

/// Not a distribution of the standard library's: the same numbers everywhere.
class numbers {
 public:
  std::uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(state_ >> 16);
  }
  int between(int low, int high) {
    return low + static_cast<int>(next() % static_cast<std::uint32_t>(high - low + 1));
  }
  template <class T> T code() { return static_cast<T>(next()); }
  template <class T> std::vector<T> codes(std::int64_t count) {
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) out.push_back(code<T>());
    return out;
  }
  /// 2^exponent * [1, 2), put together from bits.
  float scale(int exponent) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23 |
                                (next() & 0x7FFFFFU));
  }
  affine grid(element_type type, int exponent) {
    const code_range range = range_of(type);
    return {scale(exponent), between(static_cast<int>(range.low), static_cast<int>(range.high))};
  }
  /// scale * k / 2^n rounded to float32, so that quotients of the two come within a rounding of ties.
  float beside_ties(float scale, int n) {
    return ieee::multiply(scale,
                          static_cast<float>(2 * between(0, 6) + 1) / static_cast<float>(1 << n));
  }
  activation fused() { return static_cast<activation>(next() % 4); }

 private:
  std::uint64_t state_ = 88172645463325252U;
};

/// Everything that one target computes, hashed; and whether any layer told nothing.
template <class Target> class layers {
 public:
  bool print() {
    for (int round = 0; round < 12; ++round) {
      all_of<std::int8_t>();
      all_of<std::uint8_t>();
    }
    std::string text;
    for (const std::uint8_t byte : hash_.finish()) {
      text += "0123456789abcdef"[byte >> 4];
      text += "0123456789abcdef"[byte & 15];
    }
    std::printf("%-23s %d layers, %d refused, %d alike  %s\n", Target::name.data(), made_, refused_,
                alike_, text.c_str());
    return made_ > 100 && alike_ * 4 < made_;
  }

 private:
  template <class T> void record(const std::vector<T>& y) {
    ++made_;
    alike_ += std::set<T>(y.begin(), y.end()).size() < 4 ? 1 : 0;
    hash_.update(std::as_bytes(std::span(y)));
  }
  template <class Kernel> bool usable(const Kernel& kernel) {
    if (kernel) return true;
    ++refused_;
    const auto code = static_cast<int>(kernel.error().code);
    hash_.update(std::as_bytes(std::span(&code, 1)));
    return false;
  }
  template <class T, class Kernel> void run(const Kernel& kernel) {
    if (!usable(kernel)) return;
    const auto x = n_.codes<T>(kernel->input().elements());
    std::vector<T> y(static_cast<std::size_t>(kernel->output().elements()));
    (*kernel)(std::span(x), std::span(y));
    record(y);
  }

  template <class T> void all_of() {
    dot_products<T>();
    pairs<T>();
    windows<T>();
    rows<T>();
    maps<T>();
  }

  /// Small sums: codes that do not saturate, and ties that are not rare.
  template <class T> std::vector<T> small_weights(std::int64_t count, std::int32_t zero) {
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i)
      out.push_back(static_cast<T>(zero + n_.between(-2, 2)));
    return out;
  }

  template <class T> void dot_products() {
    const auto type = element_type_of<T>;
    const bool wide = std::is_same_v<T, std::uint8_t>;
    const affine in = n_.grid(type, -5), out = n_.grid(type, -4);
    std::vector<float> scales;  // such that input * filter / output is nearly an odd number / 2^5
    for (int i = 0; i < (wide ? 1 : 6); ++i)
      scales.push_back(ieee::divide(n_.beside_ties(out.scale, 5), in.scale));
    const dot_product_quantization q{.type = type,
                                     .input = in,
                                     .filter_scales = scales,
                                     .filter_zero_point = wide ? n_.between(3, 252) : 0,
                                     .output = out,
                                     .fused = n_.fused()};
    std::vector<std::int32_t> bias;
    for (int i = 0; i < 6; ++i) bias.push_back(n_.between(-300, 300));
    const auto padding = n_.next() % 2 == 0 ? padding_kind::same : padding_kind::valid;
    const conv2d_spec conv{.input = {1, 7, 6, 4},
                           .filter = {6, 3, 2, n_.next() % 2 == 0 ? 4 : 2},
                           .stride_h = n_.between(1, 2),
                           .dilation_w = n_.between(1, 2),
                           .padding = padding,
                           .quantization = q};
    const auto w = small_weights<T>(conv.filter.elements(), q.filter_zero_point);
    run<T>(conv2d<Target>::prepare(conv, std::span(w), bias));
    const depthwise_conv2d_spec depthwise{.input = {2, 6, 5, 3},
                                          .filter_h = 3,
                                          .filter_w = 3,
                                          .depth_multiplier = 2,
                                          .stride_w = n_.between(1, 2),
                                          .padding = padding,
                                          .quantization = q};
    const auto taps = small_weights<T>(54, q.filter_zero_point);
    run<T>(depthwise_conv2d<Target>::prepare(depthwise, std::span(taps), bias));
    const fully_connected_spec fc{.rows = 8, .depth = 33, .outputs = 6, .quantization = q};
    const auto matrix = small_weights<T>(33 * 6, q.filter_zero_point);
    run<T>(fully_connected<Target>::prepare(fc, std::span(matrix), bias));
  }

  template <class T> void pairs() {
    const auto type = element_type_of<T>;
    const affine out = n_.grid(type, -4);
    affine a = n_.grid(type, 0), b = n_.grid(type, 0);
    a.scale = n_.beside_ties(out.scale, 3);
    b.scale = n_.next() % 2 == 0 ? n_.beside_ties(1.0F, 4) : n_.beside_ties(out.scale, 4);
    const binary_spec spec{.type = type,
                           .a_extents = {4, 1, 16},
                           .b_extents = {3, 1},
                           .a = a,
                           .b = b,
                           .output = out,
                           .fused = n_.fused()};
    const auto each = [&](const auto& kernel) {
      if (!usable(kernel)) return;
      const auto first = n_.codes<T>(64), second = n_.codes<T>(3);
      std::vector<T> y(192);
      (*kernel)(std::span(first), std::span(second), std::span(y));
      record(y);
    };
    each(add<Target>::prepare(spec));
    each(sub<Target>::prepare(spec));
    each(mul<Target>::prepare(spec));
  }

  /// A scale on which 6 is nearly a tie.
  float bound_beside_a_tie() {
    return ieee::divide(12.0F, static_cast<float>(2 * n_.between(3, 40) + 1));
  }

  template <class T> void windows() {
    const auto type = element_type_of<T>;
    const pool2d_spec spec{.type = type,
                           .input = {1, 7, 8, 3},
                           .filter_h = 3,
                           .filter_w = 2,
                           .stride_h = n_.between(1, 3),
                           .grid = {bound_beside_a_tie(), n_.between(0, 60)},
                           .fused = n_.fused()};
    run<T>(max_pool2d<Target>::prepare(spec));
    if constexpr (room::average_pool2d::in<Target>) run<T>(average_pool2d<Target>::prepare(spec));
  }

  template <class T> void rows() {
    const auto type = element_type_of<T>;
    mean_spec spec{.type = type,
                   .input = {2, 5, 7, 9},
                   .keep_dims = n_.next() % 2 == 0,
                   .in = n_.grid(type, -5),
                   .out = n_.grid(type, -6)};
    spec.axes = {false, true, n_.next() % 2 == 0};
    spec.out.scale =  // such that input / output / count is nearly an odd number / 16
        ieee::divide(ieee::divide(spec.in.scale, static_cast<float>(spec.count())),
                     n_.beside_ties(1.0F, 4));
    if (n_.next() % 3 == 0) spec.out = spec.in;
    const auto mean_kernel = mean<Target>::prepare(spec);
    if (usable(mean_kernel)) {
      const auto x = n_.codes<T>(spec.input.elements());
      std::vector<T> y(static_cast<std::size_t>(mean_kernel->output().elements()));
      std::vector<std::int64_t> sums(y.size());
      (*mean_kernel)(std::span(x), std::span(y), std::span(sums));
      record(y);
    }
    if constexpr (room::softmax::in<Target>) {
      const softmax_spec row{
          .type = type,
          .rows = 4,
          .depth = 48,
          .beta = n_.scale(0),
          .in = n_.grid(type, n_.between(-9, -4)),
          .out = {softmax_scale(48), static_cast<std::int32_t>(range_of(type).low)}};
      const auto kernel = softmax<Target>::prepare(row);
      if (!usable(kernel)) return;
      auto x = n_.codes<T>(4 * 48);
      std::fill(x.begin(), x.begin() + 48, x[0]);  // one row of equal probabilities
      std::vector<T> y(4 * 48);
      (*kernel)(std::span(x), std::span(y));
      record(y);
    }
  }

  /// 2^-8, or one on which 1 / depth is nearly a tie.
  float softmax_scale(int depth) {
    return n_.next() % 2 == 0
               ? 0x1p-8F
               : ieee::divide(1.0F, static_cast<float>(depth * (2 * n_.between(0, 9) + 1)) / 2);
  }

  /// One input, one output: quantizations, and standalone activations.
  template <class T> void maps() {
    const auto type = element_type_of<T>;
    const affine grid = n_.grid(type, n_.between(-8, 0));
    std::vector<float> reals;
    for (int i = 0; i < 200; ++i) {
      // codes' own neighbourhood with its ties, then any bits: subnormals, infinities, NaN
      const std::uint32_t bits = n_.next();
      reals.push_back(i < 100 ? n_.scale(n_.between(-9, 7)) : std::bit_cast<float>(bits));
      if (i < 100 && bits % 2 == 0) reals.back() = ieee::negate(reals.back());
    }
    for (const std::uint32_t bits : {0x7F800000U, 0xFF800000U, 0x7FC00000U, 1U, 0x80000001U})
      reals.push_back(std::bit_cast<float>(bits));
    for (int code = 0; code < 64; ++code)
      reals.push_back(float_code::real_of(2 * code + 1, {ieee::multiply(grid.scale, 0.5F), 0}));
    for (const affine out : {grid, affine{0x1p-140F, grid.zero_point}}) {
      const auto kernel = quantize<Target>::prepare({type, out});
      if (!usable(kernel)) continue;
      std::vector<T> y(reals.size());
      (*kernel)(std::span<const float>(reals), std::span(y));
      record(y);
      std::vector<float> back(y.size());
      dequantize(std::span<const T>(y), out, std::span(back));
      hash_.update(std::as_bytes(std::span(back)));
    }
    affine other = n_.grid(type, 0);
    other.scale = n_.beside_ties(grid.scale, 3);
    const auto every = [&](const auto& kernel) {
      if (!usable(kernel)) return;
      const auto x = n_.codes<T>(256);
      std::vector<T> y(256);
      (*kernel)(std::span<const T>(x), std::span(y));
      record(y);
    };
    every(requantize<Target>::prepare({type, type, other, grid}));
    if constexpr (room::relu::in<Target>) {
      const activation_spec spec{.type = type, .in = other, .out = grid};
      every(relu<Target>::prepare(spec));
      every(relu6<Target>::prepare(spec));
      every(relu_n1_to_1<Target>::prepare(spec));
      // 6 / scale overflows float32
      every(relu6<Target>::prepare({.type = type, .in = grid, .out = {0x1p-140F, 0}}));
    }
    const recode_function recode = concatenation_rule<Target>({.input = type, .output = type});
    std::vector<T> y;
    for (int code = 0; code < 256; ++code)
      y.push_back(static_cast<T>(recode(static_cast<T>(code), other, grid, range_of(type))));
    record(y);
  }

  numbers n_;
  graph::sha256 hash_;
  int made_ = 0, refused_ = 0, alike_ = 0;
};

template <class... Targets> bool print_all(targets::list<Targets...>) {
  const bool told[] = {layers<Targets>().print()...};
  return std::find(std::begin(told), std::end(told), false) == std::end(told);
}

}  // namespace

int main() {
  if (!set_hostile_mode()) {
    std::puts("the machine does not round as BITTWIN_ROUNDING asks");
    return 3;
  }
  using quantized = targets::list<targets::tflite_reference, targets::tflite_single_rounding,
                                  targets::tflite_builtin, targets::xnnpack>;
  return print_all(quantized{}) ? 0 : 1;
}
