// SPDX-License-Identifier: Apache-2.0
// Convolutions and fully connected layers: what their constants say of accumulators, multipliers and biases.
#pragma once

#include <algorithm>
#include <bittwin/analysis/hazard.hpp>
#include <bittwin/graph/constant.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/proof/overflow.hpp>
#include <bittwin/types/sentence.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// One layer's constants, widened. Depthwise filters keep their channels innermost.
class summing_layer {
 public:
  /// Absent: no such operator, or operands that are not constant codes on grids.
  [[nodiscard]] static std::optional<summing_layer> of(const graph::model& m,
                                                       const graph::operation& op) {
    const bool depthwise = op.code == graph::operator_code::depthwise_conv_2d;
    if (!depthwise && op.code != graph::operator_code::conv_2d &&
        op.code != graph::operator_code::fully_connected)
      return std::nullopt;
    const auto at = [&](std::int32_t index) -> const graph::tensor& {
      return m.tensors[static_cast<std::size_t>(index)];
    };
    const graph::tensor &x = at(op.inputs[0]), &w = at(op.inputs[1]), &y = at(op.outputs[0]);
    const bool codes = w.type == element_type::int8 || w.type == element_type::uint8 ||
                       w.type == element_type::int4;
    if (!codes || !w.is_constant() || !is_integer(x.type) || !x.quantization.present() ||
        !w.quantization.present() || !y.quantization.present() || w.extents.rank() < 2)
      return std::nullopt;
    summing_layer l;
    l.type = x.type;
    l.input = {x.quantization.scale(), static_cast<std::int32_t>(x.quantization.zero_point())};
    l.output = {y.quantization.scale(), static_cast<std::int32_t>(y.quantization.zero_point())};
    l.output_range = range_of(y.type);
    l.weight_type = w.type;
    l.filter = w.quantization;
    l.channels = depthwise ? w.extents.from_end(1) : w.extents[0];
    if (l.channels < 1) return std::nullopt;
    l.terms = w.extents.elements() / l.channels;
    l.step = depthwise ? l.channels : 1;
    const std::vector<std::byte> bytes = graph::stored_constant(w);
    for (const std::byte b : bytes) {
      const auto code = std::to_integer<std::uint8_t>(b);
      l.weights.push_back(static_cast<std::int16_t>(
          w.type == element_type::uint8 ? code : static_cast<std::int8_t>(code)));
    }
    if (static_cast<std::int64_t>(l.weights.size()) != w.extents.elements()) return std::nullopt;
    if (w.quantization.per_channel() &&
        static_cast<std::int64_t>(w.quantization.scales.size()) != l.channels)
      return std::nullopt;
    if (op.inputs.size() > 2 && op.inputs[2] != graph::no_tensor) {
      const graph::tensor& b = at(op.inputs[2]);
      l.bias_map = b.quantization;
      l.bias_is_wide = b.type == element_type::int64;
      if (b.is_constant() && b.type == element_type::int64)
        l.bias = graph::constant_as<std::int64_t>(b);
      if (b.is_constant() && b.type == element_type::int32)
        for (const std::int32_t value : graph::constant_as<std::int32_t>(b))
          l.bias.push_back(value);
    }
    return l;
  }

  [[nodiscard]] double multiplier(std::int64_t c) const {
    return static_cast<double>(input.scale) *
           static_cast<double>(filter.scale(static_cast<std::size_t>(c))) /
           static_cast<double>(output.scale);
  }
  [[nodiscard]] std::int64_t bias_of(std::int64_t c) const {
    return static_cast<std::size_t>(c) < bias.size() ? bias[static_cast<std::size_t>(c)] : 0;
  }
  [[nodiscard]] proof::dot_product_terms<std::int16_t> terms_of(std::int64_t c) const {
    return {weights.data() + (step == 1 ? c * terms : c),
            terms,
            step,
            static_cast<std::int32_t>(filter.zero_point(static_cast<std::size_t>(c))),
            input.zero_point,
            range_of(type)};
  }

  element_type type{}, weight_type{};
  affine input, output;
  code_range output_range;
  quantization filter, bias_map;
  std::int64_t channels = 0, terms = 0, step = 1;
  std::vector<std::int16_t> weights;
  std::vector<std::int64_t> bias;
  bool bias_is_wide = false;
};

namespace detail {

/// Channels of one layer that share a hazard; the first of them stands for all.
class channel_hazard {
 public:
  void add(std::int64_t channel, double value, bool worse_if_larger = true) {
    ++count_;
    if (first_ && (worse_if_larger ? value <= value_ : value >= value_)) return;
    first_ = channel;
    value_ = value;
  }
  void report(audit_report& to, std::string_view code, std::size_t op, std::int32_t tensor,
              std::int64_t channels, std::string_view text, std::string_view fix) const {
    if (!first_) return;
    hazard h =
        hazard_of(code, op, tensor, value_,
                  sentence({number(count_), " of ", number(channels), " channels: ", text}), fix);
    h.channel = *first_;
    to.hazards.push_back(std::move(h));
  }

