// SPDX-License-Identifier: Apache-2.0
// A room of one's own answers every question of its operator.
// names: my_npu | conv2d | weight_zero_point
#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/targets/tflite_reference.hpp>

using base = bittwin::targets::tflite_reference::conv2d;

struct my_npu {
  static constexpr std::string_view name = "my-npu";
  static constexpr std::string_view version = "1";
  struct conv2d {
    using scale_product = base::scale_product;
    using multiplier = base::multiplier;
    using rescale = base::rescale;
    using accumulator = base::accumulator;
    using activation_bounds = base::activation_bounds;
    using stages = base::stages;
    using narrowing = base::narrowing;
    using padding = base::padding;
    using placement = base::placement;
#if !MISUSE
    using weight_zero_point = base::weight_zero_point;
#endif
    using scale_channel = base::scale_channel;
  };
};

bool accepts(const bittwin::conv2d_spec& spec, std::span<const std::int8_t> weights) {
  return bittwin::conv2d<my_npu>::prepare(spec, weights).has_value();
}
