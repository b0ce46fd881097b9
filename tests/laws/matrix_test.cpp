// SPDX-License-Identifier: Apache-2.0
// Laws of TRANSPOSE_CONV and BATCH_MATMUL: the one is a convolution read backwards, the other a stack of fully
// connected layers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bittwin/kernel/batch_matmul.hpp>
#include <bittwin/kernel/transpose_conv.hpp>
#include <numeric>
#include <vector>

#include "laws/layers.hpp"

namespace {

using namespace laws;
using exact = accumulator::wrapping<std::int64_t>;

template <class T>
std::vector<T> codes(std::int64_t count, std::uint64_t stream, int low, int high) {
  const auto seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 20));
  std::vector<T> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<T>(
        conformance::detail::uniform(conformance::detail::noise(seed, stream, i), low, high));
  return all;
}

/// A convolution from y to x, and the transposed one from x to y.
struct both_ways {
  convolution_geometry conv, transposed;
};

both_ways any_geometry() {
  const auto axis = [](padding_kind padding) {
    const std::int32_t kernel = *rc::gen::inRange(1, 5), stride = *rc::gen::inRange(1, 4);
    return place(padding, kernel + *rc::gen::inRange(0, 8), kernel, stride, 1);
  };
  const auto padding = *rc::gen::element(padding_kind::same, padding_kind::valid);
  both_ways g;
  g.conv = {.batch = *rc::gen::inRange(1, 3),
            .rows = axis(padding),
            .columns = axis(padding),
            .input_channels = *rc::gen::inRange(1, 4),
            .output_channels = *rc::gen::inRange(1, 4)};
  g.transposed = g.conv;
  std::swap(g.transposed.rows.input, g.transposed.rows.output);
  std::swap(g.transposed.columns.input, g.transposed.columns.output);
  std::swap(g.transposed.input_channels, g.transposed.output_channels);
  return g;
}

/// w [oc, ky, kx, ic] with its channels changed over: [ic, ky, kx, oc]
template <class T> std::vector<T> swapped(const convolution_geometry& g, const std::vector<T>& w) {
  const nhwc from{g.output_channels, g.rows.kernel, g.columns.kernel, g.input_channels};
  const nhwc to{from.c, from.h, from.w, from.n};
  std::vector<T> other(w.size());
  for_each_element(from, [&](auto oc, auto ky, auto kx, auto ic) {
    other[at(to, ic, ky, kx, oc)] = w[at(from, oc, ky, kx, ic)];
  });
  return other;
}

template <class T>
std::vector<std::int64_t> sums(const convolution_geometry& g, bool transposed,
                               const std::vector<T>& x, const std::vector<T>& w) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(g.output().elements()));
  const auto store = [&](auto n, auto y, auto column, auto c, std::int64_t acc) {
    all[at(g.output(), n, y, column, c)] = acc;
  };
  const std::int32_t* const none = nullptr;
  const nhwc_view<const T> view(x.data(), g.input());
  if (transposed)
    reference::transpose_conv<exact>(g, {}, view, w.data(), none, store);
  else
    reference::conv2d<exact>(g, {}, view, w.data(), none, store);
  return all;
}

template <class A, class B> std::int64_t inner(const std::vector<A>& a, const std::vector<B>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0}, std::plus<>{},
                            [](std::int64_t p, std::int64_t q) { return p * q; });
}

RC_GTEST_PROP(transpose_conv_laws, it_is_the_adjoint_of_the_convolution, ()) {
  // sum of conv(y) x  =  sum of y transposed(x)   for all x and y: the definition of an adjoint.
  const both_ways g = any_geometry();
  covered law("adjoint", {"strided", "padded", "uneven", "several channels", "not 0"});
  law.saw("strided", g.conv.rows.stride > 1);
  law.saw("padded", g.conv.rows.before > 0);
  law.saw("uneven", g.conv.rows.stride != g.conv.columns.stride);
  law.saw("several channels", g.conv.input_channels != g.conv.output_channels);
  const auto y = codes<std::int8_t>(g.conv.input().elements(), 1, -128, 127);
  const auto x = codes<std::int8_t>(g.conv.output().elements(), 2, -128, 127);
  const auto w = codes<std::int8_t>(
      std::int64_t{g.conv.taps()} * g.conv.input_channels * g.conv.output_channels, 3, -128, 127);
  const std::int64_t forward = inner(sums(g.conv, false, y, w), x);
  law.saw("not 0", forward != 0);
  RC_ASSERT(forward == inner(y, sums(g.transposed, true, x, swapped(g.conv, w))));
}

