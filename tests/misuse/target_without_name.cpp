// SPDX-License-Identifier: Apache-2.0
// A target has a name and a version: without, it is no target, and the error says what is missing.
// names: my_npu | target | T::name
#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/targets/tflite_reference.hpp>

struct my_npu {
#if !MISUSE
  static constexpr std::string_view name = "my-npu";
#endif
  static constexpr std::string_view version = "1";
  struct conv2d : bittwin::targets::tflite_reference::conv2d {};
};

bool accepts(const bittwin::conv2d_spec& spec, std::span<const std::int8_t> weights) {
  return bittwin::conv2d<my_npu>::prepare(spec, weights).has_value();
}
