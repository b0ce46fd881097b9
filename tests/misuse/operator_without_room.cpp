// SPDX-License-Identifier: Apache-2.0
// A target without a room for an operator refuses it where the operator is asked for.
// names: xnnpack | softmax | no room for this operator
#include <bittwin/kernel/softmax.hpp>
#include <bittwin/targets/xnnpack.hpp>

#if MISUSE
using target = bittwin::targets::xnnpack;
#else
using target = bittwin::targets::tflite_builtin;
#endif

bool accepts(const bittwin::softmax_spec& spec) {
  return bittwin::softmax<target>::prepare(spec).has_value();
}
