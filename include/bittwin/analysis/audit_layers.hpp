// SPDX-License-Identifier: Apache-2.0
// Sums and concatenations of tensors on different grids, and padding that targets place or count differently.
#pragma once

#include <algorithm>
#include <bittwin/analysis/hazard.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/geometry.hpp>
#include <bittwin/types/sentence.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <variant>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// The windows of an operator on both spatial axes; absent where it has none or its shapes are no images.
struct spatial_windows {
  window h, w;
};
[[nodiscard]] inline std::optional<spatial_windows> windows_of(const graph::model& m,
                                                               const graph::operation& op) {
  // Of operators that nothing defines even the first operand may be absent.
  if (op.inputs.empty() || op.inputs[0] == graph::no_tensor) return std::nullopt;
  const shape& x = m.tensors[static_cast<std::size_t>(op.inputs[0])].extents;
  if (x.rank() != 4) return std::nullopt;
  return std::visit(
      [&]<class Options>(const Options& o) -> std::optional<spatial_windows> {
        if constexpr (requires { o.padding, o.stride_h, o.filter_h; }) {
          return spatial_windows{place(o.padding, x[1], o.filter_h, o.stride_h, 1),
                                 place(o.padding, x[2], o.filter_w, o.stride_w, 1)};
        } else if constexpr (requires { o.padding, o.dilation_h; }) {
          const shape& f = m.tensors[static_cast<std::size_t>(op.inputs[1])].extents;
          if (f.rank() != 4) return std::nullopt;
          return spatial_windows{place(o.padding, x[1], f[1], o.stride_h, o.dilation_h),
                                 place(o.padding, x[2], f[2], o.stride_w, o.dilation_w)};
        } else {
          return std::nullopt;
        }
      },
      op.options);
}

/// Cells of padding behind the input.
[[nodiscard]] constexpr std::int64_t after(const window& w) noexcept {
  const std::int64_t covered =
      (std::int64_t{w.output} - 1) * w.stride + (std::int64_t{w.kernel} - 1) * w.dilation + 1;
  return std::max<std::int64_t>(covered - w.before - w.input, 0);
}

[[nodiscard]] inline bool on_one_grid(const quantization& a, const quantization& b) {
  return a.scale() == b.scale() && a.zero_point() == b.zero_point();
}

}  // namespace detail

inline void audit_layers(const graph::model& m, audit_report& report) {
  for (std::size_t k = 0; k < m.operations.size(); ++k) {
    const graph::operation& op = m.operations[k];
    const auto found = [&](std::string_view code, std::int32_t tensor, double value,
                           std::string text, std::string_view fix) {
      report.hazards.push_back(hazard_of(code, k, tensor, value, std::move(text), fix));
    };
    const auto map = [&](std::int32_t index) -> const quantization& {
      return m.tensors[static_cast<std::size_t>(index)].quantization;
    };
    const auto is_code = [&](std::int32_t index) {
      return index != graph::no_tensor && map(index).present() &&
             is_integer(m.tensors[static_cast<std::size_t>(index)].type);
    };
    if ((op.code == graph::operator_code::add || op.code == graph::operator_code::sub) &&
        is_code(op.inputs[0]) && is_code(op.inputs[1])) {
      ++report.checked["additions"];
      const double a = static_cast<double>(map(op.inputs[0]).scale()),
                   b = static_cast<double>(map(op.inputs[1]).scale());
      const double ratio = std::max(a, b) / std::min(a, b);
      const code_range type = range_of(m.tensors[static_cast<std::size_t>(op.inputs[0])].type);
      // From here on the sum of unscaled codes is another code somewhere in the range.
      if ((ratio - 1) * static_cast<double>(type.high) >= 0.5)
        found("ADD_SCALE_RATIO", op.inputs[a < b ? 1 : 0], ratio,
              "the operands have different scales; targets that add codes unscaled, or scale with "
              "few bits, go wrong",
              "share one scale between both operands");
    }
    if (op.code == graph::operator_code::concatenation && is_code(op.outputs[0])) {
      ++report.checked["concatenations"];
      for (const std::int32_t x : op.inputs)
        if (is_code(x) && !detail::on_one_grid(map(x), map(op.outputs[0]))) {
          found(
              "CONCAT_SCALE", x,
              static_cast<double>(map(x).scale()) / static_cast<double>(map(op.outputs[0]).scale()),
              "an operand is on another grid than the result; targets that copy codes go wrong",
              "share one grid between all operands and the result");
          break;
        }
    }
    const auto windows = detail::windows_of(m, op);
    if (!windows) continue;
    ++report.checked["windows"];
    for (const window& w : {windows->h, windows->w})
      if (detail::after(w) != w.before) {
        found(
            "SAME_ASYMMETRIC", op.outputs[0], static_cast<double>(detail::after(w) - w.before),
            sentence(
                {"padding of ", number(w.before), " before and ", number(detail::after(w)),
                 " behind; targets that pad the other side, or both sides alike, move the result"}),
            "pad explicitly and use VALID");
        break;
      }
    const bool padded = windows->h.before + windows->w.before + detail::after(windows->h) +
                            detail::after(windows->w) >
                        0;
    if (op.code == graph::operator_code::average_pool_2d && padded)
      found("POOL_PADDING", op.outputs[0],
            static_cast<double>(windows->h.kernel) * windows->w.kernel,
            "windows reach into the padding; targets that count padded cells divide by more",
            "use VALID, or pad explicitly");
  }
}

}  // namespace bittwin::analysis::inline v1
