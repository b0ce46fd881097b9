// SPDX-License-Identifier: Apache-2.0
// A dot product as prepare() has bound it to a target: functions of a room, and the layer as plain data.
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/kernel/output_box.hpp>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/reference/convolution.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace bittwin::inline v1 {

struct dot_product_plan;

/// What a room says about a dot product, as functions.
struct dot_product_rule {
  requantize_rule requantize;
  std::int32_t (*padding_code)(std::int32_t) noexcept = nullptr;
  placement_function placed = nullptr;  ///< null where there is no window
  std::int32_t (*weight_zero)(std::int32_t) noexcept = nullptr;
  std::int64_t (*scale_channel)(std::int64_t, std::int64_t) noexcept = nullptr;
  std::int32_t (*input_channel)(std::int32_t, std::int32_t, std::int32_t) noexcept = nullptr;
  /// The outputs of a box.
  void (*run_int8)(const dot_product_plan&, const output_box&, nhwc_view<const std::int8_t>,
                   nhwc_view<std::int8_t>) noexcept = nullptr;
  void (*run_uint8)(const dot_product_plan&, const output_box&, nhwc_view<const std::uint8_t>,
                    nhwc_view<std::uint8_t>) noexcept = nullptr;
  void (*run_int16)(const dot_product_plan&, const output_box&, nhwc_view<const std::int16_t>,
                    nhwc_view<std::int16_t>) noexcept = nullptr;
  int known_bits = 0;                           ///< > 0: what sums beyond become is unknown
  proof::summation summation;                   ///< when the order of summation does not matter
  proof::monotone_function monotone = nullptr;  ///< null: not known to be
  proof::product_function product = nullptr;    ///< null: codes are no half_up products
};

/// The layer, ready to run.
struct dot_product_plan {
  convolution_geometry geometry;
  element_type type = element_type::int8;  ///< of input and output; weights of int16 are int8
  operand_zeros<std::int32_t> zero;
  std::int32_t depth_multiplier = 1;
  dot_product_rule rule;
  requantizer requantize;
  std::vector<std::byte> weights;       ///< [oc, ky, kx, ic] or [ky, kx, oc], one byte a weight
  std::vector<std::int64_t> bias;       ///< empty: none
  packed_pointer<packed_layer> packed;  ///< where the proofs hold: what runs instead of the rule

  /// by  pack_conv2d or pack_depthwise; null where the program has no packed kernels
  void pack(packed_pointer<packed_layer> (*by)(const packing_request&)) {
    if (by != nullptr)
      packed = by({geometry, type, zero, weights, bias, requantize, rule.summation, rule.monotone,
                   rule.product});
  }
  /// From an output channel on.
  [[nodiscard]] const std::int64_t* bias_or_null(std::int32_t channel = 0) const noexcept {
    return bias.empty() ? nullptr : bias.data() + channel;
  }
  template <class W> [[nodiscard]] const W* weights_as() const noexcept {
    return static_cast<const W*>(static_cast<const void*>(weights.data()));
  }
  /// From an output channel on, where they lie as [oc, ...].
  template <class W> [[nodiscard]] const W* weights_from(std::int32_t channel) const noexcept {
    return weights_as<W>() +
           std::int64_t{channel} * geometry.taps() * (geometry.input_channels / geometry.groups);
  }
};

/// The type of the weights that meet activations of type X.
template <class X>
using weight_of = std::conditional_t<std::is_same_v<X, std::int16_t>, std::int8_t, X>;

}  // namespace bittwin::inline v1
