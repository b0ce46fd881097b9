// SPDX-License-Identifier: Apache-2.0
// How a target is put together from words; part of implementation.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <bittwin/graph/any_rule.hpp>
#include <bittwin/graph/any_target.hpp>
#include <bittwin/graph/known_values.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/sentence.hpp>
#include <utility>

namespace bittwin::graph::inline v1 {

namespace detail {

struct known_value {
  std::string text;
  fill_function fill;
};
using known_axis = std::pair<std::string_view, std::vector<known_value>>;

template <class Axis, class... Values> known_axis known_axis_of(known_values::list<Values...>) {
  return {Axis::name, {{bittwin::detail::text_of<Values>::get(), &into<Axis, Values>}...}};
}

template <class... Axes> std::vector<known_axis> known_axes_of(axis::list<Axes...>) {
  return {known_axis_of<Axes>(typename known_values::values_of<Axes>::type{})...};
}

inline const std::vector<known_axis>& known_axes() {
  static const auto all = known_axes_of(axis::all{});
  return all;
}

[[nodiscard]] inline const known_axis* find_axis(std::string_view name) {
  for (const known_axis& known : known_axes())
    if (known.first == name) return &known;
  return nullptr;
}

template <class... Conditions>
condition_function find_condition(std::string_view text, known_values::list<Conditions...>) {
  condition_function found = nullptr;
  ((text == bittwin::detail::text_of<Conditions>::get() ? void(found = &Conditions::holds)
                                                        : void()),
   ...);
  return found;
}

template <class... Conditions>
layer_condition find_layer_condition(std::string_view text, known_values::list<Conditions...>) {
  layer_condition found;
  ((text == Conditions::name ? void(found = {Conditions::name, &Conditions::holds}) : void()), ...);
  return found;
}

/// The names of a room's axes, in order; empty: no such room.
template <class... Axes> std::vector<std::string_view> names_of(axis::list<Axes...>) {
  return {Axes::name...};
}
template <class... Rooms>
std::vector<std::string_view> axes_of_room(std::string_view name, room::list<Rooms...>) {
  std::vector<std::string_view> axes;
  ((name == Rooms::name ? void(axes = names_of(typename Rooms::axes{})) : void()), ...);
  return axes;
}

[[nodiscard]] inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// "A if condition, else B": the alternatives of one axis.
[[nodiscard]] inline result<any_axis> parse_axis(const std::string& where,
                                                 const axis_description& described) {
  const known_axis& known = *find_axis(described.axis);
  any_axis made{described.axis, {}};
  std::string_view rest = described.value;
  const auto fail = [&](std::string_view what, std::string_view text) {
    return error{error_code::bad_option,
                 sentence({where, ".", described.axis, ": there is no ", what, " ", text,
                           "; the axis has ", joined(values_of_axis(described.axis))})};
  };
  for (bool last = false; !last;) {
    const std::size_t conditional = rest.find(" if "), otherwise = rest.find(", else ");
    last = conditional == rest.npos || otherwise == rest.npos || otherwise < conditional;
    const std::string_view text = last ? rest : rest.substr(0, conditional);
    const auto value = std::find_if(known.second.begin(), known.second.end(),
                                    [&](const known_value& v) { return v.text == text; });
    if (value == known.second.end()) return fail("value", text);
    condition_function holds = nullptr;
    if (!last) {
      const auto condition = rest.substr(conditional + 4, otherwise - conditional - 4);
      holds = find_condition(condition, known_values::conditions{});
      if (holds == nullptr) return fail("condition", condition);
      rest.remove_prefix(otherwise + 7);
    }
    made.alternatives.push_back({holds, value->fill});
  }
  return made;
}

[[nodiscard]] inline result<any_room> parse_room(const room_description& described) {
  const std::string where = "rooms." + described.room;
  const auto wanted = axes_of_room(described.room, room::all{});
  const auto fail = [&](std::initializer_list<std::string_view> what) {
    return error{error_code::bad_option, where + ": " + sentence(what)};
  };
  if (wanted.empty()) return fail({"there is no such room; its name is an operator's, as conv2d"});
  any_room made{described.room, {}, {}};
  for (const axis_description& axis : described.axes) {
    if (std::find(wanted.begin(), wanted.end(), axis.axis) == wanted.end())
      return fail({"this room has no axis ", axis.axis});
    auto parsed = parse_axis(where, axis);
    if (!parsed) return parsed.error();
    made.axes.push_back(std::move(*parsed));
  }
  for (const std::string_view name : wanted)
    if (std::none_of(made.axes.begin(), made.axes.end(),
                     [&](const any_axis& a) { return a.name == name; }))
      return fail({"the axis ", name, " is missing; state it, or take a base that has the room"});
  for (const std::string& name : described.layers) {
    made.layers.push_back(find_layer_condition(name, known_values::layer_conditions{}));
    if (made.layers.back().holds == nullptr) return fail({"there is no kind of layer ", name});
  }
  return made;
}

/// All that a room decides for a layer.
[[nodiscard]] inline any_rule compose(const any_room& room, const layer_facts& layer) {
  any_rule all;
  for (const any_axis& axis : room.axes)
    for (const any_axis::alternative& one : axis.alternatives)
      if (one.holds == nullptr ||
          BITTWIN_MUTABLE(one.holds(layer), first_alternative_always, true)) {
        one.fill(all);
        break;
      }
  std::string_view lacking;
  for (const layer_condition& condition : room.layers)
    if (lacking.empty() && !condition.holds(layer)) lacking = condition.name;
  all.requantize.lacks = all.addition.lacks = all.pool.lacks = all.mean.lacks = lacking;
  if (all.made != all.taken) all.requantize.steps = {};
  return all;
}

[[nodiscard]] inline dot_product_rule compose_dots(const any_room& room, const layer_facts& layer,
                                                   dot_product_rule any_rule::*loops) {
  const any_rule all = compose(room, layer);
  dot_product_rule rule = all.dots;
  rule.requantize = all.requantize;
  rule.run_int8 = (all.*loops).run_int8;
  rule.run_uint8 = (all.*loops).run_uint8;
  rule.run_int16 = (all.*loops).run_int16;
  if (rule.padding_code == nullptr) rule.padding_code = &padding::zero_point::code;
  rule.monotone = all.order_kept ? all.monotone : nullptr;
  return rule;
}

}  // namespace detail

}  // namespace bittwin::graph::inline v1
