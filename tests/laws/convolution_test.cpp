// SPDX-License-Identifier: Apache-2.0
// Laws of dot products: what a convolution is, told by what it must equal.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bittwin/conformance/check.hpp>
#include <bittwin/kernel/quantize.hpp>
#include <numeric>

#include "laws/layers.hpp"

namespace {

using namespace laws;
using exact = accumulator::wrapping<std::int64_t>;

/// Exact accumulators of a case with weights of any integer type. No bias.
template <class T, class W>
std::vector<std::int64_t> sums(const layer_case& c, const layer_data<T>& d,
                               const std::vector<W>& weights) {
  const convolution_geometry g{.batch = c.n,
                               .rows = c.rows(),
                               .columns = c.columns(),
                               .input_channels = c.ic,
                               .output_channels = c.output_channels(),
                               .groups = c.kind == layer_kind::conv2d ? 1 : c.ic};
  const std::int32_t zx = d.quantization.input.zero_point;
  const operand_zeros<std::int32_t> zero{zx, d.quantization.filter_zero_point, zx};
  const nhwc_view<const T> x(d.input.data(), c.input());
  const std::int32_t* const none = nullptr;
  std::vector<std::int64_t> all(static_cast<std::size_t>(c.output().elements()));
  const auto store = [&](auto n, auto y, auto ox, auto oc, std::int64_t acc) {
    all[at(c.output(), n, y, ox, oc)] = acc;
  };
  if (c.kind == layer_kind::conv2d)
    reference::conv2d<exact>(g, zero, x, weights.data(), none, store);
  else
    reference::depthwise_conv2d<exact>(
        g, zero, x, weights.data(), none, [&](auto oc) { return oc / c.depth_multiplier; }, store);
  return all;
}

/// The activation's codes by their meaning: the real value of a code is at most half a step outside the bound.
bool within(activation fused, affine grid, code_range type, std::int64_t code) {
  const double real =
      (static_cast<double>(code) - grid.zero_point) * static_cast<double>(grid.scale);
  const double slack = 0.500001 * static_cast<double>(grid.scale);
  const real_bounds bounds = bounds_of(fused);
  if (bounds.low && real < static_cast<double>(*bounds.low) - slack) return false;
  if (bounds.high && real > static_cast<double>(*bounds.high) + slack) return false;
  return type.contains(code);
}

template <class Target> bool every_output_within(const layer_case& c, covered* law = nullptr) {
  bool all = true;
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    for (const T code : outputs<Target>(c, d)) {
      all = all && within(c.fused, d.quantization.output, range_of(c.type), code);
      if (law != nullptr && c.fused != activation::none) {
        const bool inside_type = code > range_of(c.type).low && code < range_of(c.type).high;
        law->saw("at a bound", inside_type && !within(c.fused, d.quantization.output,
                                                      range_of(c.type), code + 1));
      }
    }
  });
  return all;
}

RC_GTEST_PROP(dot_product_laws, outputs_lie_within_the_activation_for_every_target, ()) {
  const layer_case c = any_layer(any_kind());
  covered law("dot products within the activation",
              {"at a bound", "relu", "relu6", "relu_n1_to_1", "conv2d", "depthwise_conv2d",
               "fully_connected"});
  law.saw(name_of(c.fused), true);
  law.saw(conformance::name_of(c.kind), true);
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    require<Target>(every_output_within<Target>(c, &law), to_line(c));
  });
}

struct clamp_dropped : targets::tflite_reference {
  static constexpr std::string_view name = "clamp-dropped";
  struct conv2d : tflite_reference::conv2d {
    using activation_bounds =
        bittwin::activation_bounds::upper_dropped<tflite_reference::conv2d::activation_bounds>;
  };
};

TEST(dot_product_laws, a_dropped_clamp_breaks_the_law_and_shrinks_to_one_output) {
  const auto broken = [](const layer_case& c) { return !every_output_within<clamp_dropped>(c); };
  const auto found = conformance::smallest_failing({.kind = layer_kind::conv2d}, broken);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->output(), (nhwc{1, 1, 1, 1})) << to_line(*found);
  EXPECT_EQ(conformance::terms_of(*found), 1) << to_line(*found);
}

