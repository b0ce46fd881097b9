// SPDX-License-Identifier: Apache-2.0
// The last pass behind RapidCheck's shrinking. A fault that shows in one accumulator of a thousand (a tie, an
// overflow) is lost by every smaller draw of the same seed; so tiny layers are drawn again, many times each:
//   1 x 1 x 1 outputs, then 1 x 1 x 2, 2 x 2 x 1, 2 x 2 x 2, with one product, two, a few, or the window that failed
// The search is deterministic: the same failing case gives the same smallest one.
#pragma once

#include <bittwin/conformance/generators.hpp>
#include <cstdint>
#include <functional>
#include <vector>

namespace bittwin::conformance::inline v1 {

using case_predicate = std::function<bool(const layer_case&)>;

namespace detail {

/// Larger outputs are worse; among equal ones more products are.
[[nodiscard]] inline std::int64_t size_of(const layer_case& c) noexcept {
  return c.output().elements() * 1'000'000 + terms_of(c);
}

/// Layers of the extents of `made` and about `products` products an output; 0: the window as it is.
[[nodiscard]] inline std::vector<layer_case> tiny_layers(const layer_case& from, const nhwc& made,
                                                         std::int32_t products) {
  layer_case c = from;
  c.n = made.n;
  c.oc = made.c;
  if (products != 0) {
    c.kh = c.kw = c.dh = c.dw = 1;
    c.ic = products;
  }
  if (c.kind == layer_kind::depthwise_conv2d) {
    if (products != 0) c.kw = products;
    c.ic = made.c;
    c.depth_multiplier = 1;
  }
  if (!c.windowed()) return {c};
  std::vector<layer_case> layers;
  // An input of the window's extent, and the smallest input: padding or none may matter.
  for (const bool smallest : {false, true}) {
    c.ih = (made.h - 1) * c.sh + (smallest ? 1 : (c.kh - 1) * c.dh + 1);
    c.iw = (made.w - 1) * c.sw + (smallest ? 1 : (c.kw - 1) * c.dw + 1);
    c.padding = smallest ? padding_kind::same : padding_kind::valid;
    if (c.runs()) layers.push_back(c);
  }
  return layers;
}

/// The layer with its own options, then with others one at a time.
[[nodiscard]] inline std::vector<layer_case> variants(const layer_case& c) {
  std::vector<layer_case> all{c};
  for (int kind = 0; kind < scale_kinds; ++kind) {
    layer_case other = c;
    other.scales = static_cast<scale_kind>(kind);
    if (other.scales != c.scales) all.push_back(other);
  }
  for (int kind = 0; kind < data_kinds; ++kind) {
    layer_case other = c;
    other.data = static_cast<data_kind>(kind);
    if (other.data != c.data) all.push_back(other);
  }
  return all;
}

/// The first tiny layer that fails, smaller than `c`; else `c`.
[[nodiscard]] inline layer_case drawn_again(const layer_case& c, const case_predicate& fails) {
  constexpr std::uint64_t draws = 16;
  for (const nhwc& made : {nhwc{1, 1, 1, 1}, nhwc{1, 1, 1, 2}, nhwc{1, 2, 2, 1}, nhwc{1, 2, 2, 2}})
    for (const std::int32_t products : {1, 2, 4, 0})
      for (const layer_case& layer : tiny_layers(c, made, products)) {
        if (size_of(layer) >= size_of(c) || terms_of(layer) > 256) continue;
        for (layer_case candidate : variants(layer))
          for (candidate.seed = 0; candidate.seed < draws; ++candidate.seed)
            if (fails(candidate)) return candidate;
      }
  return c;
}

}  // namespace detail

/// fails(case) says whether a case fails; it is asked some thousand times, of tiny cases.
[[nodiscard]] inline layer_case minimise(layer_case c, const case_predicate& fails) {
  c = detail::drawn_again(c, fails);
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const layer_case& candidate : smaller_cases(c))
      if (detail::size_of(candidate) <= detail::size_of(c) && fails(candidate)) {
        c = candidate;
        smaller = true;
        break;
      }
  }
  return c;
}

}  // namespace bittwin::conformance::inline v1
