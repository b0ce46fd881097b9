// SPDX-License-Identifier: Apache-2.0
// The kit for pools:  check_average_pool2d<Target>(my_kernel), check_max_pool2d<Target>(my_kernel)
// my_kernel(const pool_case&, std::span<const T> x, std::span<T> y), T = int8 or uint8. A failure is shrunk to the
// fewest pixels, channels and taps.
#pragma once

#include <rapidcheck.h>

#include <bittwin/conformance/check.hpp>
#include <bittwin/kernel/pool2d.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bittwin::conformance::inline v1 {

enum class pool_kind : std::uint8_t { average, max };

/// One pooling layer. The zero point is an offset from the type's middle code; the input follows from the seed.
struct pool_case {
  pool_kind kind = pool_kind::average;
  std::int32_t n = 1, ih = 1, iw = 1, c = 1, kh = 1, kw = 1, sh = 1, sw = 1;
  padding_kind padding = padding_kind::same;
  activation fused = activation::none;
  element_type type = element_type::int8;
  std::int32_t zero = 0;
  std::uint64_t seed = 0;

  friend bool operator==(const pool_case&, const pool_case&) = default;

  [[nodiscard]] affine grid() const { return {0.046875F, detail::middle(type) + zero}; }
  [[nodiscard]] nhwc input() const noexcept { return {n, ih, iw, c}; }
  [[nodiscard]] nhwc output() const noexcept {
    return {n, place(padding, ih, kh, sh, 1).output, place(padding, iw, kw, sw, 1).output, c};
  }
  [[nodiscard]] bool runs() const noexcept { return output().h > 0 && output().w > 0; }
  [[nodiscard]] pool2d_spec spec() const {
    return {.type = type,
            .input = input(),
            .filter_h = kh,
            .filter_w = kw,
            .stride_h = sh,
            .stride_w = sw,
            .padding = padding,
            .grid = grid(),
            .fused = fused};
  }
};

[[nodiscard]] inline std::string to_line(const pool_case& c) {
  return sentence({c.kind == pool_kind::average ? "average_pool2d n" : "max_pool2d n",
                   number(c.n),
                   " ih",
                   number(c.ih),
                   " iw",
                   number(c.iw),
                   " c",
                   number(c.c),
                   " kh",
                   number(c.kh),
                   " kw",
                   number(c.kw),
                   " sh",
                   number(c.sh),
                   " sw",
                   number(c.sw),
                   c.padding == padding_kind::same ? " same " : " valid ",
                   name_of(c.fused),
                   c.type == element_type::int8 ? " s8" : " u8",
                   " z",
                   number(c.zero),
                   " seed",
                   number(static_cast<std::int64_t>(c.seed))});
}

using pool_verdict = case_verdict<pool_case>;

