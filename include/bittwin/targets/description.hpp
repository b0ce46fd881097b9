// SPDX-License-Identifier: Apache-2.0
// A target told in words: each room, each axis, its value and how well it is known.
//   describe<targets::xnnpack>().rooms[0].axes[2]   { "rescale", "float32-multiply<half-even>", published_code, ... }
#pragma once

#include <bittwin/policy/choice.hpp>
#include <bittwin/policy/provenance.hpp>
#include <bittwin/policy/room.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bittwin::inline v1 {

struct axis_description {
  std::string_view axis;
  std::string value;
  confidence level = confidence::assumed;
  std::string_view source;
};

struct room_description {
  std::string_view room;
  std::vector<axis_description> axes;
};

struct target_description {
  std::string_view name;
  std::string_view version;
  std::vector<room_description> rooms;  ///< a target without a room refuses that operator
};

namespace detail {

/// The text of a policy: its name, and the names of what it is made with.
template <class Value> struct text_of {
  static std::string get() {
    // Plain integers among the arguments are part of the policy's own name.
    if constexpr (requires { Value::name; })
      return std::string(Value::name);
    else
      return {};
  }
};

template <class... Parts> std::string joined(const Parts&... parts) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  (add(parts), ...);
  return text.empty() ? text : "<" + text + ">";
}

template <template <class...> class Template, class... Arguments>
struct text_of<Template<Arguments...>> {
  static std::string get() {
    if constexpr (requires { Template<Arguments...>::name; })
      return std::string(Template<Arguments...>::name) + joined(text_of<Arguments>::get()...);
    else
      return {};
  }
};

template <template <int, class...> class Template, int Number, class... Arguments>
struct text_of<Template<Number, Arguments...>> {
  static std::string get() {
    return std::string(Template<Number, Arguments...>::name) +
           joined(std::to_string(Number), text_of<Arguments>::get()...);
  }
};

template <class Condition, class Then, class Otherwise>
struct text_of<when<Condition, Then, Otherwise>> {
  static std::string get() {
    return text_of<Then>::get() + " if " + text_of<Condition>::get() + ", else " +
           text_of<Otherwise>::get();
  }
};

template <class First, class Second> struct text_of<layer_is::both<First, Second>> {
  static std::string get() { return text_of<First>::get() + " and " + text_of<Second>::get(); }
};
template <class First, class Second> struct text_of<layer_is::either<First, Second>> {
  static std::string get() { return text_of<First>::get() + " or " + text_of<Second>::get(); }
};
template <class Condition> struct text_of<layer_is::not_<Condition>> {
  static std::string get() { return "not " + text_of<Condition>::get(); }
};

template <class Target, class Room, class... Axes>
void describe_room(axis::list<Axes...>, target_description& to) {
  if constexpr (Room::template in<Target>) {
    room_description room{Room::name, {}};
    (room.axes.push_back({Axes::name, text_of<axis_value<Target, Room, Axes>>::get(),
                          provenance<Target, Room, Axes>.level,
                          provenance<Target, Room, Axes>.source}),
     ...);
    to.rooms.push_back(std::move(room));
  }
}

template <class Target, class... Rooms>
void describe_rooms(room::list<Rooms...>, target_description& to) {
  (describe_room<Target, Rooms>(typename Rooms::axes{}, to), ...);
}

}  // namespace detail

template <target Target> [[nodiscard]] target_description describe() {
  target_description to{Target::name, Target::version, {}};
  detail::describe_rooms<Target>(room::all{}, to);
  return to;
}

}  // namespace bittwin::inline v1
