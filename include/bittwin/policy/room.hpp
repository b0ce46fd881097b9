// SPDX-License-Identifier: Apache-2.0
// The rooms of a target, one per operator: each one's name, its axes, and the struct that holds it
// in a target. A target without a room refuses that operator; a room without one of its axes does
// not compile.
#pragma once

#include <bittwin/policy/axis.hpp>
#include <concepts>
#include <string_view>

namespace bittwin::inline v1 {

namespace detail {

/// The first axis of a room that is unknown; empty: the room is closed.
template <class Room, class... Axes>
consteval std::string_view unknown_axis(axis::list<Axes...>) noexcept {
  std::string_view first;
  const auto look = [&]<class Axis>() {
    if constexpr (Axis::template present<Room>)
      if (first.empty() && is_unknown<typename Axis::template of<Room>>) first = Axis::name;
  };
  (look.template operator()<Axes>(), ...);
  return first;
}

}  // namespace detail

}  // namespace bittwin::inline v1

namespace bittwin::room::inline v1 {

// As for axes, a macro that is gone at the end of this file. A room offers
//   name, axes, of<Target>
//   declared<Target>   whether the target has the room
//   unknown<Target>    the first of its axes that is unknown there; empty where there is none
//   in<Target>         whether it has it and all of its axes are known
#define BITTWIN_ROOM(NAME, ...)                                                             \
  struct NAME {                                                                             \
    static constexpr std::string_view name = #NAME;                                         \
    using axes = axis::list<__VA_ARGS__>;                                                   \
    template <class Target> using of = typename Target::NAME;                               \
    template <class Target>                                                                 \
    static constexpr bool declared = requires { typename Target::NAME; };                   \
    template <class Target> static consteval std::string_view unknown() noexcept {          \
      if constexpr (declared<Target>)                                                       \
        return bittwin::detail::unknown_axis<typename Target::NAME>(axes{});                \
      else                                                                                  \
        return {};                                                                          \
    }                                                                                       \
    template <class Target>                                                                 \
    static constexpr bool in = declared<Target> && unknown<Target>().empty();               \
  }

BITTWIN_ROOM(conv2d, axis::scale_product, axis::multiplier, axis::rescale, axis::accumulator,
             axis::activation_bounds, axis::stages, axis::narrowing, axis::padding, axis::placement,
             axis::weight_zero_point, axis::scale_channel);
BITTWIN_ROOM(depthwise_conv2d, axis::scale_product, axis::multiplier, axis::rescale,
             axis::accumulator, axis::activation_bounds, axis::stages, axis::narrowing,
             axis::padding, axis::placement, axis::weight_zero_point, axis::scale_channel,
             axis::channel_order);
BITTWIN_ROOM(fully_connected, axis::scale_product, axis::multiplier, axis::rescale,
             axis::accumulator, axis::activation_bounds, axis::stages, axis::narrowing,
             axis::weight_zero_point, axis::scale_channel);
BITTWIN_ROOM(transpose_conv, axis::scale_product, axis::multiplier, axis::rescale,
             axis::accumulator, axis::activation_bounds, axis::stages, axis::narrowing,
             axis::placement, axis::weight_zero_point, axis::scale_channel);
BITTWIN_ROOM(batch_matmul, axis::scale_product, axis::multiplier, axis::rescale, axis::accumulator,
             axis::activation_bounds, axis::stages, axis::narrowing);
BITTWIN_ROOM(lstm, axis::scale_product, axis::multiplier, axis::rescale, axis::lstm_rule);
BITTWIN_ROOM(svdf, axis::scale_product, axis::multiplier, axis::rescale, axis::activation_bounds,
             axis::stages, axis::narrowing);
BITTWIN_ROOM(add, axis::addition, axis::activation_bounds, axis::narrowing);
BITTWIN_ROOM(sub, axis::addition, axis::activation_bounds, axis::narrowing);
BITTWIN_ROOM(mul, axis::scale_product, axis::multiplier, axis::rescale, axis::activation_bounds,
             axis::stages, axis::narrowing);
BITTWIN_ROOM(squared_difference, axis::pair_rule, axis::activation_bounds, axis::narrowing);
BITTWIN_ROOM(div, axis::pair_rule, axis::activation_bounds, axis::narrowing);
BITTWIN_ROOM(comparison, axis::comparison_key);
BITTWIN_ROOM(average_pool2d, axis::pool_division, axis::pool_count, axis::padding, axis::placement,
             axis::activation_bounds);
BITTWIN_ROOM(max_pool2d, axis::placement, axis::activation_bounds);
BITTWIN_ROOM(mean, axis::mean_rule, axis::narrowing);
BITTWIN_ROOM(sum, axis::sum_rule, axis::narrowing);
BITTWIN_ROOM(resize_bilinear, axis::interpolation);
BITTWIN_ROOM(space_to_batch_nd, axis::padding);
BITTWIN_ROOM(detection, axis::class_order);
BITTWIN_ROOM(softmax, axis::softmax_rule);
BITTWIN_ROOM(quantize, axis::float_code);
BITTWIN_ROOM(requantize, axis::scale_product, axis::multiplier, axis::rescale,
             axis::activation_bounds, axis::stages, axis::narrowing);
BITTWIN_ROOM(relu, axis::grid, axis::scale_product, axis::multiplier, axis::rescale,
             axis::activation_bounds, axis::stages, axis::narrowing);
BITTWIN_ROOM(relu6, axis::grid, axis::scale_product, axis::multiplier, axis::rescale,
             axis::activation_bounds, axis::stages, axis::narrowing);
BITTWIN_ROOM(relu_n1_to_1, axis::grid, axis::scale_product, axis::multiplier, axis::rescale,
             axis::activation_bounds, axis::stages, axis::narrowing);
BITTWIN_ROOM(concatenation, axis::recode);
BITTWIN_ROOM(pad, axis::padding);
BITTWIN_ROOM(logistic, axis::unary_rule);
BITTWIN_ROOM(tanh, axis::unary_rule);
BITTWIN_ROOM(hard_swish, axis::unary_rule);
BITTWIN_ROOM(leaky_relu, axis::unary_rule);
BITTWIN_ROOM(elu, axis::unary_rule);
BITTWIN_ROOM(exp, axis::unary_rule);
BITTWIN_ROOM(rsqrt, axis::unary_rule);
BITTWIN_ROOM(sqrt, axis::unary_rule);
BITTWIN_ROOM(abs, axis::unary_rule);
BITTWIN_ROOM(neg, axis::unary_rule);
BITTWIN_ROOM(prelu, axis::scale_product, axis::multiplier, axis::rescale, axis::activation_bounds,
             axis::stages, axis::narrowing);
BITTWIN_ROOM(l2_normalization, axis::l2_rule);
BITTWIN_ROOM(log_softmax, axis::softmax_rule);
BITTWIN_ROOM(cast, axis::float_cast);

#undef BITTWIN_ROOM

template <class... Rooms> struct list {};

/// Every room, in the order in which reports print them.
using all = list<conv2d, depthwise_conv2d, fully_connected, transpose_conv, batch_matmul, svdf, lstm, add, sub,
                 mul, average_pool2d, max_pool2d, mean, softmax, quantize, requantize, relu, relu6,
                 relu_n1_to_1, concatenation, pad, squared_difference, div, comparison, sum,
                 resize_bilinear, space_to_batch_nd, detection, logistic, tanh, hard_swish, leaky_relu, elu,
                 exp, rsqrt, sqrt, abs, neg, prelu, l2_normalization, log_softmax, cast>;

}  // namespace bittwin::room::inline v1

