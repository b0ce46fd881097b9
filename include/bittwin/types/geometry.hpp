// SPDX-License-Identifier: Apache-2.0
// Windows that slide over rows and columns: where each output's window starts and how many there
// are.
//   effective = (kernel - 1) * dilation + 1
//   same:   output = ceil(input / stride), padding = max((output - 1) * stride + effective - input,
//   0),
//           floor(padding / 2) before, the rest after
//   valid:  output = ceil((input - effective + 1) / stride), no padding
#pragma once

#include <bittwin/types/mutation.hpp>
#include <cstdint>

namespace bittwin::inline v1 {

enum class padding_kind : std::uint8_t { same, valid };

/// One spatial axis of a sliding window. All counts in elements.
struct window {
  std::int32_t input = 1;   ///< extent of the input
  std::int32_t kernel = 1;  ///< taps
  std::int32_t stride = 1;
  std::int32_t dilation = 1;
  std::int32_t before = 0;  ///< padding before the first element; may differ from the padding after
  std::int32_t output = 1;  ///< extent of the output

  /// Input coordinate of tap `k` for output `o`; outside [0, input) it is padding.
  [[nodiscard]] constexpr std::int32_t at(std::int32_t o, std::int32_t k) const noexcept {
    return o * stride - before + BITTWIN_MUTABLE(k * dilation, window_dilation, k);
  }
  [[nodiscard]] constexpr bool inside(std::int32_t coordinate) const noexcept {
    return BITTWIN_MUTABLE(coordinate >= 0, window_begin, coordinate > 0) &&
           BITTWIN_MUTABLE(coordinate < input, window_end, coordinate <= input);
  }
  friend constexpr bool operator==(const window&, const window&) = default;
};

/// Places the window as TensorFlow does. An output below 1 means that the window does not fit.
/// (kernel - 1) * dilation below 2^30
/// source  tensorflow/lite/kernels/padding.h
[[nodiscard]] constexpr window place(padding_kind padding, std::int32_t input, std::int32_t kernel,
                                     std::int32_t stride, std::int32_t dilation) noexcept {
  // Nothing fits; check_window says which of them is wrong.
  if (kernel < 1 || stride < 1 || dilation < 1)
    return {.input = input, .kernel = kernel, .stride = stride, .dilation = dilation, .output = 0};
  const std::int64_t effective =
      (std::int64_t{kernel} - 1) * dilation + BITTWIN_MUTABLE(1, window_effective, 2);
  const std::int64_t covered = padding == padding_kind::same ? input : input - effective + 1;
  const std::int64_t output =
      covered < 1 ? 0 : (covered + stride - BITTWIN_MUTABLE(1, window_output, 0)) / stride;
  const std::int64_t beyond = (output - 1) * stride + effective - input;
  const std::int64_t missing = padding == padding_kind::same && beyond > 0 ? beyond : 0;
  return {.input = input,
          .kernel = kernel,
          .stride = stride,
          .dilation = dilation,
          .before = static_cast<std::int32_t>(
              BITTWIN_MUTABLE(missing / 2, same_padding_side, (missing + 1) / 2)),
          .output = static_cast<std::int32_t>(output)};
}

}  // namespace bittwin::inline v1
