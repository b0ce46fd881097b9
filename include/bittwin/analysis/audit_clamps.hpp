// SPDX-License-Identifier: Apache-2.0
// Activations whose bounds are not implied by the range of the type: a chip that leaves them to its saturation
// lets other codes through, without an error.
//   implied  [zero_point + round(low / scale), zero_point + round(high / scale)] contains every code of the type
#pragma once

#include <algorithm>
#include <bittwin/analysis/activation_range.hpp>
#include <bittwin/analysis/hazard.hpp>
#include <bittwin/graph/constant.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/policy/activation_bounds.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/sentence.hpp>
#include <cmath>
#include <optional>
#include <string>

namespace bittwin::analysis::inline v1 {

/// The codes that an operator's activation allows its output.
/// low, high        within the type
/// beyond           the upper bound's code before it is cut to the type, where there is one
struct clamp_codes {
  activation kind = activation::none;
  affine grid;
  code_range type;
  code_range allowed;
  std::optional<std::int64_t> beyond;

  [[nodiscard]] std::int64_t exposed() const noexcept {
    return (allowed.low - type.low) + (type.high - allowed.high);
  }
};

/// Absent: no activation, or an output that is not on one grid of integers.
[[nodiscard]] inline std::optional<clamp_codes> clamp_of(const graph::model& m,
                                                         const graph::operation& op) {
  const activation kind = activation_of(op);
  if (kind == activation::none || op.outputs.empty()) return std::nullopt;
  const graph::tensor& y = m.tensors[static_cast<std::size_t>(op.outputs[0])];
  if (!is_integer(y.type) || !y.quantization.present() || y.quantization.per_channel())
    return std::nullopt;
  clamp_codes c{
      .kind = kind,
      .grid = {y.quantization.scale(), static_cast<std::int32_t>(y.quantization.zero_point())},
      .type = range_of(y.type),
      .allowed = {},
      .beyond = {}};
  using bounds = activation_bounds::round_then_offset<rounding::half_away>;
  c.allowed = bounds::codes(kind, c.grid, c.type);
  if (bounds_of(kind).high)
    c.beyond = bounds::codes(kind, c.grid, {-rounding::beyond, rounding::beyond}).high;
  return c;
}

namespace detail {

/// Whether every reader of a tensor is a MINIMUM or MAXIMUM with a constant, one behind the other, that keep to
/// `allowed`: then the clamp is spelled out.
[[nodiscard]] inline bool is_spelled_out(const graph::model& m, std::int32_t tensor,
                                         code_range allowed, code_range type) {
  if (std::count(m.outputs.begin(), m.outputs.end(), tensor) > 0) return false;
  const graph::operation* reader = nullptr;
  for (const graph::operation& op : m.operations)
    if (std::count(op.inputs.begin(), op.inputs.end(), tensor) > 0) {
      if (reader != nullptr) return false;
      reader = &op;
    }
  if (reader == nullptr) return false;
  const bool upper = reader->code == graph::operator_code::minimum;
  if (!upper && reader->code != graph::operator_code::maximum) return false;
  const std::int32_t other = reader->inputs[0] == tensor ? reader->inputs[1] : reader->inputs[0];
  const graph::tensor& bound = m.tensors[static_cast<std::size_t>(other)];
  if (!bound.is_constant() || bound.extents.elements() != 1) return false;
  std::int64_t code = 0;
  with_element(bound.type, [&]<class T>(T) {
    code = static_cast<std::int64_t>(graph::constant_as<T>(bound)[0]);
  });
  (upper ? type.high : type.low) = code;
  if (type.low >= allowed.low && type.high <= allowed.high) return true;
  return is_spelled_out(m, reader->outputs[0], allowed, type);
}

[[nodiscard]] inline std::string codes_text(code_range codes) {
  return sentence({"[", number(codes.low), ", ", number(codes.high), "]"});
}

}  // namespace detail

inline void audit_clamps(const graph::model& m, audit_report& report) {
  for (std::size_t k = 0; k < m.operations.size(); ++k) {
    const graph::operation& op = m.operations[k];
    const auto clamp = clamp_of(m, op);
    if (!clamp) continue;
    ++report.checked["clamps"];
    const auto found = [&](std::string_view code) {
      hazard h;
      h.code = code;
      h.op = k;
      h.tensor = op.outputs[0];
      h.low = clamp->allowed.low;
      h.high = clamp->allowed.high;
      return h;
    };
    if (clamp->exposed() > 0 &&
        !detail::is_spelled_out(m, op.outputs[0], clamp->allowed, clamp->type)) {
      hazard h = found("CLAMP_EXPOSED");
      h.exposed_codes = clamp->exposed();
      const std::int64_t above = clamp->type.high - clamp->allowed.high;
      const std::int64_t below = clamp->allowed.low - clamp->type.low;
      h.text = sentence(
          {name_of(clamp->kind), " keeps codes ", detail::codes_text(clamp->allowed), " of ",
           detail::codes_text(clamp->type), ": ", number(above), " codes above and ", number(below),
           " below are left to an explicit clamp; a target that only saturates shows them"});
      h.fix =
          "write a model with the clamp spelled out (--fix), or calibrate the output to the "
          "activation's range";
      report.hazards.push_back(std::move(h));
    }
    if (clamp->beyond && *clamp->beyond > clamp->type.high) {
      hazard h = found("CLAMP_PAST_TYPE");
      h.value = static_cast<double>(*clamp->beyond);
      h.text = sentence({"the upper bound of ", name_of(clamp->kind), " is code ",
                         number(*clamp->beyond), ", past the type's ", number(clamp->type.high),
                         ": a compiler that stores it in the type's width clamps to another code"});
      h.fix = "check that the target's compiler cuts the bound to the type";
      report.hazards.push_back(std::move(h));
    }
  }
}

}  // namespace bittwin::analysis::inline v1
