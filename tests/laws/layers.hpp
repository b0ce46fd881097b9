// SPDX-License-Identifier: Apache-2.0
// Layers of the conformance kit as laws use them: generated, prepared under a target, run on other inputs and weights.
#pragma once

#include <rapidcheck.h>

#include <bittwin/conformance/generators.hpp>
#include <bittwin/conformance/layer_data.hpp>
#include <string>
#include <vector>

#include "laws/coverage.hpp"
#include "laws/targets.hpp"

namespace laws {

using namespace bittwin;
using conformance::case_options;
using conformance::layer_case;
using conformance::layer_data;
using conformance::layer_kind;

/// A layer of that kind, small enough for four targets at every run.
inline layer_case any_layer(layer_kind kind, bool uint8 = true) {
  return *conformance::layer_cases({.kind = kind, .uint8 = uint8, .most_macs = 20'000});
}
inline layer_kind any_kind() {
  return *rc::gen::element(layer_kind::conv2d, layer_kind::depthwise_conv2d,
                           layer_kind::fully_connected);
}

/// f(T{}) with the C++ type of the case's codes.
template <class F> void with_codes_of(const layer_case& c, F f) {
  if (c.type == element_type::int8)
    f(std::int8_t{});
  else
    f(std::uint8_t{});
}

/// The outputs of a target on a case with these tensors; empty where the target refuses.
template <class Target, class T>
std::vector<T> outputs(const layer_case& c, const layer_data<T>& d, const std::vector<T>& x) {
  const auto kernel = conformance::prepare_case<Target>(c, d);
  if (!kernel) return {};
  std::vector<T> y(static_cast<std::size_t>(kernel->output().elements()));
  (*kernel)(std::span<const T>(x), std::span<T>(y));
  return y;
}
template <class Target, class T>
std::vector<T> outputs(const layer_case& c, const layer_data<T>& d) {
  return outputs<Target>(c, d, d.input);
}

/// Whether equal outputs of this case would mean anything.
template <class T> bool telling(const layer_case& c, const std::vector<T>& y) {
  const code_range r = range_of(c.type);
  return telling(y, static_cast<int>(r.low), static_cast<int>(r.high));
}

/// The class of a comparison that means something, one for each operator.
inline std::string telling_name(const layer_case& c) {
  return sentence({"telling ", conformance::name_of(c.kind)});
}

/// Index into NHWC.
inline std::size_t at(const nhwc& e, std::int32_t n, std::int32_t y, std::int32_t x,
                      std::int32_t c) {
  return static_cast<std::size_t>(((std::int64_t{n} * e.h + y) * e.w + x) * e.c + c);
}

/// f(n, y, x, c) for each element.
template <class F> void for_each_element(const nhwc& e, F f) {
  for (std::int32_t n = 0; n < e.n; ++n)
    for (std::int32_t y = 0; y < e.h; ++y)
      for (std::int32_t x = 0; x < e.w; ++x)
        for (std::int32_t c = 0; c < e.c; ++c) f(n, y, x, c);
}

}  // namespace laws
