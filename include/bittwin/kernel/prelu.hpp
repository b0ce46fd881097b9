// SPDX-License-Identifier: Apache-2.0
// PRELU under a target, alpha broadcast to the input:  prelu<Target>::prepare(spec).
//   code = requantize(x) for x >= 0, requantize(x alpha) below;  x, alpha without their zero points
//   real multipliers si / so and si sa / so
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/reference/elementwise.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/types/expects.hpp>
#include <span>
#include <utility>

namespace bittwin::inline v1 {

/// type  of input and result; alpha may have another one
struct prelu_spec {
  element_type type = element_type::int8;
  element_type alpha_type = element_type::int8;
  shape extents{}, alpha_extents{};
  affine in{}, alpha{}, out{};
};

[[nodiscard]] inline layer_facts facts_of(const prelu_spec& s) noexcept {
  return {.input = s.type, .output = s.type, .equal_quantization = s.in == s.out};
}

/// Const, usable from many threads, cannot fail; may run in place of its first operand.
class prelu_kernel {
 public:
  prelu_kernel(const requantize_rule& rule, const prelu_spec& s)
      : identity_(bind(rule, s.in.scale, 1.0F, s.out, activation::none, s.type)),
        slope_(bind(rule, s.in.scale, s.alpha.scale, s.out, activation::none, s.type)),
        spec_(s) {}

  [[nodiscard]] std::int64_t operator()(std::int64_t x, std::int64_t alpha) const noexcept {
    x -= spec_.in.zero_point;
    return x >= 0 ? identity_(x, 0) : slope_(x * (alpha - spec_.alpha.zero_point), 0);
  }

  template <class T, class A>
  void operator()(std::span<const T> x, std::span<const A> alpha, std::span<T> y) const noexcept {
    BITTWIN_EXPECTS(holds_codes<T>(spec_.type) && holds_codes<A>(spec_.alpha_type));
    reference::for_each_pair(spec_.extents, spec_.extents, spec_.alpha_extents,
                             [&](std::int64_t o, std::int64_t i, std::int64_t a) {
                               y[static_cast<std::size_t>(o)] = static_cast<T>(
                                   (*this)(std::int64_t{x[static_cast<std::size_t>(i)]},
                                           std::int64_t{alpha[static_cast<std::size_t>(a)]}));
                             });
  }

 private:
  requantizer identity_, slope_;
  prelu_spec spec_;
};

[[nodiscard]] inline result<prelu_kernel> prepare_prelu(const requantize_rule& rule,
                                                        const prelu_spec& s) {
  if (auto e = check_affine(s.in, s.type, "the input"); !e) return e.error();
  if (auto e = check_affine(s.alpha, s.alpha_type, "alpha"); !e) return e.error();
  if (auto e = check_affine(s.out, s.type, "the output"); !e) return e.error();
  shape made;
  if (!reference::broadcast_shape(s.extents, s.alpha_extents, made) || !(made == s.extents))
    return error{error_code::bad_shape,
                 sentence({"alpha of shape ", to_string(s.alpha_extents),
                           " does not broadcast to the input's ", to_string(s.extents)})};
  if (auto c = check_rule(rule); !c) return c.error();
  return prelu_kernel(rule, s);
}

template <target Target> struct prelu {
  static_assert(check_room<Target, room::prelu>());
  [[nodiscard]] static result<prelu_kernel> prepare(const prelu_spec& spec) {
    return prepare_prelu(requantizer_of<Target, room::prelu>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
