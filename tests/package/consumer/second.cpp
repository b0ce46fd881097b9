// SPDX-License-Identifier: Apache-2.0
// The other unit, with the same text.
#include <bittwin/bittwin.hpp>

int code_in_second_unit();

int code_in_second_unit() {
  const std::vector<float> scales{0.125F};
  const std::vector<std::int8_t> weights{10}, input{-100};
  std::vector<std::int8_t> output(1);
  const bittwin::conv2d_spec spec{
      .input = {},
      .filter = {},
      .quantization = {.input = {0.5F, 0}, .filter_scales = scales, .output = {1.0F, 0}}};
  const auto layer =
      bittwin::conv2d<bittwin::targets::tflite_reference>::prepare(spec, std::span(weights));
  if (!layer) return 0;
  (*layer)(std::span(input), std::span(output));
  return output[0];
}
