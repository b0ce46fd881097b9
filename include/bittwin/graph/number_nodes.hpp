// SPDX-License-Identifier: Apache-2.0
// Two operands of integers that are numbers, not codes, and operators that work on codes as they are:
// int32 and int64 ADD, SUB, MUL, DIV, SQUARED_DIFFERENCE; MAXIMUM, MINIMUM; comparisons.
//   result = clamp( a <op> b modulo 2^bits )
#pragma once

#include <bittwin/graph/arithmetic_nodes.hpp>
#include <bittwin/kernel/pairing.hpp>

namespace bittwin::graph::inline v1 {

using code_function = code (*)(code, code) noexcept;

namespace numbers {

[[nodiscard]] constexpr code add(code a, code b) noexcept { return wrap_add(a, b); }
[[nodiscard]] constexpr code subtract(code a, code b) noexcept {
  return static_cast<code>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr code multiply(code a, code b) noexcept { return wrap_multiply(a, b); }
[[nodiscard]] constexpr code squared_difference(code a, code b) noexcept {
  return multiply(subtract(a, b), subtract(a, b));
}
/// Toward zero. A divisor of 0, where runtimes stop, gives 0.
[[nodiscard]] constexpr code divide(code a, code b) noexcept {
  return b == 0 ? 0 : b == -1 ? subtract(0, a) : a / b;
}
[[nodiscard]] constexpr code maximum(code a, code b) noexcept { return a < b ? b : a; }
[[nodiscard]] constexpr code minimum(code a, code b) noexcept { return b < a ? b : a; }

}  // namespace numbers

namespace detail {

[[nodiscard]] inline bool is_number(element_type type) noexcept {
  return type == element_type::int32 || type == element_type::int64;
}

/// The shape that two operands broadcast to, which the output must have.
[[nodiscard]] inline result<shape> broadcast_of(const node_context& c) {
  shape made;
  if (!reference::broadcast_shape(c.in(0).extents, c.in(1).extents, made))
    return c.fail(error_code::bad_shape,
                  sentence({"operands of shape ", to_string(c.in(0).extents), " and ",
                            to_string(c.in(1).extents), " do not broadcast"}));
  if (auto s = c.expect_shape(made); !s) return s.error();
  return made;
}

/// combine(code, code) for each pair, kept modulo 2^bits of the type, then inside `clamp`.
[[nodiscard]] inline result<node> code_pairs_node(const node_context& c, code_function combine,
                                                  code_range clamp) {
  const auto made = broadcast_of(c);
  if (!made) return made.error();
  return node([combine, clamp, made = *made, a_shape = c.in(0).extents, b_shape = c.in(1).extents,
               wraps = c.in().type == element_type::int32, a_index = c.input(0),
               b_index = c.input(1), y = c.output()](const workspace& s) {
    const auto a = s.codes(a_index), b = s.codes(b_index);
    std::vector<code> result(static_cast<std::size_t>(made.elements()));
    reference::for_each_pair(made, a_shape, b_shape, [&](auto o, auto i, auto j) {
      code value = combine(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)]);
      if (wraps) value = wrap_cast<std::int32_t>(value);
      result[static_cast<std::size_t>(o)] = clamp_to(value, clamp.low, clamp.high);
    });
    s.store_codes(y, result);
  });
}

}  // namespace detail

/// bounds  of the target's room; null: the activation's own
[[nodiscard]] inline result<node> build_number_pairs(const node_context& c, code_function combine,
                                                     code_range (*bounds)(activation, affine,
                                                                          code_range) noexcept) {
  if (!detail::is_number(c.in().type)) return c.wrong_type(c.input(), "int32 or int64");
  if (auto s = c.expect_one_type(2); !s) return s.error();
  using own = activation_bounds::round_then_offset<rounding::half_away>;
  return detail::code_pairs_node(c, combine,
                                 (bounds == nullptr ? &own::codes : bounds)(
                                     c.options<binary_options>().fused, {}, range_of(c.in().type)));
}

/// MAXIMUM, MINIMUM: of the codes, whatever their grids.
/// source  tensorflow/lite/kernels/maximum_minimum.cc, where no scale is read
[[nodiscard]] inline result<node> build_code_pairs(const node_context& c, code_function combine) {
  if (!is_integer(c.in().type) || c.in().type == element_type::boolean)
    return c.wrong_type(c.input(), "integers");
  if (auto s = c.expect_one_type(2); !s) return s.error();
  return detail::code_pairs_node(c, combine, range_of(c.in().type));
}

/// Reals and numbers are compared as they are, codes of a grid by the target's rule.
[[nodiscard]] inline result<node> build_comparison(const node_context& c, relation r) {
  if (auto s = c.expect_type(c.output(), element_type::boolean); !s) return s.error();
  if (auto s = c.expect_type(c.input(1), c.in(0).type); !s) return s.error();
  const auto made = detail::broadcast_of(c);
  if (!made) return made.error();
  if (!is_floating(c.stored(c.input())) && !detail::is_number(c.in().type) &&
      c.in().quantization.present()) {
    if (c.rules.comparison == nullptr) return c.refuse();
    const auto a = c.grid(c.input(0)), b = c.grid(c.input(1));
    if (!a) return a.error();
    if (!b) return b.error();
    const binary_spec spec{.type = c.in().type,
                           .a_extents = c.in(0).extents,
                           .b_extents = c.in(1).extents,
                           .a = *a,
                           .b = *b,
                           .output = *a};
    auto kernel = prepare_comparison(c.rules.comparison(facts_of(spec)), spec, r);
    if (!kernel) return c.fail(kernel.error());
    return detail::binary_node(c, *std::move(kernel));
  }
  return node([r, made = *made, a_shape = c.in(0).extents, b_shape = c.in(1).extents,
               reals = is_floating(c.stored(c.input())), a_index = c.input(0), b_index = c.input(1),
               y = c.output()](const workspace& s) {
    std::vector<code> result(static_cast<std::size_t>(made.elements()));
    const auto fill = [&](const auto& a, const auto& b) {
      reference::for_each_pair(made, a_shape, b_shape, [&](auto o, auto i, auto j) {
        result[static_cast<std::size_t>(o)] =
            holds(r, a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)]) ? 1 : 0;
      });
    };
    if (reals)
      fill(s.reals(a_index), s.reals(b_index));
    else
      fill(s.codes(a_index), s.codes(b_index));
    s.store_codes(y, result);
  });
}

}  // namespace bittwin::graph::inline v1
