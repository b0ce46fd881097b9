// SPDX-License-Identifier: Apache-2.0
// {table, field, slot} of the options of .tflite operators, for reader and writer.
// source  tensorflow/compiler/mlir/lite/schema/schema.fbs
#pragma once

#include <bittwin/graph/flatbuffer_view.hpp>
#include <cstdint>

namespace bittwin::graph::tflite_schema {

inline constexpr field conv_padding{"Conv2DOptions", "padding", 0};
inline constexpr field conv_stride_w{"Conv2DOptions", "stride_w", 1};
inline constexpr field conv_stride_h{"Conv2DOptions", "stride_h", 2};
inline constexpr field conv_activation{"Conv2DOptions", "fused_activation_function", 3};
inline constexpr field conv_dilation_w{"Conv2DOptions", "dilation_w_factor", 4};
inline constexpr field conv_dilation_h{"Conv2DOptions", "dilation_h_factor", 5};
inline constexpr field conv_bias_type{"Conv2DOptions", "quantized_bias_type", 6};

inline constexpr field depthwise_padding{"DepthwiseConv2DOptions", "padding", 0};
inline constexpr field depthwise_stride_w{"DepthwiseConv2DOptions", "stride_w", 1};
inline constexpr field depthwise_stride_h{"DepthwiseConv2DOptions", "stride_h", 2};
inline constexpr field depthwise_multiplier{"DepthwiseConv2DOptions", "depth_multiplier", 3};
inline constexpr field depthwise_activation{"DepthwiseConv2DOptions", "fused_activation_function",
                                            4};
inline constexpr field depthwise_dilation_w{"DepthwiseConv2DOptions", "dilation_w_factor", 5};
inline constexpr field depthwise_dilation_h{"DepthwiseConv2DOptions", "dilation_h_factor", 6};

inline constexpr field transpose_conv_padding{"TransposeConvOptions", "padding", 0};
inline constexpr field transpose_conv_stride_w{"TransposeConvOptions", "stride_w", 1};
inline constexpr field transpose_conv_stride_h{"TransposeConvOptions", "stride_h", 2};
inline constexpr field transpose_conv_activation{"TransposeConvOptions",
                                                 "fused_activation_function", 3};
inline constexpr field transpose_conv_bias_type{"TransposeConvOptions", "quantized_bias_type", 4};

inline constexpr field pool_padding{"Pool2DOptions", "padding", 0};
inline constexpr field pool_stride_w{"Pool2DOptions", "stride_w", 1};
inline constexpr field pool_stride_h{"Pool2DOptions", "stride_h", 2};
inline constexpr field pool_filter_w{"Pool2DOptions", "filter_width", 3};
inline constexpr field pool_filter_h{"Pool2DOptions", "filter_height", 4};
inline constexpr field pool_activation{"Pool2DOptions", "fused_activation_function", 5};

inline constexpr field fully_connected_activation{"FullyConnectedOptions",
                                                  "fused_activation_function", 0};
inline constexpr field fully_connected_format{"FullyConnectedOptions", "weights_format", 1};
inline constexpr field fully_connected_keep_dims{"FullyConnectedOptions", "keep_num_dims", 2};
inline constexpr field fully_connected_asymmetric{"FullyConnectedOptions",
                                                  "asymmetric_quantize_inputs", 3};
inline constexpr field fully_connected_bias_type{"FullyConnectedOptions", "quantized_bias_type", 4};
inline constexpr field matmul_adjoint_x{"BatchMatMulOptions", "adj_x", 0};
inline constexpr field matmul_adjoint_y{"BatchMatMulOptions", "adj_y", 1};
inline constexpr field matmul_asymmetric{"BatchMatMulOptions", "asymmetric_quantize_inputs", 2};

// The tables of ADD, SUB, MUL and DIV begin alike, and so do the others that share lines below.
inline constexpr field binary_activation{"AddOptions", "fused_activation_function", 0};
inline constexpr field binary_pot_scale_int16{"AddOptions", "pot_scale_int16", 1};
inline constexpr field concatenation_axis{"ConcatenationOptions", "axis", 0};
inline constexpr field concatenation_activation{"ConcatenationOptions", "fused_activation_function",
                                                1};
inline constexpr field softmax_beta{"SoftmaxOptions", "beta", 0};
inline constexpr field leaky_relu_alpha{"LeakyReluOptions", "alpha", 0};
inline constexpr field l2_normalization_activation{"L2NormOptions", "fused_activation_function", 0};
inline constexpr field reducer_keep_dims{"ReducerOptions", "keep_dims", 0};
inline constexpr field arg_output_type{"ArgMaxOptions", "output_type", 0};

inline constexpr field reshape_new_shape{"ReshapeOptions", "new_shape", 0};
inline constexpr field squeeze_dims{"SqueezeOptions", "squeeze_dims", 0};
inline constexpr field split_count{"SplitOptions", "num_splits", 0};
inline constexpr field pack_count{"PackOptions", "values_count", 0};
inline constexpr field pack_axis{"PackOptions", "axis", 1};
inline constexpr field unpack_count{"UnpackOptions", "num", 0};
inline constexpr field unpack_axis{"UnpackOptions", "axis", 1};
inline constexpr field gather_axis{"GatherOptions", "axis", 0};
inline constexpr field gather_batch_dims{"GatherOptions", "batch_dims", 1};
inline constexpr field mirror_pad_mode{"MirrorPadOptions", "mode", 0};
inline constexpr field slice_begin_mask{"StridedSliceOptions", "begin_mask", 0};
inline constexpr field slice_end_mask{"StridedSliceOptions", "end_mask", 1};
inline constexpr field slice_ellipsis_mask{"StridedSliceOptions", "ellipsis_mask", 2};
inline constexpr field slice_new_axis_mask{"StridedSliceOptions", "new_axis_mask", 3};
inline constexpr field slice_shrink_axis_mask{"StridedSliceOptions", "shrink_axis_mask", 4};
inline constexpr field slice_offset{"StridedSliceOptions", "offset", 5};
inline constexpr field bilinear_align_corners{"ResizeBilinearOptions", "align_corners", 2};
inline constexpr field bilinear_half_pixel{"ResizeBilinearOptions", "half_pixel_centers", 3};
inline constexpr field nearest_align_corners{"ResizeNearestNeighborOptions", "align_corners", 0};
inline constexpr field nearest_half_pixel{"ResizeNearestNeighborOptions", "half_pixel_centers", 1};
inline constexpr field block_size{"SpaceToDepthOptions", "block_size", 0};
inline constexpr field cast_from{"CastOptions", "in_data_type", 0};
inline constexpr field cast_to{"CastOptions", "out_data_type", 1};

inline constexpr field lstm_activation{"UnidirectionalSequenceLSTMOptions",
                                       "fused_activation_function", 0};
inline constexpr field lstm_cell_clip{"UnidirectionalSequenceLSTMOptions", "cell_clip", 1};
inline constexpr field lstm_projection_clip{"UnidirectionalSequenceLSTMOptions", "proj_clip", 2};
inline constexpr field lstm_time_major{"UnidirectionalSequenceLSTMOptions", "time_major", 3};
inline constexpr field lstm_asymmetric{"UnidirectionalSequenceLSTMOptions",
                                       "asymmetric_quantize_inputs", 4};
inline constexpr field lstm_diagonal{"UnidirectionalSequenceLSTMOptions",
                                     "diagonal_recurrent_tensors", 5};
inline constexpr field svdf_rank{"SVDFOptions", "rank", 0};
inline constexpr field svdf_activation{"SVDFOptions", "fused_activation_function", 1};
inline constexpr field svdf_asymmetric{"SVDFOptions", "asymmetric_quantize_inputs", 2};

/// Which table Operator.builtin_options holds.
enum class options_type : std::uint8_t {
  none = 0,
  conv_2d = 1,
  depthwise_conv_2d = 2,
  pool_2d = 5,
  svdf = 6,
  fully_connected = 8,
  softmax = 9,
  concatenation = 10,
  add = 11,
  l2_normalization = 12,
  resize_bilinear = 15,
  reshape = 17,
  space_to_depth = 19,
  mul = 21,
  gather = 23,
  reducer = 27,
  sub = 28,
  div = 29,
  squeeze = 30,
  strided_slice = 32,
  split = 35,
  cast = 37,
  arg_max = 40,
  transpose_conv = 49,
  arg_min = 57,
  pack = 59,
  unpack = 64,
  unidirectional_sequence_lstm = 71,
  resize_nearest_neighbor = 74,
  leaky_relu = 75,
  mirror_pad = 77,
  split_v = 79,
  depth_to_space = 94,
  batch_matmul = 101,
};

}  // namespace bittwin::graph::tflite_schema
