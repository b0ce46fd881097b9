// SPDX-License-Identifier: Apache-2.0
// ADD and SUB under a target, with broadcasting:  add<Target>::prepare(spec),
// sub<Target>::prepare(spec).
//   code = clamp( addition(a, b), activation )
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/kernel/every_pair.hpp>
#include <bittwin/kernel/represented.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/reference/elementwise.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/types/activation.hpp>
#include <bittwin/types/expects.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/parallel_for.hpp>
#include <span>
#include <utility>

namespace bittwin::inline v1 {

/// Two operands and a result of one element type. Extents broadcast: equal, or 1 in one of them.
struct binary_spec {
  element_type type = element_type::int8;
  shape a_extents{}, b_extents{};
  affine a{}, b{}, output{};
  activation fused = activation::none;
  bool power_of_two = false;  ///< int16: the file asks for the rule of power-of-two scales
};

[[nodiscard]] inline layer_facts facts_of(const binary_spec& s) noexcept {
  layer_facts facts{.input = s.type,
                    .output = s.type,
                    .equal_quantization = s.a == s.output && s.b == s.output,
                    .power_of_two_scales = s.type == element_type::int16 && s.power_of_two &&
                                           addition::whole_log2(s.a.scale) &&
                                           addition::whole_log2(s.b.scale) &&
                                           addition::whole_log2(s.output.scale)};
  state_grids(facts, {s.a, s.b, s.output});
  state_activation(facts, s.fused, s.output, s.type);
  return facts;
}

/// The checks that all element-wise operators share; fills in the result's extents.
[[nodiscard]] inline status check_binary(const binary_spec& s, shape& out) {
  if (!reference::broadcast_shape(s.a_extents, s.b_extents, out))
    return error{error_code::bad_shape,
                 sentence({"operands of shape ", to_string(s.a_extents), " and ",
                           to_string(s.b_extents), " do not broadcast"})};
  if (auto c = check_affine(s.a, s.type, "the first operand"); !c) return c;
  if (auto c = check_affine(s.b, s.type, "the second operand"); !c) return c;
  return check_affine(s.output, s.type, "the output");
}

/// What a room of two operands says, as functions.
struct addition_rule {
  bool (*prepare)(addition_constants&) noexcept = nullptr;
  std::int64_t (*apply)(const addition_constants&, std::int64_t, std::int64_t) noexcept = nullptr;
  addition::slopes (*slopes)(const addition_constants&) noexcept =
      nullptr;  ///< null: not about linear
  code_range (*bounds)(activation, affine, code_range) noexcept = nullptr;
  std::int64_t (*narrow)(std::int64_t, code_range) noexcept = nullptr;
  std::string_view lacks = {};  ///< what the layer lacks to be represented
  bool packs = true;            ///< false: the rule itself is called for every element
};

template <target Target, class Room, class Axis = axis::addition>
[[nodiscard]] constexpr addition_rule addition_rule_of(const layer_facts& layer) {
  static_assert(check_room<Target, Room>());
  addition_rule rule;
  choose<axis_value<Target, Room, Axis>>(layer, [&]<class P>(std::type_identity<P>) {
    rule.prepare = &P::prepare;
    rule.apply = &P::apply;
    if constexpr (requires { &P::slopes_of; }) rule.slopes = &P::slopes_of;
  });
  choose<axis_value<Target, Room, axis::activation_bounds>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.bounds = &P::codes; });
  choose<axis_value<Target, Room, axis::narrowing>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.narrow = &P::apply; });
  rule.lacks = lacks<typename Room::template of<Target>>(layer);
  return rule;
}

