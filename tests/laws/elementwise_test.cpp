// SPDX-License-Identifier: Apache-2.0
// Laws of operators on elements, windows and rows: sums, products, pools, softmax, tables, concatenation.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bittwin/kernel/activation.hpp>
#include <bittwin/kernel/addition.hpp>
#include <bittwin/kernel/mul.hpp>
#include <bittwin/kernel/pool2d.hpp>
#include <bittwin/kernel/softmax.hpp>
#include <bittwin/kernel/unary.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "laws/layers.hpp"

namespace {

using namespace laws;

float any_scale() {
  return std::ldexp(1.0F + static_cast<float>(*rc::gen::inRange(0, 512)) / 512.0F,
                    *rc::gen::inRange(-7, -3));
}
affine any_grid(code_range type) {
  return {any_scale(), static_cast<std::int32_t>(*rc::gen::weightedOneOf<std::int64_t>(
                           {{1, rc::gen::element(type.low, type.high)},
                            {3, rc::gen::inRange(type.low, type.high + 1)}}))};
}
element_type any_type() { return *rc::gen::element(element_type::int8, element_type::uint8); }
activation any_activation() {
  return *rc::gen::element(activation::none, activation::relu, activation::relu6,
                           activation::relu_n1_to_1);
}
std::int64_t any_code(code_range type) { return *rc::gen::inRange(type.low, type.high + 1); }

binary_spec any_binary() {
  binary_spec s{.type = any_type(), .fused = any_activation()};
  const code_range type = range_of(s.type);
  s.a = any_grid(type);
  s.b = *rc::gen::inRange(0, 4) == 0 ? s.a : any_grid(type);
  s.output = *rc::gen::inRange(0, 4) == 0 ? s.a : any_grid(type);
  return s;
}

double real_of(std::int64_t code, affine grid) {
  return static_cast<double>(code - grid.zero_point) * static_cast<double>(grid.scale);
}

/// A code's real value is at most half a step outside the activation.
bool within(activation fused, affine grid, code_range type, std::int64_t code) {
  const double slack = 0.500001 * static_cast<double>(grid.scale), real = real_of(code, grid);
  const real_bounds bounds = bounds_of(fused);
  return type.contains(code) && (!bounds.low || real >= static_cast<double>(*bounds.low) - slack) &&
         (!bounds.high || real <= static_cast<double>(*bounds.high) + slack);
}

RC_GTEST_PROP(elementwise_laws, sums_differences_and_products_lie_within_the_activation, ()) {
  const binary_spec s = any_binary();
  const code_range type = range_of(s.type);
  covered law("elementwise within the activation", {"add", "sub", "mul", "cut"});
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    const auto check = [&](std::string_view name, const auto& kernel) {
      if (!kernel) return;
      for (int i = 0; i < 16; ++i) {
        const std::int64_t code = (*kernel)(any_code(type), any_code(type));
        law.saw(name, true);
        law.saw("cut", s.fused != activation::none && code > type.low && code < type.high &&
                           !within(s.fused, s.output, type, code + 1));
        require<Target>(within(s.fused, s.output, type, code), name);
      }
    };
    check("add", add<Target>::prepare(s));
    check("sub", sub<Target>::prepare(s));
    check("mul", mul<Target>::prepare(s));
  });
}

RC_GTEST_PROP(elementwise_laws, addition_and_multiplication_commute, ()) {
  const binary_spec s = any_binary();
  binary_spec swapped = s;
  std::swap(swapped.a, swapped.b);
  const code_range type = range_of(s.type);
  covered law("commutes", {"different scales", "equal grids", "inside the type"});
  law.saw("different scales", s.a.scale != s.b.scale);
  law.saw("equal grids", s.a == s.b);
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    const auto check = [&](std::string_view name, const auto& one, const auto& other) {
      require<Target>(one.has_value() == other.has_value(), name);
      for (int i = 0; one && i < 16; ++i) {
        const std::int64_t a = any_code(type), b = any_code(type), code = (*one)(a, b);
        law.saw("inside the type", code > type.low && code < type.high);
        require<Target>(code == (*other)(b, a), name);
      }
    };
    check("add", add<Target>::prepare(s), add<Target>::prepare(swapped));
    check("mul", mul<Target>::prepare(s), mul<Target>::prepare(swapped));
  });
}

