// SPDX-License-Identifier: Apache-2.0
// Reads the options of one .tflite operator into operator_options, each value checked.
#pragma once

#include <array>
#include <bittwin/graph/flatbuffer_view.hpp>
#include <bittwin/graph/operator_options.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <bittwin/types/ieee_format.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/shape.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::graph::inline v1 {

/// The options of one operator. Sentences start with the operator, as `label` names it.
class tflite_options {
 public:
  /// `operator_table` verified; `name` is the operator's label.
  tflite_options(flatbuffer_table operator_table, std::string label)
      : type_(static_cast<tflite_schema::options_type>(
            operator_table.number<std::uint8_t>(tflite_schema::operator_options_type, 0))),
        table_(operator_table.child(tflite_schema::operator_options_value)),
        label_(std::move(label)) {}

  [[nodiscard]] result<operator_options> read(operator_code code) {
    operator_options options = read_any(code);
    if (!failure_.text.empty()) return failure_;
    return options;
  }

 private:
  using kind = tflite_schema::options_type;

  // Beyond this a window or stride is no longer a layer, and products of two stay inside int32.
  static constexpr std::int32_t largest_step = 1 << 15;

  operator_options read_any(operator_code code) {
    namespace schema = tflite_schema;
    switch (code) {
      case operator_code::conv_2d:
        require(kind::conv_2d);
        return conv_2d_options{.padding = padding(schema::conv_padding),
                               .stride_h = step(schema::conv_stride_h, 0),
                               .stride_w = step(schema::conv_stride_w, 0),
                               .dilation_h = step(schema::conv_dilation_h, 1),
                               .dilation_w = step(schema::conv_dilation_w, 1),
                               .fused = fused(schema::conv_activation)};
      case operator_code::depthwise_conv_2d:
        require(kind::depthwise_conv_2d);
        return depthwise_conv_2d_options{
            .padding = padding(schema::depthwise_padding),
            .stride_h = step(schema::depthwise_stride_h, 0),
            .stride_w = step(schema::depthwise_stride_w, 0),
            .dilation_h = step(schema::depthwise_dilation_h, 1),
            .dilation_w = step(schema::depthwise_dilation_w, 1),
            .depth_multiplier = table_.number<std::int32_t>(schema::depthwise_multiplier, 0),
            .fused = fused(schema::depthwise_activation)};
      case operator_code::average_pool_2d:
      case operator_code::max_pool_2d:
        require(kind::pool_2d);
        return pool_2d_options{.padding = padding(schema::pool_padding),
                               .stride_h = step(schema::pool_stride_h, 0),
                               .stride_w = step(schema::pool_stride_w, 0),
                               .filter_h = step(schema::pool_filter_h, 0),
                               .filter_w = step(schema::pool_filter_w, 0),
                               .fused = fused(schema::pool_activation)};
      case operator_code::fully_connected: {
        accept(kind::fully_connected);
        const auto format = table_.number<std::int8_t>(schema::fully_connected_format, 0);
        if (format != 0)
          fail(error_code::unsupported,
               "has weights_format " + std::to_string(format) +
                   ", shuffled weights; export the model with weights_format DEFAULT");
        return fully_connected_options{
            .fused = fused(schema::fully_connected_activation),
            .keep_num_dims = table_.flag(schema::fully_connected_keep_dims, false)};
      }
      case operator_code::add:
        accept(kind::add);
        return binary_options{.fused = fused(schema::add_activation),
                              .power_of_two_int16 = table_.flag(schema::add_pot_scale_int16, true)};
      case operator_code::sub:
        accept(kind::sub);
        return binary_options{.fused = fused(schema::sub_activation),
                              .power_of_two_int16 = table_.flag(schema::sub_pot_scale_int16, true)};
      case operator_code::mul:
        accept(kind::mul);
        return binary_options{.fused = fused(schema::mul_activation)};
      case operator_code::concatenation:
        accept(kind::concatenation);
        return concatenation_options{
            .axis = table_.number<std::int32_t>(schema::concatenation_axis, 0),
            .fused = fused(schema::concatenation_activation)};
      case operator_code::softmax: {
        require(kind::softmax);
        const auto beta = table_.number<float>(schema::softmax_beta, 0.0F);
        if (ieee::kind_of(beta) != ieee::kind::finite)
          fail(error_code::bad_option, "has a beta that is not finite");
        return softmax_options{beta};
      }
      case operator_code::mean:
        accept(kind::reducer);
        return reduce_options{table_.flag(schema::reducer_keep_dims, false)};
      case operator_code::reshape:
        accept(kind::reshape);
        return reshape_options{extents(schema::reshape_new_shape)};
      case operator_code::squeeze:
        accept(kind::squeeze);
        return squeeze_options{extents(schema::squeeze_dims)};
      case operator_code::split: {
        require(kind::split);
        const auto count = table_.number<std::int32_t>(schema::split_count, 0);
        if (count < 1)
          fail(error_code::bad_option,
               "splits into " + std::to_string(count) + " parts; num_splits must be at least 1");
        return split_options{count};
      }
      default:
        return std::monostate{};
    }
  }

