// SPDX-License-Identifier: Apache-2.0
// SVDF of a model, on codes and on reals. Its state is a variable tensor: read and written in place, kept
// between runs.
#pragma once

#include <bittwin/graph/dot_product_nodes.hpp>
#include <bittwin/graph/real_nodes.hpp>
#include <bittwin/kernel/svdf.hpp>
#include <utility>

namespace bittwin::graph::inline v1 {

namespace detail {

/// The codes of a constant integer tensor, whatever its width.
[[nodiscard]] inline result<std::vector<std::int64_t>> constant_codes(const node_context& c,
                                                                      std::size_t i) {
  const tensor& t = c.in(i);
  if (!t.is_constant())
    return c.fail(
        error_code::unsupported,
        sentence({c.name(c.input(i)), " is computed at run time; fold it into a constant"}));
  std::vector<std::int64_t> codes;
  switch (t.type) {
    case element_type::int8: detail::widen<std::int64_t, std::int8_t>(t.constant, codes); break;
    case element_type::int16: detail::widen<std::int64_t, std::int16_t>(t.constant, codes); break;
    case element_type::int32: detail::widen<std::int64_t, std::int32_t>(t.constant, codes); break;
    case element_type::int64: detail::widen<std::int64_t, std::int64_t>(t.constant, codes); break;
    default: return c.wrong_type(c.input(i), "int8, int16, int32 or int64");
  }
  return codes;
}

[[nodiscard]] inline status expect_variable(const node_context& c, std::size_t i) {
  if (c.in(i).variable && !c.in(i).is_constant()) return ok();
  return c.fail(error_code::unsupported,
                sentence({c.name(c.input(i)),
                          " holds the state, but is no variable; export the model again"}));
}

/// Inputs are input, feature weights, time weights, bias or none, state.
struct svdf_extents {
  std::int32_t batch, inputs, filters, memory, rank, units;
};

[[nodiscard]] inline result<svdf_extents> svdf_extents_of(const node_context& c) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}})
    if (auto s = c.expect_rank(c.input(i), 2, "rows and columns"); !s) return s.error();
  if (auto s = expect_variable(c, 4); !s) return s.error();
  const shape &x = c.in(0).extents, &f = c.in(1).extents, &t = c.in(2).extents;
  const std::int32_t rank = c.options<svdf_options>().rank;
  const auto refuse = [&](std::string_view what) {
    return c.fail(error_code::bad_shape,
                  sentence({"an input of ", to_string(x), ", filters of ", to_string(f), " and ",
                            to_string(t), " and a rank of ", number(rank), what}));
  };
  if (f[0] < 1 || rank < 1 || f[0] % rank != 0 || f[1] != x[1] || t[0] != f[0] || x[1] < 1 ||
      t[1] < 1)
    return refuse(" do not fit");
  const svdf_extents e{x[0], x[1], f[0], t[1], rank, f[0] / rank};
  if (c.in(4).extents.elements() != std::int64_t{e.batch} * e.filters * e.memory)
    return refuse(" do not fit the state");
  if (c.has(3) && c.in(3).extents.elements() != e.units) return refuse(" do not fit the bias");
  if (auto s = c.expect_shape({e.batch, e.units}); !s) return s.error();
  return e;
}

}  // namespace detail

