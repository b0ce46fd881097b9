// SPDX-License-Identifier: Apache-2.0
// Laws of MEAN and SUM over axes: which elements they take, what their codes stand for, and int8 as uint8.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bittwin/kernel/sum.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "laws/layers.hpp"

namespace {

using namespace laws;

/// Rank 1 to 4, at least one axis reduced; rows and columns of images often, for they have kernels of their own.
mean_spec any_reduction(element_type type) {
  mean_spec s{.type = type, .keep_dims = *rc::gen::inRange(0, 2) == 1};
  const bool spatial = *rc::gen::inRange(0, 3) == 0;
  const int rank = spatial ? 4 : *rc::gen::inRange(1, 5);
  for (int axis = 0; axis < rank; ++axis) {
    s.input.push_back(*rc::gen::inRange(1, 7));
    s.axes[static_cast<std::size_t>(axis)] =
        spatial ? axis == 1 || axis == 2 : *rc::gen::inRange(0, 2) == 1;
  }
  if (s.axes == decltype(s.axes){}) s.axes[0] = true;
  const code_range r = range_of(type);
  const auto any_scale = [] {
    return std::ldexp(1.0F + static_cast<float>(*rc::gen::inRange(0, 512)) / 512.0F, -5);
  };
  const auto any_zero = [&] {
    return static_cast<std::int32_t>(*rc::gen::inRange(r.low, r.high + 1));
  };
  s.in = {any_scale(), type == element_type::int16 ? 0 : any_zero()};
  s.out = *rc::gen::inRange(0, 3) == 0
              ? s.in
              : affine{any_scale(), type == element_type::int16 ? 0 : any_zero()};
  return s;
}

/// Codes around the middle of the type, so that few results are cut off.
template <class T> std::vector<T> any_elements(const mean_spec& s) {
  const auto seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 20));
  const code_range r = range_of(s.type);
  const std::int64_t reach = *rc::gen::element<std::int64_t>(20, 128);
  std::vector<T> x(static_cast<std::size_t>(s.input.elements()));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>(clamp_to(
        s.in.zero_point +
            conformance::detail::uniform(conformance::detail::noise(seed, 7, i), -reach, reach),
        r.low, r.high));
  return x;
}

/// The elements behind each output, found by division instead of by steps.
template <class T>
std::vector<std::vector<T>> gathered(const mean_spec& s, const std::vector<T>& x) {
  std::vector<std::vector<T>> parts(static_cast<std::size_t>(s.output().elements()));
  for (std::int64_t flat = 0; flat < s.input.elements(); ++flat) {
    std::int64_t rest = flat, to = 0, step = 1;
    for (int axis = s.input.rank() - 1; axis >= 0; --axis) {
      const std::int64_t place = rest % s.input[axis];
      rest /= s.input[axis];
      if (s.axes[static_cast<std::size_t>(axis)]) continue;
      to += place * step;
      step *= s.input[axis];
    }
    parts[static_cast<std::size_t>(to)].push_back(x[static_cast<std::size_t>(flat)]);
  }
  return parts;
}

template <class T>
std::vector<T> reduced(const mean_kernel& kernel, const std::vector<T>& x,
                       std::vector<std::int64_t>* sums = nullptr) {
  std::vector<std::int64_t> scratch(static_cast<std::size_t>(kernel.output().elements()), 77);
  std::vector<T> y(scratch.size());
  kernel(std::span<const T>(x), std::span<T>(y), std::span<std::int64_t>(scratch));
  if (sums != nullptr) *sums = scratch;
  return y;
}

/// f(name, kernel or refusal, whether it is a mean) for both operators of a target.
template <class Target, class F> void for_each_reduction(const mean_spec& s, F f) {
  if constexpr (room::mean::in<Target>) f("mean", mean<Target>::prepare(s), true);
  if constexpr (room::sum::in<Target>) f("sum", sum<Target>::prepare(s), false);
}

template <class F> void with_reduction_codes(element_type type, F f) {
  if (type == element_type::int8)
    f(std::int8_t{});
  else if (type == element_type::uint8)
    f(std::uint8_t{});
  else
    f(std::int16_t{});
}
element_type any_reduced_type() {
  return *rc::gen::element(element_type::int8, element_type::uint8, element_type::int16);
}

/// On the reference, which keeps the sums; packed kernels have the same codes (tests/parity).
RC_GTEST_PROP(reduction_laws, each_output_sums_its_own_elements, ()) {
  const element_type type = any_reduced_type();
  const mean_spec s = any_reduction(type);
  covered law("reduced elements",
              {"an inner axis", "an outer axis", "several axes", "kept", "int16"});
  law.saw("an inner axis", s.axes[static_cast<std::size_t>(s.input.rank() - 1)]);
  law.saw("an outer axis", s.axes[0] && s.input.rank() > 1);
  law.saw("several axes", std::count(s.axes.begin(), s.axes.end(), true) > 1);
  law.saw("kept", s.keep_dims);
  law.saw("int16", type == element_type::int16);
  RC_ASSERT(s.output().rank() ==
            (s.keep_dims ? s.input.rank()
                         : s.input.rank() - std::count(s.axes.begin(), s.axes.end(), true)));
  with_reduction_codes(type, [&]<class T>(T) {
    const std::vector<T> x = any_elements<T>(s);
    const auto parts = gathered(s, x);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      for_each_reduction<Target>(s, [&](std::string_view name, const auto& kernel, bool) {
        if (!kernel || kernel->runs_on() != simd::arch::scalar) return;  // packed: no sums are kept
        std::vector<std::int64_t> sums;
        (void)reduced<T>(*kernel, x, &sums);
        for (std::size_t i = 0; i < parts.size(); ++i)
          require<Target>(
              sums[i] == std::accumulate(parts[i].begin(), parts[i].end(), std::int64_t{0}), name);
      });
    });
  });
}

