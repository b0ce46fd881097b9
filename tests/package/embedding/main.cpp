// SPDX-License-Identifier: Apache-2.0
// The smallest program with one layer; built without exceptions and RTTI, and timed as it compiles.
#include <bittwin/bittwin.hpp>

int main() {
  const float scale = 0.125F;
  const std::int8_t weight = 10;
  const std::int8_t input[2] = {-100, 100};
  std::int8_t output[2] = {};
  const bittwin::conv2d_spec spec{
      .input = {.w = 2},
      .filter = {},
      .quantization = {.input = {0.5F, 0}, .filter_scales = {&scale, 1}, .output = {1.0F, 0}}};
  const auto layer = bittwin::conv2d<bittwin::targets::tflite_reference>::prepare(
      spec, std::span<const std::int8_t>(&weight, 1));
  if (!layer) return 2;
  (*layer)(std::span<const std::int8_t>(input), std::span<std::int8_t>(output));
  return output[0] == -63 && output[1] == 63 ? 0 : 1;  // the ties of -62.5 and 62.5 go away from 0
}