namespace detail {

[[nodiscard]] inline pool_case random_pool(pool_kind kind) {
  using rc::gen::inRange;
  pool_case c{.kind = kind};
  c.n = *rc::gen::weightedElement<std::int32_t>({{4, 1}, {1, 2}});
  for (const auto extent : {&pool_case::ih, &pool_case::iw}) c.*extent = *inRange(1, 12);
  for (const auto taps : {&pool_case::kh, &pool_case::kw}) c.*taps = *inRange(1, 6);
  for (const auto stride : {&pool_case::sh, &pool_case::sw}) c.*stride = *inRange(1, 4);
  c.c = *channel_counts();
  c.padding = *rc::gen::element(padding_kind::same, padding_kind::valid);
  c.fused = *rc::gen::element(activation::none, activation::relu, activation::relu6);
  c.type = *rc::gen::element(element_type::int8, element_type::uint8);
  c.zero = *rc::gen::weightedOneOf<std::int32_t>(
      {{1, rc::gen::element<std::int32_t>(-128, 127, 0)}, {2, inRange(-128, 128)}});
  c.seed = static_cast<std::uint64_t>(*inRange(0, 1 << 20));
  return c;
}

template <target Target> [[nodiscard]] result<pool2d_kernel> prepare_pool_case(const pool_case& c) {
  return c.kind == pool_kind::average ? average_pool2d<Target>::prepare(c.spec())
                                      : max_pool2d<Target>::prepare(c.spec());
}

/// kernel(case, x, y), of one type
template <class T>
using pool_function = std::function<void(const pool_case&, std::span<const T>, std::span<T>)>;

template <class T>
[[nodiscard]] std::string judge_pool(const pool_case& c, const result<pool2d_kernel>& reference,
                                     const pool_function<T>& kernel) {
  if (!reference) return {};  // the target refuses the layer, so it says nothing
  guarded_buffer<T> x(static_cast<std::size_t>(c.input().elements()));
  guarded_buffer<T> y(static_cast<std::size_t>(c.output().elements()));
  const code_range r = range_of(c.type);
  for (std::size_t i = 0; i < x.span().size(); ++i)
    x.span()[i] = static_cast<T>(uniform(noise(c.seed, 2, i), r.low, r.high));
  const std::vector<T> before(x.span().begin(), x.span().end());
  std::vector<T> want(y.span().size());
  (*reference)(std::span<const T>(before), std::span<T>(want));
  for (const int garbage : {85, 42}) {
    std::fill(y.span().begin(), y.span().end(), static_cast<T>(garbage));
    if (!runs_within_bounds([&] { kernel(c, std::span<const T>(x.span()), y.span()); }))
      return "it touches memory outside its tensors";
    if (auto text = difference_text<T>(c.output(), want, y.span()); !text.empty())
      return garbage == 85 ? text : sentence({"at the second call ", text});
  }
  return std::equal(before.begin(), before.end(), x.span().begin()) ? "" : "it changes its input";
}

template <target Target, class Kernel>
[[nodiscard]] std::string judge_pool_case(const pool_case& c, Kernel& kernel) {
  const auto reference = prepare_pool_case<Target>(c);
  return c.type == element_type::int8 ? judge_pool<std::int8_t>(c, reference, std::ref(kernel))
                                      : judge_pool<std::uint8_t>(c, reference, std::ref(kernel));
}

/// Smaller extents first, each under a few draws; then plainer options.
[[nodiscard]] inline std::vector<pool_case> smaller_pools(const pool_case& c) {
  std::vector<pool_case> smaller;
  const auto keep = [&](const pool_case& candidate) {
    if (!(candidate == c) && candidate.runs()) smaller.push_back(candidate);
  };
  const auto replace = [&](auto pool_case::*field, auto value) {
    pool_case candidate = c;
    candidate.*field = value;
    keep(candidate);
  };
  for (const auto extent : {&pool_case::n, &pool_case::ih, &pool_case::iw, &pool_case::c,
                            &pool_case::kh, &pool_case::kw, &pool_case::sh, &pool_case::sw})
    for (const std::int32_t value : {1, c.*extent / 2, c.*extent - 1})
      for (std::uint64_t seed = 0; value >= 1 && value < c.*extent && seed < 16; ++seed) {
        pool_case candidate = c;
        candidate.*extent = value;
        candidate.seed = seed;
        keep(candidate);
      }
  replace(&pool_case::fused, activation::none);
  replace(&pool_case::zero, 0);
  return smaller;
}

template <target Target, class Kernel>
[[nodiscard]] pool_verdict check_pool(Kernel& kernel, pool_kind kind) {
  const auto judged = [&](const pool_case& c) {
    return c.runs() ? judge_pool_case<Target>(c, kernel) : std::string();
  };
  return check_cases<pool_case>(
      Target::name, [kind] { return random_pool(kind); }, judged, &smaller_pools);
}

}  // namespace detail

template <target Target, class Kernel>
[[nodiscard]] pool_verdict check_average_pool2d(Kernel kernel) {
  return detail::check_pool<Target>(kernel, pool_kind::average);
}
template <target Target, class Kernel> [[nodiscard]] pool_verdict check_max_pool2d(Kernel kernel) {
  return detail::check_pool<Target>(kernel, pool_kind::max);
}

}  // namespace bittwin::conformance::inline v1
