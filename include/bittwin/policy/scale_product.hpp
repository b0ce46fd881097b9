// SPDX-License-Identifier: Apache-2.0
// In which precision the real multiplier of a layer is formed from the scales of its tensors.
//   in_float64       double(a) * double(b) / double(out)
//   float32_product  double(float32(a * b)) / double(out)
//   in_float32       float32(float32(a * b) / out)
// A layer with one input scale passes b = 1.
#pragma once

#include <bittwin/types/ieee.hpp>
#include <string_view>

namespace bittwin::scale_product::inline v1 {

struct in_float64 {
  static constexpr std::string_view name = "float64";
  static constexpr double of(float a, float b, float out) noexcept {
    using ieee::convert;
    return ieee::divide(ieee::multiply(convert<double>(a), convert<double>(b)),
                        convert<double>(out));
  }
};

/// source  TFLite kernel_util.cc GetQuantizedConvolutionMultipler
struct float32_product {
  static constexpr std::string_view name = "float32-product";
  static constexpr double of(float a, float b, float out) noexcept {
    return ieee::divide(ieee::convert<double>(ieee::multiply(a, b)), ieee::convert<double>(out));
  }
};

struct in_float32 {
  static constexpr std::string_view name = "float32";
  static constexpr double of(float a, float b, float out) noexcept {
    return ieee::convert<double>(ieee::divide(ieee::multiply(a, b), out));
  }
};

}  // namespace bittwin::scale_product::inline v1