RC_GTEST_PROP(convolution_laws, sums_are_linear_in_the_weights, ()) {
  layer_case c = any_layer(*rc::gen::element(layer_kind::conv2d, layer_kind::depthwise_conv2d));
  c.weight_zero = c.type == element_type::uint8 ? -128 : 0;  // weights are their codes
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    layer_case other_case = c;
    ++other_case.seed;
    const auto other = conformance::make_data<T>(other_case).weights;
    std::vector<std::int32_t> combined(other.size());
    for (std::size_t i = 0; i < other.size(); ++i) combined[i] = 3 * d.weights[i] - 7 * other[i];
    const auto first = sums(c, d, d.weights), second = sums(c, d, other),
               both = sums(c, d, combined);
    for (std::size_t i = 0; i < both.size(); ++i)
      if (both[i] != 3 * first[i] - 7 * second[i]) RC_FAIL(to_line(c));
  });
}

RC_GTEST_PROP(convolution_laws, a_1x1_window_is_a_matrix_product, ()) {
  layer_case c = any_layer(layer_kind::conv2d);
  c.kh = c.kw = c.sh = c.sw = 1;
  covered law("1x1 is a matrix product", {"telling"});
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto kernel = conformance::prepare_case<Target>(c, d);
      const auto y = outputs<Target>(c, d);
      law.saw("telling", telling(c, y));
      for (std::size_t i = 0; i < y.size(); ++i) {
        const std::size_t pixel = i / static_cast<std::size_t>(c.oc),
                          oc = i % static_cast<std::size_t>(c.oc);
        const auto depth = static_cast<std::size_t>(c.ic);
        std::int64_t acc = d.bias.empty() ? 0 : d.bias[oc];
        for (std::size_t k = 0; k < depth; ++k)
          acc += std::int64_t{d.input[pixel * depth + k] - d.quantization.input.zero_point} *
                 (d.weights[oc * depth + k] - d.quantization.filter_zero_point);
        require<Target>(y[i] == kernel->plan().requantize(acc, static_cast<std::int64_t>(oc)),
                        to_line(c));
      }
    });
  });
}

RC_GTEST_PROP(convolution_laws, depthwise_is_a_convolution_with_block_diagonal_weights, ()) {
  const layer_case c = any_layer(layer_kind::depthwise_conv2d);
  RC_PRE(std::int64_t{c.output_channels()} * c.ic < 2000);
  covered law("depthwise as block diagonal", {"depth multiplier", "strided", "dilated"});
  law.saw("depth multiplier", c.depth_multiplier > 1 && c.ic > 1);
  law.saw("strided", c.sh > 1);
  law.saw("dilated", c.dw > 1);
  layer_case full = c;
  full.kind = layer_kind::conv2d;
  full.oc = c.output_channels();
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    const std::int32_t taps = c.kh * c.kw;
    std::vector<T> diagonal(static_cast<std::size_t>(full.weight_count()),
                            static_cast<T>(d.quantization.filter_zero_point));
    for (std::int32_t oc = 0; oc < full.oc; ++oc)
      for (std::int32_t tap = 0; tap < taps; ++tap)
        diagonal[static_cast<std::size_t>((oc * taps + tap) * c.ic + oc / c.depth_multiplier)] =
            d.weights[static_cast<std::size_t>(tap * full.oc + oc)];
    if (sums(c, d, d.weights) != sums(full, d, diagonal)) RC_FAIL(to_line(c));
  });
}

