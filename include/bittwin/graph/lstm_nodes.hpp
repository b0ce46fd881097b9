// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_LSTM of a model, on codes and on reals: gates without peepholes, projection and
// layer normalization. Both states are variable tensors, read and written in place, kept between runs.
#pragma once

#include <bittwin/graph/recurrent_nodes.hpp>
#include <bittwin/kernel/lstm.hpp>
#include <cmath>
#include <utility>

namespace bittwin::graph::inline v1 {

namespace detail {

// Positions among the operator's inputs; gates are input, forget, cell, output.
inline constexpr std::size_t lstm_input_weights = 1, lstm_recurrent_weights = 5, lstm_bias = 12,
                             lstm_hidden = 18, lstm_cell = 19;

struct lstm_extents {
  std::int32_t batch, steps, inputs, cells;
  bool has_input_gate;
};

[[nodiscard]] inline result<lstm_extents> lstm_extents_of(const node_context& c) {
  for (const std::size_t i : {9U, 10U, 11U, 16U, 17U, 20U, 21U, 22U, 23U})
    if (c.has(i))
      return c.fail(error_code::unsupported,
                    "has peepholes, a projection or layer normalization; export the model without");
  if (auto s = c.expect_rank(c.input(), 3, "batch, time and inputs"); !s) return s.error();
  for (const std::size_t i : {lstm_hidden, lstm_cell})
    if (auto s = expect_variable(c, i); !s) return s.error();
  const bool time_major = c.options<lstm_options>().time_major;
  const shape& x = c.in().extents;
  lstm_extents e{x[time_major ? 1 : 0], x[time_major ? 0 : 1], x[2], c.out().extents.from_end(1),
                 c.has(lstm_input_weights)};
  for (std::size_t g = e.has_input_gate ? 0 : 1; g < 4; ++g) {
    for (const std::size_t i : {lstm_input_weights + g, lstm_recurrent_weights + g})
      if (!c.has(i) ||
          c.in(i).extents != shape{e.cells, i < lstm_recurrent_weights ? e.inputs : e.cells})
        return c.fail(error_code::bad_shape,
                      sentence({"weights of gate ", number(g), " do not fit ", number(e.inputs),
                                " inputs and ", number(e.cells), " cells"}));
    if (c.has(lstm_bias + g) && c.in(lstm_bias + g).extents.elements() != e.cells)
      return c.fail(error_code::bad_shape, sentence({"the bias of gate ", number(g),
                                                     " does not fit ", number(e.cells), " cells"}));
  }
  for (const std::size_t i : {lstm_hidden, lstm_cell})
    if (c.in(i).extents.elements() != std::int64_t{e.batch} * e.cells)
      return c.fail(error_code::bad_shape,
                    sentence({c.name(c.input(i)), " does not hold ", number(e.cells),
                              " cells for each of ", number(e.batch), " batches"}));
  if (auto s = c.expect_shape({x[0], x[1], e.cells}); !s) return s.error();
  return e;
}

}  // namespace detail

[[nodiscard]] inline result<node> build_lstm(const node_context& c) {
  using namespace detail;
  if (c.rules.lstm == nullptr) return c.refuse();
  const auto e = lstm_extents_of(c);
  if (!e) return e.error();
  const element_type type = c.in().type;
  if (type != element_type::int8 && type != element_type::int16)
    return c.wrong_type(c.input(), "int8 or int16");
  for (const std::int32_t t : {c.input(lstm_hidden), c.output()})
    if (auto s = c.expect_type(t, type); !s) return s.error();
  if (auto s = c.expect_type(c.input(lstm_cell), element_type::int16); !s) return s.error();
  const auto in = c.grid(c.input()), hidden = c.grid(c.input(lstm_hidden)),
             cell = c.grid(c.input(lstm_cell));
  for (const auto* grid : {&in, &hidden, &cell})
    if (!*grid) return grid->error();
  const auto o = c.options<lstm_options>();
  lstm_spec spec;
  spec.batch = e->batch;
  spec.steps = e->steps;
  spec.inputs = e->inputs;
  spec.cells = e->cells;
  spec.time_major = o.time_major;
  spec.type = type;
  spec.input = *in;
  spec.hidden = *hidden;
  // The fifth intermediate; models without it mean the hidden state's grid.
  spec.intermediate = {hidden->scale, -hidden->zero_point};
  if (c.op.intermediates.size() > 4 && c.op.intermediates[4] != no_tensor) {
    const auto shown = c.grid(c.op.intermediates[4]);
    if (!shown) return shown.error();
    spec.intermediate = *shown;
  }
  spec.cell_scale = cell->scale;
  spec.cell_clip = o.cell_clip;
  spec.has_input_gate = e->has_input_gate;
  std::array<lstm_weights, 4> weights;
  for (std::size_t g = e->has_input_gate ? 0 : 1; g < 4; ++g) {
    const std::size_t at[] = {lstm_input_weights + g, lstm_recurrent_weights + g};
    for (const std::size_t i : at) {
      if (auto s = c.expect_type(c.input(i), element_type::int8); !s) return s.error();
      const auto grid = c.grid(c.input(i));
      if (!grid) return grid.error();
      if (grid->zero_point != 0)
        return c.fail(error_code::bad_zero_point,
                      sentence({c.name(c.input(i)), " has a zero point other than 0"}));
      (i == at[0] ? spec.input_scales : spec.recurrent_scales)[g] = grid->scale;
      auto codes = constant_codes(c, i);
      if (!codes) return codes.error();
      (i == at[0] ? weights[g].input : weights[g].recurrent) = *std::move(codes);
    }
    if (!c.has(lstm_bias + g)) continue;
    const auto wanted = type == element_type::int8 ? element_type::int32 : element_type::int64;
    if (auto s = c.expect_type(c.input(lstm_bias + g), wanted); !s) return s.error();
    auto bias = constant_codes(c, lstm_bias + g);
    if (!bias) return bias.error();
    weights[g].bias = *std::move(bias);
  }
  auto kernel = prepare_lstm(c.rules.lstm(facts_of(spec)), spec, std::move(weights));
  if (!kernel) return c.fail(kernel.error());
  return node([k = *std::move(kernel), x = c.input(), h = c.input(lstm_hidden),
               cells = c.input(lstm_cell), y = c.output(),
               size = static_cast<std::size_t>(c.out().extents.elements())](const workspace& s) {
    auto hidden_codes = s.codes(h), cell_codes = s.codes(cells);
    std::vector<std::int64_t> result(size);
    k(s.codes(x), hidden_codes, cell_codes, result);
    s.store_codes(h, hidden_codes);
    s.store_codes(cells, cell_codes);
    s.store_codes(y, result);
  });
}

/// The same on reals: float64 throughout a step, states and results rounded when they are stored.
[[nodiscard]] inline result<node> build_real_lstm(const node_context& c) {
  using namespace detail;
  const auto e = lstm_extents_of(c);
  if (!e) return e.error();
  for (const std::size_t i : {lstm_hidden, lstm_cell})
    if (!is_floating(c.stored(c.input(i)))) return c.wrong_type(c.input(i), "float32");
  std::array<real_bias, 4> biases;
  std::array<std::int32_t, 4> wx{}, wh{};
  for (std::size_t g = e->has_input_gate ? 0 : 1; g < 4; ++g) {
    const auto bias = real_bias_of(c, lstm_bias + g, e->cells, 0, lstm_input_weights + g);
    if (!bias) return bias.error();
    biases[g] = *bias;
    wx[g] = c.input(lstm_input_weights + g);
    wh[g] = c.input(lstm_recurrent_weights + g);
  }
  const auto o = c.options<lstm_options>();
  return real_node(c, activation::none,
                   [=, e = *e, x_index = c.input(), h_index = c.input(lstm_hidden),
                    c_index = c.input(lstm_cell)](const workspace& s, std::vector<double>& y) {
                     const auto x = s.reals(x_index);
                     auto hidden = s.reals(h_index), cell = s.reals(c_index);
                     std::array<std::vector<double>, 4> from_x, from_h, bias;
                     for (std::size_t g = e.has_input_gate ? 0 : 1; g < 4; ++g) {
                       from_x[g] = s.reals(wx[g]);
                       from_h[g] = s.reals(wh[g]);
                       bias[g] = biases[g].of(s);
                     }
                     const auto cells = static_cast<std::size_t>(e.cells),
                                inputs = static_cast<std::size_t>(e.inputs),
                                batch = static_cast<std::size_t>(e.batch),
                                steps = static_cast<std::size_t>(e.steps);
                     const auto logistic = [](double q) { return 1.0 / (1.0 + std::exp(-q)); };
                     for (std::size_t row = 0; row < batch * steps; ++row) {
                       const std::size_t t = row / batch, b = row % batch;
                       const std::size_t at = o.time_major ? row : b * steps + t;
                       const auto sum = [&](std::size_t g, std::size_t j) {
                         double q = bias[g].empty() ? 0.0 : bias[g][j];
                         for (std::size_t i = 0; i < inputs; ++i)
                           q += from_x[g][j * inputs + i] * x[at * inputs + i];
                         for (std::size_t i = 0; i < cells; ++i)
                           q += from_h[g][j * cells + i] * hidden[b * cells + i];
                         return q;
                       };
                       for (std::size_t j = 0; j < cells; ++j) {
                         double& now = cell[b * cells + j];
                         const double forget = logistic(sum(1, j));
                         now = forget * now +
                               (e.has_input_gate ? logistic(sum(0, j)) : 1.0 - forget) *
                                   std::tanh(sum(2, j));
                         if (o.cell_clip > 0)
                           now = std::clamp(now, -double{o.cell_clip}, double{o.cell_clip});
                         y[at * cells + j] = logistic(sum(3, j)) * std::tanh(now);
                       }
                       std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(at * cells), cells,
                                   hidden.begin() + static_cast<std::ptrdiff_t>(b * cells));
                     }
                     s.store_reals(h_index, hidden);
                     s.store_reals(c_index, cell);
                   });
}

}  // namespace bittwin::graph::inline v1
