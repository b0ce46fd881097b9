// SPDX-License-Identifier: Apache-2.0
// Where the windows of a convolution or pooling stand on one spatial axis. The extent of the output
// is the model's under every value: a device cannot make another tensor.
//   as_stated         as types/geometry.hpp places them
//   odd_cell_before   the odd cell of SAME padding stands before the input instead of behind it
//   dilation_ignored  taps are neighbours, and SAME padding is that of neighbours
#pragma once

#include <bittwin/types/geometry.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::placement::inline v1 {

/// source  tensorflow/lite/kernels/padding.h
struct as_stated {
  static constexpr std::string_view name = "as-stated";
  static constexpr window of(padding_kind padding, std::int32_t input, std::int32_t kernel,
                             std::int32_t stride, std::int32_t dilation) noexcept {
    return place(padding, input, kernel, stride, dilation);
  }
};

/// Fault SAME_WRONG_SIDE: ceil(padding / 2) before the input, the rest after.
/// source  espressif/esp-nn issue 31
struct odd_cell_before {
  static constexpr std::string_view name = "odd-cell-before";
  static constexpr window of(padding_kind padding, std::int32_t input, std::int32_t kernel,
                             std::int32_t stride, std::int32_t dilation) noexcept {
    window w = place(padding, input, kernel, stride, dilation);
    if (padding == padding_kind::same) {
      const std::int64_t covered =
          (std::int64_t{w.output} - 1) * stride + (std::int64_t{kernel} - 1) * dilation + 1;
      w.before = covered > input ? static_cast<std::int32_t>((covered - input + 1) / 2) : 0;
    }
    return w;
  }
};

/// Fault DILATION_IGNORED.
/// source  tensorflow/tflite-micro issue 2319; Tencent/ncnn issue 1320
struct dilation_ignored {
  static constexpr std::string_view name = "dilation-ignored";
  static constexpr window of(padding_kind padding, std::int32_t input, std::int32_t kernel,
                             std::int32_t stride, std::int32_t dilation) noexcept {
    window w = place(padding, input, kernel, stride, 1);
    w.output = place(padding, input, kernel, stride, dilation).output;
    return w;
  }
};

}  // namespace bittwin::placement::inline v1
