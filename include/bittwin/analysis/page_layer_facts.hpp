// SPDX-License-Identifier: Apache-2.0
// What the layers of all pages say alike: the grid of a tensor in one line, and the bounds of an activation on the axis
// of its values.
#pragma once

#include <algorithm>
#include <bittwin/analysis/activation_range.hpp>
#include <bittwin/analysis/audit_clamps.hpp>
#include <bittwin/analysis/page.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/quantization.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// "scale 0.0235280018, zero point -128"; "64 scales from 0.001 to 0.02, zero points 0, axis 3"
[[nodiscard]] inline std::string grid_text(const quantization& map) {
  if (!map.present()) return "not quantized";
  const auto& zeros = map.zero_points;
  const auto [low, high] = std::minmax_element(zeros.begin(), zeros.end());
  const std::string zero = zeros.empty()   ? "0"
                           : *low == *high ? number(*low)
                                           : sentence({number(*low), " to ", number(*high)});
  if (!map.per_channel()) return sentence({"scale ", decimal(map.scale()), ", zero point ", zero});
  const auto [least, most] = std::minmax_element(map.scales.begin(), map.scales.end());
  return sentence({number(map.scales.size()), " scales from ", decimal(*least), " to ",
                   decimal(*most), ", zero points ", zero, ", along axis ", number(map.axis)});
}

/// "int8[1,24,24,4], scale 0.0235280018, zero point -128"
[[nodiscard]] inline std::string tensor_text(element_type type, const shape& extents,
                                             const quantization& map) {
  return sentence({name_of(type), to_string(extents), ", ", grid_text(map)});
}

/// The bounds of an operator's activation, in codes or in reals.
[[nodiscard]] inline std::vector<page_line> activation_lines(const graph::model& m,
                                                             const graph::operation& op,
                                                             bool codes) {
  const activation kind = activation_of(op);
  std::vector<page_line> lines;
  const real_bounds bounds = bounds_of(kind);
  if (!codes) {
    for (const auto& bound : {bounds.low, bounds.high})
      if (bound)
        lines.push_back(
            {static_cast<double>(*bound), sentence({name_of(kind), " bound ", decimal(*bound)})});
    return lines;
  }
  const auto clamp = clamp_of(m, op);
  if (!clamp) return lines;
  const auto add = [&](std::string_view which, std::int64_t code) {
    lines.push_back({static_cast<double>(code),
                     sentence({which, " bound of ", name_of(kind), ": code ", number(code)})});
  };
  if (bounds.low) add("lower", clamp->allowed.low);
  if (bounds.high) add("upper", clamp->allowed.high);
  return lines;
}

/// [0,3,7,2]: where the element of a flat index stands.
[[nodiscard]] inline std::string position_text(std::int64_t index, const shape& extents) {
  std::string text;
  for (int axis = extents.rank() - 1; axis >= 0; --axis) {
    const std::int64_t extent = std::max<std::int64_t>(extents[axis], 1);
    text = number(index % extent) + (text.empty() ? "" : ",") + text;
    index /= extent;
  }
  return "[" + text + "]";
}

}  // namespace detail

}  // namespace bittwin::analysis::inline v1
