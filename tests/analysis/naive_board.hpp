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

inline std::vector<int> run_naive(naive_layer l, const naive_faults& f = {}) {
  if (f.is("PER_CHANNEL_AS_PER_TENSOR"))
    std::fill(l.weight_scales.begin(), l.weight_scales.end(), l.weight_scales[0]);
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
        std::int64_t acc = l.bias[static_cast<std::size_t>(o)];
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
              acc += (code - input_zero) * (weight - l.weight_zero);
            }
        const double scale =
            l.weight_scales[l.weight_scales.size() > 1 ? static_cast<std::size_t>(o) : 0];
        double m = l.input_scale * scale / l.output_scale;
        if (f.is("POWER_OF_TWO_SCALE")) m = std::exp2(std::round(std::log2(m)));
        const double value = static_cast<double>(acc) * m;
        double code = f.is("TRUNCATION") ? std::floor(value) : std::round(value);
        if (!f.is("OUTPUT_ZERO_POINT")) code += l.output_zero;
        const auto bound = [&](double real) {
          return std::round(real / l.output_scale) + l.output_zero;
        };
        if (f.is("CLAMP_LITERAL")) {
          code = std::clamp(code, std::max(l.low, -1e9), l.high);
        } else {
          if (!f.is("LOWER_CLAMP_MISSING")) code = std::max(code, bound(l.low));
          if (!f.is("UPPER_CLAMP_MISSING")) code = std::min(code, bound(l.high));
        }
        y.push_back(static_cast<int>(std::clamp<double>(code, l.type_low(), l.type_high())));
      }
  return y;
}

}  // namespace bittwin::test
