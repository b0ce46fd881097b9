// SPDX-License-Identifier: Apache-2.0
// The axes of an operator's arithmetic: each one's name, the alias that holds it in a room, and the
// concept that its values satisfy.
#pragma once

#include <bittwin/policy/operator_concepts.hpp>
#include <bittwin/policy/unknown.hpp>
#include <string_view>
#include <type_traits>

namespace bittwin::axis::inline v1 {

// A nested alias cannot be named by a value, hence a macro, gone at the end of this file. An axis
// offers
//   name           as reports and JSON print it
//   of<Room>       the room's alias of that name
//   present<Room>  whether the room has it
//   valid<Value>   whether a value, and every alternative of a `when`, satisfies the axis's concept
#define BITTWIN_AXIS(NAME)                                                                   \
  struct NAME {                                                                              \
    static constexpr std::string_view name = #NAME;                                          \
    template <class Room> using of = typename Room::NAME;                                    \
    template <class Room> static constexpr bool present = requires { typename Room::NAME; }; \
    template <class Value> struct check : std::bool_constant<NAME##_policy<Value>> {};       \
    template <class Value>                                                                   \
    static constexpr bool valid = is_unknown<Value> || every_choice<check, Value>::value;    \
  }

BITTWIN_AXIS(scale_product);
BITTWIN_AXIS(multiplier);
BITTWIN_AXIS(rescale);
BITTWIN_AXIS(accumulator);
BITTWIN_AXIS(activation_bounds);
BITTWIN_AXIS(stages);
BITTWIN_AXIS(narrowing);
BITTWIN_AXIS(padding);
BITTWIN_AXIS(placement);
BITTWIN_AXIS(weight_zero_point);
BITTWIN_AXIS(scale_channel);
BITTWIN_AXIS(channel_order);
BITTWIN_AXIS(addition);
BITTWIN_AXIS(pair_rule);
BITTWIN_AXIS(comparison_key);
BITTWIN_AXIS(pool_division);
BITTWIN_AXIS(pool_count);
BITTWIN_AXIS(mean_rule);
BITTWIN_AXIS(sum_rule);
BITTWIN_AXIS(interpolation);
BITTWIN_AXIS(class_order);
BITTWIN_AXIS(softmax_rule);
BITTWIN_AXIS(lstm_rule);
BITTWIN_AXIS(float_code);
BITTWIN_AXIS(grid);
BITTWIN_AXIS(recode);
BITTWIN_AXIS(unary_rule);
BITTWIN_AXIS(l2_rule);
BITTWIN_AXIS(float_cast);

#undef BITTWIN_AXIS

template <class... Axes> struct list {};

/// Every axis.
using all = list<scale_product, multiplier, rescale, accumulator, activation_bounds, stages, narrowing,
                 padding, placement, weight_zero_point, scale_channel, channel_order, addition,
                 pair_rule, comparison_key, pool_division, pool_count, mean_rule, sum_rule,
                 interpolation, class_order, softmax_rule, lstm_rule, float_code, grid, recode,
                 unary_rule, l2_rule, float_cast>;

}  // namespace bittwin::axis::inline v1
