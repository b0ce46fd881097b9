// SPDX-License-Identifier: Apache-2.0
// Operators on elements and windows that are timed: uniform codes, grids with zero points, as the layers have.
#pragma once

#include <bittwin/bittwin.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codes.hpp"

namespace bench {

enum class element_operation : std::uint8_t {
  add,
  requantize,
  recode,
  average_pool,
  mean,
  max_pool
};

/// Square images; `requantize` takes int32, all others int8.
struct element_case {
  std::string_view name;
  element_operation op;
  std::int32_t extent, channels;
  std::int32_t kernel = 1, stride = 1;
};

inline constexpr element_case element_cases[] = {
    {"add_14x14x256", element_operation::add, 14, 256},
    {"add_56x56x64", element_operation::add, 56, 64},
    {"add_112x112x64", element_operation::add, 112, 64},
    {"requant_s32_112x112x64", element_operation::requantize, 112, 64},
    {"requant_s8_112x112x64", element_operation::recode, 112, 64},
    {"avgpool_7x7x1024", element_operation::average_pool, 7, 1024, 7},
    {"mean_7x7x1024", element_operation::mean, 7, 1024, 7},
    {"avgpool_56x56x64_k3", element_operation::average_pool, 56, 64, 3},
    {"maxpool_112x112x64_k3s2", element_operation::max_pool, 112, 64, 3, 2},
};

struct element_problem {
  element_case of;
  codes a, b;
  tensor<std::int32_t> wide;
  bittwin::affine in{0.031F, -3}, other{0.047F, 5}, out{0.053F, -7};
  std::size_t outputs = 0;

  explicit element_problem(const element_case& c) : of(c) {
    std::mt19937 random(20'260'302);  // any fixed number
    std::uniform_int_distribution<int> code(-128, 127);
    std::normal_distribution<double> accumulator(0, 60'000);
    const auto elements = static_cast<std::size_t>(c.extent * c.extent * c.channels);
    a.resize(elements);
    for (auto& x : a) x = static_cast<std::int8_t>(code(random));
    const bool window =
        c.op == element_operation::average_pool || c.op == element_operation::max_pool;
    const std::int32_t made = c.op == element_operation::mean || c.kernel == c.extent
                                  ? 1
                                  : (c.extent + c.stride - 1) / c.stride;
    outputs = window || c.op == element_operation::mean
                  ? static_cast<std::size_t>(made * made * c.channels)
                  : elements;
    if (c.op == element_operation::add) {
      b.resize(elements);
      for (auto& x : b) x = static_cast<std::int8_t>(code(random));
    }
    if (c.op == element_operation::requantize) {
      wide.resize(elements);
      for (auto& x : wide) x = static_cast<std::int32_t>(accumulator(random));
      in = {0.0000353F, 0};
    }
  }
  /// The window covers the image: no padding, one element a channel.
  [[nodiscard]] bool is_global() const { return of.kernel == of.extent; }
  /// Read and written by one call.
  [[nodiscard]] double bytes() const {
    return static_cast<double>((wide.empty() ? a.size() : 4 * wide.size()) + b.size() + outputs);
  }
};

/// A prepared operator and what runs it.
struct element_call {
  std::function<void(std::span<std::int8_t>)> run;
  bittwin::simd::arch on = bittwin::simd::arch::scalar;
};

/// Empty where the target has no such operator. The problem must outlive the call.
template <class Target> element_call prepare_elements(const element_problem& p) {
  using namespace bittwin;
  const element_case& c = p.of;
  const std::span<const std::int8_t> a(p.a), b(p.b);
  const auto call = [](auto kernel, auto run) {
    const simd::arch on = kernel->runs_on();
    return element_call{
        [k = *std::move(kernel), run](std::span<std::int8_t> y) mutable { run(k, y); }, on};
  };
  const shape extents{1, c.extent, c.extent, c.channels};
  const pool2d_spec pool{.input = {1, c.extent, c.extent, c.channels},
                         .filter_h = c.kernel,
                         .filter_w = c.kernel,
                         .stride_h = c.stride,
                         .stride_w = c.stride,
                         .padding = p.is_global() ? padding_kind::valid : padding_kind::same,
                         .grid = p.in};
  switch (c.op) {
    case element_operation::add:
      return call(
          add<Target>::prepare({element_type::int8, extents, extents, p.in, p.other, p.out}),
          [a, b](const auto& k, auto y) { k(a, b, y); });
    case element_operation::requantize:
      return call(
          requantize<Target>::prepare({element_type::int32, element_type::int8, p.in, p.out}),
          [x = std::span<const std::int32_t>(p.wide)](const auto& k, auto y) { k(x, y); });
    case element_operation::recode:
      return call(
          requantize<Target>::prepare({element_type::int8, element_type::int8, p.in, p.out}),
          [a](const auto& k, auto y) { k(a, y); });
    case element_operation::mean:
      return call(mean<Target>::prepare(
                      {.input = extents, .axes = {false, true, true}, .in = p.in, .out = p.out}),
                  [a, sums = std::vector<std::int64_t>(p.outputs)](const auto& k, auto y) mutable {
                    k(a, y, std::span(sums));
                  });
    case element_operation::average_pool:
      if constexpr (room::average_pool2d::in<Target>)
        return call(average_pool2d<Target>::prepare(pool), [a](const auto& k, auto y) { k(a, y); });
      break;
    case element_operation::max_pool:
      return call(max_pool2d<Target>::prepare(pool), [a](const auto& k, auto y) { k(a, y); });
  }
  return {};
}

}  // namespace bench
