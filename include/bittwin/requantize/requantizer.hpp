// SPDX-License-Identifier: Apache-2.0
// From an accumulator to a stored code, composed from the axes of a room:
//   code = narrow( stages( rescale( acc, multiplier[channel] ), zero_point, clamp ) )
// requantizer_of<Target, Room> is the only place where this composition happens; behind it there is
// data.
#pragma once

#include <bittwin/policy/concepts.hpp>
#include <bittwin/policy/layers.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/types/activation.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/quantization.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bittwin::inline v1 {

/// The stages behind an accumulator, one by one: for targets that are values, and for `explain`.
struct requantize_steps {
  std::int64_t (*rescale)(std::int64_t acc, const multiplier&) noexcept = nullptr;
  std::int64_t (*stages)(std::int64_t scaled, std::int64_t zero_point, code_range clamp,
                         code_range type) noexcept = nullptr;
  std::int64_t (*narrow)(std::int64_t code, code_range type) noexcept = nullptr;

  [[nodiscard]] std::int64_t operator()(std::int64_t acc, const multiplier& m,
                                        std::int64_t zero_point, code_range clamp,
                                        code_range type) const noexcept {
    return narrow(stages(rescale(acc, m), zero_point, clamp, type), type);
  }
};

/// The rule of a room for one layer, as functions: what the type decided, without the type.
struct requantize_rule {
  std::string_view lacks = {};  ///< what the layer lacks to be represented; empty: nothing
  double (*scale_product)(float, float, float) noexcept = nullptr;
  multiplier (*construct)(double) noexcept = nullptr;
  bool (*accepts)(double) noexcept = nullptr;  ///< null: every real multiplier
  code_range (*bounds)(activation, affine, code_range) noexcept = nullptr;
  std::int64_t (*apply)(std::int64_t acc, const multiplier&, std::int64_t zero_point,
                        code_range clamp, code_range type) noexcept = nullptr;
  bool takes_scales = false;  ///< the rescale reads multiplier::scales, and the bias is among them
  bool keeps_bias = false;    ///< which nevertheless stays in the sum
  requantize_steps steps;     ///< what `apply` is made of; null where nothing is usable
};

/// A rule bound to one layer's scales. Multipliers: one, or one a channel.
struct requantizer {
  decltype(requantize_rule::apply) apply = nullptr;  ///< null: the steps, one by one
  std::vector<multiplier> multipliers;
  std::int32_t zero_point = 0;
  code_range clamp;
  code_range type;
  requantize_steps steps{};

  [[nodiscard]] const multiplier& multiplier_of(std::int64_t channel) const noexcept {
    const std::size_t index = BITTWIN_MUTABLE(multipliers.size() == 1, multiplier_of_channel, true)
                                  ? 0
                                  : static_cast<std::size_t>(channel);
    return multipliers[index];
  }
  [[nodiscard]] std::int64_t operator()(std::int64_t acc, std::int64_t channel) const noexcept {
    const multiplier& m = multiplier_of(channel);
    return apply != nullptr ? apply(acc, m, zero_point, clamp, type)
                            : steps(acc, m, zero_point, clamp, type);
  }
};

namespace detail {

template <class Rescale, class Stages, class Narrowing>
constexpr std::int64_t requantize(std::int64_t acc, const multiplier& m, std::int64_t zero_point,
                                  code_range clamp, code_range type) noexcept {
  const std::int64_t scaled = Rescale::apply(acc, m);
  return Narrowing::apply(Stages::apply(scaled, zero_point, clamp, type), type);
}

template <class Rescale, class Stages, class Narrowing> struct pipeline {};

}  // namespace detail

/// f(detail::pipeline<Rescale, Stages, Narrowing>{}) with what a room holds for a layer.
template <target Target, class Room, class F>
constexpr void choose_pipeline(const layer_facts& layer, F f) {
  choose<axis_value<Target, Room, axis::rescale>>(
      layer, [&]<class Rescale>(std::type_identity<Rescale>) {
        choose<axis_value<Target, Room, axis::stages>>(
            layer, [&]<class Stages>(std::type_identity<Stages>) {
              choose<axis_value<Target, Room, axis::narrowing>>(
                  layer, [&]<class Narrowing>(std::type_identity<Narrowing>) {
                    f(detail::pipeline<Rescale, Stages, Narrowing>{});
                  });
            });
      });
}

/// The rule that a target's room has for a layer. Constructions and applications must agree on the
/// representation.
template <target Target, class Room>
[[nodiscard]] constexpr requantize_rule requantizer_of(const layer_facts& layer) {
  static_assert(check_room<Target, Room>());
  requantize_rule rule;
  choose<axis_value<Target, Room, axis::scale_product>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.scale_product = &P::of; });
  choose<axis_value<Target, Room, axis::activation_bounds>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.bounds = &P::codes; });
  representation made{}, taken{};
  choose<axis_value<Target, Room, axis::multiplier>>(layer, [&]<class P>(std::type_identity<P>) {
    rule.construct = &P::of;
    if constexpr (requires { P::accepts(1.0); }) rule.accepts = &P::accepts;
    made = P::form;
  });
  choose_pipeline<Target, Room>(layer, [&]<class Rescale, class Stages, class Narrowing>(
                                           detail::pipeline<Rescale, Stages, Narrowing>) {
    rule.apply = &detail::requantize<Rescale, Stages, Narrowing>;
    rule.steps = {&Rescale::apply, &Stages::apply, &Narrowing::apply};
    rule.takes_scales = takes_scales<Rescale>;
    rule.keeps_bias = keeps_bias<Rescale>;
    taken = Rescale::form;
  });
  if (made != taken) {
    rule.apply = nullptr;
    rule.steps = {};
  }
  rule.lacks = bittwin::lacks<typename Room::template of<Target>>(layer);
  return rule;
}

/// A layer that a room cannot represent, in one sentence.
[[nodiscard]] inline status check_represented(std::string_view lacks) {
  if (lacks.empty()) return ok();
  return error{error_code::unsupported,
               sentence({"under this target such layers are defined only with ", lacks,
                         "; requantize the model, or choose another target"})};
}

[[nodiscard]] inline status check_rule(const requantize_rule& rule) {
  if (auto s = check_represented(rule.lacks); !s) return s;
  if (rule.steps.rescale == nullptr)
    return error{error_code::unsupported,
                 "the room's multiplier and rescale disagree on the representation"};
  return ok();
}

/// Registers hold the real multiplier first * second / output.
[[nodiscard]] inline status check_multiplier(const requantize_rule& rule, float first, float second,
                                             float output) {
  if (rule.accepts == nullptr) return ok();
  const double real = rule.scale_product(first, second, output);
  if (BITTWIN_MUTABLE(rule.accepts(real), rejected_multiplier_runs, true)) return ok();
  return error{error_code::unsupported,
               sentence({"the target's registers do not hold the multiplier ",
                         decimal(ieee::convert<float>(real)), "; requantize the model"})};
}

/// Binds a rule to one pair of input scale and output grid.
[[nodiscard]] inline requantizer bind(const requantize_rule& rule, float first, float second,
                                      affine output, activation fused, element_type type) {
  requantizer bound{rule.apply,
                    {},
                    BITTWIN_MUTABLE(output.zero_point, bound_zero_point, output.zero_point + 1),
                    {},
                    range_of(type),
                    rule.steps};
  bound.clamp = rule.bounds(fused, output, bound.type);
  bound.multipliers.push_back(rule.construct(rule.scale_product(first, second, output.scale)));
  return bound;
}

}  // namespace bittwin::inline v1
