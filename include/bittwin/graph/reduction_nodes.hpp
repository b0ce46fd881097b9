// SPDX-License-Identifier: Apache-2.0
// SUM, REDUCE_MAX, REDUCE_MIN, ARG_MAX, ARG_MIN, and MEAN of int32 and int64: one value of all elements
// along some axes.
#pragma once

#include <bittwin/graph/movement_nodes.hpp>
#include <bittwin/graph/number_nodes.hpp>
#include <bittwin/graph/real_nodes.hpp>
#include <bittwin/kernel/sum.hpp>

namespace bittwin::graph::inline v1 {

namespace detail {

/// The axes of a reduction, checked against the declared output; scales are those of codes only.
[[nodiscard]] inline result<mean_spec> reduction_of(const node_context& c) {
  if (auto s = c.expect_one_type(1); !s) return s.error();
  const auto axes = axes_of(c, 1, c.in().extents.rank());
  if (!axes) return axes.error();
  mean_spec spec{.type = c.in().type,
                 .input = c.in().extents,
                 .axes = *axes,
                 .keep_dims = c.options<reduce_options>().keep_dims,
                 .counted_from_end = counted_from_end(c, 1)};
  if (auto s = c.expect_shape(spec.output()); !s) return s.error();
  if (spec.count() < 1)
    return c.fail(error_code::bad_shape,
                  sentence({"a reduction of shape ", to_string(spec.input), " over no elements"}));
  return spec;
}

/// fold(result, element) over the elements of each reduction, from the first one on, which is copied.
template <class Value, class Fold>
void reduce(const mean_spec& spec, const std::vector<Value>& x, std::vector<Value>& y, Fold fold) {
  std::vector<bool> begun(y.size());
  reference::for_each_reduced(spec.input, spec.axes, [&](auto from, auto to) {
    const auto at = static_cast<std::size_t>(to);
    const Value element = x[static_cast<std::size_t>(from)];
    y[at] = begun[at] ? fold(y[at], element) : element;
    begun[at] = true;
  });
}

}  // namespace detail

/// int32 and int64: fold is a sum, a maximum, a minimum; divided by the count toward zero where `mean`.
/// Codes of a grid: maximum and minimum alone.
[[nodiscard]] inline result<node> build_code_reduction(const node_context& c, code_function fold,
                                                       bool mean = false) {
  if (!is_integer(c.in().type)) return c.wrong_type(c.input(), "integers");
  const auto spec = detail::reduction_of(c);
  if (!spec) return spec.error();
  return node([fold, spec = *spec, divisor = mean ? spec->count() : 1, x = c.input(),
               y = c.output()](const workspace& s) {
    std::vector<code> result(static_cast<std::size_t>(spec.output().elements()));
    detail::reduce(spec, s.codes(x), result, fold);
    for (code& value : result) value /= divisor;
    s.store_codes(y, result);
  });
}

[[nodiscard]] inline result<node> build_sum(const node_context& c) {
  if (detail::is_number(c.in().type)) return build_code_reduction(c, &numbers::add);
  if (c.rules.sum == nullptr) return c.refuse();
  if (auto s = detail::expect_codes(c, 1); !s) return s.error();
  auto spec = detail::reduction_of(c);
  if (!spec) return spec.error();
  const auto g = detail::grids_of(c);
  if (!g) return g.error();
  spec->in = g->in;
  spec->out = g->out;
  auto kernel = prepare_mean(c.rules.sum(facts_of(*spec)), *spec);
  if (!kernel) return c.fail(kernel.error());
  return detail::same_type_node(c, detail::mean_with_sums{*std::move(kernel)});
}

using real_fold = double (*)(double, double);

[[nodiscard]] inline result<node> build_real_reduction(const node_context& c, real_fold fold) {
  const auto spec = detail::reduction_of(c);
  if (!spec) return spec.error();
  return detail::real_node(
      c, activation::none,
      [fold, spec = *spec, x = c.input()](const workspace& s, std::vector<double>& result) {
        detail::reduce(spec, s.reals(x), result, fold);
      });
}

/// The first of equal extrema. NaNs never win.
[[nodiscard]] inline result<node> build_arg(const node_context& c, bool largest) {
  if (!detail::is_number(c.out().type)) return c.wrong_type(c.output(), "int32 or int64");
  const auto list = constant_integers(c, 1);
  if (!list) return list.error();
  if (list->size() != 1) return c.fail(error_code::bad_shape, "the axis must be one integer");
  const shape& x = c.in().extents;
  const auto axis = resolve_axis(c, list->front(), x.rank());
  if (!axis) return axis.error();
  shape made;
  for (int i = 0; i < x.rank(); ++i)
    if (i != *axis) made.push_back(x[i]);
  if (auto s = c.expect_shape(made); !s) return s.error();
  if (x[*axis] < 1)
    return c.fail(error_code::bad_shape,
                  sentence({"an extremum of shape ", to_string(x), " along an axis of none"}));
  const detail::axis_split split = detail::split_at(x, *axis);
  return node([largest, split, extent = static_cast<std::size_t>(x[*axis]),
               reals = is_floating(c.stored(c.input())), x_index = c.input(),
               y = c.output()](const workspace& s) {
    std::vector<code> result(split.outer * split.inner);
    const auto find = [&](const auto& values) {
      for (std::size_t i = 0; i < result.size(); ++i) {
        const auto* const first =
            values.data() + i / split.inner * extent * split.inner + i % split.inner;
        std::size_t best = 0;
        for (std::size_t k = 1; k < extent; ++k) {
          const auto candidate = first[k * split.inner], held = first[best * split.inner];
          if (largest ? candidate > held : candidate < held) best = k;
        }
        result[i] = static_cast<code>(best);
      }
    };
    if (reals)
      find(s.reals(x_index));
    else
      find(s.codes(x_index));
    s.store_codes(y, result);
  });
}

}  // namespace bittwin::graph::inline v1