RC_GTEST_PROP(elementwise_laws, adding_the_zero_point_rescales_the_other_operand, ()) {
  binary_spec s = any_binary();
  s.fused = activation::none;
  const code_range type = range_of(s.type);
  const std::int64_t a = any_code(type);
  const double exact = real_of(a, s.a) / static_cast<double>(s.output.scale) + s.output.zero_point;
  covered law("add of the zero point", {"inside the type", "onto its own grid"});
  law.saw("onto its own grid", s.a == s.output);
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    const auto kernel = add<Target>::prepare(s);
    if (!kernel) return;
    const std::int64_t code = (*kernel)(a, s.b.zero_point);
    // 12 bits of headroom at least: half a unit, and 255 products that are half of 2^-12 off.
    const double want =
        std::clamp(exact, static_cast<double>(type.low), static_cast<double>(type.high));
    require<Target>(std::abs(static_cast<double>(code) - want) <= 0.5 + 255 * 0x1p-13,
                    "not a rescale");
    require<Target>(!(s.a == s.output) || code == a, "not the code itself");
    law.saw("inside the type", code > type.low && code < type.high);
  });
}

RC_GTEST_PROP(elementwise_laws, a_difference_of_power_of_two_int16_operands_is_odd, ()) {
  // The one shipped rule whose every step is odd: shifts that round half away from zero.
  const float scale = std::ldexp(1.0F, *rc::gen::inRange(-15, -8));
  const float other = std::ldexp(scale, -*rc::gen::inRange(0, 6));
  const binary_spec s{.type = element_type::int16,
                      .a = {scale, 0},
                      .b = {other, 0},
                      .output = {scale, 0},
                      .power_of_two = true};
  binary_spec swapped = s;
  std::swap(swapped.a, swapped.b);
  const auto one = sub<targets::tflite_builtin>::prepare(s);
  const auto two = sub<targets::tflite_builtin>::prepare(swapped);
  RC_ASSERT(one.has_value() && two.has_value());
  covered law("sub is odd", {"tie", "not saturated"});
  const std::int64_t a = *rc::gen::inRange(-16000, 16000), b = *rc::gen::inRange(-16000, 16000);
  law.saw("tie", other < scale && b % 2 != 0);
  law.saw("not saturated", true);
  RC_ASSERT((*one)(a, b) == -(*two)(b, a));
}

TEST(elementwise_laws, other_differences_are_not_odd_and_some_pair_shows_it) {
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    const binary_spec s{.a = {0.5F, 0}, .b = {0.5F, 0}, .output = {1.0F, 0}};
    const auto kernel = sub<Target>::prepare(s);
    ASSERT_TRUE(kernel) << kernel.error().text;
    bool shown = false;
    for (int a = -100; a <= 100; ++a)
      for (int b = -100; b <= 100; ++b) shown = shown || (*kernel)(a, b) != -(*kernel)(b, a);
    // Two roundings, the last half away: odd here. One rounding, ties up: not.
    const bool ties_up = std::is_same_v<Target, targets::tflite_single_rounding> ||
                         std::is_same_v<Target, targets::xnnpack>;
    EXPECT_EQ(shown, ties_up) << Target::name;
  });
}

TEST(elementwise_laws, sums_in_one_shift_are_refused_outside_the_ratios_that_it_represents) {
  // The larger ratio of operand to output has its leading bit 2^8 at most, 2^-10 at least.
  const auto fits = [](int power) {
    return add<targets::xnnpack>::prepare(
               {.a = {std::ldexp(1.0F, power), 0}, .b = {0x1p-12F, 0}, .output = {1.0F, 0}})
        .has_value();
  };
  for (int power = -12; power <= 12; ++power)
    EXPECT_EQ(fits(power), -10 <= power && power <= 8) << power;
}

TEST(elementwise_laws, sums_in_one_shift_rise_at_the_tie_and_not_a_unit_before) {
  const auto code_of = [](float ratio) {
    const auto kernel =
        add<targets::xnnpack>::prepare({.a = {ratio, 0}, .b = {0x1p-9F, 0}, .output = {1.0F, 0}});
    EXPECT_TRUE(kernel);
    return kernel ? (*kernel)(1, 0) : -1;
  };
  EXPECT_EQ(code_of(0.5F), 1);
  EXPECT_EQ(code_of(0.5F - 0x1p-22F),
            0);  // 2^21 - 1 of 2^22, the half added: one below the next code
}

