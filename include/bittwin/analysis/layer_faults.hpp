// SPDX-License-Identifier: Apache-2.0
// Faults of a layer's geometry and bias: padding of another value or on the other side, options that are not read,
// a bias that is dropped or too narrow.
#pragma once

#include <algorithm>
#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/fault.hpp>
#include <bittwin/analysis/scale_faults.hpp>
#include <bittwin/graph/constant.hpp>
#include <bittwin/types/geometry.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// The windows of an operator whose padding is SAME; absent for others and where nothing is padded.
struct padded_windows {
  window rows, columns;
  [[nodiscard]] static std::int32_t after(const window& w) noexcept {
    const std::int64_t covered = std::int64_t{w.output - 1} * w.stride +
                                 std::int64_t{w.kernel - 1} * w.dilation + 1 - w.before - w.input;
    return static_cast<std::int32_t>(std::max<std::int64_t>(covered, 0));
  }
};

[[nodiscard]] inline std::optional<padded_windows> same_padding_of(model_edit& e, std::size_t k) {
  std::optional<padded_windows> found;
  const graph::tensor* const x = e.input(k, 0);
  if (x == nullptr || x->extents.rank() != 4) return found;
  std::visit(
      [&](const auto& o) {
        if constexpr (requires {
                        o.padding;
                        o.stride_h;
                      }) {
          using options = std::remove_cvref_t<decltype(o)>;
          if constexpr (!std::is_same_v<options, graph::transpose_conv_options>) {
            std::int32_t kernel_h = 0, kernel_w = 0, dilation_h = 1, dilation_w = 1;
            if constexpr (requires { o.filter_h; }) {
              kernel_h = o.filter_h, kernel_w = o.filter_w;
            } else {
              kernel_h = e.input(k, 1)->extents[1], kernel_w = e.input(k, 1)->extents[2];
              dilation_h = o.dilation_h, dilation_w = o.dilation_w;
            }
            if (o.padding == padding_kind::same)
              found = {place(o.padding, x->extents[1], kernel_h, o.stride_h, dilation_h),
                       place(o.padding, x->extents[2], kernel_w, o.stride_w, dilation_w)};
          }
        }
      },
      e.op(k).options);
  if (found && found->rows.before + found->columns.before + found->after(found->rows) +
                       found->after(found->columns) ==
                   0)
    found.reset();
  return found;
}

/// Operator k reads an input that was padded before: with `code`, or with the zero point where absent.
inline void pad_explicitly(model_edit& e, std::size_t k, std::pair<int, int> rows,
                           std::pair<int, int> columns, std::optional<std::int64_t> code) {
  graph::tensor like = *e.input(k, 0);
  like.extents = shape{like.extents[0], like.extents[1] + rows.first + rows.second,
                       like.extents[2] + columns.first + columns.second, like.extents[3]};
  const std::int32_t padded = e.add_like(like, "/padded");
  graph::tensor list;
  list.type = element_type::int32;
  list.extents = shape{4, 2};
  const std::int32_t amounts = e.add_like(list, "paddings");
  e.set_constant(e.tensor(amounts), std::vector<std::int32_t>{0, 0, rows.first, rows.second,
                                                              columns.first, columns.second, 0, 0});
  graph::operation pad =
      make_operation(code ? graph::operator_code::padv2 : graph::operator_code::pad);
  pad.inputs = {amounts};
  if (code) {
    like.extents = {1};
    const std::int32_t value = e.add_like(like, "/value");
    with_element(like.type, [&]<class T>(T) {
      e.set_constant(e.tensor(value), std::vector<T>{static_cast<T>(*code)});
    });
    pad.inputs.push_back(value);
  }
  e.put_before(k, 0, std::move(pad), padded);
  std::visit(
      [](auto& o) {
        if constexpr (requires { o.padding; }) o.padding = padding_kind::valid;
      },
      e.op(k + 1).options);
}

/// The bias of operator k through `f(code, channel)`; false where there is none or nothing changes.
template <class F> auto bias_by(F f) {
  return [f](model_edit& e, std::size_t k) {
    if (!has_filter(e.op(k)) || e.input(k, 2) == nullptr || !e.input(k, 2)->is_constant() ||
        e.input(k, 2)->type != element_type::int32)
      return false;
    std::vector<std::int32_t> values = graph::constant_as<std::int32_t>(*e.input(k, 2));
    const std::vector<std::int32_t> before = values;
    const quantization weights = e.input(k, 1)->quantization;
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = f(values[c], weights, c);
    e.set_constant(*e.own_input(k, 2), values);
    return values != before;
  };
}

}  // namespace detail

