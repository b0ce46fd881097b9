// SPDX-License-Identifier: Apache-2.0
// A target as a table of its rooms' rules, so that the executor is compiled once for all targets.
// A null entry is an operator that the target refuses, or leaves to `otherwise`.
#pragma once

#include <bittwin/graph/delegation.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/kernel/activation.hpp>
#include <bittwin/kernel/addition.hpp>
#include <bittwin/kernel/batch_matmul.hpp>
#include <bittwin/kernel/cast.hpp>
#include <bittwin/kernel/conv2d.hpp>
#include <bittwin/kernel/depthwise_conv2d.hpp>
#include <bittwin/kernel/detection.hpp>
#include <bittwin/kernel/fully_connected.hpp>
#include <bittwin/kernel/l2_normalization.hpp>
#include <bittwin/kernel/lstm.hpp>
#include <bittwin/kernel/mean.hpp>
#include <bittwin/kernel/movement.hpp>
#include <bittwin/kernel/mul.hpp>
#include <bittwin/kernel/pairing.hpp>
#include <bittwin/kernel/pool2d.hpp>
#include <bittwin/kernel/quantize.hpp>
#include <bittwin/kernel/resize_bilinear.hpp>
#include <bittwin/kernel/softmax.hpp>
#include <bittwin/kernel/sum.hpp>
#include <bittwin/kernel/transpose_conv.hpp>
#include <bittwin/kernel/unary.hpp>
#include <bittwin/targets/all.hpp>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace bittwin::graph::inline v1 {

/// The axes of a room as values; see any_target.hpp.
struct any_room;

/// Makes the rule of a room for a layer: compiled from a type, or put together from a room that is a value.
template <class Rule> class rule_for {
 public:
  constexpr rule_for() = default;
  constexpr rule_for(std::nullptr_t) noexcept {}
  constexpr rule_for(Rule (*compiled)(const layer_facts&)) noexcept : compiled_(compiled) {}
  constexpr rule_for(Rule (*composed)(const any_room&, const layer_facts&),
                     const any_room* room) noexcept
      : composed_(composed), room_(room) {}

  [[nodiscard]] constexpr Rule operator()(const layer_facts& layer) const {
    return compiled_ != nullptr ? compiled_(layer) : composed_(*room_, layer);
  }
  friend constexpr bool operator==(const rule_for& rule, std::nullptr_t) noexcept {
    return rule.compiled_ == nullptr && rule.composed_ == nullptr;
  }

 private:
  Rule (*compiled_)(const layer_facts&) = nullptr;
  Rule (*composed_)(const any_room&, const layer_facts&) = nullptr;
  const any_room* room_ = nullptr;
};

/// A room with an axis that nobody knows.
struct open_room {
  std::string_view room, axis;
};

struct target_rules {
  std::string_view name;
  std::string_view version;
  rule_for<dot_product_rule> conv2d = nullptr;
  rule_for<dot_product_rule> depthwise_conv2d = nullptr;
  rule_for<dot_product_rule> fully_connected = nullptr;
  rule_for<dot_product_rule> transpose_conv = nullptr;
  rule_for<batch_matmul_rule> batch_matmul = nullptr;
  rule_for<requantize_rule> svdf = nullptr;
  rule_for<lstm_rule> lstm = nullptr;
  rule_for<addition_rule> add = nullptr;
  rule_for<addition_rule> sub = nullptr;
  rule_for<requantize_rule> mul = nullptr;
  rule_for<addition_rule> squared_difference = nullptr;
  rule_for<addition_rule> div = nullptr;
  rule_for<comparison_rule> comparison = nullptr;
  rule_for<pool_rule> average_pool2d = nullptr;
  rule_for<pool_rule> max_pool2d = nullptr;
  rule_for<mean_rule> mean = nullptr;
  rule_for<mean_rule> sum = nullptr;
  rule_for<interpolation_rule> resize_bilinear = nullptr;
  rule_for<softmax_rule> softmax = nullptr;
  rule_for<float_code_rule> quantize = nullptr;
  rule_for<requantize_room> requantize = nullptr;
  rule_for<activation_rule> relu = nullptr;
  rule_for<activation_rule> relu6 = nullptr;
  rule_for<activation_rule> relu_n1_to_1 = nullptr;
  rule_for<recode_function> concatenation = nullptr;
  rule_for<padding_function> pad = nullptr;
  rule_for<padding_function> space_to_batch_nd = nullptr;
  bool stable_detection = true;  ///< order at equal scores
  rule_for<unary_rule> logistic = nullptr;
  rule_for<unary_rule> tanh = nullptr;
  rule_for<unary_rule> hard_swish = nullptr;
  rule_for<unary_rule> leaky_relu = nullptr;
  rule_for<unary_rule> elu = nullptr;
  rule_for<unary_rule> exp = nullptr;
  rule_for<unary_rule> rsqrt = nullptr;
  rule_for<unary_rule> sqrt = nullptr;
  rule_for<unary_rule> abs = nullptr;
  rule_for<unary_rule> neg = nullptr;
  rule_for<requantize_rule> prelu = nullptr;
  rule_for<l2_row_function> l2_normalization = nullptr;
  rule_for<softmax_rule> log_softmax = nullptr;
  rule_for<float_cast_function> cast = nullptr;

