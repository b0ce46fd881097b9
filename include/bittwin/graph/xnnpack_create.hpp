// SPDX-License-Identifier: Apache-2.0
// What XNNPACK refuses to build after the delegate has taken it: then the runtime restores its original plan and
// the whole model runs as built-in kernels.
// Sources
//   npm @tensorflow/tfjs-tflite 0.0.1-alpha.10, probed at both sides of each limit.
#pragma once

#include <bittwin/graph/xnnpack_delegate.hpp>
#include <optional>
#include <string_view>

namespace bittwin::graph::xnnpack_delegate::inline v1 {

namespace detail {

/// The activation of an operator that clamps, if it is one.
[[nodiscard]] inline std::optional<activation> clamps(const operands& o) {
  switch (o.op.code) {
    case operator_code::conv_2d: return o.options<conv_2d_options>().fused;
    case operator_code::depthwise_conv_2d: return o.options<depthwise_conv_2d_options>().fused;
    case operator_code::fully_connected: return o.options<fully_connected_options>().fused;
    case operator_code::add:
    case operator_code::sub:
    case operator_code::mul: return o.options<binary_options>().fused;
    case operator_code::max_pool_2d: return o.options<pool_2d_options>().fused;
    default: return std::nullopt;
  }
}

}  // namespace detail

[[nodiscard]] inline std::string_view cannot_create(const operands& o) {
  using namespace detail;
  const tensor& out = o.out();
  const affine grid{out.quantization.present() ? out.quantization.scale() : 1.0F,
                    static_cast<std::int32_t>(out.quantization.zero_point())};
  if (const auto fused = clamps(o)) {
    const code_range range =
        targets::xnnpack::bounds::activation_bounds::codes(*fused, grid, range_of(out.type));
    if (range.low >= range.high) return "XNNPACK refuses an empty activation range";
  }
  const tensor* w = o.in(1);
  switch (o.op.code) {
    case operator_code::conv_2d:
    case operator_code::depthwise_conv_2d:
    case operator_code::fully_connected: {
      for (const float scale : w->quantization.scales)
        if (!ieee::less(ratio_of(o.in(0)->quantization.scale(), scale, grid.scale), 256.0F))
          return "XNNPACK refuses a multiplier of 2^8 or more";
      const tensor* bias = o.in(2);
      if (bias == nullptr) return {};
      if (o.op.code == operator_code::fully_connected)
        return bias->quantization.zero_point() == 0 ? std::string_view{}
                                                    : "XNNPACK refuses a bias with a zero point";
      return bias->quantization.per_channel() && !w->quantization.per_channel()
                 ? "XNNPACK refuses a per-channel bias for per-tensor weights"
                 : std::string_view{};
    }
    case operator_code::transpose_conv:
      return ieee::less(
                 ratio_of(o.in(2)->quantization.scale(), w->quantization.scale(), grid.scale),
                 256.0F)
                 ? std::string_view{}
                 : "XNNPACK refuses a multiplier of 2^8 or more";
    case operator_code::logistic:
      return out.quantization.zero_point() == range_of(out.type).low
                 ? std::string_view{}
                 : "XNNPACK refuses a logistic function with another zero point than the lowest "
                   "code";
    case operator_code::mean:
      return within(ratio_of(*o.in(0), out), 0x1p-8F, 256.0F)
                 ? std::string_view{}
                 : "XNNPACK refuses a mean with a scale ratio outside [2^-8, 2^8)";
    case operator_code::transpose:
      return detail::is_8_bit(out) || out.type == element_type::float32
                 ? std::string_view{}
                 : "XNNPACK refuses to transpose this type";
    case operator_code::depth_to_space:
      if (out.type == element_type::uint8) return {};
      [[fallthrough]];
    case operator_code::resize_bilinear:
    case operator_code::max_pool_2d:
    case operator_code::pad:
      return o.in(0)->quantization.scales == out.quantization.scales &&
                     o.in(0)->quantization.zero_point() == out.quantization.zero_point()
                 ? std::string_view{}
                 : "XNNPACK refuses unequal quantization";
    default: return {};
  }
}

}  // namespace bittwin::graph::xnnpack_delegate::inline v1
