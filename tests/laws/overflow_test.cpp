// SPDX-License-Identifier: Apache-2.0
// Laws of the first proof: the bounds of an accumulator are never left, are reached, and decide whether the order of
// a sum can matter.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bittwin/proof/overflow.hpp>
#include <vector>

#include "laws/layers.hpp"

namespace {

using namespace laws;
using proof::bounds_of;
using proof::dot_product_terms;

/// A dot product as numbers: weights, zero points, bias, and an input.
struct sum_case {
  std::vector<std::int8_t> weights;
  std::vector<std::int64_t> input;
  std::int32_t weight_zero = 0, input_zero = 0;
  std::int64_t bias = 0;
  code_range codes{-128, 127};

  [[nodiscard]] dot_product_terms<std::int8_t> terms() const {
    return {weights.data(), static_cast<std::int64_t>(weights.size()), 1, weight_zero, input_zero,
            codes};
  }
  template <class Accumulator>
  [[nodiscard]] std::int64_t summed(const std::vector<std::size_t>& order) const {
    Accumulator acc(bias);
    for (const std::size_t i : order)
      acc.add({static_cast<std::int32_t>(input[i]), input_zero, weights[i], weight_zero});
    return acc.value();
  }
};

sum_case any_sum(std::int64_t widest_bias) {
  sum_case s;
  s.weights.resize(static_cast<std::size_t>(*rc::gen::inRange(1, 40)));
  s.codes = *rc::gen::element(code_range{-128, 127}, code_range{0, 255});
  s.input_zero = static_cast<std::int32_t>(*rc::gen::weightedElement<std::int64_t>(
      {{1, s.codes.low}, {1, s.codes.high}, {3, s.codes.low + 90}}));
  s.weight_zero = *rc::gen::inRange(-20, 20);
  s.bias = *rc::gen::inRange(-widest_bias, widest_bias + 1);
  for (std::int8_t& w : s.weights)
    w = static_cast<std::int8_t>(*rc::gen::weightedOneOf<int>(
        {{1, rc::gen::element(-128, 127, 0)}, {2, rc::gen::inRange(-128, 128)}}));
  for (std::size_t i = 0; i < s.weights.size(); ++i)
    s.input.push_back(*rc::gen::weightedOneOf<std::int64_t>(
        {{1, rc::gen::element(s.codes.low, s.codes.high)},
         {2, rc::gen::inRange(s.codes.low, s.codes.high + 1)}}));
  return s;
}

std::vector<std::size_t> any_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  const auto seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 20));
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[conformance::detail::noise(seed, 1, i) % i]);
  return order;
}