RC_GTEST_PROP(elementwise_laws, int8_codes_are_uint8_codes_less_128, ()) {
  binary_spec s = any_binary();
  s.type = element_type::int8;
  for (affine* grid : {&s.a, &s.b, &s.output}) grid->zero_point = *rc::gen::inRange(-128, 128);
  binary_spec u = s;
  u.type = element_type::uint8;
  for (affine* grid : {&u.a, &u.b, &u.output}) grid->zero_point += 128;
  covered law("elementwise int8 as uint8", {"inside the type"});
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    const auto check = [&](std::string_view name, const auto& one, const auto& other) {
      require<Target>(one.has_value() == other.has_value(), name);
      for (int i = 0; one && i < 16; ++i) {
        const int a = *rc::gen::inRange(-128, 128), b = *rc::gen::inRange(-128, 128);
        const std::int64_t code = (*one)(a, b);
        law.saw("inside the type", code > -128 && code < 127);
        require<Target>(code + 128 == (*other)(a + 128, b + 128), name);
      }
    };
    check("add", add<Target>::prepare(s), add<Target>::prepare(u));
    check("sub", sub<Target>::prepare(s), sub<Target>::prepare(u));
    check("mul", mul<Target>::prepare(s), mul<Target>::prepare(u));
  });
}

RC_GTEST_PROP(concatenation_laws, equal_grids_are_copied, ()) {
  const element_type type = any_type();
  const affine grid = any_grid(range_of(type));
  const std::int64_t code = any_code(range_of(type));
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    if constexpr (room::concatenation::in<Target>) {
      const std::int64_t copied = choose<axis_value<Target, room::concatenation, axis::recode>>(
          {.input = type, .output = type}, [&]<class P>(std::type_identity<P>) {
            return P::apply(code, grid, grid, range_of(type));
          });
      require<Target>(copied == code, "changed");
    }
  });
}

pool2d_spec any_pool() {
  pool2d_spec s{.type = any_type()};
  s.filter_h = *rc::gen::inRange(1, 5);
  s.filter_w = *rc::gen::inRange(1, 5);
  s.stride_h = *rc::gen::inRange(1, 4);
  s.stride_w = *rc::gen::inRange(1, 4);
  s.padding = *rc::gen::element(padding_kind::same, padding_kind::valid);
  s.input = {*rc::gen::inRange(1, 3), *rc::gen::inRange(s.filter_h, 10),
             *rc::gen::inRange(s.filter_w, 10), *rc::gen::inRange(1, 18)};
  s.grid = any_grid(range_of(s.type));
  return s;
}

template <class T> std::vector<T> pooled(const pool2d_kernel& kernel, const std::vector<T>& x) {
  std::vector<T> y(static_cast<std::size_t>(kernel.output().elements()));
  kernel(std::span<const T>(x), std::span<T>(y));
  return y;
}

/// f(name, kernel) for each pool that the target has.
template <class Target, class F> void for_each_pool(const pool2d_spec& s, F f) {
  if constexpr (room::average_pool2d::in<Target>) f("average", average_pool2d<Target>::prepare(s));
  if constexpr (room::max_pool2d::in<Target>) f("max", max_pool2d<Target>::prepare(s));
}

template <class F> void with_pool_codes(const pool2d_spec& s, F f) {
  if (s.type == element_type::int8)
    f(std::int8_t{});
  else
    f(std::uint8_t{});
}

template <class T> std::vector<T> any_image(const nhwc& extents, code_range type) {
  const auto seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 20));
  std::vector<T> x(static_cast<std::size_t>(extents.elements()));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>(
        conformance::detail::uniform(conformance::detail::noise(seed, 2, i), type.low, type.high));
  return x;
}

RC_GTEST_PROP(pool_laws, a_pool_of_a_constant_is_the_constant, ()) {
  const pool2d_spec s = any_pool();
  covered law("pool of a constant", {"average", "max", "padded"});
  law.saw("padded", s.padding == padding_kind::same && s.filter_h > 1);
  with_pool_codes(s, [&]<class T>(T) {
    const T constant = static_cast<T>(any_code(range_of(s.type)));
    const std::vector<T> x(static_cast<std::size_t>(s.input.elements()), constant);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      for_each_pool<Target>(s, [&](std::string_view name, const auto& kernel) {
        law.saw(name, true);
        for (const T code : pooled<T>(*kernel, x)) require<Target>(code == constant, name);
      });
    });
  });
}

