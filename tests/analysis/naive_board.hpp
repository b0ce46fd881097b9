// SPDX-License-Identifier: Apache-2.0
// A device that does one layer in plain loops over doubles, rightly or with one fault: a second derivation, in which
// nothing of the library takes part.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bittwin::test {

/// A convolution with SAME padding on [1, size, size, inputs], one filter [kernel, kernel] a pair of channels.
/// depthwise: output c * multiplier + m reads input c.
struct naive_layer {
  int size = 7, inputs = 3, outputs = 5, kernel = 3, stride = 2, dilation = 1;
  bool depthwise = false;
  bool is_unsigned = false;  ///< uint8 codes, and a weight zero point
  double input_scale = 0.05, output_scale = 0.021;
  int input_zero = -3, output_zero = 9, weight_zero = 0;
  std::vector<double> weight_scales;
  std::vector<int> x, w, bias;  ///< NHWC, OHWI (depthwise: 1HWC), by output
  int bias_reach = 20000;
  double low = -1e9, high = 1e9;  ///< the activation, in reals

  [[nodiscard]] int output_size() const { return (size + stride - 1) / stride; }
  [[nodiscard]] int type_low() const { return is_unsigned ? 0 : -128; }
  [[nodiscard]] int type_high() const { return is_unsigned ? 255 : 127; }
};

/// What a faulty device does otherwise.
struct naive_faults {
  std::string code;
  [[nodiscard]] bool is(const char* name) const { return code == name; }
};

/// A sum of products on a device, in the order of its loops.
class naive_sum {
 public:
  naive_sum(const naive_faults& f, std::int64_t bias, bool is_unsigned)
      : f_(f), sum_(bias), bias_(bias), shift_(is_unsigned ? 0 : 128) {}
  /// x, w  codes as stored
  void add(int x, int x_zero, int w, int w_zero) {
    if (f_.is("WEIGHTS_AS_U8") && w < 0) w += 256;
    int difference = x - x_zero;
    if (f_.is("INPUT_ZERO_POINT in 8 bits"))
      difference = difference > 127    ? difference - 256
                   : difference < -128 ? difference + 256
                                       : difference;
    const std::int64_t product = std::int64_t{difference} * (w - w_zero);
    if (f_.is("PAIR_SATURATION")) {
      // Bytes as unsigned: 128 more than int8 codes, which the sum of the weights makes good behind.
      raw_.push_back((x + shift_) * (w - w_zero));
      made_good_ += std::int64_t{x_zero + shift_} * (w - w_zero);
      return;
    }
    sum_ += product;
    if (f_.is("ACCUMULATOR_16")) sum_ = static_cast<std::int16_t>(sum_ & 0xFFFF);
    if (f_.is("ACCUMULATOR_16 saturating")) sum_ = std::clamp<std::int64_t>(sum_, -32768, 32767);
  }
  [[nodiscard]] std::int64_t value() const {
    if (!f_.is("PAIR_SATURATION")) return sum_;
    std::int64_t sum = bias_ - made_good_;
    for (std::size_t i = 0; i < raw_.size(); i += 2) {
      const int pair = raw_[i] + (i + 1 < raw_.size() ? raw_[i + 1] : 0);
      sum += std::clamp(pair, -32768, 32767);
    }
    return sum;
  }

 private:
  naive_faults f_;
  std::int64_t sum_, bias_, made_good_ = 0;
  int shift_;
  std::vector<int> raw_;
};

