// SPDX-License-Identifier: Apache-2.0
// Kernels with the integers of tflite-reference, written another way: the kit must never accuse them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "conformance/twins.hpp"

namespace twins {

/// Where the operands of one accumulator lie, for each kind of layer.
template <class T> struct layout {
  const layer_case& c;
  const layer_data<T>& d;
  window rows = c.windowed() ? c.rows() : window{};
  window columns = c.windowed() ? c.columns() : window{};

  struct product {
    std::int32_t x, w;  ///< raw codes; padding reads the zero point
  };

  [[nodiscard]] std::int32_t input_zero() const { return d.quantization.input.zero_point; }
  [[nodiscard]] std::int32_t weight_zero() const { return d.quantization.filter_zero_point; }
  [[nodiscard]] bool depthwise() const {
    return c.kind == conformance::layer_kind::depthwise_conv2d;
  }

  [[nodiscard]] std::vector<product> products(std::span<const T> x, std::int32_t n, std::int32_t oy,
                                              std::int32_t ox, std::int32_t oc) const {
    std::vector<product> all;
    const std::int32_t depth = depthwise() ? 1 : c.ic;
    for (std::int32_t ky = 0; ky < rows.kernel; ++ky)
      for (std::int32_t kx = 0; kx < columns.kernel; ++kx)
        for (std::int32_t i = 0; i < depth; ++i) {
          const std::int32_t iy = rows.at(oy, ky), ix = columns.at(ox, kx);
          const bool inside = rows.inside(iy) && columns.inside(ix);
          const std::int32_t ic = depthwise() ? oc / c.depth_multiplier : i;
          const std::int64_t from =
              ((std::int64_t{n} * rows.input + iy) * columns.input + ix) * c.ic + ic;
          const std::int64_t tap = ky * columns.kernel + kx;
          const std::int64_t at =
              depthwise() ? tap * c.output_channels() + oc
                          : (std::int64_t{oc} * rows.kernel * columns.kernel + tap) * depth + i;
          all.push_back({inside ? x[static_cast<std::size_t>(from)] : input_zero(),
                         d.weights[static_cast<std::size_t>(at)]});
        }
    return all;
  }
  [[nodiscard]] std::int64_t bias(std::int32_t oc) const {
    return d.bias.empty() ? 0 : d.bias[static_cast<std::size_t>(oc)];
  }
  [[nodiscard]] requantizer to_code(std::int32_t oc) const {
    const layer_facts facts{.input = c.type, .output = c.type, .per_channel = c.per_channel};
    const requantize_rule rule = c.windowed() ? requantizer_of<base, room::conv2d>(facts)
                                              : requantizer_of<base, room::fully_connected>(facts);
    const float scale = d.filter_scales[c.per_channel ? static_cast<std::size_t>(oc) : 0];
    return bind(rule, d.quantization.input.scale, scale, d.quantization.output, c.fused, c.type);
  }
};

/// Output channels outermost, pixels from the last to the first, each accumulator by Sum.
template <class Sum> struct summed_by {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    const layout<T> of{c, d};
    const nhwc made = c.output();
    for (std::int32_t oc = 0; oc < made.c; ++oc) {
      const requantizer to_code = of.to_code(oc);
      for (std::int64_t at = made.elements() / made.c - 1; at >= 0; --at) {
        const auto ox = static_cast<std::int32_t>(at % made.w);
        const auto oy = static_cast<std::int32_t>(at / made.w % made.h);
        const auto n = static_cast<std::int32_t>(at / made.w / made.h);
        const std::int64_t acc = Sum::of(of, of.products(x, n, oy, ox, oc), of.bias(oc));
        y[static_cast<std::size_t>(at * made.c + oc)] = static_cast<T>(to_code(acc, 0));
      }
    }
  }
};

template <class Of, class Product> std::int64_t value_of(const Of& of, const Product& p) {
  return std::int64_t{p.x - of.input_zero()} * (p.w - of.weight_zero());
}

