// SPDX-License-Identifier: Apache-2.0
// An axis called rescal replaces nothing. What notices is overrides.
// names: my_npu | conv2d\.rescale
#include <bittwin/targets/tflite_reference.hpp>

using base = bittwin::targets::tflite_reference;

struct my_npu : base {
  static constexpr std::string_view name = "my-npu";
  struct conv2d : base::conv2d {
#if MISUSE
    using rescal = bittwin::rescale::q31_one_step<bittwin::rounding::half_even>;
#else
    using rescale = bittwin::rescale::q31_one_step<bittwin::rounding::half_even>;
#endif
  };
};

static_assert(bittwin::overrides<my_npu, base>("conv2d.rescale"));