RC_GTEST_PROP(transpose_conv_laws, each_output_is_the_requantized_sum_within_the_activation, ()) {
  const both_ways ways = any_geometry();
  const convolution_geometry& g = ways.transposed;
  const bool same = ways.conv.rows.before > 0 || *rc::gen::inRange(0, 2) == 1;
  const padding_kind padding = same ? padding_kind::same : padding_kind::valid;
  const window rows = place(padding, g.rows.output, g.rows.kernel, g.rows.stride, 1);
  const window columns = place(padding, g.columns.output, g.columns.kernel, g.columns.stride, 1);
  RC_PRE(rows.output > 0 && columns.output > 0);
  std::vector<float> scales;
  const bool per_channel = *rc::gen::inRange(0, 2) == 1;
  for (int c = 0; c < (per_channel ? g.output_channels : 1); ++c)
    scales.push_back(0.01F * static_cast<float>(1 + c));
  const activation fused = *rc::gen::element(activation::none, activation::relu6);
  const transpose_conv_spec spec{
      .input = {g.batch, rows.output, columns.output, g.input_channels},
      .filter = {g.output_channels, g.rows.kernel, g.columns.kernel, g.input_channels},
      .output_h = g.rows.output,
      .output_w = g.columns.output,
      .stride_h = g.rows.stride,
      .stride_w = g.columns.stride,
      .padding = padding,
      .quantization = {.input = {0.5F, *rc::gen::inRange(-128, 128)},
                       .filter_scales = scales,
                       .output = {0.25F * static_cast<float>(*rc::gen::inRange(1, 40)),
                                  *rc::gen::inRange(-128, 128)},
                       .fused = fused}};
  covered law("transposed codes", {"telling", "per channel", "a bias", "cut"});
  law.saw("per channel", per_channel && g.output_channels > 1);
  const auto x = codes<std::int8_t>(spec.input.elements(), 2, -128, 127);
  const auto w = codes<std::int8_t>(spec.filter.elements(), 3, -128, 127);
  auto bias = codes<std::int32_t>(g.output_channels, 4, -3000, 3000);
  if (*rc::gen::inRange(0, 2) == 0) bias.clear();
  law.saw("a bias", !bias.empty());
  // Scattered, where the kernel gathers.
  const nhwc made{g.batch, g.rows.output, g.columns.output, g.output_channels};
  const nhwc filter{g.output_channels, g.rows.kernel, g.columns.kernel, g.input_channels};
  std::vector<std::int64_t> want(static_cast<std::size_t>(made.elements()));
  for_each_element(made, [&](auto n, auto oy, auto ox, auto oc) {
    if (!bias.empty()) want[at(made, n, oy, ox, oc)] = bias[static_cast<std::size_t>(oc)];
  });
  for_each_element(spec.input, [&](auto n, auto iy, auto ix, auto ic) {
    for_each_element({filter.n, filter.h, filter.w, 1}, [&](auto oc, auto ky, auto kx, auto) {
      const std::int32_t oy = iy * rows.stride - rows.before + ky;
      const std::int32_t ox = ix * columns.stride - columns.before + kx;
      if (oy >= 0 && oy < made.h && ox >= 0 && ox < made.w)
        want[at(made, n, oy, ox, oc)] +=
            std::int64_t{x[at(spec.input, n, iy, ix, ic)] - spec.quantization.input.zero_point} *
            w[at(filter, oc, ky, kx, ic)];
    });
  });
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    if constexpr (room::transpose_conv::in<Target>) {
      const auto kernel = transpose_conv<Target>::prepare(spec, std::span<const std::int8_t>(w),
                                                          std::span<const std::int32_t>(bias));
      if (!kernel) return;
      RC_ASSERT(kernel->output() == made);
      std::vector<std::int8_t> y(want.size());
      (*kernel)(std::span<const std::int8_t>(x), std::span<std::int8_t>(y));
      law.saw("telling", laws::telling(y, -128, 127));
      const code_range clamp = kernel->plan().requantize.clamp;
      law.saw("cut", fused != activation::none && clamp.high < 127);
      for (std::size_t i = 0; i < y.size(); ++i) {
        const auto oc = static_cast<std::int64_t>(i) % made.c;
        require<Target>(y[i] == kernel->plan().requantize(want[i], oc), "another sum");
        require<Target>(clamp.contains(y[i]), "outside the activation");
      }
    }
  });
}

