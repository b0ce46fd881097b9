// SPDX-License-Identifier: Apache-2.0
// Faults of scales and zero points: an operand read on another grid, one scale for all channels, a poorer multiplier.
#pragma once

#include <algorithm>
#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/fault.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/quantization.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

[[nodiscard]] inline bool is_sum(const graph::operation& op) {
  return op.code == graph::operator_code::add || op.code == graph::operator_code::sub;
}
/// Operators with a filter: CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED.
[[nodiscard]] inline bool has_filter(const graph::operation& op) {
  using graph::operator_code;
  return op.code == operator_code::conv_2d || op.code == operator_code::depthwise_conv_2d ||
         op.code == operator_code::fully_connected;
}

/// Sets one operand's zero point; false where it has it already.
inline bool set_zero_point(quantization& q, std::int64_t zero) {
  const bool differs = std::any_of(q.zero_points.begin(), q.zero_points.end(),
                                   [&](std::int64_t z) { return z != zero; });
  std::fill(q.zero_points.begin(), q.zero_points.end(), zero);
  return differs;
}

/// Operand a of an ADD or SUB read with another grid's scale.
inline auto sum_scales(bool first_for_both, bool swapped) {
  return [=](model_edit& e, std::size_t k) {
    if (!is_sum(e.op(k)) || !e.input(k, 0)->quantization.present() ||
        !e.input(k, 1)->quantization.present())
      return false;
    const quantization a = e.input(k, 0)->quantization, b = e.input(k, 1)->quantization;
    if (a.scales == b.scales) return false;
    graph::tensor* const first = swapped || !first_for_both ? e.own_input(k, 0) : e.input(k, 0);
    if (first == nullptr) return false;
    first->quantization.scales = swapped || !first_for_both ? b.scales : a.scales;
    graph::tensor* const second = swapped || first_for_both ? e.own_input(k, 1) : e.input(k, 1);
    if (second == nullptr) return false;
    second->quantization.scales = swapped || first_for_both ? a.scales : b.scales;
    return true;
  };
}

/// Weight scales by channel through `f(multiplier)`, where multiplier = input * weight / output scale.
template <class F> auto multipliers(F f) {
  return [f](model_edit& e, std::size_t k) {
    if (!has_filter(e.op(k)) || !e.input(k, 1)->quantization.present() ||
        !e.input(k, 0)->quantization.present() || !e.output(k).quantization.present())
      return false;
    const double ratio =
        double{e.input(k, 0)->quantization.scale()} / double{e.output(k).quantization.scale()};
    bool changed = false;
    graph::tensor* const weights = e.own_input(k, 1);
    if (weights == nullptr) return false;
    for (float& scale : weights->quantization.scales) {
      const auto other = static_cast<float>(f(double{scale} * ratio) / ratio);
      changed = changed || other != scale;
      scale = other;
    }
    return changed;
  };
}

/// One scale for all channels.
template <class Pick> auto one_scale(Pick pick) {
  return [pick](model_edit& e, std::size_t k) {
    if (!has_filter(e.op(k)) || !e.input(k, 1)->quantization.per_channel()) return false;
    graph::tensor* const weights = e.own_input(k, 1);
    if (weights == nullptr) return false;
    auto& scales = weights->quantization.scales;
    const float chosen = pick(scales);
    const bool differs =
        std::any_of(scales.begin(), scales.end(), [&](float s) { return s != chosen; });
    std::fill(scales.begin(), scales.end(), chosen);
    return differs;
  };
}

[[nodiscard]] inline double power_of_two(double x, double (*round)(double)) {
  return std::exp2(round(std::log2(x)));
}
[[nodiscard]] inline double of_bits(double x, int bits, double (*round)(double)) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(round(std::ldexp(mantissa, bits)), exponent - bits);
}

