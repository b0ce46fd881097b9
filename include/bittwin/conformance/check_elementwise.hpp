// SPDX-License-Identifier: Apache-2.0
// The kit for operators on elements:
//   check_add<Target>(my_kernel), check_sub, check_mul      my_kernel(const elementwise_case&, a, b, y)
//   check_requantize<Target>(my_kernel)                     my_kernel(const elementwise_case&, x, y)
// with spans of const T and T, T = int8 or uint8. A failure is shrunk to the fewest elements and plainest grids.
#pragma once

#include <rapidcheck.h>

#include <bittwin/conformance/check_cases.hpp>
#include <bittwin/conformance/guarded_buffer.hpp>
#include <bittwin/conformance/layer_data.hpp>
#include <bittwin/kernel/mul.hpp>
#include <bittwin/kernel/quantize.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace bittwin::conformance::inline v1 {

enum class elementwise_kind : std::uint8_t { add, sub, mul, requantize };

/// One element-wise layer. Zero points are offsets from the type's middle code; operands follow from the seed.
struct elementwise_case {
  elementwise_kind kind = elementwise_kind::add;
  std::int32_t count = 1;
  element_type type = element_type::int8;
  activation fused = activation::none;
  std::int32_t za = 0, zb = 0, zy = 0;
  std::int32_t sa = 0, sb = 0, sy = 0;  ///< scale = (1 + s mod 256 / 256) * 2^(s / 256 - 6)
  std::uint64_t seed = 0;

  friend bool operator==(const elementwise_case&, const elementwise_case&) = default;

  [[nodiscard]] affine grid(std::int32_t scale, std::int32_t zero) const {
    return {std::ldexp(1.0F + static_cast<float>(scale % 256) / 256.0F, scale / 256 - 6),
            detail::middle(type) + zero};
  }
  [[nodiscard]] affine a() const { return grid(sa, za); }
  [[nodiscard]] affine b() const { return grid(sb, zb); }
  [[nodiscard]] affine y() const { return grid(sy, zy); }
  template <class T> [[nodiscard]] std::vector<T> operand(std::uint64_t stream) const {
    const code_range r = range_of(type);
    std::vector<T> codes(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < codes.size(); ++i)
      codes[i] = static_cast<T>(detail::uniform(detail::noise(seed, stream, i), r.low, r.high));
    return codes;
  }
};

[[nodiscard]] inline std::string to_line(const elementwise_case& c) {
  static constexpr std::string_view names[] = {"add", "sub", "mul", "requantize"};
  std::string line(names[static_cast<std::size_t>(c.kind)]);
  line += sentence(
      {" n", number(c.count), c.type == element_type::int8 ? " s8 " : " u8 ", name_of(c.fused)});
  line +=
      sentence({" za", number(c.za), " zb", number(c.zb), " zy", number(c.zy), " sa", number(c.sa),
                " sb", number(c.sb), " sy", number(c.sy), " seed", number(c.seed)});
  return line;
}

using elementwise_verdict = case_verdict<elementwise_case>;