[[nodiscard]] inline result<node> build_svdf(const node_context& c) {
  if (c.rules.svdf == nullptr) return c.refuse();
  const auto e = detail::svdf_extents_of(c);
  if (!e) return e.error();
  for (const std::int32_t t : {c.input(0), c.input(1), c.output()})
    if (auto s = c.expect_type(t, element_type::int8); !s) return s.error();
  if (auto s = c.expect_type(c.input(2), c.in(4).type); !s) return s.error();
  if (c.has(3))
    if (auto s = c.expect_type(c.input(3), element_type::int32); !s) return s.error();
  const auto in = c.grid(c.input(0)), feature = c.grid(c.input(1)), time = c.grid(c.input(2)),
             state = c.grid(c.input(4)), out = c.grid(c.output());
  for (const auto* grid : {&in, &feature, &time, &state, &out})
    if (!*grid) return grid->error();
  if (feature->zero_point != 0 || time->zero_point != 0)
    return c.fail(error_code::bad_zero_point,
                  "weights with a zero point other than 0; quantize them symmetrically");
  svdf_spec spec;
  spec.batch = e->batch;
  spec.inputs = e->inputs;
  spec.filters = e->filters;
  spec.memory = e->memory;
  spec.rank = e->rank;
  spec.state_type = c.in(4).type;
  spec.input = *in;
  spec.state = *state;
  spec.output = *out;
  spec.feature_scale = feature->scale;
  spec.time_scale = time->scale;
  spec.fused = c.options<svdf_options>().fused;
  auto w = detail::constant_codes(c, 1), t = detail::constant_codes(c, 2);
  if (!w) return w.error();
  if (!t) return t.error();
  std::vector<std::int64_t> bias;
  if (c.has(3)) {
    auto b = detail::constant_codes(c, 3);
    if (!b) return b.error();
    bias = *std::move(b);
  }
  auto kernel = prepare_svdf(c.rules.svdf(facts_of(spec)), spec, *std::move(w), *std::move(t),
                             std::move(bias));
  if (!kernel) return c.fail(kernel.error());
  return node([k = *std::move(kernel), x = c.input(0), state_index = c.input(4), y = c.output(),
               size = static_cast<std::size_t>(c.out().extents.elements())](const workspace& s) {
    std::vector<std::int64_t> states = s.codes(state_index), result(size);
    k(s.codes(x), states, result);
    s.store_codes(state_index, states);
    s.store_codes(y, result);
  });
}

/// The same on reals: sums in float64, the state stored as the tensor's type.
[[nodiscard]] inline result<node> build_real_svdf(const node_context& c) {
  const auto e = detail::svdf_extents_of(c);
  if (!e) return e.error();
  if (!is_floating(c.stored(c.input(4)))) return c.wrong_type(c.input(4), "float32");
  // The bias is at the scale of state * time weights.
  const auto bias = detail::real_bias_of(c, 3, e->units, 4, 2);
  if (!bias) return bias.error();
  return detail::real_node(
      c, c.options<svdf_options>().fused,
      [e = *e, bias = *bias, x_index = c.input(0), f_index = c.input(1), t_index = c.input(2),
       state_index = c.input(4)](const workspace& s, std::vector<double>& result) {
        const auto x = s.reals(x_index), feature = s.reals(f_index), time = s.reals(t_index),
                   b = bias.of(s);
        auto state = s.reals(state_index);
        for (std::size_t i = 0; i + 1 < state.size(); ++i) state[i] = state[i + 1];
        const auto filters = static_cast<std::size_t>(e.filters),
                   inputs = static_cast<std::size_t>(e.inputs),
                   memory = static_cast<std::size_t>(e.memory),
                   units = static_cast<std::size_t>(e.units),
                   rank = static_cast<std::size_t>(e.rank);
        for (std::size_t row = 0; row * memory < state.size(); ++row) {
          double sum = 0;
          for (std::size_t i = 0; i < inputs; ++i)
            sum += x[row / filters * inputs + i] * feature[row % filters * inputs + i];
          state[row * memory + memory - 1] = sum;
        }
        for (std::size_t u = 0; u < result.size(); ++u) {
          double sum = b.empty() ? 0.0 : b[u % units];
          for (std::size_t i = 0; i < rank * memory; ++i)
            sum += time[u % units * rank * memory + i] * state[u * rank * memory + i];
          result[u] = sum;
        }
        s.store_reals(state_index, state);
      });
}

}  // namespace bittwin::graph::inline v1