struct backwards {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    return std::accumulate(products.rbegin(), products.rend(), bias,
                           [&](std::int64_t sum, auto p) { return sum + value_of(layer, p); });
  }
};
struct modulo_2_to_32 {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    auto sum = static_cast<std::uint32_t>(bias);
    for (const auto& p : products) sum += static_cast<std::uint32_t>(value_of(layer, p));
    return static_cast<std::int32_t>(sum);
  }
};
struct in_float64 {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    auto sum = static_cast<double>(bias);  // every partial sum is an integer below 2^53
    for (const auto& p : products) sum += static_cast<double>(value_of(layer, p));
    return static_cast<std::int64_t>(sum);
  }
};
struct even_and_odd_taps {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    std::array<std::int64_t, 2> sums{};
    for (std::size_t i = 0; i < products.size(); ++i) sums[i % 2] += value_of(layer, products[i]);
    return sums[0] + sums[1] + bias;
  }
};
struct zero_points_folded {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    std::int64_t raw = 0, xs = 0, ws = 0;
    for (const auto& p : products) raw += std::int64_t{p.x} * p.w, xs += p.x, ws += p.w;
    const std::int64_t zx = layer.input_zero(), zw = layer.weight_zero();
    return bias + raw - zx * ws - zw * xs + static_cast<std::int64_t>(products.size()) * zx * zw;
  }
};
/// Codes and zero points of both operands moved by 128: uint8 read as int8 and the reverse.
struct top_bit_flipped {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    const bool u8 = layer.c.type == element_type::uint8;
    const auto flip = [u8](std::int32_t code) {
      return u8 ? std::int32_t{static_cast<std::int8_t>(code ^ 0x80)}
                : std::int32_t{static_cast<std::uint8_t>(code ^ 0x80)};
    };
    for (const auto& p : products)
      bias += std::int64_t{flip(p.x) - flip(layer.input_zero())} *
              (flip(p.w) - flip(layer.weight_zero()));
    return bias;
  }
};
struct blocks_of_three {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < products.size(); i += 3) {
      std::int64_t block = 0;
      for (std::size_t k = i; k < std::min(i + 3, products.size()); ++k)
        block += value_of(layer, products[k]);
      total += block;
    }
    return bias + total;
  }
};
struct as_a_tree {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    std::vector<std::int64_t> level;
    for (const auto& p : products) level.push_back(value_of(layer, p));
    for (; level.size() > 1; level.resize((level.size() + 1) / 2))
      for (std::size_t i = 0; i < (level.size() + 1) / 2; ++i)
        level[i] = level[2 * i] + (2 * i + 1 < level.size() ? level[2 * i + 1] : 0);
    return level[0] + bias;
  }
};
struct smallest_first {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    std::vector<std::int64_t> values{bias};
    for (const auto& p : products) values.push_back(value_of(layer, p));
    std::sort(values.begin(), values.end());
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
  }
};
struct positive_and_negative_apart {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    std::int64_t above = 0, below = 0;
    for (const auto& p : products) (value_of(layer, p) > 0 ? above : below) += value_of(layer, p);
    return above + below + bias;
  }
};
struct four_bits_at_a_time {
  static std::int64_t of(const auto& layer, const auto& products, std::int64_t bias) {
    std::int64_t high = 0, low = 0;  // x - zx = 16 h + l
    for (const auto& p : products) {
      const std::int32_t x = p.x - layer.input_zero(), w = p.w - layer.weight_zero();
      high += std::int64_t{x >> 4} * w, low += std::int64_t{x & 15} * w;
    }
    return 16 * high + low + bias;
  }
};

/// All products of the layer laid out first, then a matrix product in tiles of 4 x 3 with remainders.
struct im2col_in_tiles {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    const layout<T> of{c, d};
    const nhwc made = c.output();
    const std::int64_t pixels = made.elements() / made.c;
    std::vector<std::int64_t> sums(y.size());
    for (std::int64_t first = 0; first < pixels; first += 4)
      for (std::int32_t channel = 0; channel < made.c; channel += 3)
        for (std::int64_t at = first; at < std::min(first + 4, pixels); ++at)
          for (std::int32_t oc = channel; oc < std::min(channel + 3, made.c); ++oc)
            for (const auto& p : of.products(x, static_cast<std::int32_t>(at / made.w / made.h),
                                             static_cast<std::int32_t>(at / made.w % made.h),
                                             static_cast<std::int32_t>(at % made.w), oc))
              sums[static_cast<std::size_t>(at * made.c + oc)] += value_of(of, p);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto oc = static_cast<std::int32_t>(i % static_cast<std::size_t>(made.c));
      y[i] = static_cast<T>(of.to_code(oc)(sums[i] + of.bias(oc), 0));
    }
  }
};

/// Images apart, the last first: each is a layer of its own.
struct one_image_at_a_time {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    layer_case single = c;
    single.n = 1;
    const auto kernel = conformance::prepare_case<base>(single, d);
    const auto from = static_cast<std::size_t>(single.input().elements());
    const auto to = static_cast<std::size_t>(single.output().elements());
    for (auto n = static_cast<std::size_t>(c.n); n-- > 0;)
      (*kernel)(x.subspan(n * from, from), y.subspan(n * to, to));
  }
};

/// Scratch memory that outlives a call, and is filled anew in each.
struct keeps_scratch {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) {
    scratch.resize(x.size() * sizeof(T));
    std::copy(x.begin(), x.end(), reinterpret_cast<T*>(scratch.data()));
    kernel_of<base>{}(c, d, std::span<const T>(reinterpret_cast<T*>(scratch.data()), x.size()), y);
  }
  std::vector<std::byte> scratch;
};

/// The output is used as scratch memory before the codes are stored.
struct writes_twice {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    std::fill(y.begin(), y.end(), static_cast<T>(c.seed));
    kernel_of<base>{}(c, d, x, y);
  }
};

/// A convolution without groups whose filter is 0 off the diagonal.
struct depthwise_as_conv {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    layer_case full = c;
    full.kind = conformance::layer_kind::conv2d;
    full.oc = c.output_channels();
    const std::int64_t taps = std::int64_t{c.kh} * c.kw;
    const T zero = static_cast<T>(d.quantization.filter_zero_point);
    std::vector<T> weights(static_cast<std::size_t>(full.weight_count()), zero);
    for (std::int64_t oc = 0; oc < full.oc; ++oc)
      for (std::int64_t tap = 0; tap < taps; ++tap)
        weights[static_cast<std::size_t>((oc * taps + tap) * c.ic + oc / c.depth_multiplier)] =
            d.weights[static_cast<std::size_t>(tap * full.oc + oc)];
    const auto kernel =
        conv2d<base>::prepare(conformance::conv2d_spec_of(full, d.quantization),
                              std::span<const T>(weights), std::span<const std::int32_t>(d.bias));
    if (kernel) (*kernel)(x, y);
  }
};

}  // namespace twins
