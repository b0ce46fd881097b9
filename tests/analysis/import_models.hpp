// SPDX-License-Identifier: Apache-2.0
// Small models with the names that exporters give, and what a board makes of an input: codes that are at most one off.
#pragma once

#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/targets/all.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/model_maker.hpp"

namespace bittwin::test {

/// input -> CONV_2D 3x3 -> CONV_2D 1x1 -> ADD with a second CONV_2D of the input -> MEAN -> FULLY_CONNECTED
inline graph::model import_model(element_type type, std::int32_t size, std::int32_t in,
                                 std::int32_t channels) {
  using enum graph::operator_code;
  model_maker make;
  const std::int64_t zero = type == element_type::int8 ? 0 : 128;
  const auto tensor = [&](shape extents, int shift, float scale) {
    return make.codes(extents, zero + shift, type, scale);
  };
  const auto weights = [&](shape extents, int seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<int> values;
    for (std::int64_t i = 0; i < extents.elements(); ++i)
      values.push_back(static_cast<int>(random() % 255) - 127 +
                       (type == element_type::uint8 ? 128 : 0));
    return make.codes_of(extents, type, values, {0.01}, type == element_type::uint8 ? 128 : 0, 0);
  };
  const std::int32_t input = tensor({1, size, size + 1, in}, -3, 0.02F);
  const std::int32_t stem = tensor({1, size, size + 1, channels}, 5, 0.07F);
  const std::int32_t point = tensor({1, size, size + 1, channels}, -9, 0.11F);
  const std::int32_t side = tensor({1, size, size + 1, channels}, 0, 0.06F);
  const std::int32_t added = tensor({1, size, size + 1, channels}, 1, 0.13F);
  const std::int32_t pooled = tensor({1, channels}, 2, 0.03F);
  const std::int32_t scores = tensor({1, 6}, 4, 0.04F);
  const auto bias = [&](std::int32_t n) { return make.bias(n); };
  const graph::conv_2d_options same{.padding = padding_kind::same};
  make.apply(conv_2d, {input, weights({channels, 3, 3, in}, 1), bias(channels)}, {stem}, same);
  make.apply(conv_2d, {stem, weights({channels, 1, 1, channels}, 2), bias(channels)}, {point},
             same);
  make.apply(conv_2d, {input, weights({channels, 1, 1, in}, 3), bias(channels)}, {side}, same);
  make.apply(add, {point, side}, {added}, graph::binary_options{});
  make.apply(mean, {added, make.list<std::int32_t>({1, 2})}, {pooled}, graph::reduce_options{});
  make.apply(fully_connected, {pooled, weights({6, channels}, 4), bias(6)}, {scores},
             graph::fully_connected_options{});
  graph::model m = make.finish({input}, {scores});
  m.name = "made.tflite";
  const auto name = [&](std::int32_t index, const char* text) {
    m.tensors[static_cast<std::size_t>(index)].name = text;
  };
  name(input, "serving_default_input:0");
  name(stem, "net/stem/Relu;net/stem/BiasAdd;net/stem/Conv2D");
  name(point, "net/point/BiasAdd");
  name(side, "net/side/BiasAdd");
  name(added, "net/add");
  name(pooled, "pooled");
  name(scores, "StatefulPartitionedCall:0");
  return m;
}

using board_codes = std::map<std::int32_t, std::vector<int>>;

/// Codes of every tensor on a random input; `off` in a hundred of the computed ones are one higher or lower.
inline board_codes board_run(const graph::model& m, std::uint64_t seed, unsigned off) {
  auto run = graph::executor::prepare(m, graph::rules_of<targets::tflite_reference>());
  if (!run) return {};
  board_codes made;
  std::mt19937 random(static_cast<unsigned>(seed));
  const auto keep = [&](std::int32_t index, unsigned changed) {
    const graph::tensor_value v = run->value(index);
    const bool is_unsigned = v.type == element_type::uint8;
    for (const std::byte b : v.bytes) {
      int code = is_unsigned ? std::to_integer<int>(b) : static_cast<std::int8_t>(b);
      if (random() % 100 < changed)
        code = std::clamp(code + (random() % 2 == 0 ? 1 : -1), is_unsigned ? 0 : -128,
                          is_unsigned ? 255 : 127);
      made[index].push_back(code);
    }
  };
  const auto input =
      analysis::sample_input(m.tensors[static_cast<std::size_t>(m.inputs[0])], seed, 0);
  if (!run->set_input(0, input.data)) return {};
  keep(m.inputs[0], 0);
  run->run([&](std::size_t k) {
    for (const std::int32_t index : m.operations[k].outputs) keep(index, off);
  });
  return made;
}

}  // namespace bittwin::test