namespace bittwin::inline v1 {

/// A target is a type with a name, the version of what it models, and rooms.
template <class T>
concept target = requires {
  { T::name } -> std::convertible_to<std::string_view>;
  { T::version } -> std::convertible_to<std::string_view>;
};

/// A target that computes on reals: nothing is rounded.
template <class T>
concept target_of_reals = target<T> && requires { requires T::is_real; };

/// Instantiated for each axis of a room that is used, so that a mistake names target, room and
/// axis.
template <class Target, class Room, class Axis> struct axis_of_room {
  static_assert(Axis::template present<typename Room::template of<Target>>,
                "this room of the target lacks this axis");
  using type = typename Axis::template of<typename Room::template of<Target>>;
  static_assert(Axis::template valid<type>,
                "the value of this axis does not satisfy the axis's concept (policy/concepts.hpp)");
};

/// The value of an axis in a room of a target.
template <class Target, class Room, class Axis>
using axis_value = typename axis_of_room<Target, Room, Axis>::type;

namespace detail {

template <class Target, class Room, class... Axes> consteval bool check_axes(axis::list<Axes...>) {
  return (sizeof(axis_of_room<Target, Room, Axes>) + ...) > 0;
}

}  // namespace detail

/// True when the room is there and whole; a fault in it is a compile error that names it. Doors ask first of all, so that
/// the error's first lines are about the target and not about how a kernel got there.
template <class Target, class Room> consteval bool check_room() {
  static_assert(target<Target>, "a target has a name and a version");
  static_assert(Room::template declared<Target>, "the target has no room for this operator");
  static_assert(Room::template in<Target>, "an axis of this room of the target is unknown");
  return detail::check_axes<Target, Room>(typename Room::axes{});
}

}  // namespace bittwin::inline v1
