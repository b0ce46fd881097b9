// SPDX-License-Identifier: Apache-2.0
// How stored codes enter a dot product: what stands in the padding, and which weight zero point is
// subtracted.
#pragma once

#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::padding::inline v1 {

/// Taps in the padding read the input's zero point, so they contribute nothing.
struct zero_point {
  static constexpr std::string_view name = "zero-point";
  static constexpr std::int32_t code(std::int32_t zero_point) noexcept { return zero_point; }
};

/// Fault PAD_WITH_ZERO: taps in the padding read code 0.
struct code_zero {
  static constexpr std::string_view name = "code-zero";
  static constexpr std::int32_t code(std::int32_t) noexcept { return 0; }
};

}  // namespace bittwin::padding::inline v1

namespace bittwin::weight_zero_point::inline v1 {

struct subtracted {
  static constexpr std::string_view name = "subtracted";
  static constexpr std::int32_t of(std::int32_t zero_point) noexcept { return zero_point; }
};

/// Fault WEIGHT_ZERO_POINT.
struct ignored {
  static constexpr std::string_view name = "ignored";
  static constexpr std::int32_t of(std::int32_t) noexcept { return 0; }
};

}  // namespace bittwin::weight_zero_point::inline v1

namespace bittwin::scale_channel::inline v1 {

/// Which entry of the filter's scales an output channel uses, of `count` entries.
struct own {
  static constexpr std::string_view name = "own";
  static constexpr std::int64_t of(std::int64_t channel, std::int64_t) noexcept {
    return BITTWIN_MUTABLE(channel, per_channel_index, channel == 1 ? 0 : channel);
  }
};

/// Fault PER_CHANNEL_AS_PER_TENSOR.
struct first {
  static constexpr std::string_view name = "first";
  static constexpr std::int64_t of(std::int64_t, std::int64_t) noexcept { return 0; }
};

/// Fault PER_CHANNEL_AS_PER_TENSOR, the last written one.
struct last {
  static constexpr std::string_view name = "last";
  static constexpr std::int64_t of(std::int64_t, std::int64_t count) noexcept { return count - 1; }
};

/// Fault SCALE_AXIS: read in the wrong direction.
struct reversed {
  static constexpr std::string_view name = "reversed";
  static constexpr std::int64_t of(std::int64_t channel, std::int64_t count) noexcept {
    return count - 1 - channel;
  }
};

}  // namespace bittwin::scale_channel::inline v1

namespace bittwin::channel_order::inline v1 {

/// Output channel of (input channel, multiple) in a depthwise convolution, and back.
struct input_major {
  static constexpr std::string_view name = "input-major";
  static constexpr std::int32_t input_of(std::int32_t output_channel, std::int32_t multiplier,
                                         std::int32_t) noexcept {
    return BITTWIN_MUTABLE(output_channel / multiplier, depth_multiplier_order,
                           output_channel % multiplier);
  }
};

/// Fault DEPTH_MULTIPLIER_ORDER.
struct multiple_major {
  static constexpr std::string_view name = "multiple-major";
  static constexpr std::int32_t input_of(std::int32_t output_channel, std::int32_t,
                                         std::int32_t input_channels) noexcept {
    return output_channel % input_channels;
  }
};

}  // namespace bittwin::channel_order::inline v1
