// SPDX-License-Identifier: Apache-2.0
// A chip is a type: the nearest target, and the one axis in which it differs.
#include <bittwin/bittwin.hpp>
#include <cstdio>

struct my_npu : bittwin::targets::tflite_reference {
  static constexpr std::string_view name = "my-npu";
  struct conv2d : bittwin::targets::tflite_reference::conv2d {
    using rescale = bittwin::rescale::q31_one_step<bittwin::rounding::half_even>;
  };
};
static_assert(bittwin::overrides<my_npu, bittwin::targets::tflite_reference>("conv2d.rescale"));

template <class Target> void print_codes() {
  const std::vector<float> scales{0.125F};
  const std::vector<std::int8_t> weights{10}, input{-104, -100, 100, 104};
  std::vector<std::int8_t> output(4);
  const bittwin::conv2d_spec spec{
      .input = {.h = 2, .w = 2},
      .filter = {.h = 1, .w = 1},
      .quantization = {.input = {0.5F, 0}, .filter_scales = scales, .output = {1.0F, 0}}};

  const auto layer = bittwin::conv2d<Target>::prepare(spec, std::span(weights));  // checks, once
  if (!layer) return void(std::puts(layer.error().text.c_str()));
  (*layer)(std::span(input), std::span(output));  // noexcept, allocates nothing, cannot fail
  std::printf("%-17s", Target::name.data());
  for (const int code : output) std::printf("%4d", code);
  std::puts("");
}

int main() {
  print_codes<bittwin::targets::tflite_reference>();  // tflite-reference  -65 -63  63  65
  print_codes<my_npu>();                              // my-npu            -65 -62  62  65
}
