// SPDX-License-Identifier: Apache-2.0
// The options of those operators that have any, as plain data; readers produce them checked.
#pragma once

#include <bittwin/graph/operator_code.hpp>
#include <bittwin/types/activation.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/geometry.hpp>
#include <cstdint>
#include <variant>
#include <vector>

namespace bittwin::graph::inline v1 {

struct conv_2d_options {
  padding_kind padding = padding_kind::same;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t dilation_h = 1, dilation_w = 1;
  activation fused = activation::none;
  element_type bias_type = element_type::float32;  ///< of an int16 layer; float32: not said
  friend bool operator==(const conv_2d_options&, const conv_2d_options&) = default;
};

struct depthwise_conv_2d_options {
  padding_kind padding = padding_kind::same;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t dilation_h = 1, dilation_w = 1;
  std::int32_t depth_multiplier = 1;  ///< as the file says; kernels go by the filter's shape
  activation fused = activation::none;
  friend bool operator==(const depthwise_conv_2d_options&,
                         const depthwise_conv_2d_options&) = default;
};

struct transpose_conv_options {
  padding_kind padding = padding_kind::same;
  std::int32_t stride_h = 1, stride_w = 1;
  activation fused = activation::none;
  element_type bias_type = element_type::float32;  ///< of an int16 layer; float32: not said
  friend bool operator==(const transpose_conv_options&, const transpose_conv_options&) = default;
};

/// AVERAGE_POOL_2D, MAX_POOL_2D
struct pool_2d_options {
  padding_kind padding = padding_kind::same;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t filter_h = 1, filter_w = 1;
  activation fused = activation::none;
  friend bool operator==(const pool_2d_options&, const pool_2d_options&) = default;
};

struct fully_connected_options {
  activation fused = activation::none;
  bool keep_num_dims = false;
  bool asymmetric_inputs = false;                  ///< how float inputs meet integer weights
  element_type bias_type = element_type::float32;  ///< of an int16 layer; float32: not said
  friend bool operator==(const fully_connected_options&, const fully_connected_options&) = default;
};

struct batch_matmul_options {
  bool adjoint_x = false, adjoint_y = false;
  bool asymmetric_inputs = false;
  friend bool operator==(const batch_matmul_options&, const batch_matmul_options&) = default;
};

/// ADD, SUB, MUL, DIV
struct binary_options {
  activation fused = activation::none;
  bool power_of_two_int16 = true;  ///< pot_scale_int16: which int16 rule ADD and SUB take
  friend bool operator==(const binary_options&, const binary_options&) = default;
};

struct concatenation_options {
  std::int32_t axis = 0;  ///< negative: from the end, here and below
  activation fused = activation::none;
  friend bool operator==(const concatenation_options&, const concatenation_options&) = default;
};

struct softmax_options {
  float beta = 1.0F;
  friend bool operator==(const softmax_options&, const softmax_options&) = default;
};

struct leaky_relu_options {
  float alpha = 0.0F;
  friend bool operator==(const leaky_relu_options&, const leaky_relu_options&) = default;
};

struct l2_normalization_options {
  activation fused = activation::none;
  friend bool operator==(const l2_normalization_options&,
                         const l2_normalization_options&) = default;
};

/// MEAN, SUM, REDUCE_MAX, REDUCE_MIN
struct reduce_options {
  bool keep_dims = false;
  friend bool operator==(const reduce_options&, const reduce_options&) = default;
};

/// ARG_MAX, ARG_MIN
struct arg_options {
  element_type output_type = element_type::int32;  ///< or int64
  friend bool operator==(const arg_options&, const arg_options&) = default;
};

struct reshape_options {
  std::vector<std::int32_t> new_shape;
  friend bool operator==(const reshape_options&, const reshape_options&) = default;
};

struct squeeze_options {
  std::vector<std::int32_t> axes;
  friend bool operator==(const squeeze_options&, const squeeze_options&) = default;
};

/// SPLIT, SPLIT_V
struct split_options {
  std::int32_t count = 1;
  friend bool operator==(const split_options&, const split_options&) = default;
};

struct pack_options {
  std::int32_t count = 1;  ///< of the inputs
  std::int32_t axis = 0;
  friend bool operator==(const pack_options&, const pack_options&) = default;
};

struct unpack_options {
  std::int32_t count = 1;  ///< of the outputs
  std::int32_t axis = 0;
  friend bool operator==(const unpack_options&, const unpack_options&) = default;
};

struct gather_options {
  std::int32_t axis = 0;
  std::int32_t batch_dims = 0;
  friend bool operator==(const gather_options&, const gather_options&) = default;
};

struct mirror_pad_options {
  bool repeats_edge = false;  ///< SYMMETRIC; else REFLECT, which leaves the edge out
  friend bool operator==(const mirror_pad_options&, const mirror_pad_options&) = default;
};

/// Masks have one bit an axis of the begin, end and stride tensors.
struct strided_slice_options {
  std::int32_t begin_mask = 0, end_mask = 0;
  std::int32_t ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 0;
  bool end_is_offset = false;  ///< end counts from begin
  friend bool operator==(const strided_slice_options&, const strided_slice_options&) = default;
};

/// RESIZE_BILINEAR, RESIZE_NEAREST_NEIGHBOR; not both true
struct resize_options {
  bool align_corners = false;
  bool half_pixel_centers = false;
  friend bool operator==(const resize_options&, const resize_options&) = default;
};

/// SPACE_TO_DEPTH, DEPTH_TO_SPACE
struct block_options {
  std::int32_t size = 1;
  friend bool operator==(const block_options&, const block_options&) = default;
};

/// What the file says; runtimes go by the types of the tensors.
struct cast_options {
  element_type from = element_type::float32;
  element_type to = element_type::float32;
  friend bool operator==(const cast_options&, const cast_options&) = default;
};

/// UNIDIRECTIONAL_SEQUENCE_LSTM; its fused activation is TANH
struct lstm_options {
  float cell_clip = 0.0F, projection_clip = 0.0F;  ///< 0: none
  bool time_major = false;
  bool asymmetric_inputs = false;
  bool diagonal_recurrent = false;
  friend bool operator==(const lstm_options&, const lstm_options&) = default;
};

struct svdf_options {
  std::int32_t rank = 1;
  activation fused = activation::none;
  bool asymmetric_inputs = false;
  friend bool operator==(const svdf_options&, const svdf_options&) = default;
};

/// custom TFLite_Detection_PostProcess
struct detection_options {
  std::int32_t max_detections = 1;
  std::int32_t max_classes_per_detection = 1;
  std::int32_t detections_per_class = 100;  ///< where regular_nms
  bool regular_nms = false;
  float score_threshold = 0.0F;
  float iou_threshold = 1.0F;
  std::int32_t classes = 1;
  float y_scale = 1.0F, x_scale = 1.0F, h_scale = 1.0F, w_scale = 1.0F;
  friend bool operator==(const detection_options&, const detection_options&) = default;
};

using any_operator_options =
    std::variant<std::monostate, conv_2d_options, depthwise_conv_2d_options, transpose_conv_options,
                 pool_2d_options, fully_connected_options, batch_matmul_options, binary_options,
                 concatenation_options, softmax_options, leaky_relu_options,
                 l2_normalization_options, reduce_options, arg_options, reshape_options,
                 squeeze_options, split_options, pack_options, unpack_options, gather_options,
                 mirror_pad_options, strided_slice_options, resize_options, block_options,
                 cast_options, lstm_options, svdf_options, detection_options>;

/// Copied, moved and compared by functions of the compiled component: those of a variant of 28 cost every unit that
/// holds a model a second and more.
class operator_options : public any_operator_options {
 public:
  using any_operator_options::any_operator_options;
  operator_options() noexcept;
  operator_options(const operator_options& other);
  operator_options(operator_options&& other) noexcept;
  operator_options& operator=(const operator_options& other);
  operator_options& operator=(operator_options&& other) noexcept;
  ~operator_options();

  friend bool operator==(const operator_options& a, const operator_options& b);
};

}  // namespace bittwin::graph::inline v1
