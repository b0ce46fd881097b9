// SPDX-License-Identifier: Apache-2.0
// A rounding is no rescale: it rounds, but says nothing about multipliers.
// names: my_npu | conv2d | rescale | half_even
#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/targets/tflite_reference.hpp>

using base = bittwin::targets::tflite_reference;

struct my_npu : base {
  static constexpr std::string_view name = "my-npu";
  struct conv2d : base::conv2d {
#if MISUSE
    using rescale = bittwin::rounding::half_even;
#else
    using rescale = bittwin::rescale::q31_one_step<bittwin::rounding::half_even>;
#endif
  };
};

bool accepts(const bittwin::conv2d_spec& spec, std::span<const std::int8_t> weights) {
  return bittwin::conv2d<my_npu>::prepare(spec, weights).has_value();
}
