// SPDX-License-Identifier: Apache-2.0
// The table of rules of a target that is a value; part of implementation.hpp.
#pragma once

#include <bittwin/graph/any_target_functions.hpp>
#include <bittwin/targets/templates.hpp>

namespace bittwin::graph::inline v1 {

namespace detail {

template <dot_product_rule any_rule::*Loops>
dot_product_rule any_dots(const any_room& room, const layer_facts& layer) {
  return compose_dots(room, layer, Loops);
}
template <auto Member> auto any_part(const any_room& room, const layer_facts& layer) {
  return compose(room, layer).*Member;
}
inline batch_matmul_rule any_matmul(const any_room& room, const layer_facts& layer) {
  const any_rule all = compose(room, layer);
  batch_matmul_rule rule = all.batch_matmul;
  rule.requantize = all.requantize;
  return rule;
}
inline requantize_room any_requantize(const any_room& room, const layer_facts& layer) {
  const any_rule all = compose(room, layer);
  return {all.requantize, all.order_kept ? all.monotone : nullptr};
}
inline mean_rule any_sum(const any_room& room, const layer_facts& layer) {
  mean_rule rule = compose(room, layer).mean;
  rule.divides = false;
  return rule;
}
inline activation_rule any_activation(const any_room& room, const layer_facts& layer) {
  const any_rule all = compose(room, layer);
  return {all.requantize, all.grid};
}

template <class... Targets>
std::vector<target_description> describe_each(targets::list<Targets...>) {
  return {describe<Targets>()...};
}

/// The entries of the table that a room fills.
inline void enter(target_rules& r, const any_room* room) {
  const std::string_view name = room->name;
  const auto put = [&](std::string_view which, auto& entry, auto composed) {
    if (name == which) entry = {composed, room};
  };
  put("conv2d", r.conv2d, &any_dots<&any_rule::conv2d>);
  put("depthwise_conv2d", r.depthwise_conv2d, &any_dots<&any_rule::depthwise_conv2d>);
  put("fully_connected", r.fully_connected, &any_dots<&any_rule::fully_connected>);
  put("transpose_conv", r.transpose_conv, &any_dots<&any_rule::transpose_conv>);
  put("batch_matmul", r.batch_matmul, &any_matmul);
  put("lstm", r.lstm, &any_part<&any_rule::lstm>);
  for (auto [which, entry] :
       {std::pair{"svdf", &r.svdf}, std::pair{"mul", &r.mul}, std::pair{"prelu", &r.prelu}})
    put(which, *entry, &any_part<&any_rule::requantize>);
  for (auto [which, entry] :
       {std::pair{"add", &r.add}, std::pair{"sub", &r.sub}, std::pair{"div", &r.div},
        std::pair{"squared_difference", &r.squared_difference}})
    put(which, *entry, &any_part<&any_rule::addition>);
  put("comparison", r.comparison, &any_part<&any_rule::comparison>);
  put("average_pool2d", r.average_pool2d, &any_part<&any_rule::pool>);
  put("max_pool2d", r.max_pool2d, &any_part<&any_rule::pool>);
  put("mean", r.mean, &any_part<&any_rule::mean>);
  put("sum", r.sum, &any_sum);
  put("requantize", r.requantize, &any_requantize);
  put("resize_bilinear", r.resize_bilinear, &any_part<&any_rule::interpolation>);
  put("softmax", r.softmax, &any_part<&any_rule::softmax>);
  put("log_softmax", r.log_softmax, &any_part<&any_rule::softmax>);
  put("quantize", r.quantize, &any_part<&any_rule::float_code>);
  for (auto [which, entry] : {std::pair{"relu", &r.relu}, std::pair{"relu6", &r.relu6},
                              std::pair{"relu_n1_to_1", &r.relu_n1_to_1}})
    put(which, *entry, &any_activation);
  put("concatenation", r.concatenation, &any_part<&any_rule::recode>);
  put("pad", r.pad, &any_part<&any_rule::padding>);
  put("space_to_batch_nd", r.space_to_batch_nd, &any_part<&any_rule::padding>);
  for (auto [which, entry] :
       {std::pair{"logistic", &r.logistic}, std::pair{"tanh", &r.tanh},
        std::pair{"hard_swish", &r.hard_swish}, std::pair{"leaky_relu", &r.leaky_relu},
        std::pair{"elu", &r.elu}, std::pair{"exp", &r.exp}, std::pair{"rsqrt", &r.rsqrt},
        std::pair{"sqrt", &r.sqrt}, std::pair{"abs", &r.abs}, std::pair{"neg", &r.neg}})
    put(which, *entry, &any_part<&any_rule::unary>);
  put("l2_normalization", r.l2_normalization, &any_part<&any_rule::l2>);
  put("cast", r.cast, &any_part<&any_rule::cast>);
  if (name == "detection") r.stable_detection = compose(*room, {}).stable_detection;
}

}  // namespace detail

inline namespace in_graph_implementation_hpp {

const std::vector<target_description>& shipped_descriptions() {
  static const auto all = detail::describe_each(targets::all{});
  return all;
}
const std::vector<target_description>& template_descriptions() {
  static const auto all = detail::describe_each(targets::templates{});
  return all;
}

std::vector<std::string> values_of_axis(std::string_view axis) {
  std::vector<std::string> values;
  if (const auto* known = detail::find_axis(axis))
    for (const detail::known_value& value : known->second) values.push_back(value.text);
  return values;
}

result<any_target> any_target::from(const target_description& described) {
  auto made = std::make_shared<state>();
  made->described = described;
  for (const room_description& room : made->described.rooms) {
    if (is_open(room)) {
      for (const axis_description& axis : room.axes)
        if (axis.value == "unknown") {
          made->open.push_back({room.room, axis.axis});
          break;
        }
      continue;
    }
    auto parsed = detail::parse_room(room);
    if (!parsed) return parsed.error();
    made->rooms.push_back(std::make_unique<any_room>(std::move(*parsed)));
    detail::enter(made->rules, made->rooms.back().get());
  }
  target_rules& rules = made->rules;
  rules.name = made->described.name;
  rules.version = made->described.version;
  rules.is_real = described.is_real;
  rules.open_rooms = made->open;
  if (!described.otherwise.empty()) {
    const target_rules *behind = find_shipped_rules(described.otherwise),
                       *delegating = find_shipped_rules(described.delegation);
    if (behind == nullptr || delegating == nullptr || delegating->leaves == nullptr)
      return error{error_code::bad_option,
                   sentence({"otherwise: there is no target ", described.otherwise,
                             " behind a delegate as ", described.delegation})};
    rules.leaves = delegating->leaves;
    rules.abandons = delegating->abandons;
    rules.otherwise = behind;
  }
  return any_target(std::move(made));
}

}  // namespace in_graph_implementation_hpp

}  // namespace bittwin::graph::inline v1