  /// The first unknown axis of a room that the target declares; empty where there is none.
  std::string_view (*unknown_axis)(std::string_view room) noexcept = nullptr;
  /// The same of a target that is a value: room by room, its unknown axis.
  std::span<const open_room> open_rooms{};
  /// Nothing is quantized: reals throughout (targets/real.hpp).
  bool is_real = false;
  /// Why this target leaves an operator to `otherwise`; empty where it takes it.
  std::string_view (*leaves)(const model&, const operation&) = nullptr;
  /// Why this target gives up on a whole model; empty where it does not.
  std::string_view (*abandons)(const model&) = nullptr;
  const target_rules* otherwise = nullptr;
};

namespace detail {

template <class Target> constexpr void unary_rules_of(target_rules& r) {
  if constexpr (room::logistic::in<Target>) r.logistic = &unary_rule_of<Target, room::logistic>;
  if constexpr (room::tanh::in<Target>) r.tanh = &unary_rule_of<Target, room::tanh>;
  if constexpr (room::hard_swish::in<Target>)
    r.hard_swish = &unary_rule_of<Target, room::hard_swish>;
  if constexpr (room::leaky_relu::in<Target>)
    r.leaky_relu = &unary_rule_of<Target, room::leaky_relu>;
  if constexpr (room::elu::in<Target>) r.elu = &unary_rule_of<Target, room::elu>;
  if constexpr (room::exp::in<Target>) r.exp = &unary_rule_of<Target, room::exp>;
  if constexpr (room::rsqrt::in<Target>) r.rsqrt = &unary_rule_of<Target, room::rsqrt>;
  if constexpr (room::sqrt::in<Target>) r.sqrt = &unary_rule_of<Target, room::sqrt>;
  if constexpr (room::abs::in<Target>) r.abs = &unary_rule_of<Target, room::abs>;
  if constexpr (room::neg::in<Target>) r.neg = &unary_rule_of<Target, room::neg>;
  if constexpr (room::prelu::in<Target>) r.prelu = &requantizer_of<Target, room::prelu>;
  if constexpr (room::l2_normalization::in<Target>)
    r.l2_normalization = &l2_normalization_rule<Target>;
  if constexpr (room::log_softmax::in<Target>)
    r.log_softmax = &softmax_rule_of<Target, room::log_softmax>;
  if constexpr (room::cast::in<Target>) r.cast = &cast_rule<Target>;
}

template <class Target, class... Rooms>
constexpr std::string_view unknown_axis_in(std::string_view name, room::list<Rooms...>) noexcept {
  std::string_view axis;
  ((name == Rooms::name ? void(axis = Rooms::template unknown<Target>()) : void()), ...);
  return axis;
}
template <class Target> std::string_view unknown_axis_of(std::string_view room) noexcept {
  return unknown_axis_in<Target>(room, room::all{});
}

template <class Target> constexpr target_rules make_rules() {
  target_rules r;
  r.unknown_axis = &unknown_axis_of<Target>;
  r.name = Target::name;
  r.version = Target::version;
  if constexpr (room::conv2d::in<Target>) r.conv2d = &conv2d_rule<Target>;
  if constexpr (room::depthwise_conv2d::in<Target>)
    r.depthwise_conv2d = &depthwise_conv2d_rule<Target>;
  if constexpr (room::fully_connected::in<Target>)
    r.fully_connected = &fully_connected_rule<Target>;
  if constexpr (room::transpose_conv::in<Target>) r.transpose_conv = &transpose_conv_rule<Target>;
  if constexpr (room::batch_matmul::in<Target>) r.batch_matmul = &batch_matmul_rule_of<Target>;
  if constexpr (room::lstm::in<Target>) r.lstm = &lstm_rule_of<Target>;
  if constexpr (room::svdf::in<Target>) r.svdf = &requantizer_of<Target, room::svdf>;
  if constexpr (room::add::in<Target>) r.add = &addition_rule_of<Target, room::add>;
  if constexpr (room::sub::in<Target>) r.sub = &addition_rule_of<Target, room::sub>;
  if constexpr (room::mul::in<Target>) r.mul = &requantizer_of<Target, room::mul>;
  if constexpr (room::squared_difference::in<Target>)
    r.squared_difference = &addition_rule_of<Target, room::squared_difference, axis::pair_rule>;
  if constexpr (room::div::in<Target>)
    r.div = &addition_rule_of<Target, room::div, axis::pair_rule>;
  if constexpr (room::comparison::in<Target>) r.comparison = &comparison_rule_of<Target>;
  if constexpr (room::average_pool2d::in<Target>) r.average_pool2d = &average_pool2d_rule<Target>;
  if constexpr (room::max_pool2d::in<Target>) r.max_pool2d = &max_pool2d_rule<Target>;
  if constexpr (room::mean::in<Target>) r.mean = &mean_rule_of<Target>;
  if constexpr (room::sum::in<Target>) r.sum = &sum_rule_of<Target>;
  if constexpr (room::resize_bilinear::in<Target>)
    r.resize_bilinear = &resize_bilinear_rule<Target>;
  if constexpr (room::softmax::in<Target>) r.softmax = &softmax_rule_of<Target, room::softmax>;
  if constexpr (room::quantize::in<Target>) r.quantize = &quantize_rule<Target>;
  if constexpr (room::requantize::in<Target>) r.requantize = &requantize_room_of<Target>;
  if constexpr (room::relu::in<Target>) r.relu = &activation_rule_of<Target, room::relu>;
  if constexpr (room::relu6::in<Target>) r.relu6 = &activation_rule_of<Target, room::relu6>;
  if constexpr (room::relu_n1_to_1::in<Target>)
    r.relu_n1_to_1 = &activation_rule_of<Target, room::relu_n1_to_1>;
  if constexpr (room::concatenation::in<Target>) r.concatenation = &concatenation_rule<Target>;
  if constexpr (room::pad::in<Target>) r.pad = &padding_rule_of<Target, room::pad>;
  if constexpr (room::space_to_batch_nd::in<Target>)
    r.space_to_batch_nd = &padding_rule_of<Target, room::space_to_batch_nd>;
  unary_rules_of<Target>(r);
  if constexpr (room::detection::in<Target>) r.stable_detection = class_order_is_stable<Target>();
  r.is_real = target_of_reals<Target>;
  return r;
}

template <class Target> const target_rules& make_shared_rules() noexcept;

}  // namespace detail