RC_GTEST_PROP(convolution_laws, a_group_is_a_convolution_of_its_own_channels, ()) {
  layer_case c = any_layer(layer_kind::conv2d, false);
  const std::int32_t groups = *rc::gen::inRange(2, 4);
  c.ic = *rc::gen::inRange(1, 4);
  c.oc = *rc::gen::inRange(1, 4);
  c.has_bias = c.per_channel = false;
  RC_PRE(c.runs());
  covered law("groups", {"telling", "several channels a group"});
  law.saw("several channels a group", c.ic > 1 && c.oc > 1);
  layer_case whole = c, filter = c;
  whole.ic *= groups;
  whole.oc *= groups;
  filter.oc = whole.oc;
  const auto d = conformance::make_data<std::int8_t>(filter);  // weights of one group's depth
  const auto x = conformance::make_data<std::int8_t>(whole).input;
  conv2d_spec spec = conformance::conv2d_spec_of(filter, d.quantization);
  spec.input = whole.input();
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    const auto kernel = conv2d<Target>::prepare(spec, std::span<const std::int8_t>(d.weights));
    RC_ASSERT(kernel.has_value());
    std::vector<std::int8_t> y(static_cast<std::size_t>(whole.output().elements()));
    (*kernel)(std::span<const std::int8_t>(x), std::span<std::int8_t>(y));
    law.saw("telling", telling(c, y));
    for (std::int32_t g = 0; g < groups; ++g) {
      std::vector<std::int8_t> part(static_cast<std::size_t>(c.input().elements()));
      for_each_element(c.input(), [&](auto n, auto iy, auto ix, auto ic) {
        part[at(c.input(), n, iy, ix, ic)] = x[at(whole.input(), n, iy, ix, g * c.ic + ic)];
      });
      layer_data<std::int8_t> own;
      own.quantization = d.quantization;
      const auto first = d.weights.begin() + g * c.weight_count();
      own.weights.assign(first, first + c.weight_count());
      const auto alone = conv2d<Target>::prepare(conformance::conv2d_spec_of(c, d.quantization),
                                                 std::span<const std::int8_t>(own.weights));
      RC_ASSERT(alone.has_value());
      // A target may rescale groups in another way: what it sums is compared.
      auto plan = alone->plan();
      if (c.ic == 1) return;  // and sum pairs in groups of one channel
      plan.requantize = kernel->plan().requantize;
      plan.packed = {};  // it was proved for the other rescale
      std::vector<std::int8_t> z(static_cast<std::size_t>(c.output().elements()));
      dot_product_kernel{plan}(std::span<const std::int8_t>(part), std::span<std::int8_t>(z));
      for_each_element(c.output(), [&](auto n, auto oy, auto ox, auto oc) {
        require<Target>(
            z[at(c.output(), n, oy, ox, oc)] == y[at(whole.output(), n, oy, ox, g * c.oc + oc)],
            to_line(c));
      });
    }
  });
}

/// Weights, bias, scales of `d` under another case of the same weights.
template <class Target, class T>
std::vector<T> codes_of(const layer_case& c, const layer_data<T>& d, const std::vector<T>& x,
                        const std::vector<T>& weights) {
  layer_data<T> changed;
  changed.filter_scales = d.filter_scales;
  changed.weights = weights;
  changed.bias = d.bias;
  changed.quantization = d.quantization;
  return outputs<Target>(c, changed, x);
}

RC_GTEST_PROP(convolution_laws, moving_the_input_by_a_stride_moves_the_output_by_one, ()) {
  layer_case c = any_layer(*rc::gen::element(layer_kind::conv2d, layer_kind::depthwise_conv2d));
  c.padding = padding_kind::valid;
  c.n = 1;
  c.ih = (c.kh - 1) * c.dh + 1 + 2 * c.sh;
  c.iw = (c.kw - 1) * c.dw + 1 + c.sw;
  covered law("shift equivariance", {"telling", "strided"});
  law.saw("strided", c.sh > 1);
  layer_case shorter = c;
  shorter.ih -= c.sh;
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    const std::vector<T> moved(d.input.begin() + std::ptrdiff_t{c.sh} * c.iw * c.ic, d.input.end());
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto y = outputs<Target>(c, d), below = outputs<Target>(shorter, d, moved);
      law.saw("telling", telling(c, below));
      const std::ptrdiff_t row = std::ptrdiff_t{c.output().w} * c.output().c;
      require<Target>(std::equal(below.begin(), below.end(), y.begin() + row, y.end()), to_line(c));
    });
  });
}

RC_GTEST_PROP(convolution_laws, a_stride_keeps_every_so_many_outputs_of_stride_1, ()) {
  layer_case c = any_layer(*rc::gen::element(layer_kind::conv2d, layer_kind::depthwise_conv2d));
  c.padding = padding_kind::valid;
  RC_PRE(c.runs());
  covered law("stride as subsampling", {"telling", "strided", "uneven strides"});
  law.saw("strided", c.sh > 1 && c.output().h > 1);
  law.saw("uneven strides", c.sh != c.sw);
  layer_case every = c;
  every.sh = every.sw = 1;
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto y = outputs<Target>(c, d), all = outputs<Target>(every, d);
      law.saw("telling", telling(c, y));
      for_each_element(c.output(), [&](auto n, auto oy, auto ox, auto oc) {
        require<Target>(y[at(c.output(), n, oy, ox, oc)] ==
                            all[at(every.output(), n, oy * c.sh, ox * c.sw, oc)],
                        to_line(c));
      });
    });
  });
}

