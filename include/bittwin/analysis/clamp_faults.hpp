// SPDX-License-Identifier: Apache-2.0
// Faults of the fused activation: a bound that is not applied, or applied to codes as if they were reals.
#pragma once

#include <algorithm>
#include <bittwin/analysis/activation_range.hpp>
#include <bittwin/analysis/audit_clamps.hpp>
#include <bittwin/analysis/fault.hpp>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// Sets the activation of an operator that has one; a standalone activation becomes RELU, or QUANTIZE where none.
inline void set_activation(graph::operation& op, activation kind) {
  using graph::operator_code;
  if (op.code == operator_code::relu || op.code == operator_code::relu6 ||
      op.code == operator_code::relu_n1_to_1) {
    op.code = kind == activation::none ? operator_code::quantize : operator_code::relu;
    op.label = graph::name_of(op.code);
    return;
  }
  std::visit(
      [&](auto& options) {
        if constexpr (requires { options.fused; }) options.fused = kind;
      },
      op.options);
}

/// MINIMUM or MAXIMUM with one code behind operator k.
inline void bound_output(model_edit& e, std::size_t k, graph::operator_code code,
                         std::int64_t bound) {
  graph::tensor grid = e.output(k);
  grid.extents = {1};
  const std::int32_t index = e.add_like(grid, "/bound");
  with_element(grid.type, [&]<class T>(T) {
    e.set_constant(e.tensor(index), std::vector<T>{static_cast<T>(bound)});
  });
  graph::operation op = make_operation(code);
  op.inputs = {index};
  e.put_behind(k, std::move(op));
}

}  // namespace detail

[[nodiscard]] inline fault_list clamp_faults() {
  using graph::operator_code;
  const auto dropped = [](bool upper, bool lower) {
    return [=](model_edit& e, std::size_t k) {
      const auto clamp = clamp_of(e.m, e.op(k));
      if (!clamp) return false;
      const real_bounds bounds = bounds_of(clamp->kind);
      if ((upper && (!bounds.high || clamp->allowed.high == clamp->type.high)) ||
          (lower && (!bounds.low || clamp->allowed.low == clamp->type.low)))
        return false;
      const bool keeps_relu = upper && !lower && clamp->kind == activation::relu6;
      detail::set_activation(e.op(k), keeps_relu ? activation::relu : activation::none);
      if (!keeps_relu && !upper && bounds.high)
        detail::bound_output(e, k, operator_code::minimum, clamp->allowed.high);
      if (!keeps_relu && !lower && bounds.low)
        detail::bound_output(e, k, operator_code::maximum, clamp->allowed.low);
      return true;
    };
  };
  const auto literal = [](model_edit& e, std::size_t k) {
    const auto clamp = clamp_of(e.m, e.op(k));
    if (!clamp) return false;
    const real_bounds bounds = bounds_of(clamp->kind);
    detail::set_activation(e.op(k), activation::none);
    if (bounds.high)
      detail::bound_output(e, k, operator_code::minimum, static_cast<std::int64_t>(*bounds.high));
    detail::bound_output(e, k, operator_code::maximum,
                         std::max(static_cast<std::int64_t>(*bounds.low), clamp->type.low));
    return true;
  };
  return {
      {"UPPER_CLAMP_MISSING", "the upper bound of the activation is not applied",
       dropped(true, false)},
      {"LOWER_CLAMP_MISSING", "the lower bound of the activation is not applied",
       dropped(false, true)},
      {"UPPER_CLAMP_MISSING", "neither bound of the activation is applied", dropped(true, true)},
      {"CLAMP_LITERAL", "the bounds of the activation are applied to codes as if they were reals",
       literal},
  };
}

}  // namespace bittwin::analysis::inline v1
