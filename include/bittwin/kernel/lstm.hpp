// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_LSTM on integers under a target:  lstm<Target>::prepare(spec, weights).
//   q(g)   = sum( rescale(bias(g) + Wx(g) x), rescale(Wh(g) h) )         Q3.12, zero points subtracted
//   cell   = clip( forget * cell + input * candidate )
//   hidden = output * tanh(cell) + zero point, clamped; the result of a step is its hidden state
// forget, input, output are logistic(q), candidate is tanh(q), Q0.15; the rounding of each stage is the room's.
#pragma once

#include <array>
#include <bittwin/kernel/checks.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/types/expects.hpp>
#include <span>
#include <utility>
#include <vector>

namespace bittwin::inline v1 {

/// Gates in the order of the operator's inputs. Without an input gate it is 1 - forget gate.
enum class lstm_gate : std::uint8_t { input, forget, cell, output };

/// x [batch, steps, inputs], or [steps, batch, inputs] where time is major; states [batch, cells]
struct lstm_spec {
  std::int32_t batch = 1, steps = 1, inputs = 1, cells = 1;
  bool time_major = false;
  element_type type = element_type::int8;  ///< of input and hidden state; int16: biases are int64
  affine input{}, hidden{};
  affine intermediate{};  ///< of output * tanh(cell), as models state it besides the hidden state's
  float cell_scale = 0x1p-12F;  ///< a power of two; cells are int16
  float cell_clip = 0.0F;       ///< 0: none
  bool has_input_gate = true;
  std::array<float, 4> input_scales{1, 1, 1, 1};  ///< of the weights, by gate
  std::array<float, 4> recurrent_scales{1, 1, 1, 1};
};

[[nodiscard]] inline layer_facts facts_of(const lstm_spec& s) noexcept {
  return {.input = s.type,
          .output = s.type,
          .bias = s.type == element_type::int16 ? element_type::int64 : element_type::int32};
}

/// Of one gate; all empty where there is none.  input [cells, inputs]  recurrent [cells, cells]  bias [cells]
struct lstm_weights {
  std::vector<std::int64_t> input, recurrent, bias;
};

/// What a room says about it, as functions (policy/lstm.hpp).
struct lstm_rule {
  double (*scale_product)(float, float, float) noexcept = nullptr;
  multiplier (*construct)(double) noexcept = nullptr;
  std::int64_t (*rescale)(std::int64_t, const multiplier&) noexcept = nullptr;
  std::string_view (*prepare)(lstm_constants&) = nullptr;
  affine (*shown_on)(affine hidden, affine intermediate) noexcept = nullptr;
  std::int64_t (*sum)(std::int64_t, std::int64_t) noexcept = nullptr;
  std::int64_t (*logistic)(const lstm_constants&, std::int64_t) noexcept = nullptr;
  std::int64_t (*tanh)(const lstm_constants&, std::int64_t) noexcept = nullptr;
  std::int64_t (*tanh_of_cell)(const lstm_constants&, std::int64_t) noexcept = nullptr;
  std::int64_t (*kept)(const lstm_constants&, std::int64_t, std::int64_t) noexcept = nullptr;
  std::int64_t (*written)(const lstm_constants&, std::int64_t, std::int64_t) noexcept = nullptr;
  std::int64_t (*shown)(const lstm_constants&, std::int64_t, std::int64_t) noexcept = nullptr;
};

/// Const but for the states, which it is handed. Allocates nothing, cannot fail.
class lstm_kernel {
 public:
  /// x, y as codes; hidden and cell [batch, cells], read and written
  void operator()(std::span<const std::int64_t> x, std::span<std::int64_t> hidden,
                  std::span<std::int64_t> cell, std::span<std::int64_t> y) const noexcept {
    for (std::int32_t t = 0; t < s_.steps; ++t)
      for (std::int32_t b = 0; b < s_.batch; ++b) {
        const std::int64_t row =
            s_.time_major ? std::int64_t{t} * s_.batch + b : std::int64_t{b} * s_.steps + t;
        const std::int64_t* const in = x.data() + row * s_.inputs;
        std::int64_t* const out = y.data() + row * s_.cells;
        std::int64_t* const h = hidden.data() + std::int64_t{b} * s_.cells;
        std::int64_t* const c = cell.data() + std::int64_t{b} * s_.cells;
        for (std::int32_t j = 0; j < s_.cells; ++j) out[j] = step(in, h, c[j], j);
        for (std::int32_t j = 0; j < s_.cells; ++j) h[j] = out[j];
      }
  }

