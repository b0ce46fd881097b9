// SPDX-License-Identifier: Apache-2.0
// The property suite against somebody else's kernel: does it give the integers of Target, for every layer, from
// any memory, at every call?
//   const auto verdict = check_conv2d<targets::tflite_reference>(my_kernel);
//   EXPECT_TRUE(verdict.passed) << verdict.text;
// my_kernel(const layer_case&, const layer_data<T>&, std::span<const T> x, std::span<T> y)  T = int8 or uint8
#pragma once

#include <bittwin/conformance/case_line.hpp>
#include <bittwin/conformance/check_cases.hpp>
#include <bittwin/conformance/generators.hpp>
#include <bittwin/conformance/guarded_buffer.hpp>
#include <bittwin/conformance/layer_data.hpp>
#include <bittwin/conformance/minimise.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bittwin::conformance::inline v1 {

using verdict = case_verdict<layer_case>;

/// The smallest layer for which `fails` holds, if there is one: of as many random layers as RC_PARAMS says (100), and
/// of fixed_cases.
[[nodiscard]] inline std::optional<layer_case> smallest_failing(const case_options& options,
                                                                const case_predicate& fails) {
  std::optional<layer_case> smallest;
  // RapidCheck accepts a smaller case only when it fails, so the last failure that is seen is the smallest.
  const auto law = [&] {
    const layer_case c = *layer_cases(options);
    if (!fails(c)) return;
    smallest = c;
    RC_FAIL("fails");
  };
  (void)rc::detail::checkTestable(law, rc::detail::TestMetadata{},
                                  rc::detail::configuration().testParams);
  for (const layer_case& c : fixed_cases(options))
    if (!smallest && fails(c)) smallest = c;
  if (smallest) smallest = minimise(*smallest, fails);
  return smallest;
}

