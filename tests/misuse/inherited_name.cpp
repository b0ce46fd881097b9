// SPDX-License-Identifier: Apache-2.0
// A target that forgets its name would report under that of its base.
// names: my_npu | name of its own
#include <bittwin/targets/tflite_reference.hpp>

using base = bittwin::targets::tflite_reference;

struct my_npu : base {
#if !MISUSE
  static constexpr std::string_view name = "my-npu";
#endif
  struct conv2d : base::conv2d {
    using rescale = bittwin::rescale::q31_one_step<bittwin::rounding::half_even>;
  };
};

static_assert(bittwin::overrides<my_npu, base>("conv2d.rescale"));
