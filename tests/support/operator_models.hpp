// SPDX-License-Identifier: Apache-2.0
// One small well-formed model for every operator of the enumeration: seeds of round trips and of
// fuzzing.
#pragma once

#include <bittwin/graph/detection_fields.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/operator_code.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/model_maker.hpp"

namespace bittwin::test {

namespace operator_models_detail {

using code = graph::operator_code;
using enum element_type;

/// One operator on x, int8 [1,4,4,2], with further operands, to `made`.
struct on_image {
  model_maker m;
  std::int32_t x = m.codes({1, 4, 4, 2}, 3);

  graph::model one(code op, std::vector<std::int32_t> inputs, std::vector<std::int32_t> made,
                   graph::operator_options options = {}) {
    m.apply(op, std::move(inputs), made, std::move(options));
    return m.finish({x}, std::move(made));
  }
};

inline graph::model unary(code op, graph::operator_options options = {}) {
  on_image k;
  // LOGISTIC, TANH, SOFTMAX and L2_NORMALIZATION have outputs on fixed grids.
  const bool eighth_bits = op == code::tanh || op == code::l2_normalization;
  const bool shares = op == code::logistic || op == code::softmax;
  const std::int32_t y = k.m.codes({1, 4, 4, 2},
                                   shares                    ? -128
                                   : op == code::log_softmax ? 127
                                                             : 0,
                                   int8,
                                   eighth_bits               ? 1.0F / 128
                                   : shares                  ? 1.0F / 256
                                   : op == code::log_softmax ? 1.0F / 16
                                                             : 0.1F);
  return k.one(op, {k.x}, {y}, std::move(options));
}

inline graph::model binary(code op, graph::operator_options options = {}) {
  on_image k;
  const bool compares = op == code::equal || op == code::not_equal || op == code::less ||
                        op == code::less_equal || op == code::greater || op == code::greater_equal;
  const std::int32_t other = k.m.weights({1, 1, 1, 2});
  const std::int32_t y =
      compares ? k.m.plain(boolean, {1, 4, 4, 2}) : k.m.codes({1, 4, 4, 2}, -7, int8, 0.15F);
  return k.one(op, {k.x, other}, {y}, std::move(options));
}

inline graph::model reduction(code op) {
  on_image k;
  const std::int32_t axes = k.m.list<std::int32_t>({1, 2});
  return k.one(op, {k.x, axes}, {k.m.codes({1, 1, 1, 2}, 5)}, graph::reduce_options{true});
}

inline graph::model windowed(code op) {
  on_image k;
  const std::int32_t y = k.m.codes({1, 2, 2, 2}, -128);
  if (op == code::conv_2d)
    return k.one(op, {k.x, k.m.weights({2, 3, 3, 2}, 0), k.m.bias(2)}, {y},
                 graph::conv_2d_options{.stride_h = 2, .stride_w = 2, .fused = activation::relu6});
  if (op == code::depthwise_conv_2d)
    return k.one(op, {k.x, k.m.weights({1, 3, 3, 2}, 3), k.m.bias(2)}, {y},
                 graph::depthwise_conv_2d_options{.stride_h = 2, .stride_w = 2});
  return k.one(op, {k.x}, {k.m.codes({1, 2, 2, 2}, 3)},
               graph::pool_2d_options{.stride_h = 2, .stride_w = 2, .filter_h = 2, .filter_w = 2});
}

inline graph::model lstm() {
  model_maker m;
  const std::int32_t x = m.codes({1, 3, 2}, 1);
  std::vector<std::int32_t> in(24, graph::no_tensor);
  in[0] = x;
  for (std::size_t i = 1; i <= 4; ++i) in[i] = m.weights({4, 2});
  for (std::size_t i = 5; i <= 8; ++i) in[i] = m.weights({4, 4});
  for (std::size_t i = 12; i <= 15; ++i) in[i] = m.bias(4);
  in[18] = m.state({1, 4}, int8);
  in[19] = m.state({1, 4}, int16);
  const std::int32_t y = m.codes({1, 3, 4});
  const std::vector<std::int32_t> inner{m.codes({}, 0, int16), m.codes({}, 0, int16),
                                        m.codes({}, 0, int16), m.codes({}, 0, int16),
                                        m.codes({}, 2, int8)};
  m.apply(code::unidirectional_sequence_lstm, in, {y}, graph::lstm_options{.cell_clip = 10.0F})
      .intermediates = inner;
  return m.finish({x}, {y});
}

inline graph::model svdf() {
  model_maker m;
  const std::int32_t x = m.codes({1, 4});
  const std::int32_t y = m.codes({1, 2}, -3);
  m.apply(code::svdf,
          {x, m.weights({2, 4}), m.weights({2, 3}), graph::no_tensor, m.state({1, 6}, int16)}, {y},
          graph::svdf_options{.rank = 1, .fused = activation::relu});
  return m.finish({x}, {y});
}

inline graph::model detection() {
  model_maker m;
  const std::int32_t boxes = m.codes({1, 6, 4}, 2);
  const std::int32_t scores = m.codes({1, 6, 3}, -128, int8, 1.0F / 256);
  const std::int32_t anchors = m.weights({6, 4});
  const std::vector<std::int32_t> made{m.plain(float32, {1, 3, 4}), m.plain(float32, {1, 3}),
                                       m.plain(float32, {1, 3}), m.plain(float32, {1})};
  graph::operation& op = m.apply(code::custom, {boxes, scores, anchors}, made,
                                 graph::detection_options{.max_detections = 3,
                                                          .max_classes_per_detection = 1,
                                                          .score_threshold = 0.1F,
                                                          .iou_threshold = 0.5F,
                                                          .classes = 2,
                                                          .y_scale = 10.0F,
                                                          .x_scale = 10.0F,
                                                          .h_scale = 5.0F,
                                                          .w_scale = 5.0F});
  op.custom_name = graph::detection_name;
  op.label = "custom " + op.custom_name;
  return m.finish({boxes, scores}, made);
}

inline graph::model moving(code op) {
  on_image k;
  model_maker& m = k.m;
  const std::int32_t x = k.x;
  const auto like_x = [&](shape extents) { return m.codes(extents, 3); };
  const auto list = [&](std::vector<std::int32_t> values) { return m.list(values); };
  const auto rows = [&](std::vector<std::int32_t> values) {
    const std::int32_t index = m.list(values);
    m.reshape(index, {static_cast<std::int32_t>(values.size()) / 2, 2});
    return index;
  };
  switch (op) {
    case code::reshape:
      return k.one(op, {x, list({2, 16})}, {like_x({2, 16})}, graph::reshape_options{{2, 16}});
    case code::squeeze: return k.one(op, {x}, {like_x({4, 4, 2})}, graph::squeeze_options{{0}});
    case code::expand_dims: return k.one(op, {x, m.scalar(1)}, {like_x({1, 1, 4, 4, 2})});
    case code::transpose: return k.one(op, {x, list({0, 3, 1, 2})}, {like_x({1, 2, 4, 4})});
    case code::pad: return k.one(op, {x, rows({0, 0, 1, 0, 0, 2, 0, 0})}, {like_x({1, 5, 6, 2})});
    case code::padv2: {
      const std::int32_t value = m.weights({1});
      m.quantize_as(value, x);
      return k.one(op, {x, rows({0, 0, 1, 0, 0, 2, 0, 0}), value}, {like_x({1, 5, 6, 2})});
    }
    case code::mirror_pad:
      return k.one(op, {x, rows({0, 0, 1, 1, 2, 2, 0, 0})}, {like_x({1, 6, 8, 2})},
                   graph::mirror_pad_options{true});
    case code::slice:
      return k.one(op, {x, list({0, 1, 0, 0}), list({1, 2, -1, 1})}, {like_x({1, 2, 4, 1})});
    case code::strided_slice:
      return k.one(op, {x, list({0, 3, 0, 0}), list({1, 0, 4, 2}), list({1, -1, 2, 1})},
                   {like_x({1, 3, 2, 2})}, graph::strided_slice_options{.begin_mask = 1});
    case code::concatenation:
      return k.one(op, {x, m.weights({1, 4, 4, 1})}, {like_x({1, 4, 4, 3})},
                   graph::concatenation_options{.axis = -1});
    case code::pack: return k.one(op, {x, x}, {like_x({1, 2, 4, 4, 2})}, graph::pack_options{2, 1});
    case code::unpack:
      return k.one(op, {x}, {like_x({1, 4, 4}), like_x({1, 4, 4})}, graph::unpack_options{2, 3});
    case code::split:
      return k.one(op, {m.scalar(3), x}, {like_x({1, 4, 4, 1}), like_x({1, 4, 4, 1})},
                   graph::split_options{2});
    case code::split_v:
      return k.one(op, {x, list({1, 3}), m.scalar(1)}, {like_x({1, 1, 4, 2}), like_x({1, 3, 4, 2})},
                   graph::split_options{2});
    case code::gather:
      return k.one(op, {x, list({2, 0, 2})}, {like_x({1, 3, 4, 2})}, graph::gather_options{1, 0});
    case code::space_to_depth:
      return k.one(op, {x}, {like_x({1, 2, 2, 8})}, graph::block_options{2});
    case code::depth_to_space: {
      const std::int32_t deep = like_x({1, 2, 2, 8});
      m.apply(code::space_to_depth, {x}, {deep}, graph::block_options{2});
      return k.one(op, {deep}, {like_x({1, 4, 4, 2})}, graph::block_options{2});
    }
    case code::space_to_batch_nd:
      return k.one(op, {x, list({2, 2}), rows({0, 0, 0, 0})}, {like_x({4, 2, 2, 2})});
    case code::batch_to_space_nd: {
      const std::int32_t many = like_x({4, 2, 2, 2});
      m.apply(code::space_to_batch_nd, {x, list({2, 2}), rows({0, 0, 0, 0})}, {many});
      return k.one(op, {many, list({2, 2}), rows({0, 1, 0, 0})}, {like_x({1, 3, 4, 2})});
    }
    case code::resize_bilinear:
    case code::resize_nearest_neighbor:
      return k.one(op, {x, list({6, 3})}, {like_x({1, 6, 3, 2})},
                   graph::resize_options{.half_pixel_centers = true});
    default: return {};
  }
}

}  // namespace operator_models_detail

/// The model of one operator; its name is the operator's.
[[nodiscard]] inline graph::model operator_model(graph::operator_code op) {
  namespace d = operator_models_detail;
  using code = graph::operator_code;
  const auto make = [op]() -> graph::model {
    switch (op) {
      case code::conv_2d:
      case code::depthwise_conv_2d:
      case code::average_pool_2d:
      case code::max_pool_2d: return d::windowed(op);
      case code::transpose_conv: {
        d::on_image k;
        const std::int32_t size = k.m.list<std::int32_t>({1, 8, 8, 3});
        return k.one(op, {size, k.m.weights({3, 2, 2, 2}, 0), k.x, k.m.bias(3)},
                     {k.m.codes({1, 8, 8, 3})},
                     graph::transpose_conv_options{.stride_h = 2, .stride_w = 2});
      }
      case code::fully_connected: {
        d::on_image k;
        return k.one(op, {k.x, k.m.weights({3, 32}), k.m.bias(3)}, {k.m.codes({1, 3}, -4)},
                     graph::fully_connected_options{.fused = activation::relu});
      }
      case code::batch_matmul: {
        d::on_image k;
        return k.one(op, {k.x, k.m.weights({1, 4, 2, 3})}, {k.m.codes({1, 4, 4, 3})},
                     graph::batch_matmul_options{});
      }
      case code::add:
      case code::sub: return d::binary(op, graph::binary_options{.power_of_two_int16 = false});
      case code::mul:
      case code::div: return d::binary(op, graph::binary_options{.fused = activation::relu});
      case code::maximum:
      case code::minimum:
      case code::squared_difference:
      case code::prelu:
      case code::equal:
      case code::not_equal:
      case code::less:
      case code::less_equal:
      case code::greater:
      case code::greater_equal: return d::binary(op);
      case code::select:
      case code::select_v2: {
        d::on_image k;
        const std::int32_t other = k.m.codes({1, 4, 4, 2}, 3);
        const std::int32_t which = k.m.plain(element_type::boolean, {1, 4, 4, 2});
        k.m.apply(code::abs, {k.x}, {other});
        k.m.apply(code::less, {k.x, other}, {which});
        return k.one(op, {which, k.x, other}, {k.m.codes({1, 4, 4, 2}, 3)});
      }
      case code::mean:
      case code::sum:
      case code::reduce_max:
      case code::reduce_min: return d::reduction(op);
      case code::arg_max:
      case code::arg_min: {
        d::on_image k;
        return k.one(op, {k.x, k.m.scalar(3)}, {k.m.plain(element_type::int32, {1, 4, 4})},
                     graph::arg_options{});
      }
      case code::softmax: return d::unary(op, graph::softmax_options{0.5F});
      case code::leaky_relu: return d::unary(op, graph::leaky_relu_options{0.25F});
      case code::l2_normalization: return d::unary(op, graph::l2_normalization_options{});
      case code::cast: {
        d::on_image k;
        return k.one(op, {k.x}, {k.m.plain(element_type::float32, {1, 4, 4, 2})},
                     graph::cast_options{element_type::int8, element_type::float32});
      }
      case code::quantize: {
        d::on_image k;
        return k.one(op, {k.x}, {k.m.codes({1, 4, 4, 2}, 128, element_type::uint8, 0.2F)});
      }
      case code::dequantize: {
        d::on_image k;
        return k.one(op, {k.x}, {k.m.plain(element_type::float32, {1, 4, 4, 2})});
      }
      case code::unidirectional_sequence_lstm: return d::lstm();
      case code::svdf: return d::svdf();
      case code::custom: return d::detection();
      case code::log_softmax:
      case code::logistic:
      case code::tanh:
      case code::hard_swish:
      case code::elu:
      case code::exp:
      case code::sqrt:
      case code::rsqrt:
      case code::abs:
      case code::neg:
      case code::relu:
      case code::relu6:
      case code::relu_n1_to_1: return d::unary(op);
      default: return d::moving(op);
    }
  };
  graph::model m = make();
  m.name = std::string(graph::name_of(op)) + ".tflite";
  return m;
}

/// All of them, in order of their codes.
[[nodiscard]] inline std::vector<graph::model> operator_models() {
  std::vector<graph::model> models;
  for (std::int32_t op = 0; op < static_cast<std::int32_t>(graph::operator_names.size()); ++op) {
    graph::model m = operator_model(static_cast<graph::operator_code>(op));
    if (!m.operations.empty()) models.push_back(std::move(m));
  }
  return models;
}

}  // namespace bittwin::test
