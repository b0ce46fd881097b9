// SPDX-License-Identifier: Apache-2.0
// A room called conv2 replaces nothing: the inherited conv2d stays. What notices is overrides.
// names: my_npu | conv2d\.rescale
#include <bittwin/targets/tflite_reference.hpp>

using base = bittwin::targets::tflite_reference;

struct my_npu : base {
  static constexpr std::string_view name = "my-npu";
#if MISUSE
  struct conv2 : base::conv2d {
#else
  struct conv2d : base::conv2d {
#endif
    using rescale = bittwin::rescale::q31_one_step<bittwin::rounding::half_even>;
  };
};

static_assert(bittwin::overrides<my_npu, base>("conv2d.rescale"));