/// Channel c is read with the scale of channel from(c, channels, depth multiplier).
template <class From> auto scales_from(From from) {
  return [from](model_edit& e, std::size_t k) {
    if (!has_filter(e.op(k)) || !e.input(k, 1)->quantization.per_channel()) return false;
    const std::int32_t inputs = e.input(k, 0)->extents.from_end(1);
    graph::tensor* const weights = e.own_input(k, 1);
    if (weights == nullptr) return false;
    const std::vector<float> own = weights->quantization.scales;
    const auto channels = static_cast<std::int64_t>(own.size());
    const bool depthwise = e.op(k).code == graph::operator_code::depthwise_conv_2d;
    const std::int64_t multiplier = depthwise && inputs > 0 ? channels / inputs : 1;
    auto& scales = weights->quantization.scales;
    for (std::int64_t c = 0; c < channels; ++c)
      scales[static_cast<std::size_t>(c)] =
          own[static_cast<std::size_t>(from(c, channels, std::max<std::int64_t>(multiplier, 1)))];
    return scales != own;
  };
}

/// Moves the output's zero point by `step` codes.
inline auto zero_of_output_moved(int step) {
  return [step](model_edit& e, std::size_t k) {
    graph::tensor& y = e.output(k);
    if (!is_integer(y.type) || !y.quantization.present() || y.quantization.per_channel())
      return false;
    const std::int64_t zero = y.quantization.zero_point() + step;
    const code_range range = range_of(y.type);
    return zero >= range.low && zero <= range.high && set_zero_point(y.quantization, zero);
  };
}

}  // namespace detail

