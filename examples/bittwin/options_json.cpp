// SPDX-License-Identifier: Apache-2.0
// The options of an operator, one overload each.
#include "options_json.hpp"

namespace bittwin::cli {
namespace {

std::string_view padding(padding_kind kind) {
  return kind == padding_kind::same ? "SAME" : "VALID";
}

struct writer {
  json operator()(const std::monostate&) const { return json::object(); }
  json operator()(const graph::conv_2d_options& o) const {
    return {{"padding", padding(o.padding)}, {"stride_h", o.stride_h},
            {"stride_w", o.stride_w},        {"dilation_h", o.dilation_h},
            {"dilation_w", o.dilation_w},    {"activation", name_of(o.fused)}};
  }
  json operator()(const graph::depthwise_conv_2d_options& o) const {
    return {{"padding", padding(o.padding)}, {"stride_h", o.stride_h},
            {"stride_w", o.stride_w},        {"dilation_h", o.dilation_h},
            {"dilation_w", o.dilation_w},    {"depth_multiplier", o.depth_multiplier},
            {"activation", name_of(o.fused)}};
  }
  json operator()(const graph::pool_2d_options& o) const {
    return {{"padding", padding(o.padding)}, {"stride_h", o.stride_h},
            {"stride_w", o.stride_w},        {"filter_h", o.filter_h},
            {"filter_w", o.filter_w},        {"activation", name_of(o.fused)}};
  }
  json operator()(const graph::fully_connected_options& o) const {
    return {{"activation", name_of(o.fused)}, {"keep_num_dims", o.keep_num_dims}};
  }
  json operator()(const graph::binary_options& o) const {
    return {{"activation", name_of(o.fused)}};
  }
  json operator()(const graph::concatenation_options& o) const {
    return {{"axis", o.axis}, {"activation", name_of(o.fused)}};
  }
  json operator()(const graph::softmax_options& o) const { return {{"beta", o.beta}}; }
  json operator()(const graph::reduce_options& o) const { return {{"keep_dims", o.keep_dims}}; }
  json operator()(const graph::reshape_options& o) const { return {{"new_shape", o.new_shape}}; }
  json operator()(const graph::squeeze_options& o) const { return {{"squeeze_dims", o.axes}}; }
  json operator()(const graph::split_options& o) const { return {{"num_splits", o.count}}; }
};

}  // namespace

json options_json(const graph::operator_options& options) { return std::visit(writer{}, options); }

std::string options_text(const graph::operator_options& options) {
  const json object = options_json(options);
  std::string text;
  for (const auto& [key, value] : object.items())
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key,
                        value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

}  // namespace bittwin::cli