namespace detail {

/// "element [0,1,0,3] is 5, must be 4; 3 of 16 differ"
template <class T>
[[nodiscard]] std::string difference_text(const nhwc& extents, std::span<const T> want,
                                          std::span<const T> got) {
  std::int64_t count = 0, first = -1;
  for (std::size_t i = 0; i < want.size(); ++i)
    if (want[i] != got[i] && count++ == 0) first = static_cast<std::int64_t>(i);
  if (count == 0) return {};
  const std::int64_t c = first % extents.c, x = first / extents.c % extents.w;
  const std::int64_t y = first / extents.c / extents.w % extents.h;
  const auto at = static_cast<std::size_t>(first);
  return sentence({"element [", number(first / extents.c / extents.w / extents.h), ",", number(y),
                   ",", number(x), ",", number(c), "] is ", number(int{got[at]}), ", must be ",
                   number(int{want[at]}), "; ", number(count), " of ",
                   number(static_cast<std::int64_t>(want.size())), " differ"});
}

/// What a target has for a case, and the kernel on trial. Functions that are values: what is written below is compiled
/// once a type of codes, however many targets and kernels are checked.
template <class T>
using prepare_function =
    std::function<result<dot_product_kernel>(const layer_case&, const layer_data<T>&)>;
template <class T>
using layer_function =
    std::function<void(const layer_case&, const layer_data<T>&, std::span<const T>, std::span<T>)>;

/// What is wrong with a kernel on one case; empty where nothing is.
template <class T>
[[nodiscard]] std::string judge(const layer_case& c, const prepare_function<T>& prepare,
                                const layer_function<T>& kernel) {
  const layer_data<T> d = make_data<T>(c);
  const auto reference = prepare(c, d);
  if (!reference) return {};  // the target refuses the layer, so it says nothing
  std::vector<T> want(static_cast<std::size_t>(c.output().elements()));
  (*reference)(std::span<const T>(d.input), std::span<T>(want));

  guarded_buffer<T> x(d.input.size()), y(want.size());
  std::copy(d.input.begin(), d.input.end(), x.span().begin());
  const auto call = [&](std::span<const T> from) {
    return runs_within_bounds([&] { kernel(c, d, from, y.span()); });
  };
  std::fill(y.span().begin(), y.span().end(), T{85});
  if (!call(x.span())) return "it touches memory outside its tensors";
  if (auto text = difference_text<T>(c.output(), want, y.span()); !text.empty()) {
    const std::vector<T> first(y.span().begin(), y.span().end());
    const bool same = call(x.span()) && std::equal(first.begin(), first.end(), y.span().begin());
    return same ? text : sentence({"it keeps state between calls: ", text});
  }
  if (!std::equal(d.input.begin(), d.input.end(), x.span().begin())) return "it changes its input";

  // Another input between two calls, and other garbage in the output, must not show.
  std::vector<T> other(d.input.rbegin(), d.input.rend());
  if (!call(other)) return "it touches memory outside its tensors";
  std::fill(y.span().begin(), y.span().end(), static_cast<T>(170));
  if (!call(x.span())) return "it touches memory outside its tensors";
  if (auto text = difference_text<T>(c.output(), want, y.span()); !text.empty())
    return sentence({"it keeps state between calls: at the third call ", text});
  return {};
}

template <target Target, class Kernel>
[[nodiscard]] std::string judge_case(const layer_case& c, Kernel& kernel) {
  return c.type == element_type::int8
             ? judge<std::int8_t>(c, &prepare_case<Target, std::int8_t>, std::ref(kernel))
             : judge<std::uint8_t>(c, &prepare_case<Target, std::uint8_t>, std::ref(kernel));
}

using case_judge = std::function<std::string(const layer_case&)>;

/// The verdict on the one case that is left: what is wrong with it, and its line.
[[nodiscard]] inline verdict verdict_on(const layer_case& c, const case_judge& judge,
                                        std::string_view target) {
  std::string text = judge(c);
  // A kernel with a memory of its own may need a second run to fail again.
  if (text.empty()) text = judge(c);
  if (text.empty()) text = "it failed once, and not again: it keeps state between calls";
  return {false, c, sentence({text, "\n  case: ", to_line(c), "\n  target: ", target})};
}

[[nodiscard]] inline verdict check_layer(const case_judge& judge, std::string_view target,
                                         const case_options& options) {
  const auto smallest =
      smallest_failing(options, [&](const layer_case& c) { return !judge(c).empty(); });
  if (!smallest) return {};
  verdict v = verdict_on(*smallest, judge, target);
  v.text += sentence({", RC_PARAMS=seed=", number(rc::detail::configuration().testParams.seed)});
  return v;
}

template <target Target, class Kernel>
[[nodiscard]] verdict check_kernel(Kernel& kernel, const case_options& options) {
  return check_layer([&](const layer_case& c) { return judge_case<Target>(c, kernel); },
                     Target::name, options);
}

}  // namespace detail

template <target Target, class Kernel>
[[nodiscard]] verdict check_conv2d(Kernel kernel, case_options options = {}) {
  options.kind = layer_kind::conv2d;
  return detail::check_kernel<Target>(kernel, options);
}

template <target Target, class Kernel>
[[nodiscard]] verdict check_depthwise_conv2d(Kernel kernel, case_options options = {}) {
  options.kind = layer_kind::depthwise_conv2d;
  return detail::check_kernel<Target>(kernel, options);
}

template <target Target, class Kernel>
[[nodiscard]] verdict check_fully_connected(Kernel kernel, case_options options = {}) {
  options.kind = layer_kind::fully_connected;
  return detail::check_kernel<Target>(kernel, options);
}

/// Again the one case that a failure printed:  check_case<Target>(my_kernel, *parse_case("conv2d n1 ..."))
template <target Target, class Kernel>
[[nodiscard]] verdict check_case(Kernel kernel, const layer_case& c) {
  const auto judge = [&](const layer_case& one) { return detail::judge_case<Target>(one, kernel); };
  return judge(c).empty() ? verdict{} : detail::verdict_on(c, judge, Target::name);
}

}  // namespace bittwin::conformance::inline v1