 private:
  std::optional<std::int64_t> first_;
  double value_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace detail

inline void audit_sums(const graph::model& m, audit_report& report) {
  for (std::size_t k = 0; k < m.operations.size(); ++k) {
    const graph::operation& op = m.operations[k];
    const auto layer = summing_layer::of(m, op);
    if (!layer) continue;
    ++report.checked["sums"];
    report.checked["channels"] += static_cast<std::size_t>(layer->channels);
    detail::channel_hazard above_1, tiny, dead, overflow, depth, folded, scale, pairs;
    std::int64_t lowest_weights = 0;
    const int width = layer->type == element_type::int16 && layer->bias_is_wide ? 48 : 32;
    for (std::int64_t c = 0; c < layer->channels; ++c) {
      const double real = layer->multiplier(c);
      if (real >= 1) above_1.add(c, real);
      if (real < std::ldexp(1.0, -31)) tiny.add(c, real, false);

      const auto terms = layer->terms_of(c);
      const proof::accumulator_bounds bounds = proof::bounds_of(terms, layer->bias_of(c));
      const double reach = static_cast<double>(std::max(bounds.high, -bounds.low));
      if (!bounds.fits(width))
        (layer->type == element_type::int16 ? depth : overflow).add(c, reach);
      const auto code = [&](std::int64_t acc) {
        const double at =
            std::nearbyint(static_cast<double>(acc) * real) + layer->output.zero_point;
        return std::clamp(at, static_cast<double>(layer->output_range.low),
                          static_cast<double>(layer->output_range.high));
      };
      if (code(bounds.low) == code(bounds.high)) dead.add(c, code(bounds.low));

      std::int64_t sum = 0;
      for (std::int64_t i = 0; i < terms.count; ++i) {
        const std::int64_t w = terms.first[i * terms.step];
        sum += w - terms.weight_zero;
        lowest_weights += layer->weight_type == element_type::int8 && w == -128;
      }
      const std::int64_t with_zero = layer->bias_of(c) - layer->input.zero_point * sum;
      if (with_zero != wrap_cast<std::int32_t>(with_zero) && width == 32)
        folded.add(c, static_cast<double>(with_zero));

      if (!layer->bias.empty() && layer->bias_map.present()) {
        const double own = static_cast<double>(layer->bias_map.scale(static_cast<std::size_t>(c)));
        const double product = real * static_cast<double>(layer->output.scale);
        const double moved =
            std::fabs(static_cast<double>(layer->bias_of(c)) * (own / product - 1));
        if (moved >= 0.5) scale.add(c, own / product);
      }
      if (layer->type != element_type::int16 && layer->weight_type == element_type::int8) {
        auto raw = terms;
        raw.input = {0, 255};  // int8 inputs are moved by 128 there
        if (const auto pair = proof::pair_bounds_of(raw); !pair.fits(16))
          pairs.add(c, static_cast<double>(std::max(pair.high, -pair.low)));
      }
    }
    const std::int32_t y = op.outputs[0], w = op.inputs[1];
    const auto tell = [&](const detail::channel_hazard& h, std::string_view code,
                          std::int32_t tensor, std::string_view text, std::string_view fix) {
      h.report(report, code, k, tensor, layer->channels, text, fix);
    };
    tell(above_1, "MULTIPLIER_GE_1", y,
         "the multiplier is 1 or more; targets without a left shift cannot hold it",
         "calibrate the output to a wider range, or scale the weights down");
    tell(tiny, "MULTIPLIER_TINY", y, "the multiplier is below 2^-31 and becomes 0",
         "remove the channel, or calibrate again");
    tell(dead, "DEAD_CHANNEL", y, "every input gives the same code",
         "prune the channel, or calibrate again");
    tell(overflow, "ACCUMULATOR_OVERFLOW", y,
         "some input drives the sum out of 32 bits: targets that wrap and targets that saturate "
         "differ",
         "use fewer terms, or smaller weights");
    tell(depth, "INT16_DEPTH", y,
         "some input drives the sum out of the accumulator of 16-bit layers",
         "use a 64-bit bias, or fewer terms");
    tell(folded, "BIAS_OVERFLOW", y,
         "the bias with the input's zero point folded in leaves 32 bits",
         "use an input zero point nearer to 0, or smaller weights");
    tell(scale, "BIAS_SCALE", y,
         "the bias has a scale other than input scale times weight scale; targets that trust it "
         "move the result",
         "requantize the bias to the product of both scales");
    tell(pairs, "PAIR_SATURATION", w,
         "two products reach past 16 bits: kernels on 8-bit multiply-add of pairs (AVX2 without "
         "VNNI) saturate",
         "keep weights within [-64, 64] (reduced range), or use a target with 32-bit sums");
    const auto alone = [&](std::string_view code, double value, std::string text,
                           std::string_view fix) {
      report.hazards.push_back(hazard_of(code, k, w, value, std::move(text), fix));
    };
    if (lowest_weights > 0)
      alone("WEIGHT_MINUS_128", static_cast<double>(lowest_weights),
            sentence({number(lowest_weights),
                      " weights are -128; symmetric targets hold -127 at least"}),
            "quantize the weights to [-127, 127]");
    const std::int64_t zero = layer->filter.zero_point();
    if (zero != (layer->weight_type == element_type::uint8 ? 128 : 0))
      alone("WEIGHT_ZERO_POINT", static_cast<double>(zero),
            sentence({"the weights have the zero point ", number(zero),
                      "; targets with symmetric weights ignore it"}),
            "quantize the weights symmetrically");
  }
}

}  // namespace bittwin::analysis::inline v1