RC_GTEST_PROP(fully_connected_laws, rows_are_layers_of_one_row, ()) {
  const std::int64_t rows = *rc::gen::inRange(2, 5), depth = *rc::gen::inRange(1, 9),
                     outputs = *rc::gen::inRange(1, 6);
  const auto x = codes<std::int8_t>(rows * depth, 1, -128, 127);
  const auto w = codes<std::int8_t>(outputs * depth, 2, -128, 127);
  const auto bias = codes<std::int32_t>(outputs, 3, -100, 100);
  covered law("rows of a layer", {"outputs unlike rows"});
  law.saw("outputs unlike rows", outputs != rows && depth > 1);
  std::vector<std::int64_t> all(static_cast<std::size_t>(rows * outputs));
  const operand_zeros<std::int32_t> zero{3, -2, 3};
  reference::fully_connected<exact>(rows, depth, outputs, zero, x.data(), w.data(), bias.data(),
                                    [&](auto row, auto o, std::int64_t acc) {
                                      all[static_cast<std::size_t>(row * outputs + o)] = acc;
                                    });
  for (std::int64_t i = 0; i < rows * outputs; ++i) {
    std::int64_t sum = bias[static_cast<std::size_t>(i % outputs)];
    for (std::int64_t k = 0; k < depth; ++k)
      sum += (x[static_cast<std::size_t>(i / outputs * depth + k)] - 3) *
             (w[static_cast<std::size_t>(i % outputs * depth + k)] + 2);
    RC_ASSERT(all[static_cast<std::size_t>(i)] == sum);
  }
}

struct product {
  batch_matmul_spec spec;
  std::vector<std::int8_t> a, b;
};

product any_product(const shape& batches, bool adjoint_a, bool adjoint_b) {
  product p;
  const std::int32_t rows = *rc::gen::inRange(1, 6), depth = *rc::gen::inRange(1, 20),
                     columns = *rc::gen::inRange(1, 6);
  p.spec.adjoint_a = adjoint_a;
  p.spec.adjoint_b = adjoint_b;
  p.spec.a = {0.05F, *rc::gen::inRange(-128, 128)};
  p.spec.b = {0.01F, *rc::gen::inRange(-128, 128)};
  p.spec.output = {0.05F * static_cast<float>(*rc::gen::inRange(1, 20)),
                   *rc::gen::inRange(-128, 128)};
  p.spec.a_extents = p.spec.b_extents = batches;
  p.spec.a_extents.push_back(adjoint_a ? depth : rows);
  p.spec.a_extents.push_back(adjoint_a ? rows : depth);
  p.spec.b_extents.push_back(adjoint_b ? columns : depth);
  p.spec.b_extents.push_back(adjoint_b ? depth : columns);
  p.a = codes<std::int8_t>(p.spec.a_extents.elements(), 1, -128, 127);
  p.b = codes<std::int8_t>(p.spec.b_extents.elements(), 2, -128, 127);
  return p;
}

template <class Target> std::vector<std::int8_t> multiplied(const product& p) {
  const auto kernel = batch_matmul<Target>::prepare(p.spec);
  RC_ASSERT(kernel.has_value());
  std::vector<std::int8_t> y(static_cast<std::size_t>(kernel->output().elements()));
  (*kernel)(std::span<const std::int8_t>(p.a), std::span<const std::int8_t>(p.b),
            std::span<std::int8_t>(y));
  return y;
}

/// The matrices of a stack, each transposed in storage.
std::vector<std::int8_t> transposed(const std::vector<std::int8_t>& all, shape& extents) {
  const std::int32_t h = extents.from_end(2), w = extents.from_end(1);
  std::vector<std::int8_t> other(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto size = static_cast<std::size_t>(h) * static_cast<std::size_t>(w);
    const std::size_t stack = i / size, row = i % size / static_cast<std::size_t>(w),
                      column = i % static_cast<std::size_t>(w);
    other[stack * size + column * static_cast<std::size_t>(h) + row] = all[i];
  }
  extents[extents.rank() - 2] = w;
  extents[extents.rank() - 1] = h;
  return other;
}

