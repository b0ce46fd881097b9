// SPDX-License-Identifier: Apache-2.0
// Every alternative of an axis that depends on the layer must fit, also the one for uint8.
// names: my_npu | conv2d | rescale | half_even
#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/targets/tflite_reference.hpp>

using base = bittwin::targets::tflite_reference;

struct my_npu : base {
  static constexpr std::string_view name = "my-npu";
  struct conv2d : base::conv2d {
    using one_step = bittwin::rescale::q31_one_step<bittwin::rounding::half_even>;
#if MISUSE
    using rescale = bittwin::when<bittwin::layer_is::uint8, bittwin::rounding::half_even, one_step>;
#else
    using rescale = bittwin::when<bittwin::layer_is::uint8, one_step, one_step>;
#endif
  };
};

bool accepts(const bittwin::conv2d_spec& spec, std::span<const std::int8_t> weights) {
  return bittwin::conv2d<my_npu>::prepare(spec, weights).has_value();
}
