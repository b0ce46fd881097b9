// SPDX-License-Identifier: Apache-2.0
// A target told in words: each room, each axis, its value and how well it is known.
//   describe<targets::xnnpack>().rooms[0].axes[2]   { "rescale", "float32-multiply<half-even>", published_code, ... }
#pragma once

#include <bittwin/policy/choice.hpp>
#include <bittwin/policy/layers.hpp>
#include <bittwin/policy/provenance.hpp>
#include <bittwin/policy/room.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bittwin::inline v1 {

struct axis_description {
  std::string axis;
  std::string value;
  confidence level = confidence::assumed;
  std::string source;

  friend bool operator==(const axis_description&, const axis_description&) = default;
};

struct room_description {
  std::string room;
  std::vector<axis_description> axes;
  std::vector<std::string> layers{};  ///< conditions that every layer must meet (policy/layers.hpp)

  friend bool operator==(const room_description&, const room_description&) = default;
};

struct target_description {
  std::string name;
  std::string version;
  std::vector<room_description> rooms;  ///< a target without a room refuses that operator
  std::string otherwise{};   ///< the target behind a delegate; empty: none
  std::string delegation{};  ///< whose conditions say what is left to it
  bool is_real = false;      ///< nothing is quantized (targets/real.hpp)
  std::string formula{};       ///< in one line
  std::string known_faults{};
  std::string to_measure{};    ///< what nobody outside knows

  friend bool operator==(const target_description&, const target_description&) = default;
};

/// The room of a name; null where the target has none.
[[nodiscard]] inline const room_description* find_room(const target_description& target,
                                                       std::string_view name) {
  for (const room_description& room : target.rooms)
    if (room.room == name) return &room;
  return nullptr;
}

[[nodiscard]] inline bool is_open(const room_description& room) {
  for (const axis_description& axis : room.axes)
    if (axis.value == "unknown") return true;
  return false;
}

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

/// Out of line: forty targets describe forty rooms.
[[gnu::noinline, gnu::cold]] inline void append_axis(room_description& room, std::string_view axis,
                                                     std::string (*value)(),
                                                     const provenance_record& from) {
  room.axes.push_back({std::string(axis), value(), from.level, std::string(from.source)});
}
[[gnu::noinline, gnu::cold]] inline room_description& append_room(target_description& to,
                                                                  std::string_view name) {
  to.rooms.push_back({std::string(name), {}, {}});
  return to.rooms.back();
}

template <class... Conditions>
std::vector<std::string> names_of(std::type_identity<layers<Conditions...>>) {
  return {std::string(Conditions::name)...};
}

template <class Target, class Room, class... Axes>
void describe_room(axis::list<Axes...>, target_description& to) {
  if constexpr (Room::template declared<Target>) {
    room_description& room = append_room(to, Room::name);
    (append_axis(room, Axes::name, &text_of<axis_value<Target, Room, Axes>>::get,
                 provenance<Target, Room, Axes>),
     ...);
    if constexpr (requires { typename Room::template of<Target>::layers; })
      room.layers = names_of(std::type_identity<typename Room::template of<Target>::layers>{});
  }
}

template <class Target, class... Rooms>
void describe_rooms(room::list<Rooms...>, target_description& to) {
  (describe_room<Target, Rooms>(typename Rooms::axes{}, to), ...);
}

}  // namespace detail

template <target Target> [[nodiscard]] target_description describe() {
  target_description to{std::string(Target::name), std::string(Target::version), {}};
  if constexpr (requires { typename Target::otherwise; }) {
    to.otherwise = Target::otherwise::name;
    to.delegation = Target::name;
  }
  to.is_real = target_of_reals<Target>;
  to.formula = notes<Target>.formula;
  to.known_faults = notes<Target>.known_faults;
  to.to_measure = notes<Target>.to_measure;
  detail::describe_rooms<Target>(room::all{}, to);
  return to;
}

}  // namespace bittwin::inline v1