inline std::vector<int> run_naive(naive_layer l, const naive_faults& f = {}) {
  if (f.is("PER_CHANNEL_AS_PER_TENSOR"))
    std::fill(l.weight_scales.begin(), l.weight_scales.end(), l.weight_scales[0]);
  if (f.is("PER_CHANNEL_AS_PER_TENSOR by the mean")) {
    double sum = 0;
    for (const double scale : l.weight_scales) sum += scale;
    for (double& scale : l.weight_scales) scale = sum / static_cast<double>(l.outputs);
  }
  if (f.is("SCALE_AXIS")) std::reverse(l.weight_scales.begin(), l.weight_scales.end());
  if (f.is("BIAS_SCALE"))
    for (std::size_t o = 0; o < l.bias.size(); ++o)
      l.bias[o] = static_cast<int>(std::round(l.bias[o] * l.weight_scales[o] / l.weight_scales[0]));
  if (f.is("WEIGHT_ZERO_POINT")) l.weight_zero = 0;
  if (f.is("BIAS_DROPPED")) std::fill(l.bias.begin(), l.bias.end(), 0);
  if (f.is("BIAS_NARROW"))
    for (int& b : l.bias) b = std::clamp(b, -32768, 32767);
  const int multiplier = l.depthwise ? l.outputs / l.inputs : 1;
  const int out = l.output_size();
  const int effective = (l.kernel - 1) * l.dilation + 1;
  const int missing = std::max((out - 1) * l.stride + effective - l.size, 0);
  const int before = f.is("SAME_WRONG_SIDE") ? missing - missing / 2 : missing / 2;
  const int dilation = f.is("DILATION_IGNORED") ? 1 : l.dilation;
  const int pad_before =
      f.is("DILATION_IGNORED") ? std::max((out - 1) * l.stride + l.kernel - l.size, 0) / 2 : before;
  const int input_zero = f.is("INPUT_ZERO_POINT") ? 0 : l.input_zero;
  std::vector<int> y;
  for (int oy = 0; oy < out; ++oy)
    for (int ox = 0; ox < out; ++ox)
      for (int o = 0; o < l.outputs; ++o) {
        naive_sum sum(f, l.bias[static_cast<std::size_t>(o)], l.is_unsigned);
        for (int ky = 0; ky < l.kernel; ++ky)
          for (int kx = 0; kx < l.kernel; ++kx)
            for (int i = 0; i < (l.depthwise ? 1 : l.inputs); ++i) {
              const int iy = oy * l.stride - pad_before + ky * dilation;
              const int ix = ox * l.stride - pad_before + kx * dilation;
              const bool inside = iy >= 0 && iy < l.size && ix >= 0 && ix < l.size;
              const int channel = l.depthwise ? o / multiplier : i;
              const int filter =
                  f.is("DEPTH_MULTIPLIER_ORDER") ? o % multiplier * l.inputs + o / multiplier : o;
              const int code =
                  inside ? l.x[static_cast<std::size_t>((iy * l.size + ix) * l.inputs + channel)]
                  : f.is("PAD_WITH_ZERO") ? 0
                                          : input_zero;
              const int weight =
                  l.depthwise
                      ? l.w[static_cast<std::size_t>((ky * l.kernel + kx) * l.outputs + filter)]
                      : l.w[static_cast<std::size_t>(
                            ((o * l.kernel + ky) * l.kernel + kx) * l.inputs + i)];
              sum.add(code, input_zero, weight, l.weight_zero);
            }
        const std::int64_t acc = sum.value();
        const double scale =
            l.weight_scales[l.weight_scales.size() > 1 ? static_cast<std::size_t>(o) : 0];
        double m = l.input_scale * scale / l.output_scale;
        if (f.is("POWER_OF_TWO_SCALE")) m = std::exp2(std::round(std::log2(m)));
        if (f.is("MULTIPLIER_16BIT")) {
          // 15 bits and a sign, where the largest rounds up to the smallest.
          int exponent = 0;
          const double mantissa = std::round(std::frexp(m, &exponent) * 32768);
          m = std::ldexp(mantissa == 32768 ? -32768 : mantissa, exponent - 15);
        }
        const double clamped =
            f.is("CLAMP_BEFORE_SCALE")
                ? std::clamp<double>(static_cast<double>(acc), l.type_low() - l.output_zero,
                                     l.type_high() - l.output_zero)
                : static_cast<double>(acc);
        const double value = clamped * m;
        double code = f.is("TRUNCATION") ? std::floor(value) : std::round(value);
        if (f.is("CLAMP_BEFORE_ZERO_POINT"))
          code = std::clamp<double>(code, l.type_low(), l.type_high());
        if (!f.is("OUTPUT_ZERO_POINT")) code += l.output_zero;
        if (f.is("OUTPUT_ZERO_POINT one less")) code -= 1;
        const auto bound = [&](double real) {
          return std::round(real / l.output_scale) + l.output_zero;
        };
        if (f.is("CLAMP_LITERAL")) {
          code = std::clamp(code, std::max(l.low, -1e9), l.high);
        } else {
          if (!f.is("LOWER_CLAMP_MISSING")) code = std::max(code, bound(l.low));
          if (!f.is("UPPER_CLAMP_MISSING")) code = std::min(code, bound(l.high));
        }
        if (f.is("OUTPUT_WRAP"))
          code = l.type_low() +
                 static_cast<double>((static_cast<std::int64_t>(code) - l.type_low()) & 0xFF);
        y.push_back(static_cast<int>(std::clamp<double>(code, l.type_low(), l.type_high())));
      }
  return y;
}

}  // namespace bittwin::test
