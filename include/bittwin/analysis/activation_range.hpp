// SPDX-License-Identifier: Apache-2.0
// Codes that no reading of a fused activation allows: real value beyond a bound by more than half a
// step.
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/activation.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

namespace bittwin::analysis::inline v1 {

/// What an operator clamps to: its fused activation, or the operator itself.
[[nodiscard]] inline activation activation_of(const graph::operation& op) noexcept {
  switch (op.code) {
    case graph::operator_code::relu: return activation::relu;
    case graph::operator_code::relu6: return activation::relu6;
    case graph::operator_code::relu_n1_to_1: return activation::relu_n1_to_1;
    default: break;
  }
  return std::visit(
      [](const auto& options) {
        if constexpr (requires { options.fused; }) return options.fused;
        return activation::none;
      },
      op.options);
}

/// Half a step is the room that a rule has to round a bound in. Absent: no activation, or no single
/// scale.
[[nodiscard]] inline std::optional<std::int64_t> codes_out_of_range(const graph::operation& op,
                                                                    const quantization& map,
                                                                    const array_view& codes) {
  const real_bounds bounds = bounds_of(activation_of(op));
  if ((!bounds.low && !bounds.high) || !map.present() || map.per_channel() ||
      !is_integer(codes.type))
    return std::nullopt;
  const auto scale = static_cast<double>(map.scale());
  const auto zero = static_cast<double>(map.zero_point());
  std::int64_t outside = 0;
  with_element(codes.type, [&]<class T>(T) {
    for (std::int64_t i = 0; i < codes.elements(); ++i) {
      const double steps = static_cast<double>(element_at<T>(codes.data, i)) - zero;
      const bool above = bounds.high && steps > static_cast<double>(*bounds.high) / scale + 0.5;
      const bool below = bounds.low && steps < static_cast<double>(*bounds.low) / scale - 0.5;
      outside += above || below;
    }
  });
  return outside;
}

}  // namespace bittwin::analysis::inline v1