RC_GTEST_PROP(pool_laws, a_pool_of_an_image_turned_around_is_the_pool_turned_around, ()) {
  pool2d_spec s = any_pool();
  s.padding = padding_kind::valid;
  s.input.h = s.filter_h + 2 * s.stride_h;  // windows that meet both edges
  s.input.w = s.filter_w + 3 * s.stride_w;
  covered law("pool turned around", {"telling", "average", "max"});
  with_pool_codes(s, [&]<class T>(T) {
    const std::vector<T> x = any_image<T>(s.input, range_of(s.type));
    const auto turned = [](const nhwc& e, const std::vector<T>& image) {
      std::vector<T> other(image.size());
      for_each_element(e, [&](auto n, auto y, auto column, auto c) {
        other[at(e, n, y, column, c)] = image[at(e, n, e.h - 1 - y, e.w - 1 - column, c)];
      });
      return other;
    };
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      for_each_pool<Target>(s, [&](std::string_view name, const auto& kernel) {
        const std::vector<T> y = pooled<T>(*kernel, x);
        law.saw(name, true);
        law.saw("telling", laws::telling(y, static_cast<int>(range_of(s.type).low),
                                         static_cast<int>(range_of(s.type).high)));
        require<Target>(pooled<T>(*kernel, turned(s.input, x)) == turned(kernel->output(), y),
                        name);
      });
    });
  });
}

RC_GTEST_PROP(pool_laws, pools_lie_within_the_activation_and_between_the_codes_of_their_window,
              ()) {
  pool2d_spec s = any_pool();
  const code_range type = range_of(s.type);
  covered law("pool within its window", {"average", "max", "cut"});
  with_pool_codes(s, [&]<class T>(T) {
    const std::vector<T> x = any_image<T>(s.input, type);
    const T least = *std::min_element(x.begin(), x.end());
    const T most = *std::max_element(x.begin(), x.end());
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      for_each_pool<Target>(s, [&](std::string_view name, const auto& kernel) {
        for (const T code : pooled<T>(*kernel, x))
          require<Target>(least <= code && code <= most, name);
      });
      pool2d_spec cut = s;
      cut.fused = any_activation();
      for_each_pool<Target>(cut, [&](std::string_view name, const auto& kernel) {
        law.saw(name, true);
        for (const T code : pooled<T>(*kernel, x)) {
          require<Target>(within(cut.fused, s.grid, type, code), name);
          law.saw("cut", !within(cut.fused, s.grid, type, std::int64_t{code} + 1));
        }
      });
    });
  });
}

RC_GTEST_PROP(softmax_laws, a_row_sums_to_1_within_its_roundings_and_keeps_its_order, ()) {
  const element_type type = any_type();
  const code_range range = range_of(type);
  const auto depth = static_cast<std::size_t>(*rc::gen::inRange(1, 60));
  const auto low = static_cast<std::int32_t>(range.low);
  const softmax_spec s{.type = type,
                       .output = type,
                       .depth = static_cast<std::int64_t>(depth),
                       .in = {any_scale(), low},
                       .out = {0x1p-8F, low}};
  covered law("softmax rows", {"int8", "uint8", "several codes", "one code takes all"});
  law.saw(name_of(type), true);
  const auto run = [&]<class T>(T) {
    const std::vector<T> x = any_image<T>({1, 1, 1, static_cast<std::int32_t>(depth)}, range);
    std::vector<T> y(depth);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      if constexpr (room::softmax::in<Target>) {
        const auto kernel = softmax<Target>::prepare(s);
        RC_ASSERT(kernel.has_value());
        (*kernel)(std::span<const T>(x), std::span<T>(y));
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < depth; ++i) {
          sum += y[i] - low;
          for (std::size_t k = 0; k < depth; ++k)
            require<Target>(x[i] > x[k] || y[i] <= y[k], "a smaller input has a larger share");
        }
        double total = 0;
        const double unit = static_cast<double>(s.in.scale);
        const std::int64_t largest = *std::max_element(x.begin(), x.end());
        for (const std::int64_t code : x)
          total += std::exp(static_cast<double>(code - largest) * unit);
        for (std::size_t i = 0; i < depth; ++i) {
          const double share =
              256 * std::exp(static_cast<double>(std::int64_t{x[i]} - largest) * unit) / total;
          require<Target>(std::abs(y[i] - low - std::min(share, 255.0)) <= 0.75, "not its share");
        }
        law.saw("several codes",
                std::count(y.begin(), y.end(), y[0]) < static_cast<std::ptrdiff_t>(depth));
        law.saw("one code takes all", *std::max_element(y.begin(), y.end()) == range.high);
        // Each code is half a unit off at most, 256 is stored as 255, and one unit for the approximations.
        const auto bound = static_cast<std::int64_t>(depth) / 2 + 2;
        require<Target>(std::abs(sum - 256) <= bound, sentence({"the sum is ", number(sum)}));
      }
    });
  };
  if (type == element_type::int8)
    run(std::int8_t{});
  else
    run(std::uint8_t{});
}