[[nodiscard]] inline fault_list layer_faults() {
  using graph::operator_code;
  const auto pads_with_zero = [](model_edit& e, std::size_t k) {
    const auto windows = detail::same_padding_of(e, k);
    const graph::tensor* const x = e.input(k, 0);
    const bool reads_padding =
        detail::has_filter(e.op(k)) || e.op(k).code == operator_code::max_pool_2d;
    if (!windows || !reads_padding || !x->quantization.present() ||
        (detail::has_filter(e.op(k)) && x->quantization.zero_point() == 0))
      return false;
    detail::pad_explicitly(e, k, {windows->rows.before, windows->after(windows->rows)},
                           {windows->columns.before, windows->after(windows->columns)}, 0);
    return true;
  };
  const auto other_side = [](model_edit& e, std::size_t k) {
    const auto windows = detail::same_padding_of(e, k);
    if (!windows || !detail::has_filter(e.op(k))) return false;
    const auto& [rows, columns] = *windows;
    const std::int32_t below = windows->after(rows), right = windows->after(columns);
    if (rows.before == below && columns.before == right) return false;
    detail::pad_explicitly(e, k, {below, rows.before}, {right, columns.before}, std::nullopt);
    return true;
  };
  const auto counts_padding = [](std::optional<std::int64_t> code) {
    return [code](model_edit& e, std::size_t k) {
      const auto windows = detail::same_padding_of(e, k);
      if (!windows || e.op(k).code != operator_code::average_pool_2d) return false;
      detail::pad_explicitly(e, k, {windows->rows.before, windows->after(windows->rows)},
                             {windows->columns.before, windows->after(windows->columns)}, code);
      return true;
    };
  };
  const auto undilated = [](model_edit& e, std::size_t k) {
    return std::visit(
        [](auto& o) {
          if constexpr (requires { o.dilation_h; }) {
            const bool dilated = o.dilation_h != 1 || o.dilation_w != 1;
            o.dilation_h = o.dilation_w = 1;
            return dilated;
          } else {
            return false;
          }
        },
        e.op(k).options);
  };
  /// Output channel m * inputs + c takes the filter of c * multiplier + m.
  const auto other_order = [](model_edit& e, std::size_t k) {
    if (e.op(k).code != operator_code::depthwise_conv_2d || !e.input(k, 1)->is_constant())
      return false;
    const std::int32_t channels = e.input(k, 0)->extents[3];
    const std::int32_t outputs = e.input(k, 1)->extents[3];
    const std::int32_t multiplier = channels > 0 ? outputs / channels : 0;
    if (multiplier < 2 || channels < 2) return false;
    graph::tensor& w = *e.own_input(k, 1);
    if (w.type != element_type::int8 && w.type != element_type::uint8) return false;
    std::vector<std::byte> taps(w.constant.begin(), w.constant.end());
    for (std::size_t tap = 0; tap < taps.size(); tap += static_cast<std::size_t>(outputs))
      for (std::int32_t c = 0; c < channels; ++c)
        for (std::int32_t m = 0; m < multiplier; ++m)
          taps[tap + static_cast<std::size_t>(c * multiplier + m)] =
              w.constant[tap + static_cast<std::size_t>(m * channels + c)];
    e.set_constant(w, taps);
    return true;
  };
  const auto narrow = [](bool wraps) {
    return [wraps](std::int32_t b, const quantization&, std::size_t) -> std::int32_t {
      return wraps ? static_cast<std::int16_t>(static_cast<std::uint16_t>(b))
                   : std::clamp<std::int32_t>(b, INT16_MIN, INT16_MAX);
    };
  };
  const auto rescaled = [](bool up) {
    return [up](std::int32_t b, const quantization& w, std::size_t c) -> std::int32_t {
      if (!w.per_channel()) return b;
      const double ratio = double{w.scale(c)} / double{w.scale(0)};
      const double value = std::round(up ? b * ratio : b / ratio);
      return static_cast<std::int32_t>(std::clamp(value, double{INT32_MIN}, double{INT32_MAX}));
    };
  };
  return {
      {"PAD_WITH_ZERO", "padding holds code 0 instead of the zero point", pads_with_zero},
      {"SAME_WRONG_SIDE", "SAME padding puts the odd row or column on the other side", other_side},
      {"POOL_INCLUDES_PAD", "the average counts padding", counts_padding(std::nullopt)},
      {"POOL_INCLUDES_PAD", "the average counts padding, which holds code 0", counts_padding(0)},
      {"DILATION_IGNORED", "the dilation is taken as 1", undilated},
      {"DEPTH_MULTIPLIER_ORDER", "filters are read channel by channel instead of by multiplier",
       other_order},
      {"BIAS_DROPPED", "the bias is not added",
       detail::bias_by([](std::int32_t, const quantization&, std::size_t) { return 0; })},
      {"BIAS_NARROW", "the bias saturates at 16 bits", detail::bias_by(narrow(false))},
      {"BIAS_NARROW", "the bias wraps at 16 bits", detail::bias_by(narrow(true))},
      {"BIAS_SCALE", "the bias of each channel is put on the scale of channel 0",
       detail::bias_by(rescaled(true))},
      {"BIAS_SCALE", "the bias of each channel is read on the scale of channel 0",
       detail::bias_by(rescaled(false))},
  };
}

}  // namespace bittwin::analysis::inline v1