[[nodiscard]] inline fault_list scale_faults() {
  using graph::operator_code;
  const auto zero_of_input = [](std::size_t n) {
    return [n](model_edit& e, std::size_t k) {
      if (n == 1 && !detail::has_filter(e.op(k))) return false;
      graph::tensor* const operand = e.own_input(k, n);
      return operand != nullptr && operand->quantization.present() &&
             detail::set_zero_point(operand->quantization, 0);
    };
  };
  const auto like_output = [](operator_code code, bool scale_alone = false) {
    return [code, scale_alone](model_edit& e, std::size_t k) {
      if (e.op(k).code != code) return false;
      bool changed = false;
      const std::size_t operands = code == operator_code::concatenation ? e.op(k).inputs.size() : 1;
      for (std::size_t n = 0; n < operands; ++n) {
        if (e.input(k, n)->quantization == e.output(k).quantization) continue;
        const quantization grid = e.output(k).quantization;
        graph::tensor* const operand = e.own_input(k, n);
        if (operand == nullptr) return false;
        changed = changed || !scale_alone || operand->quantization.scales != grid.scales;
        operand->quantization.scales = grid.scales;
        if (!scale_alone) operand->quantization = grid;
      }
      return changed;
    };
  };
  const auto lost = [](std::size_t n) {
    return [n](model_edit& e, std::size_t k) {
      if (!detail::is_sum(e.op(k)) || !e.input(k, n)->quantization.present() ||
          e.input(k, n)->quantization.per_channel())
        return false;
      const std::int32_t zeros = e.add_like(*e.input(k, n), "/lost");
      graph::tensor& operand = e.tensor(zeros);
      with_element(operand.type, [&]<class T>(T) {
        e.set_constant(operand, std::vector<T>(static_cast<std::size_t>(operand.extents.elements()),
                                               static_cast<T>(operand.quantization.zero_point())));
      });
      e.op(k).inputs[n] = zeros;
      return true;
    };
  };
  using scales = std::vector<float>;
  return {
      {"ADD_SCALE_IGNORED", "both operands are read with the first one's scale",
       detail::sum_scales(true, false)},
      {"ADD_SCALE_IGNORED", "both operands are read with the second one's scale",
       detail::sum_scales(false, false)},
      {"ADD_SCALES_SWAPPED", "each operand is read with the other one's scale",
       detail::sum_scales(false, true)},
      {"ADD_OPERAND_LOST", "the second operand is not added", lost(1)},
      {"ADD_OPERAND_LOST", "the first operand is not added", lost(0)},
      {"PER_CHANNEL_AS_PER_TENSOR", "the weight scale of channel 0 serves all channels",
       detail::one_scale([](const scales& s) { return s.front(); })},
      {"PER_CHANNEL_AS_PER_TENSOR", "the largest weight scale serves all channels",
       detail::one_scale([](const scales& s) { return *std::max_element(s.begin(), s.end()); })},
      {"PER_CHANNEL_AS_PER_TENSOR", "the weight scale of the last channel serves all channels",
       detail::one_scale([](const scales& s) { return s.back(); })},
      {"PER_CHANNEL_AS_PER_TENSOR", "the mean weight scale serves all channels",
       detail::one_scale([](const scales& s) {
         double sum = 0;
         for (const float scale : s) sum += double{scale};
         return static_cast<float>(sum / static_cast<double>(s.size()));
       })},
      {"SCALE_AXIS", "weight scales are read from the last channel to the first",
       detail::scales_from([](auto c, auto n, auto) { return n - 1 - c; })},
      {"SCALE_AXIS", "each channel is read with the next one's weight scale",
       detail::scales_from([](auto c, auto n, auto) { return (c + 1) % n; })},
      {"SCALE_AXIS", "each channel is read with the weight scale of the one before",
       detail::scales_from([](auto c, auto n, auto) { return (c + n - 1) % n; })},
      {"SCALE_AXIS", "weight scales are read by multiple first, then by input channel",
       detail::scales_from([](auto c, auto n, auto m) { return c % m * (n / m) + c / m; })},
      {"SCALE_AXIS", "weight scales are read by input channel first, then by multiple",
       detail::scales_from([](auto c, auto n, auto m) { return c % (n / m) * m + c / (n / m); })},
      {"WEIGHT_ZERO_POINT", "the weights' zero point is taken as 0", zero_of_input(1)},
      {"INPUT_ZERO_POINT", "the input's zero point is taken as 0", zero_of_input(0)},
      {"OUTPUT_ZERO_POINT", "the output's zero point is not added",
       [](model_edit& e, std::size_t k) {
         return e.output(k).quantization.present() &&
                detail::set_zero_point(e.output(k).quantization, 0);
       }},
      {"OUTPUT_ZERO_POINT", "the output's zero point is one less",
       detail::zero_of_output_moved(-1)},
      {"OUTPUT_ZERO_POINT", "the output's zero point is one more", detail::zero_of_output_moved(1)},
      {"CONCAT_SCALE", "operands are copied without a rescale to the output's grid",
       like_output(operator_code::concatenation)},
      {"MEAN_SCALE", "the mean is not rescaled from the input's grid to the output's",
       like_output(operator_code::mean)},
      {"MEAN_SCALE", "the mean is moved to the output's zero point and keeps the input's scale",
       like_output(operator_code::mean, true)},
      {"REQUANTIZE_LOST", "codes are copied without a rescale to the output's grid",
       like_output(operator_code::quantize)},
      {"POWER_OF_TWO_SCALE", "multipliers are rounded to the nearest power of two",
       detail::multipliers([](double m) { return detail::power_of_two(m, std::round); })},
      {"POWER_OF_TWO_SCALE", "multipliers are rounded up to a power of two",
       detail::multipliers([](double m) { return detail::power_of_two(m, std::ceil); })},
      {"POWER_OF_TWO_SCALE", "multipliers are rounded down to a power of two",
       detail::multipliers([](double m) { return detail::power_of_two(m, std::floor); })},
      {"MULTIPLIER_16BIT", "multipliers keep 16 bits",
       detail::multipliers([](double m) { return detail::of_bits(m, 16, std::round); })},
      {"MULTIPLIER_16BIT", "multipliers keep 16 bits, the rest is cut off",
       detail::multipliers([](double m) { return detail::of_bits(m, 16, std::floor); })},
      {"MULTIPLIER_16BIT", "multipliers keep 15 bits",
       detail::multipliers([](double m) { return detail::of_bits(m, 15, std::round); })},
      {"MULTIPLIER_16BIT", "multipliers keep 15 bits, the rest is cut off",
       detail::multipliers([](double m) { return detail::of_bits(m, 15, std::floor); })},
  };
}

}  // namespace bittwin::analysis::inline v1