RC_GTEST_PROP(convolution_laws, a_dilation_is_a_kernel_with_zeros_between_its_taps, ()) {
  layer_case c = any_layer(layer_kind::conv2d);
  c.dh = *rc::gen::inRange(1, 4);
  c.dw = *rc::gen::inRange(1, 4);
  c.oc =
      std::max(c.oc, 2);  // one channel to one sums pairs under some targets, by the number of taps
  RC_PRE(c.runs());
  covered law("dilation as inserted zeros", {"telling", "dilated", "uneven dilations"});
  law.saw("dilated", c.dh > 1 && c.kh > 1);
  law.saw("uneven dilations", c.dh != c.dw);
  layer_case dense = c;
  dense.kh = (c.kh - 1) * c.dh + 1;
  dense.kw = (c.kw - 1) * c.dw + 1;
  dense.dh = dense.dw = 1;
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    std::vector<T> inserted(static_cast<std::size_t>(dense.weight_count()),
                            static_cast<T>(d.quantization.filter_zero_point));
    for_each_element({c.oc, c.kh, c.kw, c.ic}, [&](auto oc, auto ky, auto kx, auto ic) {
      inserted[at({c.oc, dense.kh, dense.kw, c.ic}, oc, ky * c.dh, kx * c.dw, ic)] =
          d.weights[at({c.oc, c.kh, c.kw, c.ic}, oc, ky, kx, ic)];
    });
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto y = outputs<Target>(c, d);
      law.saw("telling", telling(c, y));
      require<Target>(y == codes_of<Target>(dense, d, d.input, inserted), to_line(c));
    });
  });
}

RC_GTEST_PROP(convolution_laws, same_padding_is_a_pad_with_the_zero_point_and_then_valid, ()) {
  layer_case c = any_layer(*rc::gen::element(layer_kind::conv2d, layer_kind::depthwise_conv2d));
  c.padding = padding_kind::same;
  covered law("padding as PAD",
              {"telling", "padded", "an odd number of cells", "zero point not 0"});
  const window rows = c.rows(), columns = c.columns();
  const auto whole = [](const window& w) {
    return std::max(w.input, (w.output - 1) * w.stride + (w.kernel - 1) * w.dilation + 1);
  };
  layer_case padded = c;
  padded.padding = padding_kind::valid;
  padded.ih = whole(rows);
  padded.iw = whole(columns);
  law.saw("padded", rows.before > 0);
  law.saw("an odd number of cells", (padded.ih - c.ih) % 2 == 1);
  law.saw("zero point not 0", c.input_zero != 0 && padded.ih > c.ih);
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    std::vector<T> x(static_cast<std::size_t>(padded.input().elements()),
                     static_cast<T>(d.quantization.input.zero_point));
    for_each_element(c.input(), [&](auto n, auto iy, auto ix, auto ic) {
      x[at(padded.input(), n, iy + rows.before, ix + columns.before, ic)] =
          d.input[at(c.input(), n, iy, ix, ic)];
    });
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto y = outputs<Target>(c, d);
      law.saw("telling", telling(c, y));
      require<Target>(y == outputs<Target>(padded, d, x), to_line(c));
    });
  });
}

/// 0 .. count - 1 in an order of the case's own.
std::vector<std::int32_t> shuffled(std::int32_t count, std::uint64_t seed) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[conformance::detail::noise(seed, 9, i) % i]);
  return order;
}

RC_GTEST_PROP(convolution_laws, permuted_channels_and_images_give_permuted_outputs, ()) {
  layer_case c = any_layer(layer_kind::conv2d);
  c.n = *rc::gen::inRange(1, 4);
  covered law("permutations", {"telling", "images", "channels in", "channels out"});
  law.saw("images", c.n > 1);
  law.saw("channels in", c.ic > 1);
  law.saw("channels out", c.oc > 1 && c.per_channel);
  const auto images = shuffled(c.n, c.seed), in = shuffled(c.ic, c.seed),
             out = shuffled(c.oc, c.seed + 1);
  const auto of = [](const auto& order, std::int32_t i) {
    return order[static_cast<std::size_t>(i)];
  };
  with_codes_of(c, [&]<class T>(T) {
    const auto d = conformance::make_data<T>(c);
    layer_data<T> p;
    p.quantization = d.quantization;
    p.input.resize(d.input.size());
    p.weights.resize(d.weights.size());
    for_each_element(c.input(), [&](auto n, auto y, auto x, auto ic) {
      p.input[at(c.input(), n, y, x, ic)] = d.input[at(c.input(), of(images, n), y, x, of(in, ic))];
    });
    const nhwc filter{c.oc, c.kh, c.kw, c.ic};
    for_each_element(filter, [&](auto oc, auto ky, auto kx, auto ic) {
      p.weights[at(filter, oc, ky, kx, ic)] =
          d.weights[at(filter, of(out, oc), ky, kx, of(in, ic))];
    });
    for (std::int32_t oc = 0; oc < c.oc; ++oc) {
      const auto from = static_cast<std::size_t>(of(out, oc));
      if (c.has_bias) p.bias.push_back(d.bias[from]);
      if (c.per_channel || oc == 0)
        p.filter_scales.push_back(d.filter_scales[c.per_channel ? from : 0]);
    }
    p.quantization.filter_scales = p.filter_scales;
    for_each_target([&]<class Target>(std::type_identity<Target>) {
      const auto y = outputs<Target>(c, d), permuted = outputs<Target>(c, p);
      law.saw("telling", telling(c, y));
      for_each_element(c.output(), [&](auto n, auto oy, auto ox, auto oc) {
        require<Target>(permuted[at(c.output(), n, oy, ox, oc)] ==
                            y[at(c.output(), of(images, n), oy, ox, of(out, oc))],
                        to_line(c));
      });
    });
  });
}

