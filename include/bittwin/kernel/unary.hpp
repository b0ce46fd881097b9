// SPDX-License-Identifier: Apache-2.0
// One-operand operators on codes under a target:  logistic<Target>::prepare(spec), and so on.
//   y[i] = rule(x[i]);  8-bit operators become a table of 256 codes in prepare()
#pragma once

#include <bittwin/kernel/byte_table.hpp>
#include <bittwin/kernel/checks.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/types/expects.hpp>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace bittwin::inline v1 {

/// type       of operand and result
/// quantized  false: plain integers (ABS, NEG), the grids are not read
/// alpha      LEAKY_RELU's slope below zero, finite
struct unary_spec {
  element_type type = element_type::int8;
  affine in{}, out{};
  float alpha = 0.0F;
  bool quantized = true;
};

[[nodiscard]] inline layer_facts facts_of(const unary_spec& s) noexcept {
  return {.input = s.type, .output = s.type, .equal_quantization = s.in == s.out};
}

/// What a room with a unary_rule says, as functions.
struct unary_rule {
  std::string_view (*prepare)(unary_constants&) = nullptr;
  std::int64_t (*apply)(const unary_constants&, std::int64_t) noexcept = nullptr;
};

template <target Target, class Room>
[[nodiscard]] constexpr unary_rule unary_rule_of(const layer_facts& layer) {
  static_assert(check_room<Target, Room>());
  unary_rule rule;
  choose<axis_value<Target, Room, axis::unary_rule>>(layer, [&]<class P>(std::type_identity<P>) {
    rule.prepare = &P::prepare;
    rule.apply = &P::apply;
  });
  return rule;
}

/// Const, usable from many threads, cannot fail; may run in place.
class unary_kernel {
 public:
  unary_kernel(const unary_rule& rule, unary_constants constants)
      : rule_(rule), constants_(std::move(constants)) {
    const code_range type = range_of(constants_.type);
    if (bytes_of(constants_.type) != 1) return;
    low_ = type.low;
    for (std::int64_t code = type.low; code <= type.high; ++code)
      results_.push_back(static_cast<std::int16_t>(rule_.apply(constants_, code)));
    packed_ = pack_every_code(constants_.type, *this);
  }

  [[nodiscard]] std::int64_t operator()(std::int64_t code) const noexcept {
    return results_.empty() ? rule_.apply(constants_, code)
                            : results_[static_cast<std::size_t>(code - low_)];
  }

  /// parallel  threads of the caller; what is not packed runs on the one that calls
  template <class T>
  void operator()(std::span<const T> x, std::span<T> y,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(holds_codes<T>(constants_.type));
    if (run_stream(packed_, constants_.type, x, y, parallel)) return;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<T>((*this)(std::int64_t{x[i]}));
  }

  /// What was proved, and which forms run.
  [[nodiscard]] explanation explain() const { return bittwin::explain(packed_); }

  /// What runs: the architecture of the packed kernel, or scalar.
  [[nodiscard]] simd::arch runs_on() const noexcept {
    return packed_ ? arch_of(*packed_) : simd::arch::scalar;
  }

 private:
  unary_rule rule_;
  unary_constants constants_;
  std::int64_t low_ = 0;
  std::vector<std::int16_t> results_;  ///< of each code from low_ on; empty for wider types
  packed_pointer<packed_stream> packed_;
};

[[nodiscard]] inline result<unary_kernel> prepare_unary(const unary_rule& rule,
                                                        const unary_spec& s) {
  unary_constants c{.type = s.type, .alpha = s.alpha, .quantized = s.quantized};
  if (s.quantized) {
    if (auto e = check_affine(s.in, s.type, "the input"); !e) return e.error();
    if (auto e = check_affine(s.out, s.type, "the output"); !e) return e.error();
    c.in = s.in;
    c.out = s.out;
  }
  if (ieee::kind_of(s.alpha) != ieee::kind::finite)
    return error{error_code::bad_option,
                 sentence({"alpha is ", decimal(s.alpha), "; it must be finite"})};
  if (const std::string_view reason = rule.prepare(c); !reason.empty())
    return error{error_code::unsupported,
                 sentence({reason, "; the input has scale ", decimal(c.in.scale),
                           " and zero point ", number(c.in.zero_point), ", the output ",
                           decimal(c.out.scale), " and ", number(c.out.zero_point)})};
  return unary_kernel(rule, std::move(c));
}

/// The door of the operator whose room is Room.
template <target Target, class Room> struct unary_operator {
  static_assert(check_room<Target, Room>());
  [[nodiscard]] static result<unary_kernel> prepare(const unary_spec& spec) {
    return prepare_unary(unary_rule_of<Target, Room>(facts_of(spec)), spec);
  }
};

template <target Target> struct logistic : unary_operator<Target, room::logistic> {};
template <target Target> struct tanh : unary_operator<Target, room::tanh> {};
template <target Target> struct hard_swish : unary_operator<Target, room::hard_swish> {};
template <target Target> struct leaky_relu : unary_operator<Target, room::leaky_relu> {};
template <target Target> struct elu : unary_operator<Target, room::elu> {};
template <target Target> struct exp : unary_operator<Target, room::exp> {};
template <target Target> struct rsqrt : unary_operator<Target, room::rsqrt> {};
template <target Target> struct sqrt : unary_operator<Target, room::sqrt> {};
template <target Target> struct abs : unary_operator<Target, room::abs> {};
template <target Target> struct neg : unary_operator<Target, room::neg> {};

}  // namespace bittwin::inline v1
