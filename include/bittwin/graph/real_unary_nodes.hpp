// SPDX-License-Identifier: Apache-2.0
// One-operand operators on reals, in float64. A float32 result is rounded once, when it is stored, so it lies
// within half an ulp of the exact value plus float64's own error: below 0.50001 ulp for functions of one value,
// and for LOG_SOFTMAX and L2_NORMALIZATION while a row has less than 2^20 elements.
#pragma once

#include <bittwin/graph/real_nodes.hpp>
#include <cmath>

namespace bittwin::graph::inline v1 {

namespace detail {

/// Rows along the innermost axis; a tensor of rank 0 is one row of one element.
struct rows_of_axis {
  std::int64_t count = 0;
  std::int64_t depth = 1;
};

[[nodiscard]] inline rows_of_axis innermost_rows(const shape& s) noexcept {
  const std::int64_t depth = s.from_end(1);
  return {depth > 0 ? s.elements() / depth : 0, depth};
}

using real_unary_function = double (*)(double x, double alpha);

/// Null for operators that are not functions of one value.
[[nodiscard]] inline real_unary_function real_unary_of(operator_code code) noexcept {
  switch (code) {
    case operator_code::logistic: return [](double x, double) { return 1 / (1 + std::exp(-x)); };
    case operator_code::tanh: return [](double x, double) { return std::tanh(x); };
    case operator_code::hard_swish:
      return [](double x, double) { return x * std::fmin(std::fmax(x + 3, 0), 6) / 6; };
    case operator_code::leaky_relu:
      return [](double x, double alpha) { return x > 0 ? x : x * alpha; };
    case operator_code::elu: return [](double x, double) { return x < 0 ? std::expm1(x) : x; };
    case operator_code::exp: return [](double x, double) { return std::exp(x); };
    case operator_code::rsqrt: return [](double x, double) { return 1 / std::sqrt(x); };
    case operator_code::sqrt: return [](double x, double) { return std::sqrt(x); };
    case operator_code::abs: return [](double x, double) { return std::fabs(x); };
    case operator_code::neg: return [](double x, double) { return -x; };
    default: return nullptr;
  }
}

/// x / max(|x|, 1e-6), as TFLite guards the division.
inline void l2_row(std::span<const double> x, std::span<double> y) {
  double squares = 0;
  for (const double value : x) squares += value * value;
  const double norm = std::fmax(std::sqrt(squares), 1e-6);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] / norm;
}

inline void log_softmax_row(std::span<const double> x, std::span<double> y) {
  double largest = x[0], sum = 0;
  for (const double value : x) largest = std::fmax(largest, value);
  for (const double value : x) sum += std::exp(value - largest);
  const double log = std::log(sum);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] - largest - log;
}

}  // namespace detail

[[nodiscard]] inline result<node> build_real_prelu(const node_context& c) {
  const shape &x = c.in().extents, &alpha = c.in(1).extents;
  shape made;
  if (!reference::broadcast_shape(x, alpha, made) || !(made == x))
    return c.fail(error_code::bad_shape,
                  sentence({"alpha of shape ", to_string(alpha),
                            " does not broadcast to the input's ", to_string(x)}));
  return build_real_binary(c, [](double a, double b) { return a >= 0 ? a : a * b; });
}

[[nodiscard]] inline result<node> build_real_one_operand(const node_context& c) {
  if (c.op.code == operator_code::prelu) return build_real_prelu(c);
  if (auto s = c.expect_shape(c.in().extents); !s) return s.error();
  const double alpha = c.options<leaky_relu_options>().alpha;
  if (const auto of = detail::real_unary_of(c.op.code); of != nullptr)
    return detail::real_node(
        c, activation::none,
        [of, alpha, x = c.input()](const workspace& s, std::vector<double>& y) {
          y = s.reals(x);
          for (double& value : y) value = of(value, alpha);
        });
  const auto row =
      c.op.code == operator_code::log_softmax ? &detail::log_softmax_row : &detail::l2_row;
  return detail::real_node(
      c, c.options<l2_normalization_options>().fused,
      [row, depth = static_cast<std::size_t>(detail::innermost_rows(c.in().extents).depth),
       index = c.input()](const workspace& s, std::vector<double>& y) {
        const auto x = s.reals(index);
        for (std::size_t i = 0; i < x.size(); i += depth)
          row(std::span(x).subspan(i, depth), std::span(y).subspan(i, depth));
      });
}

}  // namespace bittwin::graph::inline v1