RC_GTEST_PROP(convolution_laws, an_identity_kernel_is_a_requantization, ()) {
  const affine in{0.03F * static_cast<float>(*rc::gen::inRange(1, 40)),
                  *rc::gen::inRange(-128, 128)};
  const affine out{0.07F * static_cast<float>(*rc::gen::inRange(1, 40)),
                   *rc::gen::inRange(-128, 128)};
  covered law("identity kernel", {"telling"});
  std::vector<std::int8_t> x(256), y(256), z(256);
  std::iota(x.begin(), x.end(), static_cast<std::int8_t>(-128));
  const std::vector<float> scales{1.0F};
  const std::vector<std::int8_t> one{1};
  const auto check = [&]<class Target>(std::type_identity<Target>) {
    const auto conv = conv2d<Target>::prepare(
        {.input = {1, 16, 16, 1},
         .filter = {1, 1, 1, 1},
         .quantization = {.input = in, .filter_scales = scales, .output = out}},
        std::span<const std::int8_t>(one));
    const auto recoded =
        requantize<Target>::prepare({element_type::int8, element_type::int8, in, out});
    RC_ASSERT(conv.has_value() && recoded.has_value());
    (*conv)(std::span<const std::int8_t>(x), std::span<std::int8_t>(y));
    (*recoded)(std::span<const std::int8_t>(x), std::span<std::int8_t>(z));
    law.saw("telling", laws::telling(y, -128, 127));
    require<Target>(y == z, "codes differ");
  };
  // The targets whose two rooms share one rule; the others rescale a convolution another way.
  check(std::type_identity<targets::tflite_reference>{});
  check(std::type_identity<targets::tflite_single_rounding>{});
}

RC_GTEST_PROP(dot_product_laws, int8_codes_are_uint8_codes_less_128_where_the_rule_is_one, ()) {
  layer_case c = any_layer(any_kind(), false);
  c.per_channel = false;
  c.weight_zero = 0;
  c.scales =
      *rc::gen::element(conformance::scale_kind::ties, conformance::scale_kind::three_halves);
  layer_case u = c;
  u.type = element_type::uint8;
  covered law("int8 as uint8",
              {"telling conv2d", "telling depthwise_conv2d", "telling fully_connected"});
  const auto d = conformance::make_data<std::int8_t>(c);
  const auto e = conformance::make_data<std::uint8_t>(u);
  for (std::size_t i = 0; i < d.input.size(); ++i) RC_ASSERT(d.input[i] + 128 == e.input[i]);
  for_each_target([&]<class Target>(std::type_identity<Target>) {
    const auto first = conformance::prepare_case<Target>(c, d);
    const auto second = conformance::prepare_case<Target>(u, e);
    // The same function rescales both; raw products of small windows are an int8 rule alone.
    const auto &a = first->plan().requantize, &b = second->plan().requantize;
    const bool pairs = (c.kh * c.kw == 9 || c.kh * c.kw == 25) && c.windowed() &&
                       (c.kind == layer_kind::depthwise_conv2d || c.ic == 1);
    if (a.apply != b.apply || !(a.multipliers[0] == b.multipliers[0]) || pairs) return;
    const auto y = outputs<Target>(c, d);
    const auto z = outputs<Target>(u, e);
    law.saw(telling_name(c), telling(c, y));
    for (std::size_t i = 0; i < y.size(); ++i) require<Target>(y[i] + 128 == z[i], to_line(c));
  });
}

}  // namespace
