// SPDX-License-Identifier: Apache-2.0
// Your own kernel against a target: the kit draws layers, and shrinks the first that differs.
#include <bittwin/conformance/check.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <cstdio>

namespace conformance = bittwin::conformance;
using target = bittwin::targets::tflite_reference;

// A fully connected layer that somebody wrote for a new device. It forgets the upper bound of RELU6.
struct my_kernel {
  template <class T>
  void operator()(const conformance::layer_case& c, const conformance::layer_data<T>& d,
                  std::span<const T> x, std::span<T> y) const {
    const bittwin::dot_product_quantization& q = d.quantization;
    const auto rule = bittwin::requantizer_of<target, bittwin::room::fully_connected>(
        {.input = c.type, .output = c.type, .per_channel = c.per_channel});
    for (int row = 0; row < c.n; ++row)
      for (int o = 0; o < c.oc; ++o) {
        const float scale = q.filter_scales[c.per_channel ? static_cast<std::size_t>(o) : 0];
        auto to_code = bittwin::bind(rule, q.input.scale, scale, q.output, c.fused, c.type);
        to_code.clamp.high = bittwin::range_of(c.type).high;  // the fault
        std::int64_t sum = d.bias.empty() ? 0 : d.bias[static_cast<std::size_t>(o)];
        for (int i = 0; i < c.ic; ++i)
          sum += std::int64_t{x[static_cast<std::size_t>(row * c.ic + i)] - q.input.zero_point} *
                 (d.weights[static_cast<std::size_t>(o * c.ic + i)] - q.filter_zero_point);
        y[static_cast<std::size_t>(row * c.oc + o)] = static_cast<T>(to_code(sum, 0));
      }
  }
};

int main() {
  const auto verdict = conformance::check_fully_connected<target>(my_kernel{});
  // not the same: element [0,0,0,0] is 127, must be 5; 1 of 1 differ
  //   case: fully_connected n1 ic1 oc1 relu6 s8 per_tensor bias zx0 zw0 zy0 scale0 data0 seed1
  //   target: tflite-reference, RC_PARAMS=seed=...
  std::printf("%s\n", verdict ? "the same" : ("not the same: " + verdict.text).c_str());

  // The line reproduces it, before and after your repair.
  const auto c = conformance::parse_case(conformance::to_line(verdict.smallest));
  const auto again = conformance::check_case<target>(my_kernel{}, *c);
  std::printf("again: %s\n", again ? "the same" : "not the same");
}