RC_GTEST_PROP(overflow_laws, no_partial_sum_in_any_order_leaves_the_bounds, ()) {
  const sum_case s = any_sum(100'000);
  const proof::accumulator_bounds bounds = bounds_of(s.terms(), s.bias);
  covered law("bounds are sound", {"upper half", "lower half"});
  std::int64_t sum = s.bias;
  for (const std::size_t i : any_order(s.weights.size())) {
    sum += (s.input[i] - s.input_zero) * (s.weights[i] - s.weight_zero);
    RC_ASSERT(bounds.low <= sum && sum <= bounds.high);
  }
  const std::int64_t middle = (bounds.low + bounds.high) / 2;
  law.saw("upper half", sum > middle);
  law.saw("lower half", sum < middle);
}

RC_GTEST_PROP(overflow_laws, bounds_are_reached_by_the_extreme_codes, ()) {
  const sum_case s = any_sum(100'000);
  const proof::accumulator_bounds bounds = bounds_of(s.terms(), s.bias);
  for (const bool largest : {true, false}) {
    std::int64_t sum = s.bias;
    for (std::size_t i = 0; i < s.weights.size(); ++i)
      sum += (s.terms().extreme_code(static_cast<std::int64_t>(i), largest) - s.input_zero) *
             (s.weights[i] - s.weight_zero);
    RC_ASSERT(sum == (largest ? bounds.high : bounds.low));
  }
}

RC_GTEST_PROP(overflow_laws,
              a_window_inside_the_input_reaches_the_bound_and_one_in_the_padding_stays_within, ()) {
  layer_case c = any_layer(layer_kind::conv2d, false);
  c.n = 1;
  const auto d = conformance::make_data<std::int8_t>(c);
  const window rows = c.rows(), columns = c.columns();
  const std::int32_t zx = d.quantization.input.zero_point;
  const std::int32_t oy = *rc::gen::inRange(0, rows.output),
                     ox = *rc::gen::inRange(0, columns.output);
  const std::int32_t oc = *rc::gen::inRange(0, c.oc);
  const std::int64_t count = conformance::terms_of(c),
                     bias = c.has_bias ? d.bias[static_cast<std::size_t>(oc)] : 0;
  const dot_product_terms<std::int8_t> terms{
      d.weights.data() + oc * count, count, 1, 0, zx, {-128, 127}};
  std::vector<std::int8_t> x(d.input.size(), static_cast<std::int8_t>(zx));
  bool inside = true;
  for (std::int32_t ky = 0; ky < c.kh; ++ky)
    for (std::int32_t kx = 0; kx < c.kw; ++kx)
      for (std::int32_t ic = 0; ic < c.ic; ++ic) {
        const std::int32_t iy = rows.at(oy, ky), ix = columns.at(ox, kx);
        if (rows.inside(iy) && columns.inside(ix))
          x[at(c.input(), 0, iy, ix, ic)] =
              static_cast<std::int8_t>(terms.extreme_code((ky * c.kw + kx) * c.ic + ic, true));
        else
          inside = false;
      }
  std::vector<std::int64_t> all_bias(d.bias.begin(), d.bias.end());
  std::int64_t acc = 0;
  reference::conv2d<accumulator::wrapping<std::int64_t>>(
      {.batch = 1,
       .rows = rows,
       .columns = columns,
       .input_channels = c.ic,
       .output_channels = c.oc},
      {zx, 0, zx}, nhwc_view<const std::int8_t>(x.data(), c.input()), d.weights.data(),
      all_bias.empty() ? nullptr : all_bias.data(),
      [&](auto, auto y, auto column, auto channel, std::int64_t sum) {
        if (y == oy && column == ox && channel == oc) acc = sum;
      });
  covered law("adversarial window", {"inside", "in the padding"});
  law.saw(inside ? "inside" : "in the padding", true);
  const std::int64_t high = bounds_of(terms, bias).high;
  RC_ASSERT(acc <= high);
  RC_ASSERT(!inside || acc == high);
}

RC_GTEST_PROP(overflow_laws, the_order_of_a_sum_does_not_matter_where_it_fits, ()) {
  const sum_case s = any_sum(30'000);
  covered law("order of accumulation",
              {"proved for 16 bits", "not proved, and it matters", "not proved"});
  const auto order = any_order(s.weights.size());
  std::vector<std::size_t> forward(order);
  std::sort(forward.begin(), forward.end());
  const std::int64_t want = s.summed<accumulator::wrapping<std::int64_t>>(forward);
  const std::int64_t wrapped = s.summed<accumulator::wrapping<std::int16_t>>(order);
  const std::int64_t saturated = s.summed<accumulator::saturating<std::int16_t>>(order);
  const bool proved = bounds_of(s.terms(), s.bias).fits(16);
  law.saw(proved ? "proved for 16 bits" : "not proved", true);
  law.saw("not proved, and it matters",
          !proved && saturated != s.summed<accumulator::saturating<std::int16_t>>(forward));
  if (proved) {
    RC_ASSERT(wrapped == want);
    RC_ASSERT(saturated == want);
  }
  RC_ASSERT(bounds_of(s.terms(), s.bias).fits(32));
  RC_ASSERT(s.summed<accumulator::saturating<std::int32_t>>(order) == want);
}

RC_GTEST_PROP(overflow_laws, fits_is_the_range_of_a_signed_integer_of_that_many_bits, ()) {
  const int bits = *rc::gen::inRange(2, 64);
  const std::int64_t most = highest<std::int64_t> >> (64 - bits);
  RC_ASSERT((proof::accumulator_bounds{-most - 1, most}.fits(bits)));
  if (bits < 63) {
    RC_ASSERT(!(proof::accumulator_bounds{0, most + 1}.fits(bits)));
    RC_ASSERT(!(proof::accumulator_bounds{-most - 2, 0}.fits(bits)));
  }
}

RC_GTEST_PROP(overflow_laws,
              pairs_of_raw_products_never_leave_their_bounds_and_decide_about_saturation, ()) {
  sum_case s = any_sum(1000);
  s.weight_zero = s.input_zero = 0;
  s.codes = {-128, 127};
  for (std::int64_t& x : s.input) x = clamp_to<std::int64_t>(x, -128, 127);
  const proof::accumulator_bounds pairs = proof::pair_bounds_of(s.terms());
  covered law("pair bounds", {"saturating pairs are exact", "saturating pairs differ"});
  std::vector<std::size_t> forward(s.weights.size());
  for (std::size_t i = 0; i < forward.size(); ++i) forward[i] = i;
  for (std::size_t i = 0; i < forward.size(); i += 2) {
    std::int64_t pair = s.input[i] * s.weights[i];
    if (i + 1 < forward.size()) pair += s.input[i + 1] * s.weights[i + 1];
    RC_ASSERT(pairs.low <= pair && pair <= pairs.high);
  }
  const bool same = s.summed<accumulator::int16_saturating_pairs>(forward) ==
                    s.summed<accumulator::wrapping<std::int64_t>>(forward);
  RC_ASSERT(same || !pairs.fits(16));
  law.saw("saturating pairs are exact", pairs.fits(16));
  // -128 * -128 twice in one pair is the only sum of two int8 products outside int16.
  sum_case worst = s;
  worst.weights = {-128, -128};
  worst.input = {-128, -128};
  RC_ASSERT(!proof::pair_bounds_of(worst.terms()).fits(16));
  law.saw("saturating pairs differ", worst.summed<accumulator::int16_saturating_pairs>({0, 1}) !=
                                         worst.summed<accumulator::wrapping<std::int64_t>>({0, 1}));
}

// 127 * 127 = 16129, 255 * 127 = 32385
TEST(accumulators, of_16_bits_wrap_or_saturate_as_their_names_say) {
  const auto summed = []<class A>(std::type_identity<A>, const std::vector<term>& terms) {
    A sum(0);
    for (const term& t : terms) sum.add(t);
    return sum.value();
  };
  const term top{127, 0, 127, 0}, large{255, 0, 127, 0}, lowest_pair{-128, 0, -128, 0};
  using std::type_identity;
  EXPECT_EQ(summed(type_identity<accumulator::wrapping<std::int16_t>>{}, {top, top, top}),
            48387 - 65536);
  EXPECT_EQ(summed(type_identity<accumulator::saturating<std::int16_t>>{}, {top, top, top}), 32767);
  EXPECT_EQ(summed(type_identity<accumulator::int16_pairs>{}, {lowest_pair, lowest_pair}), -32768);
  EXPECT_EQ(summed(type_identity<accumulator::int16_pairs>{}, {top, top, top}), 48387);
  EXPECT_EQ(summed(type_identity<accumulator::int16_saturating_pairs>{}, {large, large, large}),
            32767 + 32385);
}

}  // namespace
