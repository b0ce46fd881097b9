// SPDX-License-Identifier: Apache-2.0
// One dot-product layer as a test case: small integers that say everything, from which weights, bias, scales
// and input follow. So a case is one line, the line is its reproducer, and a smaller case is another line.
//   conv2d n1 ih5 iw5 ic3 oc4 kh3 kw3 sh2 sw2 dh1 dw1 dm1 same relu6 s8 per_channel zx-3 zw0 zy5 scale2 data0 seed7
#pragma once

#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/kernel/depthwise_conv2d.hpp>
#include <bittwin/kernel/fully_connected.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::conformance::inline v1 {

enum class layer_kind : std::uint8_t { conv2d, depthwise_conv2d, fully_connected };

/// What the multipliers are like.
enum class scale_kind : std::uint8_t {
  generic,       ///< codes spread over the type, no special multiplier
  ties,          ///< powers of two: many results lie exactly between two codes
  three_halves,  ///< 3 * 2^-k: ties of another kind
  above_one,     ///< multipliers from 1 to 8
  tiny,          ///< below 2^-20, with a large bias to show anything
};
inline constexpr int scale_kinds = 5;

/// What weights and input are like.
enum class data_kind : std::uint8_t {
  uniform,
  extreme,  ///< the ends of the type, both signs of weight: pairs of products are as large as they get
  sparse,  ///< mostly the zero point
  smooth,  ///< neighbouring pixels and channels are close
  largest,  ///< each input code makes its products as large as they can be: the accumulator's upper end
  small,  ///< accumulators of a few units and multipliers near 1/4: every other result is a tie
};
inline constexpr int data_kinds = 6;

struct layer_case {
  layer_kind kind = layer_kind::conv2d;
  std::int32_t n = 1, ih = 1, iw = 1, ic = 1, oc = 1, kh = 1, kw = 1, sh = 1, sw = 1, dh = 1,
               dw = 1;
  std::int32_t depth_multiplier = 1;
  padding_kind padding = padding_kind::same;
  activation fused = activation::none;
  element_type type = element_type::int8;
  bool per_channel = false;
  bool has_bias = true;
  std::int32_t input_zero = 0, weight_zero = 0,
               output_zero = 0;  ///< offsets from the type's middle code
  scale_kind scales = scale_kind::generic;
  data_kind data = data_kind::uniform;
  std::uint64_t seed = 0;

  friend bool operator==(const layer_case&, const layer_case&) = default;

  [[nodiscard]] bool windowed() const noexcept { return kind != layer_kind::fully_connected; }
  [[nodiscard]] std::int32_t output_channels() const noexcept {
    return kind == layer_kind::depthwise_conv2d ? ic * depth_multiplier : oc;
  }
  [[nodiscard]] window rows() const noexcept { return place(padding, ih, kh, sh, dh); }
  [[nodiscard]] window columns() const noexcept { return place(padding, iw, kw, sw, dw); }
  /// Whether the window fits, so that there is an output at all.
  [[nodiscard]] bool runs() const noexcept {
    return !windowed() || (rows().output > 0 && columns().output > 0);
  }
  [[nodiscard]] nhwc input() const noexcept {
    return windowed() ? nhwc{n, ih, iw, ic} : nhwc{n, 1, 1, ic};
  }
  [[nodiscard]] nhwc output() const noexcept {
    return windowed() ? nhwc{n, rows().output, columns().output, output_channels()}
                      : nhwc{n, 1, 1, oc};
  }
  [[nodiscard]] std::int64_t weight_count() const noexcept {
    const std::int64_t taps = windowed() ? std::int64_t{kh} * kw : 1;
    return kind == layer_kind::depthwise_conv2d ? taps * output_channels() : taps * oc * ic;
  }
};

/// Number of products in one accumulator.
[[nodiscard]] inline std::int64_t terms_of(const layer_case& c) noexcept {
  return c.weight_count() / c.output_channels();
}

/// The tensors of a case. Everything an implementation needs besides its code.
template <class T> struct layer_data {
  std::vector<float> filter_scales;  ///< one, or one an output channel
  std::vector<T> weights;            ///< OHWI, [kh, kw, oc] or [oc, ic]
  std::vector<std::int32_t> bias;    ///< empty: none
  std::vector<T> input;              ///< NHWC
  dot_product_quantization quantization;

  layer_data() = default;
  layer_data(const layer_data&) = delete;  // quantization points into filter_scales
  layer_data& operator=(const layer_data&) = delete;
  layer_data(layer_data&&) noexcept = default;
  layer_data& operator=(layer_data&&) noexcept = default;
};

[[nodiscard]] inline std::string_view name_of(layer_kind kind) noexcept {
  switch (kind) {
    case layer_kind::conv2d: return "conv2d";
    case layer_kind::depthwise_conv2d: return "depthwise_conv2d";
    case layer_kind::fully_connected: return "fully_connected";
  }
  return "?";
}

/// The case as one line; parse_case (case_line.hpp) reads it back.
[[nodiscard]] inline std::string to_line(const layer_case& c) {
  std::string line(name_of(c.kind));
  const auto put = [&](std::string_view key, std::int64_t value) {
    line += sentence({" ", key, number(value)});
  };
  put("n", c.n);
  if (c.windowed()) put("ih", c.ih), put("iw", c.iw);
  put("ic", c.ic);
  if (c.kind != layer_kind::depthwise_conv2d) put("oc", c.oc);
  if (c.windowed()) {
    put("kh", c.kh), put("kw", c.kw), put("sh", c.sh), put("sw", c.sw);
    put("dh", c.dh), put("dw", c.dw);
  }
  if (c.kind == layer_kind::depthwise_conv2d) put("dm", c.depth_multiplier);
  if (c.windowed()) line += c.padding == padding_kind::same ? " same" : " valid";
  line +=
      sentence({" ", name_of(c.fused), c.type == element_type::int8 ? " s8" : " u8",
                c.per_channel ? " per_channel" : " per_tensor", c.has_bias ? " bias" : " nobias"});
  put("zx", c.input_zero), put("zw", c.weight_zero), put("zy", c.output_zero);
  put("scale", static_cast<int>(c.scales)), put("data", static_cast<int>(c.data));
  put("seed", static_cast<std::int64_t>(c.seed));
  return line;
}

/// Calls visit(key, reference to the field) for each numeric key of a line.
template <class Case, class Visit> void for_each_number(Case& c, Visit visit) {
  visit("n", c.n), visit("ih", c.ih), visit("iw", c.iw), visit("ic", c.ic), visit("oc", c.oc);
  visit("kh", c.kh), visit("kw", c.kw), visit("sh", c.sh), visit("sw", c.sw);
  visit("dh", c.dh), visit("dw", c.dw), visit("dm", c.depth_multiplier);
  visit("zx", c.input_zero), visit("zw", c.weight_zero), visit("zy", c.output_zero);
}

}  // namespace bittwin::conformance::inline v1
