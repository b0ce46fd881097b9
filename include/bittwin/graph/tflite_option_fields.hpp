// SPDX-License-Identifier: Apache-2.0
// Which field of a .tflite options table is which member, with its default in the schema and its
// legal range: said once, for the reader and the writer, which are the two kinds of Archive.
//   archive.count(field, member, schema default, lowest, highest)    .flag(field, member, default)
//   .real(field, member)  finite     .choice(field, member, what 0 and 1 mean)   .type(field,
//   member) .fused(field, member)    .list(field, member)    .only(field, value, what else would
//   mean) .expect(condition, sentence)     .code()  the operator, where tables of several differ
#pragma once

#include <bittwin/graph/operator_options.hpp>
#include <bittwin/graph/tflite_option_schema.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/shape.hpp>
#include <cstdint>
#include <variant>

namespace bittwin::graph::detail::inline v1 {

namespace schema = tflite_schema;

// Beyond this a window or stride is no longer a layer, and products of two stay inside int32.
inline constexpr std::int32_t largest_step = 1 << 15;
inline constexpr std::int32_t largest_mask = (1 << shape::max_rank) - 1;

template <class A> void step(A& a, field what, std::int32_t& value, std::int32_t schema_default) {
  a.count(what, value, schema_default, 1, largest_step);
}
template <class A> void axis(A& a, field what, std::int32_t& value) {
  a.count(what, value, 0, -shape::max_rank, shape::max_rank - 1);
}
template <class A> void mask(A& a, field what, std::int32_t& value) {
  a.count(what, value, 0, 0, largest_mask);
}
template <class A> void padding(A& a, field what, padding_kind& value) {
  bool valid = value == padding_kind::valid;
  a.choice(what, valid, "0 (SAME) and 1 (VALID)");
  value = valid ? padding_kind::valid : padding_kind::same;
}

template <class A> void fields(A&, std::monostate&) {}
template <class A> void fields(A&, detection_options&) {}  // in custom_options, not in a table

template <class A> void fields(A& a, conv_2d_options& o) {
  padding(a, schema::conv_padding, o.padding);
  step(a, schema::conv_stride_w, o.stride_w, 0);
  step(a, schema::conv_stride_h, o.stride_h, 0);
  a.fused(schema::conv_activation, o.fused);
  step(a, schema::conv_dilation_w, o.dilation_w, 1);
  step(a, schema::conv_dilation_h, o.dilation_h, 1);
  a.type(schema::conv_bias_type, o.bias_type);
}
template <class A> void fields(A& a, depthwise_conv_2d_options& o) {
  padding(a, schema::depthwise_padding, o.padding);
  step(a, schema::depthwise_stride_w, o.stride_w, 0);
  step(a, schema::depthwise_stride_h, o.stride_h, 0);
  a.count(schema::depthwise_multiplier, o.depth_multiplier, 0, lowest<std::int32_t>,
          highest<std::int32_t>);
  a.fused(schema::depthwise_activation, o.fused);
  step(a, schema::depthwise_dilation_w, o.dilation_w, 1);
  step(a, schema::depthwise_dilation_h, o.dilation_h, 1);
}
template <class A> void fields(A& a, transpose_conv_options& o) {
  padding(a, schema::transpose_conv_padding, o.padding);
  step(a, schema::transpose_conv_stride_w, o.stride_w, 0);
  step(a, schema::transpose_conv_stride_h, o.stride_h, 0);
  a.fused(schema::transpose_conv_activation, o.fused);
  a.type(schema::transpose_conv_bias_type, o.bias_type);
}
template <class A> void fields(A& a, pool_2d_options& o) {
  padding(a, schema::pool_padding, o.padding);
  step(a, schema::pool_stride_w, o.stride_w, 0);
  step(a, schema::pool_stride_h, o.stride_h, 0);
  step(a, schema::pool_filter_w, o.filter_w, 0);
  step(a, schema::pool_filter_h, o.filter_h, 0);
  a.fused(schema::pool_activation, o.fused);
}
template <class A> void fields(A& a, fully_connected_options& o) {
  a.fused(schema::fully_connected_activation, o.fused);
  a.only(schema::fully_connected_format, 0,
         "shuffled weights; export the model with weights_format DEFAULT");
  a.flag(schema::fully_connected_keep_dims, o.keep_num_dims, false);
  a.flag(schema::fully_connected_asymmetric, o.asymmetric_inputs, false);
  a.type(schema::fully_connected_bias_type, o.bias_type);
}
template <class A> void fields(A& a, batch_matmul_options& o) {
  a.flag(schema::matmul_adjoint_x, o.adjoint_x, false);
  a.flag(schema::matmul_adjoint_y, o.adjoint_y, false);
  a.flag(schema::matmul_asymmetric, o.asymmetric_inputs, false);
}
template <class A> void fields(A& a, binary_options& o) {
  a.fused(schema::binary_activation, o.fused);
  if (a.code() == operator_code::add || a.code() == operator_code::sub)
    a.flag(schema::binary_pot_scale_int16, o.power_of_two_int16, true);
}
template <class A> void fields(A& a, concatenation_options& o) {
  axis(a, schema::concatenation_axis, o.axis);
  a.fused(schema::concatenation_activation, o.fused);
}
template <class A> void fields(A& a, softmax_options& o) {
  a.real(schema::softmax_beta, o.beta);
  a.expect(o.beta > 0, "has a beta that is not above 0; export the model again");
}
template <class A> void fields(A& a, leaky_relu_options& o) {
  a.real(schema::leaky_relu_alpha, o.alpha);
}
template <class A> void fields(A& a, l2_normalization_options& o) {
  a.fused(schema::l2_normalization_activation, o.fused);
}
template <class A> void fields(A& a, reduce_options& o) {
  a.flag(schema::reducer_keep_dims, o.keep_dims, false);
}
template <class A> void fields(A& a, arg_options& o) {
  a.type(schema::arg_output_type, o.output_type);
  a.expect(o.output_type == element_type::int32 || o.output_type == element_type::int64,
           "has an output_type other than INT32 and INT64; export the model again");
}
template <class A> void fields(A& a, reshape_options& o) {
  a.list(schema::reshape_new_shape, o.new_shape);
}
template <class A> void fields(A& a, squeeze_options& o) { a.list(schema::squeeze_dims, o.axes); }
template <class A> void fields(A& a, split_options& o) {
  a.count(schema::split_count, o.count, 0, 1, highest<std::int32_t>);
}
template <class A> void fields(A& a, pack_options& o) {
  a.count(schema::pack_count, o.count, 0, 1, highest<std::int32_t>);
  axis(a, schema::pack_axis, o.axis);
}
template <class A> void fields(A& a, unpack_options& o) {
  a.count(schema::unpack_count, o.count, 0, 1, highest<std::int32_t>);
  axis(a, schema::unpack_axis, o.axis);
}
template <class A> void fields(A& a, gather_options& o) {
  axis(a, schema::gather_axis, o.axis);
  axis(a, schema::gather_batch_dims, o.batch_dims);
}
template <class A> void fields(A& a, mirror_pad_options& o) {
  a.choice(schema::mirror_pad_mode, o.repeats_edge, "0 (REFLECT) and 1 (SYMMETRIC)");
}
template <class A> void fields(A& a, strided_slice_options& o) {
  mask(a, schema::slice_begin_mask, o.begin_mask);
  mask(a, schema::slice_end_mask, o.end_mask);
  mask(a, schema::slice_ellipsis_mask, o.ellipsis_mask);
  mask(a, schema::slice_new_axis_mask, o.new_axis_mask);
  mask(a, schema::slice_shrink_axis_mask, o.shrink_axis_mask);
  a.flag(schema::slice_offset, o.end_is_offset, false);
}
template <class A> void fields(A& a, resize_options& o) {
  const bool bilinear = a.code() == operator_code::resize_bilinear;
  a.flag(bilinear ? schema::bilinear_align_corners : schema::nearest_align_corners, o.align_corners,
         false);
  a.flag(bilinear ? schema::bilinear_half_pixel : schema::nearest_half_pixel, o.half_pixel_centers,
         false);
  a.expect(!o.align_corners || !o.half_pixel_centers,
           "has both align_corners and half_pixel_centers, which exclude each other; export the "
           "model again");
}
template <class A> void fields(A& a, block_options& o) { step(a, schema::block_size, o.size, 0); }
template <class A> void fields(A& a, cast_options& o) {
  a.type(schema::cast_from, o.from);
  a.type(schema::cast_to, o.to);
}
template <class A> void fields(A& a, lstm_options& o) {
  a.only(schema::lstm_activation, 4, "an activation other than TANH; export the model with TANH");
  a.real(schema::lstm_cell_clip, o.cell_clip);
  a.real(schema::lstm_projection_clip, o.projection_clip);
  a.expect(o.cell_clip >= 0 && o.projection_clip >= 0,
           "has a clip below 0; export the model again");
  a.flag(schema::lstm_time_major, o.time_major, false);
  a.flag(schema::lstm_asymmetric, o.asymmetric_inputs, false);
  a.flag(schema::lstm_diagonal, o.diagonal_recurrent, false);
}
template <class A> void fields(A& a, svdf_options& o) {
  step(a, schema::svdf_rank, o.rank, 0);
  a.fused(schema::svdf_activation, o.fused);
  a.flag(schema::svdf_asymmetric, o.asymmetric_inputs, false);
}

}  // namespace bittwin::graph::detail::inline v1