/// A prepared sum or difference. Const, usable from many threads, cannot fail.
/// The result may be the same tensor as an operand of the same extents.
class addition_kernel {
 public:
  addition_kernel(const addition_rule& rule, const binary_spec& spec, const shape& out,
                  const addition_constants& constants)
      : rule_(rule),
        spec_(spec),
        out_(out),
        constants_(constants),
        type_(range_of(spec.type)),
        clamp_(rule.bounds(spec.fused, spec.output, type_)) {
    if (!rule.packs || !without_broadcast(spec.a_extents, spec.b_extents, out)) return;
    pair_request q;
    q.type = spec.type;
    q.zero_a = spec.a.zero_point, q.zero_b = spec.b.zero_point, q.zero = spec.output.zero_point;
    if (rule.slopes != nullptr) {
      const addition::slopes slopes = rule.slopes(constants);
      q.slope_a = slopes.a, q.slope_b = slopes.b;
    }
    packed_ = pack_every_pair(q, [&](std::int64_t a, std::int64_t b) { return (*this)(a, b); });
  }

  [[nodiscard]] const shape& output() const noexcept { return out_; }

  /// The code of one pair.
  [[nodiscard]] std::int64_t operator()(std::int64_t a, std::int64_t b) const noexcept {
    const std::int64_t code = rule_.apply(constants_, a, b);
    return rule_.narrow(
        clamp_to(code, clamp_.low, BITTWIN_MUTABLE(clamp_.high, sum_clamp, type_.high)), type_);
  }

  /// parallel  threads of the caller; what is not packed runs on the one that calls
  template <class T>
  void operator()(std::span<const T> a, std::span<const T> b, std::span<T> y,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(holds_codes<T>(spec_.type));
    if (run_every_pair(packed_, a, b, y, parallel)) return;
    reference::for_each_pair(out_, spec_.a_extents, spec_.b_extents,
                             [&](std::int64_t o, std::int64_t i, std::int64_t j) {
                               y[static_cast<std::size_t>(o)] = static_cast<T>(
                                   (*this)(std::int64_t{a[static_cast<std::size_t>(i)]},
                                           std::int64_t{b[static_cast<std::size_t>(j)]}));
                             });
  }

  /// What was proved, and which forms run.
  [[nodiscard]] explanation explain() const { return bittwin::explain(packed_); }

  /// What runs: the architecture of the packed kernel, or scalar for the target's own rule.
  [[nodiscard]] simd::arch runs_on() const noexcept {
    return packed_ ? arch_of(*packed_) : simd::arch::scalar;
  }
  /// Null where the rule runs.
  [[nodiscard]] const packed_pointer<packed_pairs>& packed() const noexcept { return packed_; }

 private:
  addition_rule rule_;
  binary_spec spec_;
  shape out_;
  addition_constants constants_;
  code_range type_;
  code_range clamp_;
  packed_pointer<packed_pairs> packed_;
};

/// sign  1 for a sum, -1 for a difference
[[nodiscard]] inline result<addition_kernel> prepare_addition(const addition_rule& rule,
                                                              const binary_spec& s, int sign) {
  shape out;
  if (auto c = check_binary(s, out); !c) return c.error();
  if (auto c = check_represented(rule.lacks); !c) return c.error();
  addition_constants constants;
  constants.a = s.a;
  constants.b = s.b;
  constants.out = s.output;
  constants.sign = sign;
  if (!rule.prepare(constants))
    return error{error_code::unsupported,
                 "the ratio of an operand's scale to the output's lies outside what this target's "
                 "rule represents; requantize an operand first"};
  return addition_kernel(rule, s, out, constants);
}

template <target Target> struct add {
  static_assert(check_room<Target, room::add>());
  [[nodiscard]] static result<addition_kernel> prepare(const binary_spec& spec) {
    return prepare_addition(addition_rule_of<Target, room::add>(facts_of(spec)), spec, 1);
  }
};

template <target Target> struct sub {
  static_assert(check_room<Target, room::sub>());
  [[nodiscard]] static result<addition_kernel> prepare(const binary_spec& spec) {
    return prepare_addition(addition_rule_of<Target, room::sub>(facts_of(spec)), spec, -1);
  }
};

}  // namespace bittwin::inline v1