RC_GTEST_PROP(softmax_laws, rows_do_not_know_of_each_other, ()) {
  const std::int32_t rows = *rc::gen::inRange(2, 5), depth = *rc::gen::inRange(1, 20);
  const auto x = any_image<std::int8_t>({1, 1, rows, depth}, range_of(element_type::int8));
  softmax_spec s{.rows = rows, .depth = depth, .in = {any_scale(), 0}, .out = {0x1p-8F, -128}};
  softmax_spec one = s;
  one.rows = 1;
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    if constexpr (room::softmax::in<Target>) {
      const auto all = softmax<Target>::prepare(s), single = softmax<Target>::prepare(one);
      RC_ASSERT(all.has_value() && single.has_value());
      std::vector<std::int8_t> y(x.size()), z(x.size());
      (*all)(std::span<const std::int8_t>(x), std::span<std::int8_t>(y));
      const auto length = static_cast<std::size_t>(depth);
      for (std::size_t first = 0; first < x.size(); first += length)
        (*single)(std::span<const std::int8_t>(x).subspan(first, length),
                  std::span<std::int8_t>(z).subspan(first, length));
      require<Target>(y == z, "differs");
    }
  });
}

/// Whether the codes of all inputs from `first` on rise (or fall) as the function does.
template <class Kernel>
bool monotone(const Kernel& kernel, code_range type, std::int64_t first, bool rising) {
  for (std::int64_t code = std::max(first, type.low); code < type.high; ++code)
    if (rising ? kernel(code + 1) < kernel(code) : kernel(code + 1) > kernel(code)) return false;
  return true;
}

RC_GTEST_PROP(table_laws, tables_are_monotone_where_the_function_is, ()) {
  const element_type type = any_type();
  const code_range range = range_of(type);
  unary_spec s{.type = type, .in = any_grid(range), .out = any_grid(range), .alpha = 0.25F};
  covered law("monotone tables", {"logistic", "tanh", "elu", "leaky_relu", "exp", "sqrt", "rsqrt"});
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    const auto check = [&]<class Room>(std::type_identity<Room>, unary_spec spec,
                                       bool rising = true,
                                       std::int64_t first = lowest<std::int64_t>) {
      if constexpr (Room::template in<Target>) {
        const auto kernel = unary_operator<Target, Room>::prepare(spec);
        if (!kernel) return;
        law.saw(Room::name, true);
        require<Target>(monotone(*kernel, range, first, rising), Room::name);
      }
    };
    unary_spec unit = s, symmetric = s, root = s;
    unit.out = {0x1p-8F, static_cast<std::int32_t>(range.low)};
    symmetric.out = {0x1p-7F, static_cast<std::int32_t>(range.low + 128)};
    root.in.zero_point = root.out.zero_point = static_cast<std::int32_t>(range.low);
    check(std::type_identity<room::logistic>{}, unit);
    check(std::type_identity<room::tanh>{}, symmetric);
    check(std::type_identity<room::elu>{}, s);
    check(std::type_identity<room::leaky_relu>{}, s);
    check(std::type_identity<room::exp>{}, s);
    check(std::type_identity<room::sqrt>{}, root);
    check(std::type_identity<room::rsqrt>{}, root, false, range.low + 1);
  });
}

RC_GTEST_PROP(table_laws, standalone_activations_are_monotone_and_stay_inside, ()) {
  const element_type type = any_type();
  const code_range range = range_of(type);
  activation_spec s{.type = type, .in = any_grid(range), .out = any_grid(range)};
  if (*rc::gen::inRange(0, 2) == 0) s.out = s.in;
  covered law("standalone activations", {"relu", "relu6", "relu_n1_to_1"});
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    const auto check = [&](activation kind, const auto& kernel) {
      RC_ASSERT(kernel.has_value());
      law.saw(name_of(kind), true);
      require<Target>(monotone(*kernel, range, range.low, true), name_of(kind));
      // A target may clamp on the input's grid; then the laws of the two grids are one where they are equal.
      for (std::int64_t code = range.low; s.in == s.out && code <= range.high; ++code)
        require<Target>(within(kind, s.out, range, (*kernel)(code)), name_of(kind));
    };
    if constexpr (room::relu::in<Target>) check(activation::relu, relu<Target>::prepare(s));
    if constexpr (room::relu6::in<Target>) check(activation::relu6, relu6<Target>::prepare(s));
    if constexpr (room::relu_n1_to_1::in<Target>)
      check(activation::relu_n1_to_1, relu_n1_to_1<Target>::prepare(s));
  });
}

}  // namespace