inline namespace in_graph_implementation_hpp {

/// The table of a target of targets::all, by its name. These are compiled once, in implementation.hpp.
[[nodiscard]] const target_rules& shipped_rules(std::string_view name) noexcept;
/// The same; null where no shipped target has that name.
[[nodiscard]] const target_rules* find_shipped_rules(std::string_view name) noexcept;
/// Those of all of them, in the order of targets::all.
[[nodiscard]] const std::vector<const target_rules*>& all_shipped_rules();

}  // namespace in_graph_implementation_hpp

/// The table of a target; lives as long as the program.
template <target Target> [[nodiscard]] const target_rules& rules_of() noexcept {
  if constexpr (targets::is_shipped<Target>)
    return shipped_rules(Target::name);
  else
    return detail::make_shared_rules<Target>();
}

namespace detail {

template <class Target> const target_rules& make_shared_rules() noexcept {
  static constexpr target_rules own = make_rules<Target>();
  if constexpr (requires { typename Target::otherwise; }) {
    static const target_rules whole = [] {
      target_rules r = own;
      r.leaves = &delegation<Target>::leaves;
      r.abandons = &delegation<Target>::abandons;
      r.otherwise = &rules_of<typename Target::otherwise>();
      return r;
    }();
    return whole;
  } else {
    return own;
  }
}

}  // namespace detail

}  // namespace bittwin::graph::inline v1