  void fail(error_code code, const std::string& text) {
    if (failure_.text.empty()) failure_ = {code, label_ + " " + text};
  }

  /// Options may be absent; those of another operator are an error.
  void accept(kind expected) {
    if (type_ == kind::none || !table_.present()) {
      table_ = {};
    } else if (type_ != expected) {
      fail(error_code::bad_file, "carries options of union type " +
                                     std::to_string(static_cast<int>(type_)) + " where type " +
                                     std::to_string(static_cast<int>(expected)) +
                                     " belongs; export the model again");
      table_ = {};
    }
  }

  void require(kind expected) {
    accept(expected);
    if (!table_.present())
      fail(error_code::bad_file, "has no options, and has no meaning without; export it again");
  }

  activation fused(field what) {
    constexpr std::array<activation, 4> known{activation::none, activation::relu,
                                              activation::relu_n1_to_1, activation::relu6};
    const auto value = table_.number<std::int8_t>(what, 0);
    if (value >= 0 && value < 4) return known[static_cast<std::size_t>(value)];
    const std::string name = value == 4   ? "TANH"
                             : value == 5 ? "SIGN_BIT"
                                          : "of unknown value " + std::to_string(value);
    fail(value == 4 || value == 5 ? error_code::unsupported : error_code::bad_option,
         "has the fused activation " + name +
             "; export the model with the activation as an operator of its own");
    return activation::none;
  }

  padding_kind padding(field what) {
    const auto value = table_.number<std::int8_t>(what, 0);
    if (value != 0 && value != 1)
      fail(error_code::bad_option, "has the unknown padding " + std::to_string(value) +
                                       "; 0 (SAME) and 1 (VALID) are defined");
    return value == 1 ? padding_kind::valid : padding_kind::same;
  }

  /// A stride, dilation or filter extent.
  std::int32_t step(field what, std::int32_t fallback) {
    const auto value = table_.number<std::int32_t>(what, fallback);
    if (value < 1 || value > largest_step)
      fail(error_code::bad_option, "has " + std::string(what.name) + " " + std::to_string(value) +
                                       "; it must lie in 1 to " + std::to_string(largest_step));
    return value;
  }

  std::vector<std::int32_t> extents(field what) {
    const auto list = table_.list<std::int32_t>(what);
    std::vector<std::int32_t> values;
    if (list.size() > shape::max_rank) {
      fail(error_code::unsupported, "has " + std::to_string(list.size()) + " values in " +
                                        std::string(what.name) + "; at most " +
                                        std::to_string(shape::max_rank) + " are supported");
      return values;
    }
    for (std::size_t i = 0; i < list.size(); ++i) values.push_back(list[i]);
    return values;
  }

  tflite_schema::options_type type_;
  flatbuffer_table table_;
  std::string label_;
  error failure_;
};

}  // namespace bittwin::graph::inline v1