namespace detail {

[[nodiscard]] inline elementwise_case random_elementwise(elementwise_kind kind) {
  using rc::gen::inRange;
  elementwise_case c{.kind = kind};
  c.count = *rc::gen::element<std::int32_t>(1, 2, 7, 15, 16, 17, 31, 32, 33, 64, 257);
  c.type = *rc::gen::element(element_type::int8, element_type::uint8);
  if (kind != elementwise_kind::requantize)
    c.fused = *rc::gen::element(activation::none, activation::relu, activation::relu6);
  for (const auto zero : {&elementwise_case::za, &elementwise_case::zb, &elementwise_case::zy})
    c.*zero = *rc::gen::weightedOneOf<std::int32_t>(
        {{1, rc::gen::element<std::int32_t>(-128, 127, 0)}, {3, inRange(-128, 128)}});
  for (const auto scale : {&elementwise_case::sa, &elementwise_case::sb, &elementwise_case::sy})
    c.*scale = *rc::gen::weightedOneOf<std::int32_t>(
        {{1, rc::gen::element<std::int32_t>(256, 512, 768)}, {2, inRange(0, 1024)}});
  if (*inRange(0, 4) == 0) c.sb = c.sa, c.zb = c.za;
  c.seed = static_cast<std::uint64_t>(*inRange(0, 1 << 20));
  return c;
}

/// want(i) for each element; false where the target refuses the layer.
template <target Target, class T>
[[nodiscard]] bool wanted(const elementwise_case& c, const std::vector<T>& a,
                          const std::vector<T>& b, std::vector<T>& want) {
  const shape extents{c.count};
  const binary_spec spec{.type = c.type,
                         .a_extents = extents,
                         .b_extents = extents,
                         .a = c.a(),
                         .b = c.b(),
                         .output = c.y(),
                         .fused = c.fused};
  const auto run = [&](const auto& kernel) {
    if (kernel) (*kernel)(std::span<const T>(a), std::span<const T>(b), std::span<T>(want));
    return kernel.has_value();
  };
  switch (c.kind) {
    case elementwise_kind::add: return run(add<Target>::prepare(spec));
    case elementwise_kind::sub: return run(sub<Target>::prepare(spec));
    case elementwise_kind::mul: return run(mul<Target>::prepare(spec));
    default: break;
  }
  const auto kernel = requantize<Target>::prepare({c.type, c.type, c.a(), c.y()});
  if (kernel) (*kernel)(std::span<const T>(a), std::span<T>(want));
  return kernel.has_value();
}

/// What the target makes of operands, as wanted() says; the kernel on trial, kernel(case, a, b, y) or kernel(case, x, y).
template <class T>
using wanted_function = std::function<bool(const elementwise_case&, const std::vector<T>&,
                                           const std::vector<T>&, std::vector<T>&)>;
template <class T>
using elementwise_function = std::function<void(const elementwise_case&, std::span<const T>,
                                                std::span<const T>, std::span<T>)>;
template <class T, class Kernel>
[[nodiscard]] elementwise_function<T> elementwise_function_of(Kernel& kernel) {
  if constexpr (std::is_invocable_v<Kernel&, const elementwise_case&, std::span<const T>,
                                    std::span<const T>, std::span<T>>)
    return std::ref(kernel);
  else
    return [&kernel](const elementwise_case& c, std::span<const T> x, std::span<const T>,
                     std::span<T> y) { kernel(c, x, y); };
}

template <class T>
[[nodiscard]] std::string judge_elements(const elementwise_case& c,
                                         const wanted_function<T>& wanted_of,
                                         const elementwise_function<T>& kernel) {
  const std::vector<T> a = c.operand<T>(1), b = c.operand<T>(2);
  std::vector<T> want(a.size());
  if (!wanted_of(c, a, b, want)) return {};
  guarded_buffer<T> x(a.size()), z(a.size()), y(a.size());
  std::copy(a.begin(), a.end(), x.span().begin());
  std::copy(b.begin(), b.end(), z.span().begin());
  const std::span<const T> first = x.span(), second = z.span();
  for (const int garbage : {85, 42}) {
    std::fill(y.span().begin(), y.span().end(), static_cast<T>(garbage));
    if (!runs_within_bounds([&] { kernel(c, first, second, y.span()); }))
      return "it touches memory outside its tensors";
    for (std::size_t i = 0; i < want.size(); ++i)
      if (y.span()[i] != want[i])
        return sentence({"element [", number(i), "] is ", number(int{y.span()[i]}), ", must be ",
                         number(int{want[i]}), garbage == 85 ? "" : " at the second call"});
  }
  if (!std::equal(a.begin(), a.end(), first.begin()) ||
      !std::equal(b.begin(), b.end(), second.begin()))
    return "it changes an operand";
  return {};
}

/// Fewer elements first, each under a few draws; then plainer grids.
[[nodiscard]] inline std::vector<elementwise_case> smaller_elementwise(const elementwise_case& c) {
  std::vector<elementwise_case> smaller;
  const auto replace = [&](auto elementwise_case::*field, auto value) {
    elementwise_case candidate = c;
    candidate.*field = value;
    if (!(candidate == c)) smaller.push_back(candidate);
  };
  for (const std::int32_t count : {1, 2, c.count / 2, c.count - 1})
    for (std::uint64_t seed = 0; count >= 1 && count < c.count && seed < 64; ++seed) {
      elementwise_case candidate = c;
      candidate.count = count;
      candidate.seed = seed;
      smaller.push_back(candidate);
    }
  replace(&elementwise_case::fused, activation::none);
  for (const auto zero : {&elementwise_case::za, &elementwise_case::zb, &elementwise_case::zy})
    replace(zero, 0);
  for (const auto scale : {&elementwise_case::sa, &elementwise_case::sb, &elementwise_case::sy})
    if (c.*scale != 512) replace(scale, 512);
  return smaller;
}

template <target Target, class Kernel>
[[nodiscard]] elementwise_verdict check_elements(Kernel& kernel, elementwise_kind kind) {
  const auto judged = [&](const elementwise_case& c) {
    return c.type == element_type::int8
               ? judge_elements<std::int8_t>(c, &wanted<Target, std::int8_t>,
                                             elementwise_function_of<std::int8_t>(kernel))
               : judge_elements<std::uint8_t>(c, &wanted<Target, std::uint8_t>,
                                              elementwise_function_of<std::uint8_t>(kernel));
  };
  return check_cases<elementwise_case>(
      Target::name, [kind] { return random_elementwise(kind); }, judged, &smaller_elementwise);
}

}  // namespace detail

template <target Target, class Kernel> [[nodiscard]] elementwise_verdict check_add(Kernel kernel) {
  return detail::check_elements<Target>(kernel, elementwise_kind::add);
}
template <target Target, class Kernel> [[nodiscard]] elementwise_verdict check_sub(Kernel kernel) {
  return detail::check_elements<Target>(kernel, elementwise_kind::sub);
}
template <target Target, class Kernel> [[nodiscard]] elementwise_verdict check_mul(Kernel kernel) {
  return detail::check_elements<Target>(kernel, elementwise_kind::mul);
}
template <target Target, class Kernel>
[[nodiscard]] elementwise_verdict check_requantize(Kernel kernel) {
  return detail::check_elements<Target>(kernel, elementwise_kind::requantize);
}

}  // namespace bittwin::conformance::inline v1