 private:
  friend result<lstm_kernel> prepare_lstm(const lstm_rule&, const lstm_spec&,
                                          std::array<lstm_weights, 4>);
  lstm_kernel() = default;

  [[nodiscard]] std::int64_t gate(lstm_gate which, const std::int64_t* x, const std::int64_t* h,
                                  std::int32_t j) const noexcept {
    const auto g = static_cast<std::size_t>(which);
    const lstm_weights& w = weights_[g];
    const auto at = static_cast<std::size_t>(j);
    std::int64_t from_x = w.bias.empty() ? 0 : w.bias[at], from_h = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(s_.inputs); ++i)
      from_x = wrap_add(from_x, (x[i] - s_.input.zero_point) *
                                    w.input[at * static_cast<std::size_t>(s_.inputs) + i]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(s_.cells); ++i)
      from_h = wrap_add(from_h, (h[i] - s_.hidden.zero_point) *
                                    w.recurrent[at * static_cast<std::size_t>(s_.cells) + i]);
    if (s_.type == element_type::int8) {
      from_x = wrap_cast<std::int32_t>(from_x);
      from_h = wrap_cast<std::int32_t>(from_h);
    }
    const std::int64_t q =
        rule_.sum(rule_.rescale(from_x, input_[g]), rule_.rescale(from_h, recurrent_[g]));
    return which == lstm_gate::cell ? rule_.tanh(constants_, q) : rule_.logistic(constants_, q);
  }

  [[nodiscard]] std::int64_t step(const std::int64_t* x, const std::int64_t* h, std::int64_t& c,
                                  std::int32_t j) const noexcept {
    const std::int64_t forget = gate(lstm_gate::forget, x, h, j);
    const std::int64_t in =
        s_.has_input_gate ? gate(lstm_gate::input, x, h, j) : highest<std::int16_t> - forget;
    const std::int64_t candidate = gate(lstm_gate::cell, x, h, j);
    c = saturate_cast<std::int16_t>(rule_.kept(constants_, forget, c) +
                                    rule_.written(constants_, in, candidate));
    if (clip_ > 0) c = clamp_to<std::int64_t>(c, -clip_, clip_);
    const std::int64_t shown = rule_.shown(constants_, gate(lstm_gate::output, x, h, j),
                                           rule_.tanh_of_cell(constants_, c));
    return clamp_to(shown + shown_zero_, range_of(s_.type).low, range_of(s_.type).high);
  }

  lstm_spec s_;
  lstm_rule rule_;
  lstm_constants constants_;
  std::array<lstm_weights, 4> weights_;
  std::array<multiplier, 4> input_{}, recurrent_{};
  std::int64_t clip_ = 0, shown_zero_ = 0;
};

/// What a target's lstm room says about one layer.
template <target Target> [[nodiscard]] constexpr lstm_rule lstm_rule_of(const layer_facts& layer) {
  static_assert(check_room<Target, room::lstm>());
  lstm_rule rule;
  choose<axis_value<Target, room::lstm, axis::scale_product>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.scale_product = &P::of; });
  choose<axis_value<Target, room::lstm, axis::multiplier>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.construct = &P::of; });
  choose<axis_value<Target, room::lstm, axis::rescale>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.rescale = &P::apply; });
  choose<axis_value<Target, room::lstm, axis::lstm_rule>>(layer,
                                                          [&]<class P>(std::type_identity<P>) {
                                                            rule.prepare = &P::prepare;
                                                            rule.shown_on = &P::shown_on;
                                                            rule.sum = &P::sum;
                                                            rule.logistic = &P::logistic;
                                                            rule.tanh = &P::tanh;
                                                            rule.tanh_of_cell = &P::tanh_of_cell;
                                                            rule.kept = &P::kept;
                                                            rule.written = &P::written;
                                                            rule.shown = &P::shown;
                                                          });
  return rule;
}

