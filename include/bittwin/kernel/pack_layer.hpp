// SPDX-License-Identifier: Apache-2.0
// What packing a convolution and a depthwise convolution have in common: weights less their zero point as signed
// bytes, bounds of every channel, and the form in which each vector of channels makes its codes.
#pragma once

#include <algorithm>
#include <bittwin/kernel/packed_layer.hpp>
#include <bittwin/proof/conditions.hpp>
#include <bittwin/simd/float_environment.hpp>
#include <bittwin/types/element_type.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <vector>

namespace bittwin::inline v1 {

namespace detail {

/// w - w_zero: nine bits and a sign where the zero point is a code; nothing where it is none.
[[nodiscard]] inline std::vector<std::int16_t> weights_less_zero(const packing_request& q) {
  std::vector<std::int16_t> all;
  const element_type type = q.type == element_type::int16 ? element_type::int8 : q.type;
  if (!range_of(type).contains(q.zero.weight)) return all;
  all.reserve(q.weights.size());
  for (const std::byte stored : q.weights) {
    const std::int32_t code = q.type == element_type::uint8 ? std::to_integer<std::int32_t>(stored)
                                                            : static_cast<std::int8_t>(stored);
    all.push_back(static_cast<std::int16_t>(code - q.zero.weight));
  }
  return all;
}

/// What makes all of them int8 when it is taken from them; 0 where they are. They lie within 255 of each other.
///   sum u w = sum u (w - offset) + offset sum u
[[nodiscard]] inline std::int32_t weight_offset(const std::vector<std::int16_t>& weights) {
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  return *least >= -128 && *most <= 127 ? 0 : *most - 127;
}

[[nodiscard]] inline std::int64_t bias_of(const packing_request& q, std::int64_t channel) {
  return q.bias.empty() ? 0 : q.bias[static_cast<std::size_t>(channel)];
}

/// Weights of a channel: `count` of them, `step` apart, the first at channel * stride.
struct weight_places {
  std::int64_t count = 0, stride = 1, step = 1;
};

/// The first proof for every channel; empty where it fails for one.
/// most_bits  that accumulators have here
[[nodiscard]] inline std::vector<code_range> reachable_ranges(
    const packing_request& q, const std::vector<std::int16_t>& weights, weight_places places,
    int most_bits = 32) {
  std::vector<code_range> ranges;
  const int bits = std::min(q.summation.bits, most_bits);
  const code_range codes = range_of(q.type);
  if (bits == 0 || !codes.contains(q.zero.padding) || !codes.contains(q.zero.input)) return {};
  for (std::int64_t channel = 0; channel < q.geometry.output_channels; ++channel) {
    const std::int16_t* const first = weights.data() + channel * places.stride;
    const proof::dot_product_terms<std::int16_t> terms{first, places.count, places.step,
                                                       0,     q.zero.input, codes};
    const auto bounds = proof::bounds_of(terms, bias_of(q, channel));
    if (!bounds.fits(bits)) return {};
    if (q.summation.raw_pairs) {
      // Only two products of -128 and -128 leave int16.
      int lowest_weights = 0;
      for (std::int64_t i = 0; i < places.count; ++i)
        lowest_weights += first[i * places.step] == -128 ? 1 : 0;
      if (q.type != element_type::int8 || q.zero.weight != 0 || lowest_weights > 1) return {};
    }
    ranges.push_back({bounds.low, bounds.high});
  }
  return ranges;
}

/// Where the codes of a block are made as one, the cheapest form that all its vectors share, if any; else the cheapest for each.
inline void prove_block(packed_layer& p, std::span<const proof::channel_claim> claims,
                        packed_layer::block& block, bool as_one, proof::form_scratch& scratch) {
  const std::int32_t first = block.vector, vectors = block.size;
  const auto holds = [&](simd::form_kind kind, std::int32_t v) {
    const auto begin = static_cast<std::size_t>(v) * simd::lanes;
    const auto of_vector =
        claims.subspan(begin, std::min<std::size_t>(claims.size() - begin, simd::lanes));
    return proof::prove(kind, of_vector, p.tile, p.kernels->requantize, p.forms.data()[first + v],
                        scratch);
  };
  for (const simd::form_kind kind : simd::every_form) {
    if (!as_one) break;
    std::int32_t v = 0;
    while (v < vectors && holds(kind, v)) ++v;
    if (v == vectors) return;
  }
  for (std::int32_t v = 0; v < vectors; ++v) {
    const bool proved = std::any_of(std::begin(simd::every_form), std::end(simd::every_form),
                                    [&](simd::form_kind kind) { return holds(kind, v); });
    if (proved) continue;
    p.forms.data()[first + v] = {};
    p.scalar_forms = true;
    block.all_proved = false;
  }
}

/// Finds the form of every vector, and the centres that the sums start from less. `block` vectors share one if
/// possible, where their codes are made as one.
inline void prove_forms(packed_layer& p, const packing_request& q,
                        const std::vector<code_range>& ranges, bool as_one) {
  const simd::float_environment environment;
  const std::int32_t shift = q.type == element_type::uint8 ? 128 : 0;
  p.tile.low = static_cast<std::int8_t>(std::max(q.rule.clamp.low, q.rule.type.low) - shift);
  p.tile.high = static_cast<std::int8_t>(std::min(q.rule.clamp.high, q.rule.type.high) - shift);
  p.tile.flip = static_cast<std::uint8_t>(shift);
  p.forms.resize(static_cast<std::size_t>(p.vectors()));
  const bool shared = q.rule.multipliers.size() == 1;
  code_range every = ranges[0];
  for (const code_range& r : ranges)
    every = {std::min(every.low, r.low), std::max(every.high, r.high)};
  constexpr std::size_t most_channels = 4 * simd::lanes;
  std::vector<proof::thresholds> rules(shared ? 1 : most_channels);
  // Channels with one multiplier share their thresholds, if the rule is monotone for all of them.
  const bool together = shared && q.monotone != nullptr && q.monotone(every, q.rule.multipliers[0]);
  if (together) rules[0] = proof::thresholds_of(q.rule, 0, q.rule.multipliers[0].real, every);
  proof::form_scratch scratch;
  std::vector<proof::channel_claim> claims;
  for (packed_layer::block& block : p.blocks) {
    const std::int32_t first = block.vector * simd::lanes;
    const std::int32_t end = std::min(first + block.size * simd::lanes, q.geometry.output_channels);
    claims.clear();
    for (std::int32_t c = first; c < end; ++c) {
      const auto channel = static_cast<std::size_t>(c);
      const multiplier& m = q.rule.multipliers[shared ? 0 : channel];
      claims.push_back(
          {together ? &rules[0] : nullptr, ranges[channel], q.rule.zero_point, shift, m.real});
      if (shared || q.monotone == nullptr || !q.monotone(ranges[channel], m)) continue;
      proof::thresholds& own = rules[static_cast<std::size_t>(c - first)];
      own = proof::thresholds_of(q.rule, c, m.real, ranges[channel]);
      claims.back().rule = &own;
    }
    prove_block(p, claims, block, as_one, scratch);
  }
}

/// The form of every vector of an int16 layer: float64 where products of the rule's factor with every reachable
/// accumulator have at most 52 bits and a result of 31. What is added makes ties go up: it is half of the products' last
/// place, so the nearest integer is the one that half_up has.
inline void choose_word_forms(packed_layer& p, const packing_request& q,
                              const std::vector<code_range>& ranges) {
  p.clamp = {std::max(q.rule.clamp.low, q.rule.type.low),
             std::min(q.rule.clamp.high, q.rule.type.high)};
  p.forms.resize(static_cast<std::size_t>(p.vectors()));
  for (std::int32_t c = 0; c < q.geometry.output_channels; ++c) {
    simd::channel_form& form = p.forms.data()[c / simd::lanes];
    const int i = c % simd::lanes;
    if (i == 0)
      form.kind = q.product == nullptr || q.rule.zero_point != 0 ? simd::form_kind::scalar
                                                                 : simd::form_kind::float64;
    if (form.kind == simd::form_kind::scalar) continue;
    const rescale::half_up_product m = q.product(q.rule.multiplier_of(c));
    const code_range& range = ranges[static_cast<std::size_t>(c)];
    const double unit = std::ldexp(1.0, -m.shift);
    form.scale64[i] = m.factor * unit;
    form.offset64[i] = unit / 2;
    const double most =
        static_cast<double>(std::max(-range.low, range.high)) * static_cast<double>(m.factor);
    if (most >= 0x1p52 || most * unit > 0x1p30 || m.factor < 0 || m.shift <= 0 || m.shift > 100)
      form.kind = simd::form_kind::scalar;
  }
  for (std::int32_t v = 0; v < p.vectors(); ++v)
    p.scalar_forms = p.scalar_forms || p.forms.data()[v].kind == simd::form_kind::scalar;
}

inline void divide_into_blocks(packed_layer& p) {
  std::int32_t vector = 0;
  while (vector < p.vectors()) {
    int kernel = 0;
    while (simd::block_sizes[kernel] > p.vectors() - vector) ++kernel;
    p.blocks.push_back({vector, simd::block_sizes[kernel], kernel});
    vector += simd::block_sizes[kernel];
  }
}

/// acc less its centre, modulo 2^32: where tiles start.
[[nodiscard]] inline std::int32_t centred(const packed_layer& p, std::int64_t channel,
                                          std::int64_t acc) {
  const simd::channel_form& form = p.forms.data()[channel / simd::lanes];
  return wrap_cast<std::int32_t>(acc - form.centre[channel % simd::lanes]);
}

/// Where weights of one channel lie in a packed block.
struct packed_place {
  std::int64_t k = 0;  ///< in its tap
  int size = 1;        ///< vectors of the block
  std::int32_t vector = 0, lane = 0;
};

/// Bytes in groups of 4, or words in two groups of 2.
inline void put_weight(std::int8_t* groups, const packed_place& at, int weight_bytes,
                       std::int16_t w) noexcept {
  const std::int64_t place = at.k / 4 * at.size + at.vector;
  if (weight_bytes == 1)
    groups[place * 64 + at.lane * 4 + at.k % 4] = static_cast<std::int8_t>(w);
  else
    std::memcpy(groups + place * 128 + at.k % 4 / 2 * 64 + at.lane * 4 + at.k % 2 * 2, &w, 2);
}

/// Words in groups of 2.
inline void put_word(std::int8_t* groups, const packed_place& at, std::int16_t w) noexcept {
  const std::int64_t place = at.k / 2 * at.size + at.vector;
  std::memcpy(groups + place * 64 + at.lane * 4 + at.k % 2 * 2, &w, 2);
}

/// An input code as kernels read it.
[[nodiscard]] inline std::int32_t unsigned_code(const packing_request& q, std::int32_t code) {
  return q.type == element_type::int8 ? code + 128 : code;
}

}  // namespace detail

}  // namespace bittwin::inline v1