RC_GTEST_PROP(batch_matmul_laws, how_operands_are_stored_does_not_matter, ()) {
  const product p = any_product({*rc::gen::inRange(1, 4)}, false, false);
  covered law("storage of products", {"telling", "not square", "several"});
  law.saw("not square", p.spec.a_extents.from_end(1) != p.spec.a_extents.from_end(2));
  law.saw("several", p.spec.a_extents[0] > 1);
  product left = p, right = p;
  left.spec.adjoint_a = true;
  left.a = transposed(p.a, left.spec.a_extents);
  right.spec.adjoint_b = true;
  right.b = transposed(p.b, right.spec.b_extents);
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    if constexpr (room::batch_matmul::in<Target>) {
      const auto y = multiplied<Target>(p);
      law.saw("telling", laws::telling(y, -128, 127));
      require<Target>(y == multiplied<Target>(left), "left");
      require<Target>(y == multiplied<Target>(right), "right");
    }
  });
}

RC_GTEST_PROP(batch_matmul_laws, each_matrix_is_a_fully_connected_layer, ()) {
  const product p = any_product({*rc::gen::inRange(1, 4)}, false, true);
  const std::int32_t rows = p.spec.a_extents.from_end(2), depth = p.spec.a_extents.from_end(1),
                     columns = p.spec.b_extents.from_end(2);
  covered law("product as layer", {"telling", "zero points"});
  law.saw("zero points", p.spec.a.zero_point != 0 && p.spec.b.zero_point != 0);
  const std::vector<float> scales{p.spec.b.scale};
  const fully_connected_spec layer{.rows = rows,
                                   .depth = depth,
                                   .outputs = columns,
                                   .quantization = {.input = p.spec.a,
                                                    .filter_scales = scales,
                                                    .filter_zero_point = p.spec.b.zero_point,
                                                    .output = p.spec.output}};
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    if constexpr (room::batch_matmul::in<Target>) {
      const auto y = multiplied<Target>(p);
      law.saw("telling", laws::telling(y, -128, 127));
      const auto matrix = batch_matmul<Target>::prepare(p.spec);
      for (std::size_t n = 0; n < static_cast<std::size_t>(p.spec.a_extents[0]); ++n) {
        const auto a = static_cast<std::size_t>(rows * depth),
                   b = static_cast<std::size_t>(columns * depth);
        const auto kernel = fully_connected<Target>::prepare(
            layer, std::span<const std::int8_t>(p.b).subspan(n * b, b));
        RC_ASSERT(kernel.has_value());
        // Where the two rooms round differently their products agree all the same, and are rounded here.
        std::vector<std::int8_t> z(static_cast<std::size_t>(rows * columns));
        auto plan = kernel->plan();
        plan.requantize = matrix->plan().requantize;
        dot_product_kernel{plan}(std::span<const std::int8_t>(p.a).subspan(n * a, a),
                                 std::span<std::int8_t>(z));
        require<Target>(
            std::equal(z.begin(), z.end(), y.begin() + static_cast<std::ptrdiff_t>(n * z.size())),
            "differs");
      }
    }
  });
}

RC_GTEST_PROP(batch_matmul_laws, a_batch_of_one_is_repeated, ()) {
  const std::int32_t count = *rc::gen::inRange(2, 5);
  const product p = any_product({1}, *rc::gen::inRange(0, 2) == 1, *rc::gen::inRange(0, 2) == 1);
  covered law("repeated batches", {"telling"});
  product many = p, all = p;
  many.spec.a_extents[0] = all.spec.a_extents[0] = all.spec.b_extents[0] = count;
  many.a = all.a = codes<std::int8_t>(many.spec.a_extents.elements(), 1, -128, 127);
  all.b.clear();
  for (std::int32_t n = 0; n < count; ++n) all.b.insert(all.b.end(), p.b.begin(), p.b.end());
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    if constexpr (room::batch_matmul::in<Target>) {
      const auto y = multiplied<Target>(all);
      law.saw("telling", laws::telling(y, -128, 127));
      require<Target>(y == multiplied<Target>(many), "differs");
    }
  });
}

}  // namespace
