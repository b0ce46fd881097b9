// SPDX-License-Identifier: Apache-2.0
// Layers of naive boards as models, and what is said of a board's bytes.
#pragma once

#include <bittwin/analysis/segment_diagnosis.hpp>
#include <bittwin/targets/all.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analysis/naive_board.hpp"
#include "support/model_maker.hpp"

namespace bittwin::test {

using namespace bittwin::analysis;
using graph::operator_code;

inline recording recorded(const std::vector<int>& codes, const shape& extents, element_type type) {
  recording r;
  array a{type, extents, {}};
  for (const int code : codes)
    for (int b = 0; b < static_cast<int>(bytes_of(type)); ++b)
      a.data.push_back(static_cast<std::byte>(static_cast<unsigned>(code) >> 8 * b & 0xFF));
  r.append(a);
  return r;
}

/// Why a board's bytes are not the target's: "EXACT", "ROUNDING", or the codes of its faults.
inline std::set<std::string> verdicts(const graph::model& m, const std::vector<recording>& operands,
                                      const recording& got) {
  const auto& rules = graph::all_shipped_rules();
  const diagnosis_rules by{&graph::rules_of<targets::tflite_reference>(), rules};
  const auto expected = run_part(m, *by.target, operands, by.arena_limit);
  if (!expected) return {"REFUSED"};
  if (codes_of(*expected) == codes_of(got)) return {"EXACT"};
  const diagnosis d = diagnose(m, operands, *expected, got, by);
  std::set<std::string> codes;
  for (const finding& f : d.signature) codes.insert(f.code);
  if (d.verdict == verdict::rounding) codes.insert("ROUNDING");
  if (codes.empty()) codes.insert("UNDETERMINED");
  return codes;
}

inline naive_layer random_layer(std::uint32_t seed, naive_layer l = {}) {
  std::mt19937 random(seed);
  const auto codes = [&](std::size_t n, int low, int high) {
    std::vector<int> values;
    for (std::size_t i = 0; i < n; ++i)
      values.push_back(std::uniform_int_distribution<>(low, high)(random));
    return values;
  };
  const auto count = [](int a, int b, int c = 1, int d = 1) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c) *
           static_cast<std::size_t>(d);
  };
  l.x = codes(count(l.size, l.size, l.inputs), l.type_low(), l.type_high());
  l.w = l.is_unsigned
            ? codes(count(l.outputs, l.kernel, l.kernel, l.depthwise ? 1 : l.inputs), 0, 255)
            : codes(count(l.outputs, l.kernel, l.kernel, l.depthwise ? 1 : l.inputs), -127, 127);
  l.bias = codes(count(l.outputs, 1), -l.bias_reach, l.bias_reach);
  for (int o = 0; o < (l.is_unsigned ? 1 : l.outputs); ++o)
    l.weight_scales.push_back(double{static_cast<float>(0.0011 * (1 + o % 4))});
  l.input_scale = double{static_cast<float>(l.input_scale)};
  l.output_scale = double{static_cast<float>(l.output_scale)};
  return l;
}

inline graph::model model_of(const naive_layer& l, activation fused) {
  model_maker m;
  const element_type type = l.is_unsigned ? element_type::uint8 : element_type::int8;
  const std::int32_t x =
      m.codes({1, l.size, l.size, l.inputs}, l.input_zero, type, static_cast<float>(l.input_scale));
  const std::int32_t filter = l.depthwise ? 3 : 0;
  const std::int32_t w = m.codes_of(l.depthwise ? shape{1, l.kernel, l.kernel, l.outputs}
                                                : shape{l.outputs, l.kernel, l.kernel, l.inputs},
                                    type, l.w, l.weight_scales, l.weight_zero, filter);
  std::vector<double> bias_scales;
  for (const double s : l.weight_scales) bias_scales.push_back(s * l.input_scale);
  const std::int32_t b = m.codes_of({l.outputs}, element_type::int32, l.bias, bias_scales, 0, 0);
  const std::int32_t y = m.codes({1, l.output_size(), l.output_size(), l.outputs}, l.output_zero,
                                 type, static_cast<float>(l.output_scale));
  if (l.depthwise)
    m.apply(operator_code::depthwise_conv_2d, {x, w, b}, {y},
            graph::depthwise_conv_2d_options{padding_kind::same, l.stride, l.stride, l.dilation,
                                             l.dilation, l.outputs / l.inputs, fused});
  else
    m.apply(operator_code::conv_2d, {x, w, b}, {y},
            graph::conv_2d_options{padding_kind::same, l.stride, l.stride, l.dilation, l.dilation,
                                   fused});
  return m.finish({x}, {y});
}

inline std::set<std::string> verdicts(const naive_layer& l, activation fused,
                                      const std::string& fault) {
  const element_type type = l.is_unsigned ? element_type::uint8 : element_type::int8;
  const graph::model m = model_of(l, fused);
  return verdicts(m, {recorded(l.x, m.tensors[0].extents, type)},
                  recorded(run_naive(l, {fault}), m.tensors[3].extents, type));
}

inline naive_layer relu6(naive_layer l) {
  l.low = 0, l.high = 6;
  l.input_scale = 0.2;
  l.output_scale = 0.08;  // 6 is 75 codes above the zero point: the type does not stand in for it
  return l;
}

}  // namespace bittwin::test
