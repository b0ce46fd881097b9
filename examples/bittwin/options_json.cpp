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
  json operator()(const graph::transpose_conv_options& o) const {
    return {{"padding", padding(o.padding)},
            {"stride_h", o.stride_h},
            {"stride_w", o.stride_w},
            {"activation", name_of(o.fused)}};
  }
  json operator()(const graph::batch_matmul_options& o) const {
    return {{"adj_x", o.adjoint_x}, {"adj_y", o.adjoint_y}};
  }
  json operator()(const graph::leaky_relu_options& o) const { return {{"alpha", o.alpha}}; }
  json operator()(const graph::l2_normalization_options& o) const {
    return {{"activation", name_of(o.fused)}};
  }
  json operator()(const graph::arg_options& o) const {
    return {{"output_type", name_of(o.output_type)}};
  }
  json operator()(const graph::pack_options& o) const {
    return {{"axis", o.axis}, {"values_count", o.count}};
  }
  json operator()(const graph::unpack_options& o) const {
    return {{"axis", o.axis}, {"num", o.count}};
  }
  json operator()(const graph::gather_options& o) const {
    return {{"axis", o.axis}, {"batch_dims", o.batch_dims}};
  }
  json operator()(const graph::mirror_pad_options& o) const {
    return {{"mode", o.repeats_edge ? "SYMMETRIC" : "REFLECT"}};
  }
  json operator()(const graph::strided_slice_options& o) const {
    return {{"begin_mask", o.begin_mask},
            {"end_mask", o.end_mask},
            {"ellipsis_mask", o.ellipsis_mask},
            {"new_axis_mask", o.new_axis_mask},
            {"shrink_axis_mask", o.shrink_axis_mask},
            {"offset", o.end_is_offset}};
  }
  json operator()(const graph::resize_options& o) const {
    return {{"align_corners", o.align_corners}, {"half_pixel_centers", o.half_pixel_centers}};
  }
  json operator()(const graph::block_options& o) const { return {{"block_size", o.size}}; }
  json operator()(const graph::cast_options& o) const {
    return {{"in_data_type", name_of(o.from)}, {"out_data_type", name_of(o.to)}};
  }
  json operator()(const graph::lstm_options& o) const {
    return {{"activation", "tanh"},
            {"cell_clip", o.cell_clip},
            {"proj_clip", o.projection_clip},
            {"time_major", o.time_major},
            {"diagonal_recurrent_tensors", o.diagonal_recurrent}};
  }
  json operator()(const graph::svdf_options& o) const {
    return {{"rank", o.rank}, {"activation", name_of(o.fused)}};
  }
  json operator()(const graph::detection_options& o) const {
    return {{"max_detections", o.max_detections},
            {"max_classes_per_detection", o.max_classes_per_detection},
            {"detections_per_class", o.detections_per_class},
            {"use_regular_nms", o.regular_nms},
            {"nms_score_threshold", o.score_threshold},
            {"nms_iou_threshold", o.iou_threshold},
            {"num_classes", o.classes},
            {"y_scale", o.y_scale},
            {"x_scale", o.x_scale},
            {"h_scale", o.h_scale},
            {"w_scale", o.w_scale}};
  }
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
