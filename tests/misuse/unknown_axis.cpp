// SPDX-License-Identifier: Apache-2.0
// A room with an axis that nobody knows has no kernel.
// names: my_npu | conv2d | an axis of this room of the target is unknown
#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/policy/unknown.hpp>
#include <bittwin/targets/tflite_reference.hpp>

struct my_npu : bittwin::targets::tflite_reference {
  static constexpr std::string_view name = "my-npu";
  struct conv2d : bittwin::targets::tflite_reference::conv2d {
#if MISUSE
    using accumulator = bittwin::unknown;
#endif
  };
};

bool accepts(const bittwin::conv2d_spec& spec, std::span<const std::int8_t> weights) {
  return bittwin::conv2d<my_npu>::prepare(spec, weights).has_value();
}
