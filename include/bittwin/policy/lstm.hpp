// SPDX-License-Identifier: Apache-2.0
// What an integer LSTM makes of its gates and cells, one question each.
//   q         Q3.12 sums of a gate: input part + recurrent part
//   gate      logistic or tanh of q, Q0.15
//   cell      forget * cell + input * candidate, at a scale 2^exponent
//   hidden    output gate * tanh(cell)
// composed_operators  every stage as the operator of its name would do it, saturated to int16 in between
// direct_products     the recurrent part is added before it saturates, cells are products rounded once, gates are
//                     16-bit fixed point
// source  composed_operators: TFLM lstm_eval.cc; direct_products: TFLite lstm_eval.cc, LstmStepInteger8x8_16
#pragma once

#include <bittwin/policy/fixed_point_sigmoid.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/policy/scale_product.hpp>
#include <bittwin/policy/unary_sigmoid.hpp>
#include <string_view>

namespace bittwin::inline v1 {

/// What the rule needs of a layer besides its codes.
struct lstm_constants {
  std::int32_t cell_exponent = 0;  ///< the scale of cells is 2^cell_exponent
  multiplier keep{};               ///< forget gate * cell, to the scale of cells
  multiplier write{};              ///< input gate * candidate, to the scale of cells
  float hidden_scale = 1.0F;
  multiplier show{};  ///< output gate * tanh(cell), to the hidden state's scale
  unary_constants gate_logistic{}, gate_tanh{}, cell_tanh{};
};

}  // namespace bittwin::inline v1

namespace bittwin::lstm_rules::inline v1 {

namespace detail {

[[nodiscard]] constexpr float power_of_two(int exponent) noexcept {
  return ieee::nearest<float>(false, {1, false, exponent});
}

}  // namespace detail

template <class Multiplier, class Rescale> struct composed_operators {
  static constexpr std::string_view name = "composed-operators";
  using multiplier = Multiplier;
  using rescale = Rescale;
  using logistic_rule = unary_rules::interpolated<sigmoid::logistic>;
  using tanh_rule = unary_rules::interpolated<sigmoid::tanh>;

  static std::string_view prepare(lstm_constants& c) {
    const auto cell = ieee::convert<double>(detail::power_of_two(c.cell_exponent));
    c.keep = Multiplier::of(0x1p-15);
    c.write = Multiplier::of(ieee::divide(0x1p-30, cell));
    c.show =
        Multiplier::of(bittwin::scale_product::in_float64::of(0x1p-15F, 0x1p-15F, c.hidden_scale));
    for (unary_constants* u : {&c.gate_logistic, &c.gate_tanh, &c.cell_tanh}) {
      u->type = element_type::int16;
      u->in = {u == &c.cell_tanh ? detail::power_of_two(c.cell_exponent) : 0x1p-12F, 0};
      u->out = {0x1p-15F, 0};
    }
    (void)logistic_rule::prepare(c.gate_logistic);
    (void)tanh_rule::prepare(c.gate_tanh);
    return tanh_rule::prepare(c.cell_tanh);
  }
  /// The grid to which output gate * tanh(cell) is brought.
  static affine shown_on(affine hidden, affine) noexcept { return hidden; }
  /// input and recurrent parts after their rescale, before any saturation
  static std::int64_t sum(std::int64_t input, std::int64_t recurrent) noexcept {
    return saturate_cast<std::int16_t>(std::int64_t{saturate_cast<std::int16_t>(input)} +
                                       saturate_cast<std::int16_t>(recurrent));
  }
  static std::int64_t logistic(const lstm_constants& c, std::int64_t q) noexcept {
    return logistic_rule::apply(c.gate_logistic, q);
  }
  static std::int64_t tanh(const lstm_constants& c, std::int64_t q) noexcept {
    return tanh_rule::apply(c.gate_tanh, q);
  }
  static std::int64_t tanh_of_cell(const lstm_constants& c, std::int64_t cell) noexcept {
    return tanh_rule::apply(c.cell_tanh, cell);
  }
  static std::int64_t kept(const lstm_constants& c, std::int64_t forget,
                           std::int64_t cell) noexcept {
    return saturate_cast<std::int16_t>(Rescale::apply(forget * cell, c.keep));
  }
  static std::int64_t written(const lstm_constants& c, std::int64_t input,
                              std::int64_t candidate) noexcept {
    return saturate_cast<std::int16_t>(Rescale::apply(input * candidate, c.write));
  }
  static std::int64_t shown(const lstm_constants& c, std::int64_t output,
                            std::int64_t tanh) noexcept {
    return Rescale::apply(output * tanh, c.show);
  }
};

template <class Multiplier, class Rescale> struct direct_products {
  static constexpr std::string_view name = "direct-products";
  using multiplier = Multiplier;
  using rescale = Rescale;

  static std::string_view prepare(lstm_constants& c) noexcept {
    c.show =
        Multiplier::of(bittwin::scale_product::in_float32::of(0x1p-15F, 0x1p-15F, c.hidden_scale));
    return c.cell_exponent >= -15 && c.cell_exponent <= -9
               ? std::string_view{}
               : "the scale of the cells must be a power of two from 2^-15 to 2^-9";
  }
  /// The intermediate's zero point is subtracted, so models state it with the other sign.
  static affine shown_on(affine, affine intermediate) noexcept {
    return {intermediate.scale, -intermediate.zero_point};
  }
  static std::int64_t sum(std::int64_t input, std::int64_t recurrent) noexcept {
    return saturate_cast<std::int16_t>(std::int64_t{saturate_cast<std::int16_t>(input)} +
                                       recurrent);
  }
  static std::int64_t logistic(const lstm_constants&, std::int64_t q) noexcept {
    return fixed_point::logistic<16, 3>(static_cast<std::int32_t>(q));
  }
  static std::int64_t tanh(const lstm_constants&, std::int64_t q) noexcept {
    return fixed_point::tanh<16, 3>(static_cast<std::int32_t>(q));
  }
  static std::int64_t tanh_of_cell(const lstm_constants& c, std::int64_t cell) noexcept {
    const auto x = static_cast<std::int32_t>(cell);
    switch (15 + c.cell_exponent) {
      case 0: return fixed_point::tanh<16, 0>(x);
      case 1: return fixed_point::tanh<16, 1>(x);
      case 2: return fixed_point::tanh<16, 2>(x);
      case 3: return fixed_point::tanh<16, 3>(x);
      case 4: return fixed_point::tanh<16, 4>(x);
      case 5: return fixed_point::tanh<16, 5>(x);
      default: return fixed_point::tanh<16, 6>(x);
    }
  }
  static std::int64_t kept(const lstm_constants&, std::int64_t forget, std::int64_t cell) noexcept {
    return wrap_cast<std::int16_t>(rounding::shift_right<rounding::half_away>(forget * cell, 15));
  }
  static std::int64_t written(const lstm_constants& c, std::int64_t input,
                              std::int64_t candidate) noexcept {
    return wrap_cast<std::int16_t>(
        rounding::shift_right<rounding::half_away>(input * candidate, 30 + c.cell_exponent));
  }
  static std::int64_t shown(const lstm_constants& c, std::int64_t output,
                            std::int64_t tanh) noexcept {
    return Rescale::apply(output * tanh, c.show);
  }
};

}  // namespace bittwin::lstm_rules::inline v1
