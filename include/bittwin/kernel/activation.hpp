// SPDX-License-Identifier: Apache-2.0
// Standalone RELU, RELU6 and RELU_N1_TO_1 under a target.
//   code = clamp( requantize( code - input zero point ), bounds on the target's grid )
#pragma once

#include <bittwin/kernel/quantize.hpp>

namespace bittwin::inline v1 {

struct activation_spec {
  element_type type = element_type::int8;
  activation kind = activation::relu;
  affine in{}, out{};
};

[[nodiscard]] inline layer_facts facts_of(const activation_spec& s) noexcept {
  layer_facts facts{.input = s.type, .output = s.type, .equal_quantization = s.in == s.out};
  state_grids(facts, {s.in, s.out});
  state_activation(facts, s.kind, s.out, s.type);
  return facts;
}

/// What a standalone activation's room says, as functions.
struct activation_rule {
  requantize_rule requantize;
  affine (*grid)(affine, affine) noexcept = nullptr;
  bool packs = true;  ///< false: the rule itself is called for every code
};

template <target Target, class Room>
[[nodiscard]] constexpr activation_rule activation_rule_of(const layer_facts& layer) {
  activation_rule rule{requantizer_of<Target, Room>(layer)};
  choose<axis_value<Target, Room, axis::grid>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.grid = &P::of; });
  return rule;
}

/// A standalone activation is a requantization with a clamp; it may run in place.
[[nodiscard]] inline result<requantize_kernel> prepare_activation(const activation_rule& rule,
                                                                  const activation_spec& s) {
  if (auto c = check_affine(s.in, s.type, "the input"); !c) return c.error();
  if (auto c = check_affine(s.out, s.type, "the output"); !c) return c.error();
  if (auto c = check_rule(rule.requantize); !c) return c.error();
  const affine out = rule.grid(s.in, s.out);
  if (auto c = check_multiplier(rule.requantize, s.in.scale, 1.0F, out.scale); !c) return c.error();
  return requantize_kernel(bind(rule.requantize, s.in.scale, 1.0F, out, s.kind, s.type),
                           {s.type, s.type, s.in, out}, nullptr, rule.packs);
}

template <target Target> struct relu {
  static_assert(check_room<Target, room::relu>());
  [[nodiscard]] static result<requantize_kernel> prepare(activation_spec spec) {
    spec.kind = activation::relu;
    return prepare_activation(activation_rule_of<Target, room::relu>(facts_of(spec)), spec);
  }
};

template <target Target> struct relu6 {
  static_assert(check_room<Target, room::relu6>());
  [[nodiscard]] static result<requantize_kernel> prepare(activation_spec spec) {
    spec.kind = activation::relu6;
    return prepare_activation(activation_rule_of<Target, room::relu6>(facts_of(spec)), spec);
  }
};

template <target Target> struct relu_n1_to_1 {
  static_assert(check_room<Target, room::relu_n1_to_1>());
  [[nodiscard]] static result<requantize_kernel> prepare(activation_spec spec) {
    spec.kind = activation::relu_n1_to_1;
    return prepare_activation(activation_rule_of<Target, room::relu_n1_to_1>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
