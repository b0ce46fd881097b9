// SPDX-License-Identifier: Apache-2.0
// What a target changes of the one it is derived from, as a list that the user states and the
// compiler checks.
//   static_assert(overrides<my_npu, tflite_reference>("conv2d.rescale"));
// A misspelt room or axis compiles by itself, since the inherited one stays; this is what notices.
#pragma once

#include <bittwin/policy/room.hpp>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace bittwin::inline v1 {

namespace detail {

template <class Target, class Base, class Room, class Visitor, class... Axes>
constexpr void visit_overrides(axis::list<Axes...>, Visitor& visit) {
  if constexpr (Room::template declared<Target> && Room::template declared<Base>) {
    const auto one = [&]<class Axis>() {
      if constexpr (!std::same_as<axis_value<Target, Room, Axis>, axis_value<Base, Room, Axis>>)
        visit(Room::name, Axis::name);
    };
    (one.template operator()<Axes>(), ...);
  } else if constexpr (Room::template declared<Target> != Room::template declared<Base>) {
    visit(Room::name, std::string_view{});
  }
}

template <class Target, class Base, class Visitor, class... Rooms>
constexpr void visit_overrides(room::list<Rooms...>, Visitor& visit) {
  (visit_overrides<Target, Base, Rooms>(typename Rooms::axes{}, visit), ...);
}

}  // namespace detail

/// Calls visit(room name, axis name) for each axis whose value differs; the axis is empty for a
/// room that only one of the two has.
template <class Target, class Base, class Visitor> constexpr void for_each_override(Visitor visit) {
  detail::visit_overrides<Target, Base>(room::all{}, visit);
}

/// True when exactly the axes named as "room.axis" differ between Target and Base.
template <target Target, target Base, class... Names>
requires std::derived_from<Target, Base>
[[nodiscard]] consteval bool overrides(Names... names) {
  static_assert(Target::name != Base::name, "a derived target needs a name of its own");
  const auto names_it = [](std::string_view text, std::string_view room, std::string_view axis) {
    return text.size() == room.size() + 1 + axis.size() && text.starts_with(room) &&
           text[room.size()] == '.' && text.ends_with(axis);
  };
  std::size_t found = 0;
  bool all_named = true;
  for_each_override<Target, Base>([&](std::string_view room, std::string_view axis) {
    const bool named = (names_it(names, room, axis) || ...);
    found += named ? 1U : 0U;
    all_named = all_named && named;
  });
  return all_named && found == sizeof...(names);
}

}  // namespace bittwin::inline v1
