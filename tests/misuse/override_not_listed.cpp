// SPDX-License-Identifier: Apache-2.0
// overrides lists all axes that differ, not some of them.
// names: my_npu | conv2d\.rescale
#include <bittwin/targets/tflite_reference.hpp>

using base = bittwin::targets::tflite_reference;

struct my_npu : base {
  static constexpr std::string_view name = "my-npu";
  struct conv2d : base::conv2d {
    using rescale = bittwin::rescale::q31_one_step<bittwin::rounding::half_even>;
#if MISUSE
    using padding = bittwin::padding::code_zero;
#endif
  };
};

static_assert(bittwin::overrides<my_npu, base>("conv2d.rescale"));
