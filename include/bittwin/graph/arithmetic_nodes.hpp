// SPDX-License-Identifier: Apache-2.0
// ADD, SUB, MUL, pooling, MEAN and SOFTMAX on codes.
// They work on widened codes, so that one implementation serves every integer type a room defines.
#pragma once

#include <bittwin/graph/axes.hpp>
#include <bittwin/graph/node_context.hpp>
#include <bittwin/kernel/addition.hpp>
#include <bittwin/kernel/mean.hpp>
#include <bittwin/kernel/mul.hpp>
#include <bittwin/kernel/pool2d.hpp>
#include <bittwin/kernel/softmax.hpp>
#include <bittwin/types/half.hpp>
#include <utility>

namespace bittwin::graph::inline v1 {

using code = std::int64_t;

namespace detail {

/// What a kernel says of itself, if it does.
template <class Kernel> [[nodiscard]] explanation explanation_of(const Kernel& kernel) {
  if constexpr (requires { kernel.explain(); })
    return kernel.explain();
  else
    return {};
}

/// f(T{}) with the type of a tensor's bytes where kernels work on those; false: on widened codes.
template <class F> [[nodiscard]] bool on_bytes(const workspace& s, std::int32_t tensor, F f) {
  if (s.type(tensor) == element_type::int8) return f(std::int8_t{}), true;
  if (s.type(tensor) == element_type::uint8) return f(std::uint8_t{}), true;
  return false;
}

/// kernel(operands…), with the threads of the run where it takes them.
template <class Kernel, class... Operand>
void run_kernel(const workspace& s, const Kernel& kernel, Operand... operands) {
  if constexpr (requires { kernel(operands..., s.parallel()); })
    kernel(operands..., s.parallel());
  else
    kernel(operands...);
}

/// A node that computes one tensor of codes from `inputs` others: kernel(codes…, result).
template <class Kernel> [[nodiscard]] node unary_node(const node_context& c, Kernel kernel) {
  return node([kernel = std::move(kernel), x = c.input(), y = c.output(),
               size = static_cast<std::size_t>(c.out().extents.elements())](const workspace& s) {
    std::vector<code> result(size);
    kernel(std::span<const code>(s.codes(x)), std::span(result));
    s.store_codes(y, result);
  });
}

/// The same where operand and result have one type.
template <class Kernel> [[nodiscard]] node same_type_node(const node_context& c, Kernel kernel) {
  if (!is_8_bit(c.in().type) || c.in().type != c.out().type)
    return unary_node(c, std::move(kernel));
  explanation why = explanation_of(kernel);
  return node(
      [kernel = std::move(kernel), x = c.input(), y = c.output()](const workspace& s) {
        static_cast<void>(
            on_bytes(s, y, [&]<class T>(T) { run_kernel(s, kernel, s.in<T>(x), s.out<T>(y)); }));
      },
      std::move(why));
}

template <class Kernel> [[nodiscard]] node binary_node(const node_context& c, Kernel kernel) {
  explanation why = explanation_of(kernel);
  return node(
      [kernel = std::move(kernel), a = c.input(0), b = c.input(1), y = c.output(),
       size = static_cast<std::size_t>(c.out().extents.elements())](const workspace& s) {
        if (s.type(a) == s.type(y) && s.type(b) == s.type(y) && on_bytes(s, y, [&]<class T>(T) {
              run_kernel(s, kernel, s.in<T>(a), s.in<T>(b), s.out<T>(y));
            }))
          return;
        std::vector<code> result(size);
        kernel(std::span<const code>(s.codes(a)), std::span<const code>(s.codes(b)),
               std::span(result));
        s.store_codes(y, result);
      },
      std::move(why));
}

[[nodiscard]] inline status expect_8_bit(const node_context& c, std::size_t inputs) {
  if (!is_8_bit(c.in().type)) return c.wrong_type(c.input(), "int8 or uint8");
  return c.expect_one_type(inputs);
}

/// Quantized elements of 8 or 16 bits, all of one type.
[[nodiscard]] inline status expect_codes(const node_context& c, std::size_t inputs) {
  if (!is_8_bit(c.in().type) && c.in().type != element_type::int16)
    return c.wrong_type(c.input(), "int8, uint8 or int16");
  return c.expect_one_type(inputs);
}

[[nodiscard]] inline result<binary_spec> binary_spec_of(const node_context& c) {
  if (auto s = expect_codes(c, 2); !s) return s.error();
  const auto a = c.grid(c.input(0)), b = c.grid(c.input(1)), out = c.grid(c.output());
  if (!a) return a.error();
  if (!b) return b.error();
  if (!out) return out.error();
  return binary_spec{.type = c.in().type,
                     .a_extents = c.in(0).extents,
                     .b_extents = c.in(1).extents,
                     .a = *a,
                     .b = *b,
                     .output = *out,
                     .fused = c.options<binary_options>().fused,
                     .power_of_two = c.options<binary_options>().power_of_two_int16};
}

/// Scale and zero point of input and output.
struct grids {
  affine in, out;
};

[[nodiscard]] inline result<grids> grids_of(const node_context& c) {
  const auto in = c.grid(c.input()), out = c.grid(c.output());
  if (!in) return in.error();
  if (!out) return out.error();
  return grids{*in, *out};
}

}  // namespace detail

/// sign  1 for ADD, -1 for SUB; DIV and SQUARED_DIFFERENCE do not read it
[[nodiscard]] inline result<node> build_addition(const node_context& c,
                                                 rule_for<addition_rule> rule, int sign) {
  if (rule == nullptr) return c.refuse();
  const auto spec = detail::binary_spec_of(c);
  if (!spec) return spec.error();
  auto kernel = prepare_addition(rule(facts_of(*spec)), *spec, sign);
  if (!kernel) return c.fail(kernel.error());
  if (auto s = c.expect_shape(kernel->output()); !s) return s.error();
  return detail::binary_node(c, *std::move(kernel));
}

[[nodiscard]] inline result<node> build_mul(const node_context& c) {
  if (c.rules.mul == nullptr) return c.refuse();
  const auto spec = detail::binary_spec_of(c);
  if (!spec) return spec.error();
  auto kernel = prepare_mul(c.rules.mul(facts_of(*spec)), *spec);
  if (!kernel) return c.fail(kernel.error());
  if (auto s = c.expect_shape(kernel->output()); !s) return s.error();
  return detail::binary_node(c, *std::move(kernel));
}

[[nodiscard]] inline result<node> build_pool2d(const node_context& c, rule_for<pool_rule> rule) {
  if (rule == nullptr) return c.refuse();
  if (auto s = detail::expect_codes(c, 1); !s) return s.error();
  if (auto s = c.expect_rank(c.input(), 4, "NHWC"); !s) return s.error();
  const auto grid = c.grid(c.output());
  if (!grid) return grid.error();
  const shape& x = c.in().extents;
  const auto o = c.options<pool_2d_options>();
  const pool2d_spec spec{.type = c.in().type,
                         .input = {x[0], x[1], x[2], x[3]},
                         .filter_h = o.filter_h,
                         .filter_w = o.filter_w,
                         .stride_h = o.stride_h,
                         .stride_w = o.stride_w,
                         .padding = o.padding,
                         .grid = *grid,
                         .fused = o.fused};
  auto kernel = prepare_pool2d(rule(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  const nhwc made = kernel->output();
  if (auto s = c.expect_shape({made.n, made.h, made.w, made.c}); !s) return s.error();
  return detail::same_type_node(c, *std::move(kernel));
}

namespace detail {

/// A mean or a sum that brings its own scratch.
struct mean_with_sums {
  mean_kernel kernel;

  template <class T>
  void operator()(std::span<const T> x, std::span<T> y, const parallel_for& parallel = {}) const {
    const bool packed = kernel.runs_on() != simd::arch::scalar && sizeof(T) == 1;
    std::vector<std::int64_t> sums(packed ? 0 : y.size());
    kernel(x, y, std::span(sums), parallel);
  }
  [[nodiscard]] explanation explain() const { return kernel.explain(); }
};

}  // namespace detail

[[nodiscard]] inline result<node> build_mean(const node_context& c) {
  if (c.rules.mean == nullptr) return c.refuse();
  if (auto s = detail::expect_codes(c, 1); !s) return s.error();
  const auto g = detail::grids_of(c);
  if (!g) return g.error();
  const auto axes = axes_of(c, 1, c.in().extents.rank());
  if (!axes) return axes.error();
  const mean_spec spec{.type = c.in().type,
                       .input = c.in().extents,
                       .axes = *axes,
                       .keep_dims = c.options<reduce_options>().keep_dims,
                       .in = g->in,
                       .out = g->out,
                       .counted_from_end = counted_from_end(c, 1)};
  auto kernel = prepare_mean(c.rules.mean(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  if (auto s = c.expect_shape(kernel->output()); !s) return s.error();
  return detail::same_type_node(c, detail::mean_with_sums{*std::move(kernel)});
}

namespace detail {

/// The types of SOFTMAX, and the grids of its int16 forms, which the arithmetic takes for granted.
[[nodiscard]] inline status expect_softmax_types(const node_context& c) {
  const element_type in = c.in().type, out = c.out().type;
  if (!is_8_bit(in) && in != element_type::int16)
    return c.wrong_type(c.input(), "int8, uint8 or int16");
  if (out != element_type::int16) return c.expect_type(c.output(), in);
  const auto grid = c.grid(c.output());
  if (!grid) return grid.error();
  const std::int32_t zero = in == element_type::int16 ? 0 : -32768;
  if (grid->zero_point == zero) return ok();
  return c.fail(error_code::unsupported,
                sentence({c.name(c.output()), " has zero point ", number(grid->zero_point),
                          "; softmax from ", name_of(in), " to int16 takes ", number(zero)}));
}

}  // namespace detail

[[nodiscard]] inline result<node> build_softmax(const node_context& c) {
  if (c.rules.softmax == nullptr) return c.refuse();
  if (auto s = detail::expect_softmax_types(c); !s) return s.error();
  if (auto s = c.expect_shape(c.in().extents); !s) return s.error();
  const auto g = detail::grids_of(c);
  if (!g) return g.error();
  const std::int64_t depth = c.in().extents.from_end(1);
  const softmax_spec spec{.type = c.in().type,
                          .output = c.out().type,
                          .rows = depth > 0 ? c.in().extents.elements() / depth : 0,
                          .depth = depth,
                          .beta = c.options<softmax_options>().beta,
                          .in = g->in,
                          .out = g->out};
  auto kernel = prepare_softmax(c.rules.softmax(facts_of(spec)), spec);
  if (!kernel) return c.fail(kernel.error());
  return detail::unary_node(c, *std::move(kernel));
}

}  // namespace bittwin::graph::inline v1
