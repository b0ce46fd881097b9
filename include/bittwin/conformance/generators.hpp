// SPDX-License-Identifier: Apache-2.0
// RapidCheck generators of layers, biased to where kernels break, and their shrinking: a failing layer loses
// pixels, channels, taps, then options, as long as it still fails.
#pragma once

#include <rapidcheck.h>

#include <bittwin/conformance/layer_case.hpp>
#include <cstdint>
#include <ostream>
#include <vector>

namespace bittwin::conformance::inline v1 {

/// Extents around the width of a vector register: 1, a few, lanes - 1, lanes, lanes + 1, primes.
[[nodiscard]] inline rc::Gen<std::int32_t> channel_counts(std::int32_t most = 67) {
  return rc::gen::suchThat(
      rc::gen::weightedOneOf<std::int32_t>(
          {{4, rc::gen::inRange<std::int32_t>(1, 6)},
           {3, rc::gen::element<std::int32_t>(7, 8, 9, 15, 16, 17, 31, 32, 33)},
           {1, rc::gen::element<std::int32_t>(11, 13, 19, 23, 63, 64, 65, 67)}}),
      [most](std::int32_t count) { return count <= most; });
}

struct case_options {
  layer_kind kind = layer_kind::conv2d;
  bool uint8 = true;  ///< also uint8 layers, with weight zero points
  std::int64_t most_macs = 200'000;
};

namespace detail {

[[nodiscard]] inline std::int64_t macs_of(const layer_case& c) noexcept {
  return c.output().elements() * terms_of(c);
}

[[nodiscard]] inline layer_case random_case(const case_options& o) {
  using rc::gen::element;
  using rc::gen::inRange;
  layer_case c;
  c.kind = o.kind;
  c.n = *rc::gen::weightedElement<std::int32_t>({{5, 1}, {1, 2}, {1, 3}});
  if (c.windowed()) {
    c.kh =
        *rc::gen::weightedElement<std::int32_t>({{3, 1}, {1, 2}, {4, 3}, {1, 4}, {1, 5}, {1, 7}});
    c.kw =
        *rc::gen::weightedElement<std::int32_t>({{3, 1}, {1, 2}, {4, 3}, {1, 4}, {1, 5}, {1, 7}});
    c.sh = *rc::gen::weightedElement<std::int32_t>({{4, 1}, {3, 2}, {1, 3}});
    c.sw = *rc::gen::weightedElement<std::int32_t>({{4, 1}, {3, 2}, {1, 3}});
    c.dh = *rc::gen::weightedElement<std::int32_t>({{5, 1}, {1, 2}, {1, 3}});
    c.dw = *rc::gen::weightedElement<std::int32_t>({{5, 1}, {1, 2}, {1, 3}});
    c.ih = *inRange<std::int32_t>(1, 12);
    c.iw = *inRange<std::int32_t>(1, 12);
    c.padding = *element(padding_kind::same, padding_kind::same, padding_kind::valid);
  }
  c.ic = *channel_counts();
  c.oc = *channel_counts();
  if (c.kind == layer_kind::depthwise_conv2d)
    c.depth_multiplier = *rc::gen::weightedElement<std::int32_t>({{5, 1}, {2, 2}, {1, 3}});
  c.fused = *element(activation::none, activation::relu, activation::relu6, activation::relu6,
                     activation::relu_n1_to_1);
  c.type = o.uint8 ? *element(element_type::int8, element_type::int8, element_type::uint8)
                   : element_type::int8;
  const bool u8 = c.type == element_type::uint8;
  c.per_channel = !u8 && *element(true, true, false);
  c.has_bias = *element(true, true, true, false);
  const std::int32_t low = -128, high = 128;
  c.input_zero = *rc::gen::weightedOneOf<std::int32_t>(
      {{3, inRange(-20, 20)}, {1, element(low, high - 1, 0)}, {1, inRange(low, high)}});
  c.weight_zero = u8 ? *inRange(-100, 100) : 0;
  c.output_zero = *rc::gen::weightedOneOf<std::int32_t>(
      {{3, inRange(-20, 20)}, {2, element(low, high - 1, 0)}, {1, inRange(low, high)}});
  c.scales = static_cast<scale_kind>(*inRange(0, scale_kinds));
  c.data = *rc::gen::weightedOneOf<data_kind>(
      {{3, rc::gen::map(inRange(0, data_kinds),
                        [](int kind) { return static_cast<data_kind>(kind); })},
       {1, rc::gen::just(data_kind::small)}});
  c.seed = static_cast<std::uint64_t>(*inRange(0, 1 << 20));
  return c;
}

}  // namespace detail

/// Cases that are smaller than `c` in one respect, the boldest first. All of them run.
[[nodiscard]] inline std::vector<layer_case> smaller_cases(const layer_case& c) {
  std::vector<layer_case> smaller;
  const auto keep = [&](const layer_case& candidate) {
    if (!(candidate == c) && candidate.runs()) smaller.push_back(candidate);
  };
  const auto reduce = [&](std::int32_t layer_case::*field, std::int32_t least) {
    // Minus 2 and 16 keep parity and the place in a vector register.
    for (const std::int32_t value :
         {least, c.*field / 2, c.*field - 16, c.*field - 2, c.*field - 1}) {
      layer_case candidate = c;
      candidate.*field = value;
      if (value < least || value >= c.*field) continue;
      keep(candidate);
      // Fewer elements may have lost the ones that fail: a few other draws of them.
      for (std::uint64_t seed = 0; seed < 6; ++seed) {
        candidate.seed = seed;
        keep(candidate);
      }
    }
  };
  const auto replace = [&](auto layer_case::*field, auto value) {
    layer_case candidate = c;
    candidate.*field = value;
    keep(candidate);
  };
  for (const auto extent :
       {&layer_case::n, &layer_case::ih, &layer_case::iw, &layer_case::oc, &layer_case::ic,
        &layer_case::depth_multiplier, &layer_case::kh, &layer_case::kw, &layer_case::sh,
        &layer_case::sw, &layer_case::dh, &layer_case::dw})
    reduce(extent, 1);
  if (c.depth_multiplier > 1) {
    layer_case candidate = c;
    candidate.ic = c.output_channels();
    candidate.depth_multiplier = 1;
    keep(candidate);
  }
  if (c.n > 1 && c.kind != layer_kind::depthwise_conv2d) {
    layer_case candidate = c;  // channels in place of images
    candidate.oc = c.oc * c.n;
    candidate.n = 1;
    keep(candidate);
  }
  replace(&layer_case::fused, activation::none);
  replace(&layer_case::has_bias, false);
  replace(&layer_case::per_channel, false);
  for (const auto zero :
       {&layer_case::input_zero, &layer_case::weight_zero, &layer_case::output_zero})
    replace(zero, 0);
  replace(&layer_case::scales, scale_kind::generic);
  replace(&layer_case::data, data_kind::uniform);
  if (c.seed > 3) replace(&layer_case::seed, c.seed % 4);
  return smaller;
}

/// The same few hundred small layers at every run: each kind of data under each kind of scale. A fault that shows in
/// some of them is found whatever the seed.
[[nodiscard]] inline std::vector<layer_case> fixed_cases(const case_options& options) {
  std::vector<layer_case> all;
  for (int data = 0; data < data_kinds; ++data)
    for (int scales = 0; scales < scale_kinds; ++scales)
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        layer_case c{.kind = options.kind, .n = 2, .ic = 3, .oc = 5};
        if (c.windowed()) c.ih = c.iw = 3, c.kh = 2, c.kw = 3;
        c.type = options.uint8 && seed % 4 == 3 ? element_type::uint8 : element_type::int8;
        c.per_channel = c.type == element_type::int8 && seed % 2 == 1;
        c.input_zero = seed % 4 == 2 ? -128 : 0;
        c.weight_zero = c.type == element_type::uint8 ? 3 : 0;
        c.data = static_cast<data_kind>(data);
        c.scales = static_cast<scale_kind>(scales);
        c.seed = seed;
        all.push_back(c);
      }
  return all;
}

/// Layers that run and stay below most_macs, shrinking as smaller_cases says.
[[nodiscard]] inline rc::Gen<layer_case> layer_cases(const case_options& options) {
  const auto fits = [options](const layer_case& c) {
    return c.runs() && detail::macs_of(c) <= options.most_macs;
  };
  return rc::gen::shrink(
      rc::gen::noShrink(rc::gen::suchThat(
          rc::gen::exec([options] { return detail::random_case(options); }), fits)),
      [](const layer_case& c) { return rc::seq::fromContainer(smaller_cases(c)); });
}

/// How RapidCheck and GoogleTest print a case.
inline void showValue(const layer_case& c, std::ostream& out) { out << to_line(c); }
inline std::ostream& operator<<(std::ostream& out, const layer_case& c) {
  return out << to_line(c);
}

}  // namespace bittwin::conformance::inline v1