RC_GTEST_PROP(reduction_laws, codes_are_within_a_unit_of_the_real_mean_and_sum, ()) {
  const element_type type = any_reduced_type();
  const mean_spec s = any_reduction(type);
  const code_range r = range_of(type);
  covered law("reduced values", {"mean", "sum", "inside the type", "not a whole code", "saturated",
                                 "equal grids", "zero point far from 0"});
  law.saw("equal grids", s.in == s.out);
  law.saw("zero point far from 0", std::abs(s.in.zero_point) > 50 && s.count() > 1);
  with_reduction_codes(type, [&]<class T>(T) {
    const std::vector<T> x = any_elements<T>(s);
    const auto parts = gathered(s, x);
    const double ratio = static_cast<double>(s.in.scale) / static_cast<double>(s.out.scale);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      for_each_reduction<Target>(s, [&](std::string_view name, const auto& kernel, bool is_mean) {
        if (!kernel) return;
        // A sum of the built-in kernels is stored modulo 2^8, and adds raw codes on equal grids.
        if (!is_mean && std::is_same_v<Target, targets::tflite_builtin>) return;
        const std::vector<T> y = reduced<T>(*kernel, x);
        for (std::size_t i = 0; i < y.size(); ++i) {
          double centred = 0;
          for (const T code : parts[i]) centred += code - s.in.zero_point;
          if (is_mean) centred /= static_cast<double>(parts[i].size());
          const double exact = centred * ratio + s.out.zero_point;
          const double want =
              std::clamp(exact, static_cast<double>(r.low), static_cast<double>(r.high));
          law.saw(name, true);
          law.saw("saturated", exact != want);
          law.saw("inside the type", exact == want);
          law.saw("not a whole code", std::abs(exact - std::round(exact)) > 0.25);
          // Half a unit, and a quarter where two roundings follow each other; the built-in rounds its folded zero
          // point too, or cuts.
          const double bound = std::is_same_v<Target, targets::tflite_builtin> ? 1.26 : 0.76;
          require<Target>(std::abs(static_cast<double>(y[i]) - want) <= bound, name);
        }
      });
    });
  });
}

RC_GTEST_PROP(reduction_laws, a_mean_of_a_constant_on_its_own_grid_is_the_constant, ()) {
  const element_type type = any_reduced_type();
  mean_spec s = any_reduction(type);
  s.out = s.in;
  covered law("mean of a constant", {"of several", "negative", "rows and columns"});
  law.saw("of several", s.count() > 1);
  law.saw("rows and columns", facts_of(s).over_rows_and_columns);
  const code_range r = range_of(type);
  const std::int64_t constant = *rc::gen::inRange(r.low, r.high + 1);
  law.saw("negative", constant < 0);
  with_reduction_codes(type, [&]<class T>(T) {
    const std::vector<T> x(static_cast<std::size_t>(s.input.elements()), static_cast<T>(constant));
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      if constexpr (room::mean::in<Target>) {
        const auto kernel = mean<Target>::prepare(s);
        if (!kernel) return;
        for (const T code : reduced<T>(*kernel, x)) require<Target>(code == constant, "changed");
      }
    });
  });
}

RC_GTEST_PROP(reduction_laws, int8_codes_are_uint8_codes_less_128, ()) {
  const mean_spec s = any_reduction(element_type::int8);
  mean_spec u = s;
  u.type = element_type::uint8;
  u.in.zero_point += 128;
  u.out.zero_point += 128;
  covered law("reductions int8 as uint8", {"telling", "different grids"});
  law.saw("different grids", !(s.in == s.out));
  const std::vector<std::int8_t> x = any_elements<std::int8_t>(s);
  std::vector<std::uint8_t> z;
  for (const int code : x) z.push_back(static_cast<std::uint8_t>(code + 128));
  // The built-in kernels work on raw codes, so that the zero point moves their roundings.
  const auto check = [&]<class Target>(std::type_identity<Target>) {
    const auto compare = [&](std::string_view name, const auto& one, const auto& other) {
      require<Target>(one.has_value() == other.has_value(), name);
      if (!one) return;
      const auto y = reduced<std::int8_t>(*one, x);
      const auto w = reduced<std::uint8_t>(*other, z);
      law.saw("telling", laws::telling(y, -128, 127));
      for (std::size_t i = 0; i < y.size(); ++i) require<Target>(y[i] + 128 == w[i], name);
    };
    compare("mean", mean<Target>::prepare(s), mean<Target>::prepare(u));
    if constexpr (room::sum::in<Target>)
      compare("sum", sum<Target>::prepare(s), sum<Target>::prepare(u));
  };
  check(std::type_identity<targets::tflite_reference>{});
  check(std::type_identity<targets::tflite_single_rounding>{});
  check(std::type_identity<targets::xnnpack>{});
}

}  // namespace