[[nodiscard]] inline result<lstm_kernel> prepare_lstm(const lstm_rule& rule, const lstm_spec& s,
                                                      std::array<lstm_weights, 4> weights) {
  if (s.type != element_type::int8 && s.type != element_type::int16)
    return error{error_code::unsupported, sentence({"the element type ", name_of(s.type),
                                                    " has no kernel; use int8 or int16"})};
  if (s.batch < 0 || s.steps < 0 || s.inputs < 1 || s.cells < 1)
    return error{error_code::bad_shape, "an LSTM needs at least one input and one cell"};
  if (auto c = check_affine(s.input, s.type, "the input"); !c) return c.error();
  if (auto c = check_affine(s.hidden, s.type, "the hidden state"); !c) return c.error();
  if (auto c = check_scale(s.cell_scale, "the cell state"); !c) return c.error();
  if (auto c = check_scale(s.cell_clip + 1.0F, "the clip, plus 1,"); !c) return c.error();
  const ieee::parts cell = ieee::split(s.cell_scale);
  if (!std::has_single_bit(cell.significand))
    return error{error_code::bad_scale,
                 sentence({"the scale of the cell state is ", decimal(s.cell_scale),
                           "; it must be a power of two, quantize the tensor again"})};
  lstm_kernel k;
  k.s_ = s;
  k.rule_ = rule;
  k.constants_.cell_exponent = cell.exponent + std::countr_zero(cell.significand);
  const affine shown = rule.shown_on(s.hidden, s.intermediate);
  if (auto c = check_scale(shown.scale, "the hidden state's intermediate"); !c) return c.error();
  k.constants_.hidden_scale = shown.scale;
  k.shown_zero_ = shown.zero_point;
  if (const std::string_view reason = rule.prepare(k.constants_); !reason.empty())
    return error{error_code::unsupported, std::string(reason)};
  k.clip_ = saturate_cast<std::int16_t>(
      rounding::to_integer<rounding::toward_zero>(ieee::divide(s.cell_clip, s.cell_scale)));
  const auto cells = static_cast<std::size_t>(s.cells), inputs = static_cast<std::size_t>(s.inputs);
  for (std::size_t g = s.has_input_gate ? 0 : 1; g < 4; ++g) {
    const lstm_weights& w = weights[g];
    if (w.input.size() != cells * inputs || w.recurrent.size() != cells * cells ||
        (!w.bias.empty() && w.bias.size() != cells))
      return error{error_code::bad_shape,
                   sentence({"gate ", number(g), " has ", number(w.input.size()), ", ",
                             number(w.recurrent.size()), " and ", number(w.bias.size()),
                             " weights and biases, which does not fit the inputs and cells"})};
    if (auto c = check_scale(s.input_scales[g], "input weights"); !c) return c.error();
    if (auto c = check_scale(s.recurrent_scales[g], "recurrent weights"); !c) return c.error();
    k.input_[g] = rule.construct(rule.scale_product(s.input.scale, s.input_scales[g], 0x1p-12F));
    k.recurrent_[g] =
        rule.construct(rule.scale_product(s.hidden.scale, s.recurrent_scales[g], 0x1p-12F));
  }
  k.weights_ = std::move(weights);
  return k;
}

/// The door. Checks once; the kernel that it returns cannot fail.
template <target Target> struct lstm {
  static_assert(check_room<Target, room::lstm>());
  [[nodiscard]] static result<lstm_kernel> prepare(const lstm_spec& spec,
                                                   std::array<lstm_weights, 4> weights) {
    return prepare_lstm(lstm_rule_of<Target>(facts_of(spec)), spec, std::move(weights));
  }
};

}  // namespace bittwin::inline v1
